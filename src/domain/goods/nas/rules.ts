import type { Db } from "../../../../db/open.ts";
import { TAKEN_BY } from "../../core/errors/codes.ts";
import type { FieldErrors } from "../../core/errors/errors.ts";
import { addFault } from "../../core/fields/fields.ts";
import { overlap } from "../../core/networks/networks.ts";
import { type Isp, UNKNOWN } from "../../core/references/references.ts";
import { radsecFault } from "./radsec.ts";
import { type Scope, seesOfIsp } from "../../core/actor/actor.ts";
import { defaultRouterosPort, type NasValues } from "./fields.ts";
import type { NasKind } from "./kinds.ts";
import type { Nas } from "./find.ts";
import { commandName } from "./sources.ts";

/** What the rules of a NAS ask: of the store for one, of store and file for an import. The answers are in words. */
export interface NasLookup {
  readonly addressHolder: (address: string, id: number) => string | undefined;
  readonly nameHolder: (name: string, isp: number, id: number) => string | undefined;
}

/** Adds an address that another NAS has, and a name that another one of the ISP has. A new one's id is one that no other has. */
export function findNasFaults(
  lookup: NasLookup,
  {
    id,
    isp,
    values: { address, name },
  }: { id: number; isp: Isp; values: Pick<NasValues, "address" | "name"> },
  faults: FieldErrors,
): void {
  const sameAddress = address && lookup.addressHolder(address, id);
  if (sameAddress) addFault(faults, "address", `${TAKEN_BY}${sameAddress}`);
  const sameName = name && isp !== null && isp !== UNKNOWN && lookup.nameHolder(name, isp, id);
  if (sameName) addFault(faults, "name", `${TAKEN_BY}${sameName}`);
}

/** Adds a disconnect_method that a kind has not: `stored` says what the values leave as it is. */
export function findMethodFault(
  values: Pick<NasValues, "kind" | "disconnect_method">,
  stored: { readonly kind: NasKind; readonly disconnectMethod: string } | undefined,
  faults: FieldErrors,
): void {
  const kind = values.kind ?? stored?.kind ?? "mikrotik";
  const method = values.disconnect_method ?? stored?.disconnectMethod;
  if (method !== "routeros" || kind === "mikrotik") return;
  addFault(
    faults,
    values.disconnect_method ? "disconnect_method" : "kind",
    "does not go together: routeros asks an API that only kind mikrotik has; set disconnect_method to coa or auto",
  );
}

/** What a router is so far, as far as it matters to RadSec. */
export type StoredRadsec = Pick<Nas, "address" | "disconnectMethod" | "radsec">;

/** Adds what a router cannot be that asks by RadSec; `stored` is what it is so far. */
export function findRadsecFaults(
  stored: StoredRadsec | undefined,
  { address, disconnect_method, radsec }: Partial<NasValues>,
  faults: FieldErrors,
): void {
  if (!(radsec ?? stored?.radsec === 1)) return;
  const at = address ?? stored?.address;
  const fault = at === undefined ? undefined : radsecFault({ address: at });
  if (fault !== undefined) addFault(faults, address ? "address" : "radsec", `cannot be: ${fault}`);
  if ((disconnect_method ?? stored?.disconnectMethod) === "coa")
    addFault(
      faults,
      disconnect_method ? "disconnect_method" : "radsec",
      "cannot be coa with RadSec, which has none; with auto or routeros sessions are ended by the RouterOS API where there is one",
    );
}

/**
 * The port of the RouterOS API that values ask for; undefined leaves what there is. Where none is named, the usual one stays
 * the usual one, with or without TLS.
 */
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

/** What the store has, for one NAS; one that the scope does not see is not named. */
export function storedNas(db: Db, scope: Scope): NasLookup {
  const { $client } = db;
  const other = (holder: Holder | null, describe: (holder: Holder) => string) => {
    if (!holder) return undefined;
    return seesOfIsp(scope, holder) ? describe(holder) : "another NAS";
  };
  return {
    addressHolder: (address, id) =>
      other(
        $client.query<Holder, [string, number]>(`${select} WHERE address = ? AND id <> ?`).get(address, id),
        (holder) =>
          `the NAS ${holder.name}; to give that one another: gatehouse nas set ${commandName(holder)} --address ADDRESS`,
      ) ?? foreignOverlap(db, scope, address, id),
    nameHolder: (name, isp, id) =>
      other(
        $client
          .query<Holder, [number, string, number]>(`${select} WHERE isp_id = ? AND name = ? AND id <> ?`)
          .get(isp, name, id),
        (holder) =>
          `the NAS with the address ${holder.address}; to give that one another: gatehouse nas set ${holder.address} --name NAME`,
      ),
  };
}

/**
 * Of overlapping addresses the longer prefix answers a router, so that staff of one ISP could cut off the routers of another. What
 * a NAS has already stays; where two ISPs share a network, the operator of the box says so.
 */
function foreignOverlap({ $client }: Db, { ispId }: Scope, address: string, id: number): string | undefined {
  if (ispId === null) return undefined;
  const own = $client.query<{ address: string }, [number]>("SELECT address FROM nas WHERE id = ?").get(id);
  if (own?.address === address) return undefined;
  const others = $client
    .query<{ address: string }, [number]>("SELECT address FROM nas WHERE isp_id <> ?")
    .all(ispId);
  return others.some((other) => overlap(other.address, address))
    ? "a NAS of another ISP, as a whole or in part; ask the operator of the box"
    : undefined;
}
