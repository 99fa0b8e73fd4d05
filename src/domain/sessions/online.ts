import { all, type Condition, equal, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { DomainError } from "../errors.ts";
import { readRate } from "../packages/rate-limit.ts";
import { type Actor, type Scope, widest } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { subscriberById } from "../subscribers/find.ts";
import type { Seconds } from "../time.ts";
import { sessionInScope } from "./in-scope.ts";
import { staleAfter } from "./stale.ts";

/** Which open sessions are wanted; what is absent does not narrow them. All given must match. */
export interface OnlineFilter {
  readonly nasId?: number | undefined;
  /** Of services and cards of this package. */
  readonly packageId?: number | undefined;
  readonly areaId?: number | undefined;
  /** Let in to the walled garden only. */
  readonly payPage?: boolean | undefined;
  /** Of these subscribers alone. */
  readonly subscriberIds?: readonly number[] | undefined;
}

const onlineOrders = {
  down: "o.rate_output",
  up: "o.rate_input",
  data: "o.input_octets + o.output_octets",
  uptime: "-o.started_at",
} as const;
export type OnlineOrder = keyof typeof onlineOrders;

export interface OnlinePage {
  readonly limit: number;
  readonly offset: number;
  readonly order: OnlineOrder;
  /** The smallest first. */
  readonly ascending?: boolean | undefined;
  /** How many match, where that has been counted already. */
  readonly known?: number | undefined;
}

/** An open session as it was at its last report. Rates are bits a second, octets what it carried so far. */
export interface OnlineLine {
  readonly id: number;
  readonly subscriberId: number | null;
  /** null: of no card. */
  readonly cardId: number | null;
  readonly name: string | null;
  /** As the router sent it; of a card its number. */
  readonly username: string;
  readonly nasId: number | null;
  /** null where the scope does not see it. */
  readonly nasName: string | null;
  readonly nasAddress: string;
  readonly framedIp: string | null;
  readonly mac: string | null;
  readonly packageName: string | null;
  readonly startedAt: Seconds;
  readonly updatedAt: Seconds;
  readonly stoppedAt: Seconds | null;
  readonly inputOctets: number;
  readonly outputOctets: number;
  readonly rateInput: number | null;
  readonly rateOutput: number | null;
  /** What the package sells to the subscriber; null: no limit. */
  readonly soldOutput: number | null;
  readonly isConfined: boolean;
  /** It should have been reported of since. */
  readonly isStale: boolean;
}

/** Open sessions in the actor's scope, by default the fastest first, and how many match in all. */
export function onlineLines(
  db: Db,
  by: Actor,
  filter: OnlineFilter,
  { limit, offset, order, ascending = false, known }: OnlinePage,
  { now }: { now: Seconds },
): { rows: OnlineLine[]; total: number } {
  permit(by, "onlineLines");
  const { text, values } = matching(db, widest(db, by.scope), filter);
  const from = board(text);
  const direction = ascending ? "ASC" : "DESC";
  const { $client } = db;
  const ids = $client
    .query<{ id: number }, Value[]>(
      `SELECT o.id ${from} ORDER BY ${onlineOrders[order]} ${direction} NULLS LAST, o.id LIMIT ? + 0 OFFSET ? + 0`,
    )
    .all(...values, limit, offset);
  const isAll = offset === 0 && ids.length < limit;
  const total = isAll ? ids.length : (known ?? count($client, `SELECT count(*) AS n ${from}`, values));
  return {
    rows: linesById(
      db,
      by.scope,
      ids.map(({ id }) => id),
      now,
    ),
    total,
  };
}

function count($client: Db["$client"], sql: string, values: readonly Value[]): number {
  return $client.query<{ n: number }, Value[]>(sql).get(...values)?.n ?? 0;
}

/** Sessions of ids that were found in the scope, in that order; one of them alone may have ended meanwhile. */
function linesById(db: Db, { ispId }: Scope, ids: readonly number[], now: Seconds): OnlineLine[] {
  const staleBefore = now - staleAfter(db);
  return db.$client
    .query<Row, [number | null, string]>(LINES)
    .all(ispId, JSON.stringify(ids))
    .map(({ rateLimit, isConfined, ...row }) =>
      Object.assign(row, {
        soldOutput: readRate(rateLimit)?.rate.down || null,
        isConfined: isConfined === 1,
        isStale: row.updatedAt < staleBefore,
      }),
    );
}

/** One session of the scope as the list shows it, open or ended. Throws `not_found`. */
export function onlineLine(db: Db, by: Actor, { id }: { id: number }, { now }: { now: Seconds }): OnlineLine {
  permit(by, "onlineLine");
  const { text, values } = all(equal("o.id", id), sessionInScope(by.scope));
  const found = db.$client
    .query<{ id: number }, Value[]>(
      `SELECT o.id FROM sessions o LEFT JOIN subscribers s ON s.id = o.subscriber_id LEFT JOIN nas ON nas.id = o.nas_id
       WHERE ${text}`,
    )
    .get(...values);
  const [line] = found ? linesById(db, by.scope, [found.id], now) : [];
  if (!line) throw new DomainError("not_found", `there is no session ${id}`);
  return line;
}

type Row = Omit<OnlineLine, "soldOutput" | "isConfined" | "isStale"> & {
  readonly rateLimit: string | null;
  readonly isConfined: 0 | 1;
};

const CONFINED = "o.accepted_as IN ('accepted_expired', 'accepted_quota_used_up')";

const LINES = `
  SELECT o.id, o.subscriber_id AS subscriberId, o.card_id AS cardId, s.name, o.username, o.nas_id AS nasId, nas.name AS nasName,
    o.nas_address AS nasAddress, o.framed_ip AS framedIp, o.mac, p.name AS packageName, o.started_at AS startedAt,
    o.updated_at AS updatedAt, o.stopped_at AS stoppedAt, o.input_octets AS inputOctets, o.output_octets AS outputOctets,
    o.rate_input AS rateInput, o.rate_output AS rateOutput, ifnull(v.rate_limit, b.rate_limit) AS rateLimit, ifnull(${CONFINED}, 0) AS isConfined
  FROM (SELECT key AS place, value AS id FROM json_each(?2)) w CROSS JOIN sessions o ON o.id = w.id
    LEFT JOIN subscribers s ON s.id = o.subscriber_id
    LEFT JOIN nas ON nas.id = o.nas_id AND nas.isp_id = coalesce(?1, nas.isp_id)
    LEFT JOIN services v ON v.subscriber_id = o.subscriber_id
    LEFT JOIN cards c ON c.id = o.card_id LEFT JOIN card_batches b ON b.id = c.batch_id
    LEFT JOIN packages p ON p.id = ifnull(v.package_id, b.package_id)
  ORDER BY w.place`;

const JOINS = {
  s: "subscribers s ON s.id = o.subscriber_id",
  nas: "nas ON nas.id = o.nas_id",
  v: "services v ON v.subscriber_id = o.subscriber_id",
};

/** Open sessions for which a condition holds, with what that refers to: the index has all else that is asked for. */
function board(condition: string): string {
  const joins = Object.entries(JOINS).flatMap(([name, join]) =>
    new RegExp(`\\b${name}\\.`).test(condition) ? [`LEFT JOIN ${join}`] : [],
  );
  return `FROM sessions o INDEXED BY sessions_open_board ${joins.join(" ")} WHERE ${condition}`;
}

const OF_CARDS = `(o.subscriber_id IS NULL AND o.card_id IS NOT NULL
  AND (SELECT b.package_id = ? FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = o.card_id))`;

/** Cards are asked only of a package that has some: without them, what begins with its services is faster. */
function ofPackage({ $client }: Db, packageId: number | undefined): Condition | undefined {
  const ofServices = equal("v.package_id", packageId);
  if (packageId === undefined || !ofServices) return undefined;
  const batch = $client.query<{ id: number }, [number]>(
    "SELECT id FROM card_batches WHERE package_id = ? LIMIT 1",
  );
  if (!batch.get(packageId)) return ofServices;
  return { text: `(${ofServices.text} OR ${OF_CARDS})`, values: [packageId, packageId] };
}

function matching(
  db: Db,
  scope: Scope,
  { nasId, packageId, areaId, payPage, subscriberIds }: OnlineFilter,
): Condition {
  return all(
    { text: "o.stopped_at IS NULL", values: [] },
    sessionInScope(scope),
    equal("o.nas_id", nasId),
    ofPackage(db, packageId),
    equal("s.area_id", areaId),
    payPage ? { text: CONFINED, values: [] } : undefined,
    subscriberIds && {
      text: "o.subscriber_id IN (SELECT value FROM json_each(?))",
      values: [JSON.stringify(subscriberIds)],
    },
  );
}

/** What is open at a router, and how fast all its lines are together. */
export interface RouterOnline {
  /** null: a router that has been removed. */
  readonly nasId: number | null;
  /** null where the scope does not see it. */
  readonly name: string | null;
  readonly sessions: number;
  readonly confined: number;
  /** Of sessions of which reports come; bits a second. */
  readonly rateInput: number;
  readonly rateOutput: number;
  /** The newest report of a session that is open. */
  readonly heardAt: Seconds;
  readonly isSilent: boolean;
}

/** What is online in the actor's scope, by router, the one with the most sessions first. */
export function onlineNow(db: Db, by: Actor, { now }: { now: Seconds }): RouterOnline[] {
  permit(by, "onlineNow");
  const staleBefore = now - staleAfter(db);
  const { text, values } = matching(db, widest(db, by.scope), {});
  return db.$client
    .query<Omit<RouterOnline, "isSilent">, Value[]>(
      `SELECT g.*, nas.name FROM (
         SELECT o.nas_id AS nasId, count(*) AS sessions, sum(ifnull(${CONFINED}, 0)) AS confined,
           sum(iif(o.updated_at >= ?, ifnull(o.rate_input, 0), 0)) AS rateInput,
           sum(iif(o.updated_at >= ?, ifnull(o.rate_output, 0), 0)) AS rateOutput, max(o.updated_at) AS heardAt
         ${board(text)} GROUP BY o.nas_id) g
       LEFT JOIN nas ON nas.id = g.nasId AND nas.isp_id = coalesce(?, nas.isp_id)
       ORDER BY g.sessions DESC, g.nasId`,
    )
    .all(staleBefore, staleBefore, ...values, by.scope.ispId)
    .map((router) => Object.assign(router, { isSilent: router.heardAt < staleBefore }));
}

/** A device that a name has used. */
export interface Device {
  readonly mac: string;
  readonly sessions: number;
  readonly firstAt: Seconds;
  readonly lastAt: Seconds;
}

/** Days that are looked back, and devices that are told: more are none of one house. */
const DEVICE_DAYS = 30;
const DEVICES = 20;

/** The MAC addresses that a subscriber's sessions of the last 30 days came from, the one of the newest first. Throws `not_found`. */
export function devicesOf(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { now }: { now: Seconds },
): Device[] {
  permit(by, "devicesOf");
  subscriberById(db, { ...by.scope, archived: true }, subscriberId);
  return db.$client
    .query<Device, [number, Seconds]>(
      `SELECT mac, count(*) AS sessions, min(started_at) AS firstAt, max(started_at) AS lastAt
       FROM sessions INDEXED BY sessions_subscriber
       WHERE subscriber_id = ? AND started_at >= ? AND mac IS NOT NULL GROUP BY mac ORDER BY lastAt DESC LIMIT ${DEVICES}`,
    )
    .all(subscriberId, now - DEVICE_DAYS * 86_400);
}
