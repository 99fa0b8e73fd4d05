import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { verbatim } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { previewTemplate, someoneToShow, testChannel } from "../../../../domain/around/messages/trial.ts";
import { sendMessage } from "../../../../outgoing/send-message.ts";
import { attempt } from "../../attempt.ts";
import { Note } from "../../../pages/note.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import type { StaffVisit } from "../../guard.ts";
import { messagePages } from "../../parts/messages-frame.tsx";
import { sentence } from "../../parts/phrases.ts";
import { timed, type Trial, trialText } from "../../parts/trial.ts";
import { findFault, textIn } from "../../parts/refused.ts";
import type { TextValues } from "./editor.tsx";

export interface Tried {
  readonly channel: string;
  readonly to: string;
  readonly came?: Trial;
  readonly refused?: DomainError;
}

export async function sendValues(visit: StaffVisit, values: TextValues, input: Input): Promise<Tried> {
  const { db, by, now, view } = visit;
  const chosen = { channel: textIn(input, "channel"), to: textIn(input, "to").trim() };
  const { language, subject, body } = values;
  const done = await attempt(visit, () =>
    timed(async () => {
      const who = someoneToShow(db, by, { username: values.who.trim() });
      if (!who) throw new DomainError("not_found", verbatim(view.words.messageTexts.nobody));
      const words = previewTemplate(db, by, { language, subject, body, user_id: who.id }, { now });
      return testChannel(
        db,
        by,
        {
          id: Number(chosen.channel) || 0,
          input: { to: chosen.to },
          words: { subject: words.subject, body: words.body, language },
        },
        { now, send: sendMessage },
      );
    }),
  );
  return done instanceof DomainError ? { ...chosen, refused: done } : { ...chosen, came: done };
}

export function TryIt({ visit: { db, by, view }, tried }: { visit: StaffVisit; tried: Tried | undefined }) {
  const words = view.words.messageTexts;
  const channels = listChannels(db, by).filter(({ disabledAt }) => disabledAt === null);
  if (channels.length === 0) return null;
  const text = tried?.came && trialText(view, tried.came);
  return (
    <Card title={words.try} lead={words.tryLead} id="text-try">
      <div class="stack near">
        {text && (
          <div role="status">
            <Note kind={text.kind}>{text.title}</Note>
          </div>
        )}
        {tried?.refused && <Note kind="bad">{sentence(tried.refused.message)}</Note>}
        <Select
          name="channel"
          label={words.tryBy}
          value={tried?.channel ?? ""}
          options={channels.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Field
          name="to"
          label={words.tryTo}
          value={tried?.to ?? ""}
          fault={findFault(tried?.refused, "to")}
          attributes={{ maxlength: 200, autocomplete: "off" }}
        />
        <button class="button outline" formaction={`${messagePages.texts}/try`} formnovalidate>
          <span>{words.trySend}</span>
        </button>
      </div>
    </Card>
  );
}
