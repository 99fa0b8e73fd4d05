import type { Db, Tx } from "../../../../db/open.ts";
import { nas } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Nas } from "../nas/find.ts";
import { kindTraits, type NasKind } from "../nas/kinds.ts";

type Router = Pick<Nas, "id" | "ispId" | "kind">;

/** Address lists and pools that packages of an ISP put expired subscribers into, as far as a kind of router knows them. */
export interface Confined {
  readonly lists: readonly string[];
  readonly pools: readonly string[];
}

export function confinedOf({ $client }: Db, { ispId, kind }: Router): Confined {
  const rows = $client
    .query<{ list: string | null; pool: string | null }, [number]>(
      "SELECT DISTINCT expired_address_list AS list, expired_pool AS pool FROM packages WHERE isp_id = ? ORDER BY 1, 2",
    )
    .all(ispId);
  const distinct = (names: (string | null)[]) =>
    [...new Set(names.filter((name) => name !== null))].toSorted();
  return {
    lists: kindTraits[kind].list === null ? [] : distinct(rows.map(({ list }) => list)),
    pools: kind === "mikrotik" ? [] : distinct(rows.map(({ pool }) => pool)),
  };
}

/** The kinds that know a rate by the name of a policy, which has to be there. */
const byPolicy: ReadonlySet<NasKind> = new Set(["cisco", "juniper"]);

/** What a router has to be told of the walled garden, as far as settings say it; null: nobody is sent there. */
export function gardenOf(db: Db, router: Router): string | null {
  const { lists, pools } = confinedOf(db, router);
  if (lists.length + pools.length === 0) return null;
  const rate = byPolicy.has(router.kind) ? setting(db, "garden_rate") : "";
  return JSON.stringify([lists, pools, setting(db, "garden_dns"), rate]);
}

/** Notes that a router was told so just now, or that it has nothing of it any more. */
export function noteGarden(tx: Tx, router: Router, isTold = true): void {
  update(tx, nas, { gardenTold: isTold ? gardenOf(tx, router) : null }, { id: router.id });
}
