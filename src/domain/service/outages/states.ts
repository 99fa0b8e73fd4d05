import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { routersBehind } from "../box-standing/standing.ts";
import { staleAfter } from "../sessions/in-scope.ts";
import { type Actor, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { startOfMinute, type Looking, sessionsByRouter } from "../../money/sums/minutes.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Arrivals, type DroppedKind, droppedKinds, type Seen } from "../../goods/nas/arrivals.ts";

/** `never` heard, `dropped` requests, or `silent` with sessions. */
export type RouterStanding = "heard" | "never" | "dropped" | "silent";

export interface RouterState {
  readonly nasId: number;
  readonly name: string;
  readonly address: string;
  readonly hasApi: boolean;
  readonly standing: RouterStanding;
  /** null: never, as far as known. */
  readonly heardAt: Seconds | null;
  /** Drops since the start. */
  readonly dropped: readonly (Seen & { readonly kind: DroppedKind })[];
  /** Whether its logins have a Message-Authenticator. */
  readonly isSigned: boolean;
  /** Of the whole ISP; null for a partial scope. Logins and bit/s are of the last whole minute. */
  readonly now: {
    readonly sessions: number;
    readonly logins: number;
    readonly refused: number;
    readonly down: number;
    readonly up: number;
  } | null;
}

/** Seconds without a packet from a router with sessions after which it is silent. */
const SILENT = 600;
/** Seconds for which the last drop determines the state. */
const LATELY = 3600;

interface Row {
  readonly nasId: number;
  readonly name: string;
  readonly address: string;
  readonly hasApi: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly inputOctets: number;
  readonly outputOctets: number;
  readonly minute: Seconds | null;
  readonly isOut: number;
  readonly latched: number;
}

/** State of the routers in scope, or one, by name. */
export function routerStates(
  db: Db,
  by: Actor,
  { nasId }: { nasId?: number | undefined },
  looking: Looking & { arrivals: Arrivals },
): RouterState[] {
  permit(by, "routerStates");
  const { now, arrivals } = looking;
  const matching = all(equal("nas.isp_id", by.scope.ispId), equal("nas.id", nasId));
  const rows = db.$client
    .query<Row, Value[]>(
      `SELECT nas.id AS nasId, nas.name, nas.address, nas.routeros_host IS NOT NULL AS hasApi,
         coalesce(last.accepted, 0) AS accepted, coalesce(last.rejected, 0) AS rejected,
         coalesce(last.input_octets, 0) AS inputOctets, coalesce(last.output_octets, 0) AS outputOctets,
         (SELECT m.at FROM nas_minutes m WHERE m.nas_id = nas.id AND (m.accepted > 0 OR m.rejected > 0 OR m.input_octets > 0 OR m.output_octets > 0)
          ORDER BY m.at DESC LIMIT 1) AS minute,
         EXISTS (SELECT 1 FROM outages o INDEXED BY outages_open WHERE o.ended_at IS NULL AND o.kind = 'router' AND o.nas_id = nas.id) AS isOut,
         EXISTS (SELECT 1 FROM nas_sources s WHERE s.nas_id = nas.id AND s.authenticator_seen_at IS NOT NULL) AS latched
       FROM nas LEFT JOIN nas_minutes last ON last.nas_id = nas.id AND last.at = ? WHERE ${matching.text} ORDER BY nas.name, nas.id`,
    )
    .all(startOfMinute(now) - 60, ...matching.values);
  const open = sessionsByRouter(db, by.scope.ispId, looking);
  const silentAfter = Math.max(SILENT, staleAfter(db));
  const behind = routersBehind(db, now);
  return rows.map((row) => {
    const seeing = { open: open.get(row.nasId) ?? 0, by, now, arrivals, silentAfter };
    return toRouterState(row, { ...seeing, isBehind: behind.has(row.nasId) });
  });
}

interface Seeing {
  readonly open: number;
  readonly by: Actor;
  readonly now: Seconds;
  readonly arrivals: Arrivals;
  readonly silentAfter: Seconds;
  /** Its access box is cut off. */
  readonly isBehind: boolean;
}

function toRouterState(row: Row, { open, by, now, arrivals, silentAfter, isBehind }: Seeing): RouterState {
  const { nasId, name, address, minute, accepted, rejected } = row;
  const { kinds } = arrivals.ofRouter(nasId);
  const dropped = droppedKinds.flatMap((kind) => {
    const seen = kinds.get(kind);
    return seen ? [{ kind, ...seen }] : [];
  });
  const lastGood = Math.max(
    ...(["signed", "unsigned", "accounting", "status"] as const).map((kind) => kinds.get(kind)?.last ?? 0),
    minute ?? 0,
  );
  const lastDropped = Math.max(0, ...dropped.map(({ last }) => last));
  const heardAt = Math.max(lastGood, lastDropped) || null;
  return {
    nasId,
    name,
    address,
    heardAt,
    dropped,
    hasApi: row.hasApi === 1,
    standing: findStanding(),
    isSigned: row.latched === 1 || kinds.has("signed"),
    now: seesWholeIsp(by.scope)
      ? {
          sessions: open,
          logins: accepted + rejected,
          refused: rejected,
          down: Math.round((row.outputOctets * 8) / 60),
          up: Math.round((row.inputOctets * 8) / 60),
        }
      : null,
  };

  function findStanding(): RouterStanding {
    if (lastDropped > lastGood && now - lastDropped < LATELY) return "dropped";
    if (heardAt === null) return "never";
    const isQuiet = open > 0 && now - heardAt > silentAfter && !isBehind;
    return row.isOut === 1 || isQuiet ? "silent" : "heard";
  }
}

export function silentRouters({ $client }: Db, by: Actor): number {
  permit(by, "silentRouters");
  const { text, values } = all(equal("nas.isp_id", by.scope.ispId));
  const counted = $client
    .query<{ routers: number }, Value[]>(
      `SELECT count(DISTINCT o.nas_id) AS routers FROM outages o INDEXED BY outages_open JOIN nas ON nas.id = o.nas_id
       WHERE o.ended_at IS NULL AND o.kind = 'router' AND ${text}`,
    )
    .get(...values);
  return counted?.routers ?? 0;
}
