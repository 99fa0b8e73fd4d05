import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { messageInFull } from "../../../../domain/around/messages/in-full.ts";
import { cancelMessage, sendAgain } from "../../../../domain/around/messages/outbox.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../../parts/phrases.ts";
import { messageHref } from "../../parts/hrefs.ts";

const messageId = ({ params }: StaffVisit) => pathId("message", params["id"] ?? null);

export async function again(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const id = messageId(visit);
  const before = messageInFull(db, by, { id, opens: false }, { now });
  const done = await attempt(visit, async () => sendAgain(db, by, { id }, { now }));
  if (done instanceof DomainError) return notDone(visit, id, done);
  const words = view.words.outbox.done;
  const isDown = before.channel.downSince !== null;
  return flash(
    visit,
    {
      kind: "wait",
      title: before.message.state === "waiting" ? words.now : words.again,
      text: isDown ? words.down(view.format.name(done.channel)) : words.againText,
    },
    messageHref(id),
  );
}

export async function cancel(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const id = messageId(visit);
  const done = await attempt(visit, async () => cancelMessage(db, by, { id }, { now }));
  if (done instanceof DomainError) return notDone(visit, id, done);
  const words = view.words.outbox.done;
  return flash(visit, { kind: "good", title: words.cancelled, text: words.cancelledText }, messageHref(id));
}

function notDone(visit: StaffVisit, id: number, { message }: DomainError): Response {
  const { done } = visit.view.words.outbox;
  return flash(visit, { kind: "bad", title: done.notDone, text: sentence(message) }, messageHref(id));
}
