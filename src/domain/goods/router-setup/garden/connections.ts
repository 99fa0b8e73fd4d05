import { DomainError } from "../../../core/errors/errors.ts";
import type { RouterMenus } from "../menus.ts";

/** Connections that bypass new rules until they close. */
export type EndedConnections =
  | { readonly kind: "ended"; readonly count: number }
  /** Too many or unknown: they end by themselves, or with a restart. */
  | { readonly kind: "left" };

/** Connections read at the most. */
const MOST_ENTRIES = 20_000;
const MOST_FAILURES = 3;

const CONNECTIONS = "/ip/firewall/connection";

/** Ends fast-tracked connections of these addresses. Rejects with `router_failed`. */
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
    if (!ends.some((end) => addresses.has(withoutPort(row[end] ?? "")))) continue;
    try {
      await menus.remove(CONNECTIONS, row[".id"] ?? "");
      [count, failures] = [count + 1, 0];
    } catch (error) {
      // closed ones are no failure
      if (!(error instanceof DomainError) || ++failures === MOST_FAILURES) throw error;
    }
  }
  return { kind: "ended", count };
}

const withoutPort = (end: string) => end.replace(/:\d+$/, "");

export async function lineAddresses(menus: Pick<RouterMenus, "print">): Promise<Set<string>> {
  const addresses = new Set<string>();
  for (const menu of ["/ppp/active", "/ip/hotspot/active", "/ip/dhcp-server/lease"])
    for (const row of (await menus.print(menu, {}, ["address"])) ?? [])
      if (row["address"]) addresses.add(row["address"]);
  return addresses;
}
