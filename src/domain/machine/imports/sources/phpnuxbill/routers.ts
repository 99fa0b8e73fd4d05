import { isIP } from "node:net";
import type { MovedRouter } from "../../model.ts";
import { rawText, textOf } from "../row-text.ts";
import type { Kept, Tables } from "./tables.ts";

/** tbl_routers with secrets of `nas`, and the rest of `nas`. */
export function routersOf({ routers, nas }: Tables): MovedRouter[] {
  const used = new Set<Kept>();
  const known = [...routers].map(([name, { at, row }]): MovedRouter => {
    const host = hostOf(textOf(row, "ip_address"));
    const client = nas.find(
      (other) => textOf(other.row, "nasname") === host || textOf(other.row, "routers", "shortname") === name,
    );
    if (client) used.add(client);
    const secret = client ? rawText(client.row, "secret") || null : null;
    return { at, key: name, name, address: host, secret };
  });
  const more = nas.filter((client) => !used.has(client) && textOf(client.row, "nasname") !== "");
  const others = more.map(({ at, row }): MovedRouter => {
    const address = textOf(row, "nasname");
    return {
      at,
      key: address,
      name: textOf(row, "shortname") || address,
      address,
      secret: rawText(row, "secret") || null,
    };
  });
  return [...known, ...others];
}

/** The host without the API's port: "10.0.0.1:8728", "[2001:db8::1]:8728". */
function hostOf(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\]/.exec(address) ?? [];
  return bracketed ?? (isIP(address) === 6 ? address : address.replace(/:\d*$/, ""));
}
