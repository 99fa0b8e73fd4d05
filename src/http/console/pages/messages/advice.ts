import type { MessageInFull } from "../../../../domain/around/messages/in-full.ts";
import type { StaffVisit } from "../../guard.ts";

/** What it waits for, or what to do, in a sentence or two. */
export function adviceOf(visit: StaffVisit, full: MessageInFull): string {
  const { advice } = visit.view.words.outbox.one;
  const { state } = full.message;
  switch (state) {
    case "waiting":
      return waitsFor(visit, full);
    case "skipped":
      if (full.asItIs?.overtaken !== undefined) return advice.overtaken;
      return full.asItIs?.to === null ? advice.noAddress : advice.skipped;
    default:
      return advice[state];
  }
}

function waitsFor({ view, now }: StaffVisit, { message, channel, asItIs }: MessageInFull): string {
  const { advice } = view.words.outbox.one;
  const near = (at: number) => view.format.timeNear(at, now);
  if (channel.disabledAt !== null) return advice.off;
  if (channel.downSince !== null)
    return advice.down(view.format.name(message.channel), near(channel.downSince));
  if (asItIs?.overtaken !== undefined) return advice.willSkip(asItIs.overtaken);
  if (asItIs?.to === null) return advice.noAddressYet;
  if (message.nextAt <= now) return advice.waiting;
  return (message.attempts > 0 ? advice.retried : advice.waitingUntil)(near(message.nextAt));
}
