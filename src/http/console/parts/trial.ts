import type { Came } from "../../../domain/around/messages/booking.ts";
import type { Flash } from "../notes.ts";
import type { ConsoleView } from "../view.ts";
import { sentence } from "./phrases.ts";

/** What came of a message that was sent as a test, and after how many milliseconds. */
export interface Trial {
  readonly came: Came;
  readonly milliseconds: number;
}

/** Sends it, and says how long that took. */
export async function timed(send: () => Promise<Came>): Promise<Trial> {
  const began = performance.now();
  const came = await send();
  return { came, milliseconds: Math.round(performance.now() - began) };
}

/** What the other side answered, in its words. */
export function trialText({ words, format }: ConsoleView, { came, milliseconds }: Trial): Flash {
  const { tryOk, tryUnknown, tryBad } = words.messageChannels;
  const after = format.number(milliseconds);
  if (came.kind === "sent") return { kind: "good", title: tryOk(after) };
  if (came.kind === "unknown") return { kind: "wait", title: tryUnknown(sentence(came.reason), after) };
  return { kind: "bad", title: tryBad(sentence(came.reason), after) };
}
