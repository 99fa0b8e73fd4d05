import type { Db } from "../../../../db/open.ts";
import { takenBy } from "../../core/errors/codes.ts";
import type { Faults } from "../../core/errors/errors.ts";
import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import { addFault } from "../../core/fields/fields.ts";
import { overlap } from "../../core/networks/networks.ts";
import { type Isp, UNKNOWN } from "../../core/references/references.ts";
import { radsecFault } from "./radsec.ts";
import { type Scope, seesIsp } from "../../core/actor/actor.ts";
import { defaultRouterosPort, type NasValues } from "./fields.ts";
import type { NasKind } from "./kinds.ts";
import type { Nas } from "./find.ts";
import { commandName } from "./sources.ts";

/** Lookups of the rules: in the store, for an import with the file. Answers are words. */
export interface NasLookup {
  readonly addressHolder: (address: string, id: number) => Phrase | undefined;
  readonly nameHolder: (name: string, isp: number, id: number) => Phrase | undefined;
}

/** Adds faults for taken addresses and names. */
export function findNasFaults(
  lookup: NasLookup,
  {
    id,
    isp,
    values: { address, name },
  }: { id: number; isp: Isp; values: Pick<NasValues, "address" | "name"> },
  faults: Faults,
): void {
  const sameAddress = address && lookup.addressHolder(address, id);
  if (sameAddress) addFault(faults, "address", takenBy(sameAddress));
  const sameName = name && isp !== null && isp !== UNKNOWN && lookup.nameHolder(name, isp, id);
  if (sameName) addFault(faults, "name", takenBy(sameName));
}

/** Adds a fault for an unsupported disconnect_method; `stored` has unchanged values. */
export function findMethodFault(
  values: Pick<NasValues, "kind" | "disconnect_method">,
  stored: { readonly kind: NasKind; readonly disconnectMethod: string } | undefined,
  faults: Faults,
): void {
  const kind = values.kind ?? stored?.kind ?? "mikrotik";
  const method = values.disconnect_method ?? stored?.disconnectMethod;
  if (method !== "routeros" || kind === "mikrotik") return;
  addFault(
    faults,
    values.disconnect_method ? "disconnect_method" : "kind",
    phrase`does not go together: routeros asks an API that only kind mikrotik has; set disconnect_method to coa or auto`,
  );
}

export type StoredRadsec = Pick<Nas, "address" | "disconnectMethod" | "radsec">;

/** Adds faults of RadSec routers. */
export function findRadsecFaults(
  stored: StoredRadsec | undefined,
  { address, disconnect_method, radsec }: Partial<NasValues>,
  faults: Faults,
): void {
  if (!(radsec ?? stored?.radsec === 1)) return;
  const at = address ?? stored?.address;
  const fault = at === undefined ? undefined : radsecFault({ address: at });
  if (fault !== undefined) addFault(faults, address ? "address" : "radsec", phrase`cannot be: ${fault}`);
  if ((disconnect_method ?? stored?.disconnectMethod) === "coa")
    addFault(
      faults,
      disconnect_method ? "disconnect_method" : "radsec",
      phrase`cannot be coa with RadSec, which has none; with auto or routeros sessions are ended by the RouterOS API where there is one`,
    );
}

/** undefined: unchanged. A default port follows TLS. */
export function routerosPort(
  { port, tls }: { readonly port?: number | null; readonly tls?: boolean | null },
  stored: { readonly port: number | null; readonly tls: boolean } | undefined,
): number | undefined {
  if (port) return port;
  const isUsual = !stored || stored.port === null || stored.port === defaultRouterosPort(stored.tls);
  return isUsual ? defaultRouterosPort(tls ?? stored?.tls) : undefined;
}

interface Holder {
  ispId: number;
  name: string;
  address: string;
}

const select = "SELECT isp_id AS ispId, name, address FROM nas";

/** Looks routers up for the rules of one; names outside the scope are hidden. */
export function storedNas(db: Db, scope: Scope): NasLookup {
  const { $client } = db;
  const other = (holder: Holder | null, describe: (holder: Holder) => Phrase) => {
    if (!holder) return undefined;
    return seesIsp(scope, holder) ? describe(holder) : phrase`another NAS`;
  };
  return {
    addressHolder: (address, id) =>
      other(
        $client.query<Holder, [string, number]>(`${select} WHERE address = ? AND id <> ?`).get(address, id),
        (holder) =>
          phrase`the NAS ${holder.name}; to give that one another: gatehouse nas set ${commandName(holder)} --address ADDRESS`,
      ) ?? foreignOverlap(db, scope, address, id),
    nameHolder: (name, isp, id) =>
      other(
        $client
          .query<Holder, [number, string, number]>(`${select} WHERE isp_id = ? AND name = ? AND id <> ?`)
          .get(isp, name, id),
        (holder) =>
          phrase`the NAS with the address ${holder.address}; to give that one another: gatehouse nas set ${holder.address} --name NAME`,
      ),
  };
}

/** The longer prefix wins, so an overlapping network could take over another ISP's routers. Existing ones stay; the operator may share networks. */
function foreignOverlap({ $client }: Db, { ispId }: Scope, address: string, id: number): Phrase | undefined {
  if (ispId === null) return undefined;
  const own = $client.query<{ address: string }, [number]>("SELECT address FROM nas WHERE id = ?").get(id);
  if (own?.address === address) return undefined;
  const others = $client
    .query<{ address: string }, [number]>("SELECT address FROM nas WHERE isp_id <> ?")
    .all(ispId);
  return others.some((other) => overlap(other.address, address))
    ? phrase`a NAS of another ISP, as a whole or in part; ask the operator of the box`
    : undefined;
}
