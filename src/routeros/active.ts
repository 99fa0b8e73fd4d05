import { parseStationMac } from "../domain/core/fields/text.ts";
import type { Row } from "./client.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { RouterosError } from "./fault.ts";
import type { Ask } from "./pooled-connection.ts";

/** The menus that list who is online, and the property with the name. */
const lists = {
  ppp: { path: "/ppp/active", user: "name", mac: "caller-id", only: [] },
  hotspot: { path: "/ip/hotspot/active", user: "user", mac: "mac-address", only: [] },
  // a static lease was written by somebody into the router, and stays
  lease: {
    path: "/ip/dhcp-server/lease",
    user: "mac-address",
    mac: "active-mac-address",
    only: ["?dynamic=true"],
  },
} as const;

/** Most active entries removed for one name; each takes a command. */
const MOST_ENTRIES = 2000;

export type ActiveList = keyof typeof lists;

/** uptime in seconds. */
export interface ActiveEntry {
  readonly id: string;
  readonly address: string | null;
  readonly mac: string | null;
  readonly uptime: number | null;
}

/** The active entries of a name. */
export async function findActive(ask: Ask, list: ActiveList, username: string): Promise<ActiveEntry[]> {
  const { path, user, mac, only } = lists[list];
  const rows = await ask(
    `${path}/print`,
    `=.proplist=.id,${user},${mac},address,uptime`,
    `?${user}=${username}`,
    ...only,
  );
  if (rows.length > MOST_ENTRIES)
    throw new RouterosError(
      "flood",
      phrase`it says that ${username} is online ${rows.length} times; look at ${path} on that router`,
    );
  return rows.flatMap((row) => toEntries(row, mac));
}

/** Disconnects a name: the entry at `address` if listed, else all of them. Returns how many there were, including those that vanished meanwhile. */
export async function removeActive(
  ask: Ask,
  list: ActiveList,
  { username, address }: { username: string; address: string | null },
): Promise<number> {
  const entries = await findActive(ask, list, username);
  const here = entries.filter((entry) => address !== null && entry.address === address);
  const ended = await Promise.all(
    (here.length > 0 ? here : entries).map(({ id }) => remove(ask, `${lists[list].path}/remove`, id)),
  );
  return ended.filter(Boolean).length;
}

/** Whether there was something to remove. */
async function remove(ask: Ask, path: string, id: string): Promise<boolean> {
  try {
    await ask(path, `=.id=${id}`);
    return true;
  } catch (error) {
    if (error instanceof RouterosError && isMissing(error)) return false;
    throw error;
  }
}

/** "no such item" or "no such item (4)": it vanished between list and command. */
export function isMissing({ code, message }: RouterosError): boolean {
  return code === "trap" && message.includes("no such item");
}

function toEntries(row: Row, macName: string): ActiveEntry[] {
  const id = row[".id"];
  if (id === undefined) return [];
  const station = row[macName];
  return [
    {
      id,
      address: row["address"] ?? null,
      mac: station === undefined ? null : (parseStationMac(station) ?? null),
      uptime: row["uptime"] === undefined ? null : parseDuration(row["uptime"]),
    },
  ];
}

/** `1w2d3h4m5s`, and `1d03:04:05` of other versions, in seconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+):(\d+):(\d+)|(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)$/.exec(text);
  if (!match || text === "") return null;
  const [weeks, days, ...rest] = match.slice(1).map((digits = "0") => Number(digits));
  const [h = 0, m = 0, s = 0, hours = 0, minutes = 0, seconds = 0] = rest;
  const whole = (weeks ?? 0) * 7 + (days ?? 0);
  return whole * 86_400 + (h + hours) * 3600 + (m + minutes) * 60 + s + seconds;
}
