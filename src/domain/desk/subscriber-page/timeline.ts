import type { Db } from "../../../../db/open.ts";
import type { SessionInScope } from "../../service/sessions/in-scope.ts";
import { type Actor, may } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type ReadSubscriber, subscriberIn } from "../../goods/subscribers/find.ts";
import { type EventKind, sources, type TimelineEvent } from "./timeline-sources.ts";

export const timelineKinds = ["logins", "money", "changes", "messages", "notes"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export interface TimelineChoice {
  readonly subscriber: number | ReadSubscriber;
  readonly kinds?: readonly TimelineKind[] | undefined;
  readonly before?: string | null | undefined;
  readonly limit: number;
  readonly sessions?: readonly SessionInScope[];
}

interface TimelinePage {
  readonly events: readonly TimelineEvent[];
  readonly next: string | null;
}

/** Events within a second. */
const TIES = 20;

/** Others are omitted. */
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

const kindByEvent: Readonly<Record<EventKind, TimelineKind>> = {
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

/** All visible events in one order. Throws not_found. */
export function readTimeline(
  db: Db,
  by: Actor,
  { subscriber, kinds = timelineKinds, before, limit, sessions = [] }: TimelineChoice,
): TimelinePage {
  permit(by, "readTimeline");
  const cursor = readCursor(before);
  const needed = (Object.keys(flags) as EventKind[]).filter(
    (kind) => kinds.includes(kindByEvent[kind]) && flags[kind].some((flag) => may(by, flag)),
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
  if (last && sorted.length > limit) return { events, next: formatCursor(last) };
  return { events, next: floor > 0 ? formatCursor({ at: floor - 1, rank: MOST_RANK, id: 0 }) : null };
}

type Place = Pick<TimelineEvent, "at" | "rank" | "id">;
const MOST_RANK = 99;

function compare(a: Place, b: Place): number {
  return b.at - a.at || b.rank - a.rank || b.id - a.id;
}

const formatCursor = ({ at, rank, id }: Place) => `${at}-${rank}-${id}`;

/** Invalid: the newest. */
function readCursor(text: string | null | undefined): { at: Seconds; rank: number; id: number } | null {
  const [, at, rank, id] = /^(\d{1,12})-(\d{1,2})-(\d{1,15})$/.exec(text ?? "") ?? [];
  return at === undefined ? null : { at: Number(at), rank: Number(rank), id: Number(id) };
}
