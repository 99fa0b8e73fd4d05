import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { nasById } from "../../goods/nas/find.ts";
import { type AboutRouter, isWatchKind, type WatchKind, type WatchLevel } from "./found.ts";
import type { Facts } from "./known.ts";

export type RouterFinding = AboutRouter & {
  readonly id: number;
  readonly nasId: number;
  readonly router: string;
  readonly key: string;
  readonly level: WatchLevel;
  /** Commands that fix it; empty: it takes more. */
  readonly commands: readonly string[];
  /** Whether the API can fix it. */
  readonly isMendable: boolean;
  readonly foundAt: Seconds;
  /** Confirmed since; null: seen once, to be confirmed. */
  readonly countedAt: Seconds | null;
  /** Marked as intended. */
  readonly hidden: { readonly at: Seconds; readonly by: string; readonly reason: string } | null;
};

export interface RouterReading {
  readonly nasId: number;
  readonly name: string;
  readonly triedAt: Seconds;
  readonly readAt: Seconds | null;
  /** Why the last check failed. */
  readonly failure: string | null;
  readonly version: string | null;
  /** Kinds that could not be checked, and why. */
  readonly unlooked: readonly { readonly kind: WatchKind; readonly reason: string }[];
  readonly others: Facts["others"];
}

interface Row {
  id: number;
  nasId: number;
  router: string;
  kind: string;
  key: string;
  level: WatchLevel;
  detail: string;
  commands: string;
  mendable: number;
  foundAt: Seconds;
  countedAt: Seconds | null;
  hiddenAt: Seconds | null;
  hiddenBy: string | null;
  hiddenReason: string | null;
}

interface ReadingRow {
  nasId: number;
  name: string;
  triedAt: Seconds;
  readAt: Seconds | null;
  failure: string | null;
  version: string | null;
  unread: string;
  facts: string;
}

/** Findings of the routers in scope, or one, errors first, and the last check. Throws `not_found`. */
export function routerFindings(
  db: Db,
  by: Actor,
  { nasId }: { nasId?: number | undefined } = {},
): { readonly findings: RouterFinding[]; readonly readings: RouterReading[] } {
  permit(by, "routerFindings");
  const which = all(equal("n.isp_id", by.scope.ispId), equal("n.id", nasId));
  const readings = readingsWhere(db, which);
  // anything read exists
  if (nasId !== undefined && readings.length === 0) nasById(db, by.scope, nasId);
  return { findings: findingsWhere(db, which), readings };
}

/** Routers with an account: others are not checked, and their old findings mean nothing. */
const LOOKED_AT = "n.kind = 'mikrotik' AND n.routeros_username IS NOT NULL";

function findingsWhere({ $client }: Db, { text, values }: ReturnType<typeof all>): RouterFinding[] {
  return $client
    .query<Row, Value[]>(
      `SELECT f.id, f.nas_id AS nasId, n.name AS router, f.kind, f.key, f.level, f.detail, f.commands, f.is_mendable AS mendable,
         f.found_at AS foundAt, f.counted_at AS countedAt, f.hidden_at AS hiddenAt, f.hidden_by AS hiddenBy,
         f.hidden_reason AS hiddenReason
       FROM router_findings f JOIN nas n ON n.id = f.nas_id WHERE ${LOOKED_AT} AND ${text}
       ORDER BY f.nas_id, f.level, f.id`,
    )
    .all(...values)
    .flatMap(toFindings);
}

/** Undefined for a kind of a newer version. */
function toFindings({
  kind,
  detail,
  mendable,
  hiddenAt,
  hiddenBy,
  hiddenReason,
  ...row
}: Row): RouterFinding[] {
  if (!isWatchKind(kind)) return [];
  // of the kind that it was kept as
  const about = { kind, values: JSON.parse(detail) } as unknown as AboutRouter;
  const commands: readonly string[] = JSON.parse(row.commands);
  const hidden = hiddenAt === null ? null : { at: hiddenAt, by: hiddenBy ?? "", reason: hiddenReason ?? "" };
  return [{ ...about, ...row, commands, isMendable: mendable === 1, hidden }];
}

function readingsWhere({ $client }: Db, { text, values }: ReturnType<typeof all>): RouterReading[] {
  return $client
    .query<ReadingRow, Value[]>(
      `SELECT r.nas_id AS nasId, n.name, r.tried_at AS triedAt, r.read_at AS readAt, r.failure, r.version, r.unread, r.facts
       FROM router_readings r JOIN nas n ON n.id = r.nas_id WHERE ${LOOKED_AT} AND ${text} ORDER BY r.nas_id`,
    )
    .all(...values)
    .map(({ unread, facts, ...row }) => {
      const { others }: Facts = JSON.parse(facts);
      return Object.assign(row, { unlooked: JSON.parse(unread), others });
    });
}

/** A router's findings by id. Throws `not_found`. */
export function findingsById(
  db: Db,
  { nasId, ids }: { nasId: number; ids: readonly number[] },
): RouterFinding[] {
  const there = findingsWhere(db, all(equal("n.id", nasId)));
  return ids.map((id) => {
    const one = there.find((finding) => finding.id === id);
    if (!one)
      throw new DomainError(
        "not_found",
        phrase`there is no finding ${id} at this router any more; look again`,
      );
    return one;
  });
}
