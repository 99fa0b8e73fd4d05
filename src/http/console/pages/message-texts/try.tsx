import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { previewTemplate, someoneToShow, testChannel } from "../../../../domain/around/messages/trial.ts";
import { sendMessage } from "../../../../outgoing/send-message.ts";
import { attempt } from "../../attempt.ts";
import { Note } from "../../../pages/note.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Came } from "../message-channels/channel.tsx";
import { messagePages } from "../messages/head.tsx";
import { sentence } from "../subscriber/say.ts";
import { faultOf, typedIn } from "../team/form.tsx";
import type { Typed } from "./editor.tsx";

/** What came of sending a text to somebody who looks at it. */
export interface Tried {
  readonly channel: string;
  readonly to: string;
  readonly came?: { readonly came: Parameters<typeof Came>[0]["came"]; readonly milliseconds: number };
  readonly refused?: DomainError;
}

export async function sendTyped(visit: StaffVisit, typed: Typed, input: Input): Promise<Tried> {
  const { db, by, now, view } = visit;
  const chosen = { channel: typedIn(input, "channel"), to: typedIn(input, "to").trim() };
  const { language, subject, body } = typed;
  const began = performance.now();
  const done = await attempt(visit, async () => {
    const who = someoneToShow(db, by, { username: typed.who.trim() });
    if (!who) throw new DomainError("not_found", view.words.messageTexts.nobody);
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
  });
  if (done instanceof DomainError) return { ...chosen, refused: done };
  return { ...chosen, came: { came: done, milliseconds: Math.round(performance.now() - began) } };
}

/** Sends it to oneself; a part of the form of the text. */
export function TryIt({ visit: { db, by, view }, tried }: { visit: StaffVisit; tried: Tried | undefined }) {
  const words = view.words.messageTexts;
  const channels = listChannels(db, by).filter(({ disabledAt }) => disabledAt === null);
  if (channels.length === 0) return null;
  return (
    <Card title={words.try} lead={words.tryLead} id="text-try">
      <div class="stack-small">
        {tried?.came && <Came view={view} {...tried.came} />}
        {tried?.refused && <Note kind="bad">{sentence(tried.refused.message)}</Note>}
        <Select
          {...{ name: "channel", label: words.tryBy, value: tried?.channel ?? "" }}
          options={channels.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Field
          {...{ name: "to", label: words.tryTo, value: tried?.to ?? "" }}
          fault={faultOf(tried?.refused, "to")}
          attributes={{ maxlength: 200, autocomplete: "off" }}
        />
        <button class="button outline" formaction={`${messagePages.texts}/try`} formnovalidate>
          <span>{words.trySend}</span>
        </button>
      </div>
    </Card>
  );
}
