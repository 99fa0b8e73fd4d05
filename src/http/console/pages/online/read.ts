import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { twoHouses } from "../../../../domain/around/findings/two-houses.ts";
import { type OnlineLine, onlineLine, onlineLines } from "../../../../domain/service/sessions/online.ts";
import type { OnlineFilter } from "../../../../domain/service/sessions/online-filter.ts";
import { onlineNow, type RouterOnline } from "../../../../domain/service/sessions/online-routers.ts";
import { lastHour, type MinuteNow } from "../../../../domain/money/sums/traffic-now.ts";
import type { StaffVisit } from "../../guard.ts";
import { type AskedOnline, PAGE_ROWS } from "./asked.ts";

/** Rows of sessions that were ended just now and are still shown. */
const MOST_ENDED = 20;

export interface ShownOnline {
  readonly routers: readonly RouterOnline[];
  readonly sessions: number;
  readonly confined: number;
  readonly lines: readonly OnlineLine[];
  readonly total: number;
  readonly hour: readonly MinuteNow[];
}

export function readOnline(visit: StaffVisit, asked: AskedOnline): ShownOnline {
  const { db, by, now } = visit;
  const routers = onlineNow(db, by, { now });
  const sum = (of: (router: RouterOnline) => number) => routers.reduce((all, router) => all + of(router), 0);
  const [sessions, confined] = [sum((router) => router.sessions), sum((router) => router.confined)];
  const { order, ascending, page } = asked;
  const known = countedAlready(asked, { routers, sessions, confined });
  const paging = { limit: PAGE_ROWS, offset: (page - 1) * PAGE_ROWS, order, ascending, known };
  const { rows, total } = onlineLines(db, by, filterOf(visit, asked), paging, { now });
  const hour = lastHour(db, by, { nasId: asked.nasId }, { now });
  return {
    routers,
    sessions,
    confined,
    lines: page === 1 ? withEnded(visit, rows, asked) : rows,
    total,
    hour,
  };
}

/** The filter of what is asked; the names that several devices use are found first. */
export function filterOf({ db, by, now }: StaffVisit, asked: AskedOnline): OnlineFilter {
  if (!asked.twoHouses) return asked;
  return { ...asked, subscriberIds: twoHouses(db, by, { now }).map(({ subscriberId }) => subscriberId) };
}

/** How many a filter leaves, where the sums say it. */
function countedAlready(
  { nasId, packageId, areaId, payPage, twoHouses: isShared }: AskedOnline,
  { routers, sessions, confined }: Pick<ShownOnline, "routers" | "sessions" | "confined">,
): number | undefined {
  if (packageId !== undefined || areaId !== undefined || isShared) return undefined;
  if (nasId === undefined) return payPage ? confined : sessions;
  const router = routers.find((one) => one.nasId === nasId);
  return (payPage ? router?.confined : router?.sessions) ?? 0;
}

/** With those that this member of staff has ended in the last minute, where they stood. */
function withEnded(
  visit: StaffVisit,
  rows: readonly OnlineLine[],
  asked: AskedOnline,
): readonly OnlineLine[] {
  const { db, by, now, needs, sessionKey } = visit;
  const ids = [...needs.answered.of(sessionKey, now).keys()].slice(-MOST_ENDED);
  const ended = ids
    .flatMap((id) => lineOf(() => onlineLine(db, by, { id }, { now })))
    .filter(
      ({ stoppedAt, nasId }) => stoppedAt !== null && (asked.nasId === undefined || asked.nasId === nasId),
    );
  if (ended.length === 0) return rows;
  const key = (line: OnlineLine) => keyOf(line, asked) * (asked.ascending ? 1 : -1);
  return [...rows, ...ended].toSorted((a, b) => key(a) - key(b));
}

function keyOf(line: OnlineLine, { order }: AskedOnline): number {
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

/** None where it is gone, or not this person's to see any more. */
function lineOf(read: () => OnlineLine): OnlineLine[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return [];
    throw error;
  }
}
