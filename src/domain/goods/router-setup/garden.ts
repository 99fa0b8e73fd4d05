import type { Db, Tx } from "../../../../db/open.ts";
import { nas } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Nas } from "../nas/find.ts";
import { kindTraits, type NasKind } from "../nas/kinds.ts";
import { listIspPools } from "../address-pools/give.ts";
import { gardenLists } from "./garden/faults.ts";
import type { DialInServer } from "./garden/model.ts";
import { type GardenProfile, profileChoice } from "./garden/profiles.ts";

type Router = Pick<Nas, "id" | "ispId" | "kind">;

/** Lists and pools of expired subscribers, where the kind can confine by them. */
export interface Confined {
  readonly lists: readonly string[];
  /** Pools of packages without a list, put on ours. */
  readonly pools: readonly string[];
}

export function findConfined({ $client }: Db, { ispId, kind }: Router): Confined {
  const rows = $client
    .query<{ list: string | null; pool: string | null }, [number]>(
      "SELECT DISTINCT expired_address_list AS list, expired_pool AS pool FROM packages WHERE isp_id = ? ORDER BY 1, 2",
    )
    .all(ispId);
  const distinct = (names: (string | null)[]) =>
    [...new Set(names.filter((name) => name !== null))].toSorted();
  const isPool = ({ list }: { list: string | null }) => kind !== "mikrotik" || list === null;
  return {
    lists: kindTraits[kind].list === null ? [] : distinct(rows.map(({ list }) => list)),
    pools: distinct(rows.filter(isPool).map(({ pool }) => pool)),
  };
}

/** Packages' lists, and ours. */
export function confiningLists(db: Db, router: Router): string[] {
  const { lists, pools } = findConfined(db, router);
  return [...gardenLists(lists, pools)];
}

/** Pools of active subscribers; `isDefault`: also the profiles'. */
export function paidPools(db: Db, { ispId }: Pick<Router, "ispId">) {
  const rows = db.$client
    .query<{ pool: string | null }, [number]>(
      "SELECT DISTINCT framed_pool AS pool FROM packages WHERE isp_id = ? ORDER BY 1",
    )
    .all(ispId);
  const ranges = listIspPools(db, ispId).map(({ range }) => range);
  return {
    pools: rows.flatMap(({ pool }) => pool ?? []),
    isDefault: rows.some(({ pool }) => pool === null),
    ranges: ranges.filter((range) => !range.includes(":")),
  };
}

/** Kinds with named policies. */
const byPolicy: ReadonlySet<NasKind> = new Set(["cisco", "juniper"]);

/** Raise it when rules change, so that routers with older ones are reported. */
const RULES = 3;

/** What a router's walled garden is made of; null: it has none. */
export function readGarden(db: Db, router: Router): string | null {
  const { lists, pools } = findConfined(db, router);
  if (lists.length + pools.length === 0) return null;
  const rate = byPolicy.has(router.kind) ? setting(db, "garden_rate") : "";
  const parts = [lists, pools, setting(db, "garden_dns"), rate];
  return JSON.stringify(router.kind === "mikrotik" ? [...parts, RULES] : parts);
}

export function noteGarden(tx: Tx, router: Router, isKnown = true): void {
  update(tx, nas, { gardenTold: isKnown ? readGarden(tx, router) : null }, { id: router.id });
}

/** Garden profiles by server. */
export function noteProfiles(
  tx: Tx,
  { id }: Pick<Nas, "id">,
  servers: readonly DialInServer[],
  profiles: readonly GardenProfile[],
): void {
  const choice = profiles.length > 0 ? profileChoice(servers, profiles).choice : null;
  update(tx, nas, { gardenProfiles: choice && JSON.stringify(choice) }, { id });
}
