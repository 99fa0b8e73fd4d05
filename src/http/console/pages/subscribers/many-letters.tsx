import type { Trial } from "../../../../domain/around/bulk/try.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { messageChoices } from "../../../../domain/around/messages/by-which.ts";
import { previewMessage } from "../../../../domain/around/messages/write.ts";
import type { StaffVisit } from "../../guard.ts";
import { toLetter, LetterPreview, describeRate, type LetterValues } from "../../parts/letter.tsx";

interface ManyLettersProps {
  visit: StaffVisit;
  values: LetterValues;
  trial: Trial;
}

/** The first message, and how long sending takes. */
export function ManyLetters({ visit, values, trial: { tried, total } }: ManyLettersProps) {
  const { db, by, now, view } = visit;
  const first = tried.find(({ outcome }) => outcome.kind === "done");
  const channel = messageChoices(db, by).channels.find(({ id }) => String(id) === values.channel_id);
  if (!first || !channel) return null;
  const words = view.words.messageWriting.many;
  const count = tried.filter(({ outcome }) => outcome.kind === "done").length + total - tried.length;
  const lasts = Math.floor(((count - 1) * 60) / channel.perMinute);
  const letter = letterFor(first.id);
  return (
    <>
      {letter && <LetterPreview view={view} title={words.example(first.name)} letter={letter} />}
      <p class="hint">
        {lasts === 0
          ? words.paceOne
          : words.pace(describeRate(view, channel.perMinute), view.format.duration(lasts))}
      </p>
    </>
  );

  function letterFor(subscriberId: number) {
    try {
      return previewMessage(db, by, { input: { user_id: subscriberId, ...toLetter(values) } }, { now });
    } catch (error) {
      if (error instanceof DomainError) return undefined; // the trial has said it
      throw error;
    }
  }
}
