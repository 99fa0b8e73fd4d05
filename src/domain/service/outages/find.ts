import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, type Scope, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { parseEvidence, type StoredEvidence } from "./evidence.ts";
import { byNumber } from "./suspects.ts";

export const outageKinds = ["router", "box", "area"] as const;
export type OutageKind = (typeof outageKinds)[number];

/** An outage with its lines in the reader's scope. */
export interface Outage {
  readonly id: number;
  readonly ispId: number;
  readonly kind: OutageKind;
  readonly nasId: number | null;
  readonly nasName: string | null;
  readonly areaId: number | null;
  readonly areaName: string | null;
  readonly boxNumber: string | null;
  readonly beganAt: Seconds;
  readonly foundAt: Seconds;
  /** null: not over. */
  readonly endedAt: Seconds | null;
  readonly lines: number;
  /** Lines back. */
  readonly back: number;
  readonly evidence: StoredEvidence;
}

export interface OutageLine {
  readonly subscriberId: number;
  readonly name: string;
  readonly username: string;
  readonly mobile: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  readonly boxNumber: string | null;
  readonly port: string | null;
  readonly darkAt: Seconds;
  /** null: still dark. */
  readonly backAt: Seconds | null;
}

interface OutageFilter {
  /** 1: current; 0: over. */
  readonly open?: 0 | 1 | null | undefined;
  readonly kind?: OutageKind | null | undefined;
  readonly nasId?: number | null | undefined;
  readonly areaId?: number | null | undefined;
  readonly boxNumber?: string | null | undefined;
  readonly from?: Seconds | null | undefined;
  readonly to?: Seconds | null | undefined;
}

export function listOutages(
  db: Db,
  by: Actor,
  filter: OutageFilter,
  { before, limit }: { before: number; limit: number },
): Outage[] {
  permit(by, "listOutages");
  const { open, kind, nasId, areaId, boxNumber, from, to } = filter;
  const matching = all(
    { text: "u.id < ?", values: [before] },
    open === 1 ? isOpen : open === 0 ? { text: "u.ended_at IS NOT NULL", values: [] } : undefined,
    equal("u.kind", kind),
    equal("u.nas_id", nasId),
    equal("u.area_id", areaId),
    equal("u.box_number", boxNumber),
    from ? { text: "u.began_at >= ?", values: [from] } : undefined,
    to ? { text: "u.began_at <= ?", values: [to] } : undefined,
  );
  return read(db, by.scope, matching, limit);
}

export function openOutages(db: Db, by: Actor): Outage[] {
  permit(by, "openOutages");
  return read(db, by.scope, isOpen, NO_LIMIT).sort((a, b) => b.lines - a.lines || a.id - b.id);
}

/** An outage with its lines, dark ones first, then by box and port. Throws not_found. */
export function outageById(db: Db, by: Actor, id: number): Outage & { readonly members: OutageLine[] } {
  permit(by, "outageById");
  const [outage] = read(db, by.scope, { text: "u.id = ?", values: [id] }, 1);
  if (!outage) throw new DomainError("not_found", phrase`there is no outage ${id}`);
  return Object.assign(outage, { members: listLines(db, by.scope, id) });
}

/** Outages of a subscriber, newest first: with its line (`isPart`), and current ones of its box, area or router. Throws not_found. */
export function listSubscriberOutages(
  db: Db,
  by: Actor,
  { subscriberId, limit = 10 }: { subscriberId: number; limit?: number },
): (Outage & { readonly isPart: boolean })[] {
  permit(by, "listSubscriberOutages");
  const { ispId, areaId, boxNumber } = subscriberById(db, by.scope, subscriberId);
  const mine = db.$client
    .query<{ id: number }, number[]>("SELECT outage_id AS id FROM outage_lines WHERE subscriber_id = ?")
    .all(subscriberId)
    .map(({ id }) => id);
  const matching: Condition = {
    text: `(u.id IN (SELECT value FROM json_each(?)) OR (u.ended_at IS NULL AND u.isp_id = ?
      AND (u.area_id = ? OR u.box_number = ? OR u.nas_id =
        (SELECT o.nas_id FROM sessions o WHERE o.subscriber_id = ? ORDER BY o.started_at DESC LIMIT 1))))`,
    values: [JSON.stringify(mine), ispId, areaId, boxNumber, subscriberId],
  };
  // who sees the subscriber may see the outage's cause and size
  const scope = { ...by.scope, ispId, branchId: null, salespersonId: null };
  return read(db, scope, matching, limit).map((one) => Object.assign(one, { isPart: mine.includes(one.id) }));
}

const NO_LIMIT = -1;
const isOpen: Condition = { text: "u.ended_at IS NULL", values: [] };

type Row = Omit<Outage, "evidence"> & { evidence: string };

function read({ $client }: Db, scope: Scope, matching: Condition, limit: number): Outage[] {
  const whole = seesWholeIsp(scope);
  const { text, values } = all(matching, equal("u.isp_id", scope.ispId));
  const seen = scopeEver(scope);
  const lines = whole
    ? "FROM outage_lines l WHERE l.outage_id = u.id"
    : `FROM outage_lines l JOIN subscribers s ON s.id = l.subscriber_id WHERE l.outage_id = u.id AND ${seen.text}`;
  const own = whole ? [] : seen.values;
  return $client
    .query<Row, Value[]>(
      `SELECT u.id, u.isp_id AS ispId, u.kind, u.nas_id AS nasId, nas.name AS nasName, u.area_id AS areaId,
         areas.name AS areaName, u.box_number AS boxNumber, u.began_at AS beganAt, u.found_at AS foundAt,
         u.ended_at AS endedAt, (SELECT count(*) ${lines}) AS lines, (SELECT count(l.back_at) ${lines}) AS back, u.evidence
       FROM outages u LEFT JOIN nas ON nas.id = u.nas_id LEFT JOIN areas ON areas.id = u.area_id
       WHERE ${text}${whole ? "" : ` AND EXISTS (SELECT 1 ${lines})`} ORDER BY u.id DESC LIMIT ? + 0`,
    )
    .all(...own, ...own, ...values, ...own, limit)
    .map((row) => Object.assign(row, { evidence: parseEvidence(row.evidence) }));
}

/** A line back after the outage has no time recorded, but an open session. */
function listLines({ $client }: Db, scope: Scope, id: number): OutageLine[] {
  const { text, values } = all({ text: "l.outage_id = ?", values: [id] }, scopeEver(scope));
  return $client
    .query<OutageLine, Value[]>(
      `SELECT s.id AS subscriberId, s.name, s.username, s.mobile_number AS mobile, s.phone_number AS phone, s.address,
         s.box_number AS boxNumber, coalesce(s.uplink_port, s.switch_port) AS port, l.dark_at AS darkAt,
         coalesce(l.back_at, (SELECT iif(o.started_at > l.dark_at, o.started_at, o.updated_at) FROM sessions o INDEXED BY sessions_open_subscriber
           WHERE o.subscriber_id = s.id AND o.stopped_at IS NULL AND o.updated_at > l.dark_at LIMIT 1)) AS backAt
       FROM outage_lines l JOIN subscribers s ON s.id = l.subscriber_id WHERE ${text}`,
    )
    .all(...values)
    .sort(
      (a, b) =>
        Number(a.backAt !== null) - Number(b.backAt !== null) ||
        byNumber.compare(a.boxNumber ?? "", b.boxNumber ?? "") ||
        byNumber.compare(a.port ?? "", b.port ?? "") ||
        a.subscriberId - b.subscriberId,
    );
}
