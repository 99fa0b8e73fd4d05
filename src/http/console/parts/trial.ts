import type { Came } from "../../../domain/around/messages/booking.ts";
import type { Flash } from "../notes.ts";
import type { ConsoleView } from "../view.ts";
import { sentence } from "./phrases.ts";

/** The outcome of a test message, and its milliseconds. */
export interface Trial {
  readonly came: Came;
  readonly milliseconds: number;
}

export async function timed(send: () => Promise<Came>): Promise<Trial> {
  const began = performance.now();
  const came = await send();
  return { came, milliseconds: Math.round(performance.now() - began) };
}

/** The other side's answer. */
export function trialText({ words, format }: ConsoleView, { came, milliseconds }: Trial): Flash {
  const { tryOk, tryUnknown, tryBad } = words.messageChannels;
  const after = format.number(milliseconds);
  if (came.kind === "sent") return { kind: "good", title: tryOk(after) };
  if (came.kind === "unknown") return { kind: "wait", title: tryUnknown(sentence(came.reason), after) };
  return { kind: "bad", title: tryBad(sentence(came.reason), after) };
}
