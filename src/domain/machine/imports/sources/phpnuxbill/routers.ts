import { isIP } from "node:net";
import type { MovedRouter } from "../../model.ts";
import { rawText, readText } from "../row-text.ts";
import type { Kept, Tables } from "./tables.ts";

/** tbl_routers with secrets of `nas`, and the rest of `nas`. */
export function listRouters({ routers, nas }: Tables): MovedRouter[] {
  const used = new Set<Kept>();
  const known = [...routers].map(([name, { at, row }]): MovedRouter => {
    const host = withoutPort(readText(row, "ip_address"));
    const client = nas.find(
      (other) =>
        readText(other.row, "nasname") === host || readText(other.row, "routers", "shortname") === name,
    );
    if (client) used.add(client);
    const secret = client ? rawText(client.row, "secret") || null : null;
    return { at, key: name, name, address: host, secret };
  });
  const more = nas.filter((client) => !used.has(client) && readText(client.row, "nasname") !== "");
  const others = more.map(({ at, row }): MovedRouter => {
    const address = readText(row, "nasname");
    return {
      at,
      key: address,
      name: readText(row, "shortname") || address,
      address,
      secret: rawText(row, "secret") || null,
    };
  });
  return [...known, ...others];
}

/** The host without the API's port: "10.0.0.1:8728", "[2001:db8::1]:8728". */
function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\]/.exec(address) ?? [];
  return bracketed ?? (isIP(address) === 6 ? address : address.replace(/:\d*$/, ""));
}
