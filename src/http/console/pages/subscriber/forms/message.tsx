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
import { said } from "../../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../../guard.ts";
import {
  LetterFields,
  letterOf,
  LetterPreview,
  NoChannel,
  rateOf,
  saysSomething,
  type Typed,
  typedLetter,
} from "../../messages/letter.tsx";
import { messagePages } from "../../messages/head.tsx";
import { sentence } from "../say.ts";
import { type Shown, shownOf } from "../shown.ts";
import { formDrawer, textOf } from "./form.tsx";

const PATH = "/console/subscribers/:id/message";

interface Sent {
  readonly typed: Typed;
  readonly anyway: boolean;
  /** Of this form, so that it is sent once. */
  readonly key: string;
  /** Why it was not written; of a preview it is said there alone. */
  readonly refused?: DomainError;
}

async function form(shown: Shown, { typed, anyway, key, refused }: Sent): Promise<Response> {
  const { visit, base, head } = shown;
  const words = visit.view.words.messageWriting;
  const choices = messageChoices(visit.db, visit.by, { ispId: head.subscriber.ispId });
  const drawn = { shown, to: "message", title: words.title };
  if (choices.channels.length === 0) return formDrawer({ ...drawn, children: <NoChannel visit={visit} /> });
  const faults = refused?.fields ?? {};
  const preview = `${base}/message/preview`;
  return formDrawer({
    ...{ ...drawn, submit: words.send, status: refused ? 422 : 200 },
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
        <LetterFields visit={visit} {...choices} typed={typed} faults={faults} />
        <input type="hidden" name="key" value={key} />
        <div id="letter-preview" class="stack" aria-live="polite">
          <Shows shown={shown} typed={typed} anyway={anyway} seen={await seenOf(shown, typed)} />
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

/** How it will be read; null: there is nothing to read yet. */
async function seenOf({ visit, head }: Shown, typed: Typed): Promise<Seen> {
  const { db, by, now } = visit;
  if (!saysSomething(typed)) return null;
  const input = { user_id: head.subscriber.id, ...letterOf(typed) };
  return attempt(visit, async () => previewMessage(db, by, { input }, { now }));
}

function Shows({ shown, anyway, seen }: Pick<Sent, "typed" | "anyway"> & { shown: Shown; seen: Seen }) {
  const { view } = shown.visit;
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

function sentOf(input: Input): Sent {
  const typed = typedLetter(input);
  return { typed, anyway: input["anyway"] === "1", key: textOf(input["key"]).slice(0, 100) || randomUUID() };
}

/** Written once for the key of its form, however often that is sent. */
function writeOnce(
  { db, by, now, path }: StaffVisit,
  subscriberId: number,
  { typed, anyway, key }: Sent,
): Written {
  const input = { user_id: subscriberId, ...letterOf(typed), ...(anyway && { anyway: 1 }) };
  return once(db, by, { path, key, input }, { now }, (tx) => {
    permit(by, "writeMessage");
    subscriberById(tx, by.scope, subscriberId);
    return () => writeMessage(tx, by, { input }, { now });
  });
}

/** What is so now: whether it is next, how many leave before it, or when it leaves. */
function standing({ view, now }: StaffVisit, written: Written): string {
  const say = view.words.messageWriting.said;
  const { channel, ahead, perMinute, dueAt, isDown } = written;
  if (dueAt > now) return say.later(channel, view.format.weekTime(dueAt));
  if (isDown) return say.down(channel);
  if (ahead === 0) return say.next(channel);
  return say.behind(ahead, view.format.number(ahead), channel, rateOf(view, perMinute));
}

export const messageRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "writeMessage");
    return form(shownOf(visit), { typed: {}, anyway: false, key: randomUUID() });
  }),
  staffForm(`${PATH}/preview`, (visit, input) => {
    permit(visit.by, "previewMessage");
    return form(shownOf(visit), sentOf(input));
  }),
  staffForm(PATH, async (visit, input) => {
    permit(visit.by, "writeMessage");
    const shown = shownOf(visit);
    const sent = sentOf(input);
    const { by, view } = visit;
    const written = await attempt(visit, async () => writeOnce(visit, shown.head.subscriber.id, sent));
    if (written instanceof DomainError) {
      if (written.code === "not_found") throw written;
      return form(shown, { ...sent, refused: written });
    }
    const { said: words } = view.words.messageWriting;
    const seesIt = may(by, "message_view") && seesWholeIsp(by.scope);
    const links = [{ href: `${messagePages.outbox}/${written.messageId}`, label: words.look }];
    const what = { kind: "good", title: words.title, text: standing(visit, written) } as const;
    return said(visit, { ...what, ...(seesIt && { links }) }, shown.base);
  }),
];
