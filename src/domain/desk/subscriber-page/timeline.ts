import type { Db } from "../../../../db/open.ts";
import type { SessionInScope } from "../../service/sessions/in-scope.ts";
import { type Actor, may } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type ReadSubscriber, subscriberIn } from "../../goods/subscribers/find.ts";
import { type EventKind, sources, type TimelineEvent } from "./timeline-sources.ts";

/** What a timeline can be narrowed to. */
export const timelineKinds = ["logins", "money", "changes", "messages", "notes"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export interface TimelineChoice {
  readonly subscriber: number | ReadSubscriber;
  /** Absent: all of them. */
  readonly kinds?: readonly TimelineKind[] | undefined;
  /** As `next` of the page before says it. */
  readonly before?: string | null | undefined;
  readonly limit: number;
  /** Sessions of its head, which are not read again. */
  readonly sessions?: readonly SessionInScope[];
}

interface TimelinePage {
  readonly events: readonly TimelineEvent[];
  /** Where the next page begins; null: this was the last one. */
  readonly next: string | null;
}

/** Events that may share a second with the last one of a page. */
const TIES = 20;

/** Which of a kind somebody sees: what they lack the flag of is left out. */
const flags: Readonly<Record<EventKind, readonly string[]>> = {
  refused: ["subscriber_view"],
  session: ["subscriber_view"],
  router: ["session_view", "subscriber_disconnect", "audit_view"],
  entry: ["wallet_view", "payment_view"],
  renewal: ["wallet_view", "payment_view"],
  change: ["audit_view"],
  freeze: ["subscriber_view"],
  extension: ["subscriber_view"],
  note: ["subscriber_view"],
  message: ["message_view"],
};

const kindOf: Readonly<Record<EventKind, TimelineKind>> = {
  refused: "logins",
  session: "logins",
  router: "logins",
  entry: "money",
  renewal: "money",
  change: "changes",
  freeze: "changes",
  extension: "changes",
  note: "notes",
  message: "messages",
};

/**
 * What happened to a subscriber, in one order: logins, sessions, money, changes, messages, notes and what routers answered, as far as the
 * actor may see each. Throws not_found.
 */
export function timelineOf(
  db: Db,
  by: Actor,
  { subscriber, kinds = timelineKinds, before, limit, sessions = [] }: TimelineChoice,
): TimelinePage {
  permit(by, "timelineOf");
  const cursor = readCursor(before);
  const needed = (Object.keys(flags) as EventKind[]).filter(
    (kind) => kinds.includes(kindOf[kind]) && flags[kind].some((flag) => may(by, flag)),
  );
  const read = db.$client.transaction(() => {
    const { id: subscriberId } = subscriberIn(db, by.scope, subscriber);
    const until = cursor?.at ?? Number.MAX_SAFE_INTEGER;
    const choice = { subscriberId, by, until, count: limit + TIES, sessions };
    return needed.map((kind) => sources[kind](db, choice));
  });
  const found = read();
  const floor = Math.max(0, ...found.map((one) => one.floor ?? 0));
  const sorted = found
    .flatMap(({ events }) => events)
    .filter((event) => event.at >= floor && (!cursor || compare(event, cursor) > 0))
    .sort(compare);
  const events = sorted.slice(0, limit);
  const last = events.at(-1);
  if (last && sorted.length > limit) return { events, next: cursorOf(last) };
  return { events, next: floor > 0 ? cursorOf({ at: floor - 1, rank: MOST_RANK, id: 0 }) : null };
}

type Place = Pick<TimelineEvent, "at" | "rank" | "id">;
const MOST_RANK = 99;

/** The newest first; of one second, what follows from the other. */
function compare(a: Place, b: Place): number {
  return b.at - a.at || b.rank - a.rank || b.id - a.id;
}

const cursorOf = ({ at, rank, id }: Place) => `${at}-${rank}-${id}`;

/** What is none begins at the newest. */
function readCursor(text: string | null | undefined): { at: Seconds; rank: number; id: number } | null {
  const [, at, rank, id] = /^(\d{1,12})-(\d{1,2})-(\d{1,15})$/.exec(text ?? "") ?? [];
  return at === undefined ? null : { at: Number(at), rank: Number(rank), id: Number(id) };
}
