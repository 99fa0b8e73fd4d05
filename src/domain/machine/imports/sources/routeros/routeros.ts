import type { Seconds } from "../../../../core/time/time.ts";
import type { Moved, MovedPackage, MovedRouter, MovedSubscriber } from "../../model.ts";
import { MovingRefused, type ReadSource, type SourceFile } from "../../source.ts";
import { type ExportItem, readExport } from "./export.ts";
import { readLocalUsers } from "./local-users.ts";
import type { Notices } from "../../notices.ts";
import { type HeldProfile, readUserManager } from "./user-manager.ts";
import { quoted } from "./values.ts";

/** RouterOS exports: PPP secrets, hotspot users, User Manager 7, and its users' profiles as JSON of the REST interface. */
export const readRouterOs: ReadSource = async (files, { notices, zone, progress = () => {} }) => {
  const packages = new Map<string, MovedPackage>();
  const subscribers: MovedSubscriber[] = [];
  const routers: MovedRouter[] = [];
  const afterwards: string[] = [];
  let held: HeldProfile[] | null = null;
  const exports: { file: string; items: readonly ExportItem[] }[] = [];
  let read = 0;
  for (const file of files) {
    const bytes = await readFileBytes(file);
    read += bytes.length;
    progress(read);
    if (isJson(bytes)) held = [...(held ?? []), ...readHeld(bytes, file.name, zone)];
    else exports.push({ file: file.name, items: readExport(bytes, file.name).items });
  }
  if (exports.length === 0)
    throw new MovingRefused(
      "the export is missing: profiles that users hold come beside it; give both files",
    );
  for (const { file, items } of exports) {
    const byMenu = Map.groupBy(items, ({ menu }) => menu);
    const of = (menu: string) => byMenu.get(menu) ?? [];
    requirePasswords(file, of);
    const local: MovedSubscriber[] = [];
    const { secrets, hotspotUsers } = readLocalUsers(of, { packages, subscribers: local, notices });
    subscribers.push(...unlessAllAreOff(local, file, notices));
    const users = readUserManager(of, held, { packages, subscribers, routers, notices });
    if (byMenu.has("tool user-manager user"))
      notices.add(
        "left_out",
        null,
        file,
        `${of("tool user-manager user").length} users of User Manager 6: update the router to RouterOS 7, which takes them over, and export again.`,
      );
    afterwards.push(
      ...switchOff("/ppp secret", secrets),
      ...switchOff("/ip hotspot user", hotspotUsers),
      ...(users > 0 ? userManagerOff : []),
    );
  }
  return {
    packages: [...packages.values()],
    routers,
    subscribers,
    sessions: [],
    vouchers: [],
    afterwards,
  } satisfies Moved;
};

/** Users switched off for the migration stay enabled here. */
function unlessAllAreOff(
  users: readonly MovedSubscriber[],
  file: string,
  notices: Notices,
): readonly MovedSubscriber[] {
  if (users.length < 2 || users.some(({ enabled }) => enabled)) return users;
  notices.add(
    "note",
    null,
    file,
    `All ${users.length} users are switched off there, as on the night of a move: those who are here stay as they are, others come disabled.`,
  );
  return users.map((user) => Object.assign({}, user, { enabled: null }));
}

/** RouterOS 7 hides passwords by default. Throws MovingRefused where none of many is there. */
function requirePasswords(
  file: string,
  of: (menu: string) => readonly Pick<ExportItem, "command" | "values">[],
): void {
  for (const menu of ["ppp secret", "ip hotspot user", "user-manager user"]) {
    const users = of(menu).filter(({ command }) => command === "add");
    if (users.length > 3 && users.every(({ values }) => !values.has("password")))
      throw new MovingRefused(
        `${file} has no passwords (/${menu.replaceAll(" ", "/")}): RouterOS 7 leaves them out; make it by /export show-sensitive file=gatehouse`,
      );
  }
}

const MAX_BYTES = 128 * 1024 * 1024;

async function readFileBytes({ name, bytes, open }: SourceFile): Promise<Uint8Array> {
  if (bytes > MAX_BYTES)
    throw new MovingRefused(
      `${name} is larger than 128 MB, which no export of a router is; give the right file`,
    );
  return await new Response(open()).bytes();
}

function isJson(bytes: Uint8Array): boolean {
  return /^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1"));
}

/** `[{"user": "ali", "profile": "10M", "state": "running-active", "end-time": "2026-12-01 10:00:00"}]` */
function readHeld(bytes: Uint8Array, name: string, zone: string): HeldProfile[] {
  const rows = parsed(bytes, name);
  const isRow = (row: unknown): row is Record<string, unknown> => typeof row === "object" && row !== null;
  if (!Array.isArray(rows) || !rows.every((row) => isRow(row) && typeof row["user"] === "string"))
    throw new MovingRefused(
      `${name} does not hold the profiles of users; fetch it by curl -u admin https://ROUTER/rest/user-manager/user-profile`,
    );
  return rows.map((row) => ({
    user: String(row["user"]),
    profile: String(row["profile"]),
    state: String(row["state"] ?? ""),
    endsAt: parseEnd(row["end-time"], zone),
  }));
}

function parsed(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new MovingRefused(`${name} is not whole JSON: it was cut off, or changed; fetch it again`);
  }
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function parseEnd(text: unknown, zone: string): Seconds | null {
  const parts = /^(?:(\d{4})-(\d\d)-(\d\d)|(\w{3})\/(\d\d)\/(\d{4})) (\d\d):(\d\d):(\d\d)$/.exec(
    String(text),
  );
  if (!parts) return null;
  const [, year, month, day, word = "", wordDay, wordYear, hour, minute, second] = parts;
  const time = {
    year: Number(year ?? wordYear),
    month: month === undefined ? months.indexOf(word.toLowerCase()) + 1 : Number(month),
    day: Number(day ?? wordDay),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
  try {
    return (
      Temporal.PlainDateTime.from(time, { overflow: "reject" }).toZonedDateTime(zone).epochMilliseconds / 1000
    );
  } catch {
    return null;
  }
}

/** Stops User Manager. */
const userManagerOff: readonly string[] = [
  "/radius disable [find address=127.0.0.1]",
  "/user-manager set enabled=no",
];

/**
 * Disables local users, which win over RADIUS, in pieces that a terminal takes. The variable must not have a property's name:
 * `[find name=$name]` matches all.
 */
export function switchOff(menu: string, names: readonly string[]): string[] {
  const commands: string[] = [];
  for (let at = 0; at < names.length; at += 50) {
    const list = names
      .slice(at, at + 50)
      .map(quoted)
      .join(";");
    commands.push(`:foreach moved in={${list}} do={ ${menu} disable [find name=$moved] }`);
  }
  return commands;
}
