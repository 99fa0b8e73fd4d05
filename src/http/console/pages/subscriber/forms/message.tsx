import { randomUUID } from "node:crypto";
import { DomainError, type FieldErrors } from "../../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { messageChoices } from "../../../../../domain/around/messages/by-which.ts";
import {
  type Preview,
  previewMessage,
  writeMessage,
  type Written,
} from "../../../../../domain/around/messages/write.ts";
import { once } from "../../../../../domain/core/once/once.ts";
import { may, seesWholeIsp } from "../../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../../domain/core/actor/permissions.ts";
import { subscriberById } from "../../../../../domain/goods/subscribers/find.ts";
import { attempt } from "../../../attempt.ts";
import { Note } from "../../../../pages/note.tsx";
import { Check } from "../../../../pages/parts/field.tsx";
import { flash } from "../../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../../guard.ts";
import {
  LetterFields,
  toLetter,
  LetterPreview,
  NoChannel,
  describeRate,
  isWritten,
  type LetterValues,
  letterValues,
} from "../../../parts/letter.tsx";
import { messagePages } from "../../../parts/messages-frame.tsx";
import { sentence } from "../../../parts/phrases.ts";
import { type PageContext, readPageContext } from "../context.ts";
import { formDrawer, readText } from "./form.tsx";

const PATH = "/console/subscribers/:id/message";

interface Sent {
  readonly values: LetterValues;
  readonly anyway: boolean;
  readonly key: string;
  /** The refusal; a preview's is shown there alone. */
  readonly refused?: DomainError;
}

async function form(context: PageContext, { values, anyway, key, refused }: Sent): Promise<Response> {
  const { visit, base, head } = context;
  const words = visit.view.words.messageWriting;
  const choices = messageChoices(visit.db, visit.by, { ispId: head.subscriber.ispId });
  const drawn = { context, to: "message", title: words.title };
  if (choices.channels.length === 0) return formDrawer({ ...drawn, children: <NoChannel visit={visit} /> });
  const faults = refused?.fields ?? {};
  const preview = `${base}/message/preview`;
  return formDrawer({
    ...drawn,
    submit: words.send,
    status: refused ? 422 : 200,
    children: (
      <div
        class="stack"
        hx-post={preview}
        hx-include="closest form"
        hx-trigger="change, input delay:300ms"
        hx-target="#letter-preview"
        hx-select="#letter-preview"
        hx-swap="outerMorph"
        hx-sync="this:replace"
      >
        {refused && !refused.fields && <Note kind="bad">{sentence(refused.message)}</Note>}
        <LetterFields visit={visit} {...choices} values={values} faults={faults} />
        <input type="hidden" name="key" value={key} />
        <div id="letter-preview" class="stack" aria-live="polite">
          <Shows
            context={context}
            values={values}
            anyway={anyway}
            seen={await previewLetter(context, values)}
          />
        </div>
        <noscript>
          <button class="button" formaction={preview}>
            {words.show}
          </button>
        </noscript>
      </div>
    ),
  });
}

type Seen = Preview | DomainError | null;

/** The rendered message; null: empty. */
async function previewLetter({ visit, head }: PageContext, values: LetterValues): Promise<Seen> {
  const { db, by, now } = visit;
  if (!isWritten(values)) return null;
  const input = { user_id: head.subscriber.id, ...toLetter(values) };
  return attempt(visit, async () => previewMessage(db, by, { input }, { now }));
}

function Shows({
  context,
  anyway,
  seen,
}: Pick<Sent, "values" | "anyway"> & { context: PageContext; seen: Seen }) {
  const { view } = context.visit;
  const words = view.words.messageWriting;
  if (seen === null) return <p class="hint">{words.previewHint}</p>;
  if (seen instanceof DomainError) return <Note kind="bad">{whyNot(seen)}</Note>;
  return (
    <>
      <LetterPreview view={view} title={words.preview} letter={seen} />
      {seen.unwanted !== null && (
        <>
          <Note kind="wait">{words.unwanted[seen.unwanted] ?? sentence(seen.unwanted)}</Note>
          <Check name="anyway" label={words.anyway} checked={anyway} />
        </>
      )}
    </>
  );
}

function whyNot({ message, fields }: { message: string; fields?: FieldErrors | undefined }): string {
  return fields
    ? Object.values(fields)
        .flat()
        .map((fault) => sentence(fault))
        .join(" ")
    : sentence(message);
}

function readSent(input: Input): Sent {
  const values = letterValues(input);
  return {
    values,
    anyway: input["anyway"] === "1",
    key: readText(input["key"]).slice(0, 100) || randomUUID(),
  };
}

/** Writes the message once for the form's key. */
function writeOnce(
  { db, by, now, path }: StaffVisit,
  subscriberId: number,
  { values, anyway, key }: Sent,
): Written {
  const input = { user_id: subscriberId, ...toLetter(values), ...(anyway && { anyway: 1 }) };
  return once(db, by, { path, key, input }, { now }, (tx) => {
    permit(by, "writeMessage");
    subscriberById(tx, by.scope, subscriberId);
    return () => writeMessage(tx, by, { input }, { now });
  });
}

/** Position in the queue, or when it leaves. */
function standing({ view, now }: StaffVisit, written: Written): string {
  const phrases = view.words.messageWriting.said;
  const { channel, ahead, perMinute, dueAt, isDown } = written;
  if (dueAt > now) return phrases.later(channel, view.format.weekTime(dueAt));
  if (isDown) return phrases.down(channel);
  if (ahead === 0) return phrases.next(channel);
  return phrases.behind(ahead, channel, describeRate(view, perMinute));
}

export const messageRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "writeMessage");
    return form(readPageContext(visit), { values: {}, anyway: false, key: randomUUID() });
  }),
  staffForm(`${PATH}/preview`, (visit, input) => {
    permit(visit.by, "previewMessage");
    return form(readPageContext(visit), readSent(input));
  }),
  staffForm(PATH, async (visit, input) => {
    permit(visit.by, "writeMessage");
    const context = readPageContext(visit);
    const sent = readSent(input);
    const { by, view } = visit;
    const written = await attempt(visit, async () => writeOnce(visit, context.head.subscriber.id, sent));
    if (written instanceof DomainError) {
      if (written.kind === "not_found") throw written;
      return form(context, { ...sent, refused: written });
    }
    const { said: words } = view.words.messageWriting;
    const seesIt = may(by, "message_view") && seesWholeIsp(by.scope);
    const links = [{ href: `${messagePages.outbox}/${written.messageId}`, label: words.look }];
    const what = { kind: "good", title: words.title, text: standing(visit, written) } as const;
    return flash(visit, { ...what, ...(seesIt && { links }) }, context.base);
  }),
];
