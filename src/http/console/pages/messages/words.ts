import type { OutboxChoice } from "../../parts/hrefs.ts";
import { messageStates } from "../../../../../db/schema.ts";
import type { Message, MessageState } from "../../../../domain/around/messages/outbox.ts";
import { MOST_COUNTED } from "../../../../domain/around/messages/outbox-state.ts";
import type { ConsoleView } from "../../view.ts";

/** Invalid parameters do not filter. */
export function readChoice(query: URLSearchParams): OutboxChoice {
  const id = (name: string) => parseId(query.get(name));
  return {
    state: messageStates.find((one) => one === query.get("state")),
    channel: id("channel"),
    rule: id("rule"),
    user: id("user"),
  };
}

export function parseId(value: unknown): number | undefined {
  return typeof value === "string" && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined;
}

/** A capped count is shown as "more than". */
export function counted({ format, words }: ConsoleView, count: number): string {
  const formatted = format.number(count);
  return count >= MOST_COUNTED ? words.outbox.more(formatted) : formatted;
}

/** States that allow sending again. */
const ended: ReadonlySet<MessageState> = new Set(["failed", "perhaps", "skipped", "cancelled"]);

export const goesAgain = ({ state }: Pick<Message, "state">) => ended.has(state);
