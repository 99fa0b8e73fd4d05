import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { twoHouses } from "../../../../domain/around/findings/two-houses.ts";
import { type OnlineLine, onlineLine, onlineLines } from "../../../../domain/service/sessions/online.ts";
import type { OnlineFilter } from "../../../../domain/service/sessions/online-filter.ts";
import { onlineNow, type RouterOnline } from "../../../../domain/service/sessions/online-routers.ts";
import { lastHour, type MinuteNow } from "../../../../domain/money/sums/traffic-now.ts";
import type { StaffVisit } from "../../guard.ts";
import { pageCounted } from "../../parts/pager.tsx";
import { type OnlineQuery, PAGE_ROWS } from "./query.ts";

/** Just ended sessions that stay visible. */
const MOST_ENDED = 20;

export interface OnlineView {
  readonly routers: readonly RouterOnline[];
  readonly sessions: number;
  readonly confined: number;
  readonly lines: readonly OnlineLine[];
  readonly total: number;
  readonly hour: readonly MinuteNow[];
}

export function readOnline(visit: StaffVisit, query: OnlineQuery): OnlineView {
  const { db, by, now } = visit;
  const routers = onlineNow(db, by, { now });
  const sum = (of: (router: RouterOnline) => number) => routers.reduce((all, router) => all + of(router), 0);
  const [sessions, confined] = [sum((router) => router.sessions), sum((router) => router.confined)];
  const { order, ascending } = query;
  const known = countedAlready(query, { routers, sessions, confined });
  const filter = readFilter(visit, query);
  const { rows, total, page } = pageCounted(visit.query, PAGE_ROWS, (paging) =>
    onlineLines(db, by, filter, { ...paging, order, ascending, known }, { now }),
  );
  const hour = lastHour(db, by, { nasId: query.nasId }, { now });
  return {
    routers,
    sessions,
    confined,
    lines: page === 1 ? withEnded(visit, rows, query) : rows,
    total,
    hour,
  };
}

/** Names in use by several devices are found first. */
export function readFilter({ db, by, now }: StaffVisit, query: OnlineQuery): OnlineFilter {
  if (!query.twoHouses) return query;
  return { ...query, subscriberIds: twoHouses(db, by, { now }).map(({ subscriberId }) => subscriberId) };
}

/** A filtered count that the sums already have. */
function countedAlready(
  { nasId, packageId, areaId, payPage, twoHouses: isShared }: OnlineQuery,
  { routers, sessions, confined }: Pick<OnlineView, "routers" | "sessions" | "confined">,
): number | undefined {
  if (packageId !== undefined || areaId !== undefined || isShared) return undefined;
  if (nasId === undefined) return payPage ? confined : sessions;
  const router = routers.find((one) => one.nasId === nasId);
  return (payPage ? router?.confined : router?.sessions) ?? 0;
}

/** Adds what this person ended in the last minute, in place. */
function withEnded(
  visit: StaffVisit,
  rows: readonly OnlineLine[],
  query: OnlineQuery,
): readonly OnlineLine[] {
  const { db, by, now, needs, sessionKey } = visit;
  const ids = [...needs.answered.of(sessionKey, now).keys()].slice(-MOST_ENDED);
  const ended = ids
    .flatMap((id) => readLine(() => onlineLine(db, by, { id }, { now })))
    .filter(
      ({ stoppedAt, nasId }) => stoppedAt !== null && (query.nasId === undefined || query.nasId === nasId),
    );
  if (ended.length === 0) return rows;
  const key = (line: OnlineLine) => sortKey(line, query) * (query.ascending ? 1 : -1);
  return [...rows, ...ended].toSorted((a, b) => key(a) - key(b));
}

function sortKey(line: OnlineLine, { order }: OnlineQuery): number {
  switch (order) {
    case "down":
      return line.rateOutput ?? -1;
    case "up":
      return line.rateInput ?? -1;
    case "data":
      return line.inputOctets + line.outputOctets;
    case "uptime":
      return -line.startedAt;
  }
}

/** The line; empty where it is gone or out of scope. */
function readLine(read: () => OnlineLine): OnlineLine[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof DomainError && error.kind === "not_found") return [];
    throw error;
  }
}
