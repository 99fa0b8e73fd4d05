import { isIP } from "node:net";
import type { MovedRouter } from "../../model.ts";
import type { Tellings } from "../../told.ts";
import { rawText, textOf } from "../row-text.ts";
import type { Kept, Tables } from "./tables.ts";

/** tbl_routers with the shared secrets of `nas` where its FreeRADIUS has them, and what stands in `nas` alone. */
export function routersOf({ routers, nas }: Tables, told: Tellings): MovedRouter[] {
  const used = new Set<Kept>();
  const known = [...routers].map(([name, { at, row }]): MovedRouter => {
    const host = hostOf(textOf(row, "ip_address"));
    const client = nas.find(
      (other) => textOf(other.row, "nasname") === host || textOf(other.row, "routers", "shortname") === name,
    );
    if (client) used.add(client);
    const secret = client ? rawText(client.row, "secret") || null : null;
    const isAddress = isIP(host) !== 0;
    if (!isAddress)
      told.add("note", at, name, `It is reached as "${host}" there: a router here has an address.`);
    if (secret === null)
      told.add(
        "note",
        at,
        name,
        "phpnuxbill has no RADIUS secret of it, as it spoke to its API: choose one, here and on the router.",
      );
    return { at, key: name, name, address: isAddress ? host : null, secret };
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

/** Without the port of the API: "10.0.0.1:8728", "[2001:db8::1]:8728". */
function hostOf(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\]/.exec(address) ?? [];
  return bracketed ?? (isIP(address) === 6 ? address : address.replace(/:\d*$/, ""));
}
