import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { findCrowd, type Loss, SETTLED } from "./losses.ts";

/** All of a router, an area or a box. */
export type Subject =
  | { readonly kind: "router"; readonly ispId: number; readonly nasId: number }
  | { readonly kind: "area"; readonly ispId: number; readonly areaId: number }
  | { readonly kind: "box"; readonly ispId: number; readonly boxNumber: string };

/** Lines of one subject that went dark together, in order. */
export interface Suspect {
  readonly subject: Subject;
  readonly losses: readonly Loss[];
  /** Lines still open. */
  readonly answering: number;
}

/** Seconds within which lines go dark together. */
export const TOGETHER = { box: 30, area: 120, router: 120 } as const;
/** Fewest lines of an outage; for a box more, in proportion to its lines. */
const LEAST = { box: 4, area: 8, router: 8 } as const;
const LINES_A_MORE = 24;
/** Share of lost lines from which on it is the router. */
const ROUTER_SHARE = 0.5;
/** A part with this share of the losses is the subject instead of the whole. */
const NEARLY_ALL = 0.8;
/** Factor by which a box has to be worse than all others. */
const WORSE = 4;

/** Subjects of the losses, largest first; of whole and part only one. */
export function findSuspects(db: Db, losses: readonly Loss[], now: Seconds): Suspect[] {
  const areas = crowdsBy(db, losses, areaSubject, now);
  const routers = crowdsBy(db, losses, routerSubject, now).filter(
    (router) => router.losses.length >= ROUTER_SHARE * (router.losses.length + router.answering),
  );
  const explained = new Set([...areas, ...routers].flatMap((one) => one.losses));
  const others = losses.filter((loss) => !explained.has(loss));
  const open = new Map<number, number>();
  const openAt = (ispId: number) => open.getOrInsertComputed(ispId, () => countOpen(db, ispId));
  const boxes = crowdsBy(db, losses, boxSubject, now).filter((box) => isWorse(box, others, openAt));
  return [...outermost(routers, [...areas, ...boxes]), ...outermost(areas, boxes), ...boxes];
}

/** Wholes that no part mostly explains. */
const outermost = (wholes: readonly Suspect[], parts: readonly Suspect[]) =>
  wholes.filter(
    ({ losses }) => !parts.some((part) => shared(part.losses, losses) >= NEARLY_ALL * losses.length),
  );

function shared(one: readonly Loss[], other: readonly Loss[]): number {
  const ids = new Set(one.map(({ subscriberId }) => subscriberId));
  return other.filter(({ subscriberId }) => ids.has(subscriberId)).length;
}

const boxSubject = ({ ispId, boxNumber }: Loss): Subject | undefined =>
  boxNumber === null || boxNumber === "" ? undefined : { kind: "box", ispId, boxNumber };
const areaSubject = ({ ispId, areaId }: Loss): Subject | undefined =>
  areaId === null ? undefined : { kind: "area", ispId, areaId };
const routerSubject = ({ ispId, nasId }: Loss): Subject | undefined =>
  nasId === null ? undefined : { kind: "router", ispId, nasId };

export function hasLoss(subject: Subject, loss: Loss): boolean {
  if (subject.kind === "router") return loss.nasId === subject.nasId;
  if (loss.ispId !== subject.ispId) return false;
  return subject.kind === "area" ? loss.areaId === subject.areaId : loss.boxNumber === subject.boxNumber;
}

function crowdsBy(
  db: Db,
  losses: readonly Loss[],
  toSubject: (loss: Loss) => Subject | undefined,
  now: Seconds,
): Suspect[] {
  const groups = Map.groupBy(losses, (loss) => JSON.stringify(toSubject(loss)));
  return [...groups.values()].flatMap((group) => {
    const subject = group[0] && toSubject(group[0]);
    if (!subject || group.length < LEAST[subject.kind]) return [];
    const crowd = settledCrowd(group, TOGETHER[subject.kind], now);
    if (crowd.length < LEAST[subject.kind]) return [];
    const answering = countAnswering(db, subject);
    const more = subject.kind === "box" ? Math.floor((crowd.length + answering) / LINES_A_MORE) : 0;
    return crowd.length < LEAST[subject.kind] + more ? [] : [{ subject, losses: crowd, answering }];
  });
}

/** The group, once no more follow or redialling had time. */
function settledCrowd(group: readonly Loss[], within: Seconds, now: Seconds): readonly Loss[] {
  const { from, to } = findCrowd(
    group.map(({ at }) => at),
    within,
  );
  const crowd = group.slice(from, to);
  const isOver = (crowd.at(-1)?.at ?? now) <= now - SETTLED || (crowd[0]?.at ?? now) <= now - 2 * SETTLED;
  return isOver ? crowd.filter(({ at }) => at <= now - SETTLED) : [];
}

/**
 * A box counts only when the ISP's other lines fare better, except those of an area or router with its own cause: otherwise
 * something affects all.
 */
function isWorse(
  { subject, losses, answering }: Suspect,
  rest: readonly Loss[],
  openAt: (ispId: number) => number,
): boolean {
  const [first, last] = [losses[0]?.at ?? 0, losses.at(-1)?.at ?? 0];
  const others = rest.filter(
    (loss) =>
      loss.ispId === subject.ispId &&
      loss.at >= first - TOGETHER.box &&
      loss.at <= last + TOGETHER.box &&
      !hasLoss(subject, loss),
  ).length;
  if (others === 0) return true;
  const othersUp = Math.max(0, openAt(subject.ispId) - answering);
  return losses.length / (losses.length + answering) > (WORSE * others) / (others + othersUp);
}

/** Open sessions of an ISP; scans all, so once per check. */
function countOpen({ $client }: Db, ispId: number): number {
  const row = $client
    .query<{ open: number }, [number]>(
      `SELECT sum(g.open) AS open FROM (SELECT max(id) AS id, count(*) AS open FROM sessions
         WHERE stopped_at IS NULL GROUP BY nas_address) g
       JOIN sessions o ON o.id = g.id JOIN nas ON nas.id = o.nas_id WHERE nas.isp_id = ?`,
    )
    .get(ispId);
  return row?.open ?? 0;
}

const isOpen =
  "EXISTS (SELECT 1 FROM sessions o INDEXED BY sessions_open_subscriber WHERE o.subscriber_id = s.id AND o.stopped_at IS NULL)";

function countAnswering({ $client }: Db, subject: Subject): number {
  const [text, values] = answeringSql(subject);
  return $client.query<{ open: number }, Value[]>(text).get(...values)?.open ?? 0;
}

function answeringSql(subject: Subject): [string, Value[]] {
  const { ispId } = subject;
  switch (subject.kind) {
    case "router":
      return [
        "SELECT count(*) AS open FROM sessions o INDEXED BY sessions_open_board WHERE o.stopped_at IS NULL AND o.nas_id = ?",
        [subject.nasId],
      ];
    case "area":
      return [
        `SELECT count(*) AS open FROM subscribers s WHERE s.area_id = ? AND +s.isp_id = ? AND ${isOpen}`,
        [subject.areaId, ispId],
      ];
    case "box":
      return [
        `SELECT count(*) AS open FROM subscribers s WHERE s.box_number = ? AND +s.isp_id = ? AND ${isOpen}`,
        [subject.boxNumber, ispId],
      ];
  }
}

/** Ports of a box with open lines. */
export function answeringPorts({ $client }: Db, { ispId, boxNumber }: Subject & { kind: "box" }): string[] {
  return $client
    .query<{ port: string }, [string, number]>(
      `SELECT coalesce(s.uplink_port, s.switch_port) AS port FROM subscribers s
       WHERE s.box_number = ? AND +s.isp_id = ? AND coalesce(s.uplink_port, s.switch_port) IS NOT NULL AND ${isOpen}`,
    )
    .all(boxNumber, ispId)
    .map(({ port }) => port)
    .sort(byNumber.compare);
}

/** Natural order: 2 before 10. */
export const byNumber = new Intl.Collator("en", { numeric: true });
