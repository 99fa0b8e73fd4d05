import { messageStates } from "../../../../../db/schema.ts";
import type { Message, MessageState } from "../../../../domain/around/messages/outbox.ts";
import { MOST_COUNTED } from "../../../../domain/around/messages/outbox-state.ts";
import type { ConsoleView } from "../../view.ts";
import { messagePages } from "./head.tsx";

export const OUTBOX = messagePages.outbox;

export const messageHref = (id: number) => `${OUTBOX}/${id}`;

/** What the outbox is narrowed to. */
export interface OutboxChoice {
  readonly state?: MessageState | undefined;
  readonly channel?: number | undefined;
  readonly rule?: number | undefined;
  /** A subscriber. */
  readonly user?: number | undefined;
}

/** As the address of the page says it; what is no state or number does not narrow. */
export function choiceOf(query: URLSearchParams): OutboxChoice {
  const id = (name: string) => idOf(query.get(name));
  return {
    state: messageStates.find((one) => one === query.get("state")),
    ...{ channel: id("channel"), rule: id("rule"), user: id("user") },
  };
}

export function idOf(given: unknown): number | undefined {
  return typeof given === "string" && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : undefined;
}

/** The address of the outbox, or of a page below it, narrowed so. */
export function outboxHref(choice: OutboxChoice, path = ""): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(choice)) if (value !== undefined) query.set(name, String(value));
  return `${OUTBOX}${path}${query.size === 0 ? "" : `?${query}`}`;
}

/** How many, in figures; of those that are only counted so far, that there are more. */
export function counted({ format, words }: ConsoleView, count: number): string {
  const said = format.number(count);
  return count >= MOST_COUNTED ? words.outbox.more(said) : said;
}

/** States of which a person may send one again. */
const ended: ReadonlySet<MessageState> = new Set(["failed", "perhaps", "skipped", "cancelled"]);

export const goesAgain = ({ state }: Pick<Message, "state">) => ended.has(state);
