import { DomainError } from "../../../core/errors/errors.ts";
import type { RouterMenus } from "../menus.ts";

/** Connections that go past rules and queues, for they did so before: RouterOS keeps them so until they close. */
export type EndedConnections =
  | { readonly kind: "ended"; readonly count: number }
  /** There are too many to be read, or the router does not say how many: they live on until they close, or it starts anew. */
  | { readonly kind: "left" };

/** Entries of connection tracking up to which they are read. */
const MOST_ENTRIES = 20_000;
/** Failures in a row after which a router is let be. */
const MOST_FAILURES = 3;

const CONNECTIONS = "/ip/firewall/connection";

/** Ends the connections under FastTrack that one of these addresses has part in. Rejects with `router_failed` where it cannot be read. */
export async function endFastTracked(
  menus: Pick<RouterMenus, "print" | "remove">,
  addresses: ReadonlySet<string>,
): Promise<EndedConnections> {
  const [tracking] = (await menus.print(`${CONNECTIONS}/tracking`, {}, ["total-entries"])) ?? [];
  const entries = Number(tracking?.["total-entries"] ?? Infinity);
  if (entries > MOST_ENTRIES) return { kind: "left" };
  const ends = ["src-address", "reply-src-address", "dst-address"] as const;
  const rows = (await menus.print(CONNECTIONS, { fasttrack: "true" }, [".id", ...ends])) ?? [];
  let [count, failures] = [0, 0];
  for (const row of rows) {
    if (!ends.some((end) => addresses.has(hostOf(row[end] ?? "")))) continue;
    try {
      await menus.remove(CONNECTIONS, row[".id"] ?? "");
      [count, failures] = [count + 1, 0];
    } catch (error) {
      // one that has closed meanwhile is no failure, a router that is gone is
      if (!(error instanceof DomainError) || ++failures === MOST_FAILURES) throw error;
    }
  }
  return { kind: "ended", count };
}

/** `10.0.0.9:443`, or an address alone where its protocol has no ports. */
const hostOf = (end: string) => end.replace(/:\d+$/, "");

/** Addresses of the lines that are up at a router, by its own lists. */
export async function lineAddresses(menus: Pick<RouterMenus, "print">): Promise<Set<string>> {
  const addresses = new Set<string>();
  for (const menu of ["/ppp/active", "/ip/hotspot/active", "/ip/dhcp-server/lease"])
    for (const row of (await menus.print(menu, {}, ["address"])) ?? [])
      if (row["address"]) addresses.add(row["address"]);
  return addresses;
}
