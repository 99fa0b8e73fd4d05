import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { standings } from "../box-standing/standing.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { readRate } from "../../goods/packages/rate-limit.ts";
import { type Actor, type Scope, widest } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { sessionInScope, staleAfter } from "./in-scope.ts";
import { type Board, boards, CONFINED, type OnlineFilter } from "./online-filter.ts";

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
  readonly ascending?: boolean | undefined;
  /** The total, if counted already. */
  readonly known?: number | undefined;
}

/** An open session at its last report. Bit/s, and octets so far. */
export interface OnlineLine {
  readonly id: number;
  readonly subscriberId: number | null;
  readonly cardId: number | null;
  readonly name: string | null;
  /** As sent; a card's number. */
  readonly username: string;
  readonly nasId: number | null;
  /** null outside the scope. */
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
  /** The subscriber's sold download rate; null: unlimited. */
  readonly soldOutput: number | null;
  readonly isConfined: boolean;
  /** A report is overdue. */
  readonly isStale: boolean;
  /** Its access box, if cut off: the session is as last heard. */
  readonly cutOff: string | null;
}

/** Open sessions in scope, by default fastest first, and the total. */
export function onlineLines(
  db: Db,
  by: Actor,
  filter: OnlineFilter,
  { limit, offset, order, ascending = false, known }: OnlinePage,
  { now }: { now: Seconds },
): { rows: OnlineLine[]; total: number } {
  permit(by, "onlineLines");
  const needed = boards(db, widest(db, by.scope), filter);
  const direction = ascending ? "ASC" : "DESC";
  const { $client } = db;
  const ids = $client
    .query<{ id: number }, Value[]>(
      `SELECT id FROM (${needed.map(({ from }) => `SELECT o.id, ${onlineOrders[order]} AS place ${from}`).join(" UNION ALL ")})
       ORDER BY place ${direction} NULLS LAST, id LIMIT ? + 0 OFFSET ? + 0`,
    )
    .all(...needed.flatMap(({ values }) => values), limit, offset);
  const isAll = offset === 0 && ids.length < limit;
  const total = isAll ? ids.length : (known ?? count($client, needed));
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

function count($client: Db["$client"], boards: readonly Board[]): number {
  return boards.reduce((sum, { from, values }) => {
    const { n = 0 } =
      $client.query<{ n: number }, Value[]>(`SELECT count(*) AS n ${from}`).get(...values) ?? {};
    return sum + n;
  }, 0);
}

/** Lines by ids found in scope, in order; a single one may have ended. */
function linesById(db: Db, { ispId }: Scope, ids: readonly number[], now: Seconds): OnlineLine[] {
  const staleBefore = now - staleAfter(db);
  const cutOff = new Map<number | null, string>(
    standings(db, now).flatMap(({ id: box, name, state }) => (state === "cut_off" ? [[box, name]] : [])),
  );
  return db.$client
    .query<Row, [number | null, string]>(LINES)
    .all(ispId, JSON.stringify(ids))
    .map(({ rateLimit, isConfined, viaBox, ...row }) =>
      Object.assign(row, {
        soldOutput: readRate(rateLimit)?.rate.down || null,
        isConfined: isConfined === 1,
        isStale: row.updatedAt < staleBefore,
        cutOff: cutOff.get(viaBox) ?? null,
      }),
    );
}

/** One session in scope, open or ended. Throws `not_found`. */
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
  if (!line) throw new DomainError("not_found", phrase`there is no session ${id}`);
  return line;
}

type Row = Omit<OnlineLine, "soldOutput" | "isConfined" | "isStale" | "cutOff"> & {
  readonly viaBox: number | null;
  readonly rateLimit: string | null;
  readonly isConfined: 0 | 1;
};

const LINES = `
  SELECT o.id, o.subscriber_id AS subscriberId, o.card_id AS cardId, s.name, o.username, o.nas_id AS nasId, nas.name AS nasName,
    o.nas_address AS nasAddress, o.framed_ip AS framedIp, o.mac, p.name AS packageName, o.started_at AS startedAt,
    o.via_box AS viaBox, o.updated_at AS updatedAt, o.stopped_at AS stoppedAt, o.input_octets AS inputOctets, o.output_octets AS outputOctets,
    o.rate_input AS rateInput, o.rate_output AS rateOutput, ifnull(v.rate_limit, b.rate_limit) AS rateLimit, ifnull(${CONFINED}, 0) AS isConfined
  FROM (SELECT key AS place, value AS id FROM json_each(?2)) w CROSS JOIN sessions o ON o.id = w.id
    LEFT JOIN subscribers s ON s.id = o.subscriber_id
    LEFT JOIN nas ON nas.id = o.nas_id AND nas.isp_id = coalesce(?1, nas.isp_id)
    LEFT JOIN services v ON v.subscriber_id = o.subscriber_id
    LEFT JOIN cards c ON c.id = o.card_id LEFT JOIN card_batches b ON b.id = c.batch_id
    LEFT JOIN packages p ON p.id = ifnull(v.package_id, b.package_id)
  ORDER BY w.place`;
