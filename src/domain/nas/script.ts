import { type Db, write } from "../../../db/open.ts";
import { audit } from "../audit.ts";
import { setting } from "../settings/settings.ts";
import { type Actor, requireWholeIsp } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { apiAccount } from "./api-account.ts";
import { type Nas, nasById } from "./find.ts";
import { isRecent } from "./setup/versions.ts";
import {
  clock,
  MARK,
  PORTAL_LIST,
  type RadiusPlace,
  type RouterScript,
  type ScriptPart,
  type Values,
  type Wanted,
  wantedOf,
  type WantedRows,
} from "./setup/wanted.ts";

/** What a script says of this machine, or of the access boxes that the router asks. */
export interface ScriptPlace extends Pick<RouterScript, keyof RadiusPlace | "others" | "walled"> {}

/**
 * The RouterOS commands that point a router here, its secrets included; one without a RouterOS API gets an account for it, which
 * they make there and we keep. `placeOf` says where we are as the router reaches us. Throws `not_found`, `refused`.
 */
export async function scriptOfNas(
  db: Db,
  by: Actor,
  nasId: number,
  {
    now,
    placeOf,
  }: { now: Seconds; placeOf: (router: Nas, expiredLists: readonly string[]) => Promise<ScriptPlace> },
): Promise<string[]> {
  permit(by, "scriptOfNas");
  requireWholeIsp(by, "routers");
  const expiredLists = expiredListsOf(db, nasById(db, by.scope, nasId).ispId);
  const place = await placeOf(nasById(db, by.scope, nasId), expiredLists);
  return write(db, (tx) => {
    const router = nasById(tx, by.scope, nasId); // as it is now
    audit(tx, by, now, { action: "nas.script", entity: "nas", entityId: nasId, ispId: router.ispId });
    const api = apiAccount(tx, by, nasId, { now });
    return routerScript({
      ...place,
      secret: tx.vault.openText(router.secretSealed),
      coaPort: router.coaPort,
      interimInterval: setting(tx, "acct_interim_interval"),
      expiredLists,
      api,
    });
  });
}

/** The address lists that packages of an ISP put expired subscribers on. */
export function expiredListsOf({ $client }: Db, ispId: number): string[] {
  return $client
    .query<{ name: string }, [number]>(
      "SELECT DISTINCT expired_address_list AS name FROM packages WHERE isp_id = ? AND expired_address_list IS NOT NULL ORDER BY 1",
    )
    .all(ispId)
    .map(({ name }) => name);
}

export interface ScriptSection {
  readonly part: ScriptPart;
  readonly commands: readonly string[];
}

/** The RouterOS commands (6.49 and 7) that point a router at this appliance; once more they do no harm. */
export function routerScript(script: RouterScript): string[] {
  return scriptSections(script).flatMap(({ commands }) => commands);
}

/** The same by what they are for. What is made has the comment gatehouse, by which it is found and replaced the next time. */
export function scriptSections(script: RouterScript): ScriptSection[] {
  // a script does not look what is there, and leaves a clock alone that somebody may have set
  const wanted = wantedOf(script).filter((one) =>
    one.kind === "rows" ? one.rows.length > 0 : one !== clock,
  );
  const parts = [...new Set(wanted.map(({ part }) => part))];
  return parts.map((part) => ({
    part,
    commands: wanted.filter((one) => one.part === part).flatMap(commandsOf),
  }));
}

function commandsOf(wanted: Wanted): string[] {
  const menu = terminalMenu(wanted.menu);
  if (wanted.kind !== "rows")
    return [`${menu} set ${wanted.kind === "each" ? "[find] " : ""}${pairs(wanted.values)}`];
  if (wanted.isNamed) return wanted.rows.map((row) => namedCommand(menu, row, wanted.own));
  const adds = wanted.rows.map((row) => {
    const known = Object.entries(row).filter(([name]) => !isRecent(wanted.menu, name));
    return `${menu} add ${pairs({ ...Object.fromEntries(known), comment: MARK })}`;
  });
  return [
    `${menu} remove [find ${pairs(wanted.own)}]`,
    ...adds,
    ...recentCommands(wanted),
    ...(wanted.first ? [`:do { ${firstOf(wanted.own["chain"] ?? "")} } on-error={ }`] : []),
  ];
}

/** What older versions do not know, and would refuse the whole command for. */
function recentCommands({ menu, rows }: WantedRows): string[] {
  const recent = Object.entries(rows[0] ?? {}).filter(([name]) => isRecent(menu, name));
  if (recent.length === 0) return [];
  const command = `${terminalMenu(menu)} set [find comment=${MARK}] ${pairs(Object.fromEntries(recent))}`;
  return [`:do { [[:parse "${command}"]] } on-error={ }`];
}

function namedCommand(menu: string, { name = "", ...values }: Values, own: Values): string {
  const found = `[find name=${quoted(name)}]`;
  const rest = pairs({ ...values, ...("comment" in own && { comment: MARK }) });
  return `:if ([:len [${menu} ${found.slice(1, -1)}]] = 0) do={ ${menu} add name=${quoted(name)} ${rest} } else={ ${menu} set ${found} ${rest} }`;
}

const terminalMenu = (menu: string) => `/${menu.slice(1).replaceAll("/", " ")}`;

function pairs(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${isListName(value) ? value : quoted(value)}`)
    .join(" ");
}

/** `!gatehouse-portal`: whatever is not on that list. */
const isListName = (value: string) => value === `!${PORTAL_LIST}`;

/** Has a router sign its requests and want our answers signed. */
export const SIGN_REQUESTS = `/radius set [find comment=${MARK}] require-message-auth=yes-for-request-resp`;
/** Puts our rules of a chain before all others that can be moved. */
const firstOf = (chain: string) =>
  `/ip firewall filter move [find comment=${MARK} chain=${chain}] destination=[:pick [/ip firewall filter find dynamic=no] 0]`;
/** The same for the rule that lets our requests in. */
export const FIRST_RULE = firstOf("input");

/** Has RouterOS 7 set its clock by the network. */
export const NTP = `${terminalMenu(clock.menu)} set ${pairs(clock.values)}`;

/** A value of a RouterOS command: as it is, or in quotes with what the console would read as its own escaped. */
export function quoted(value: string): string {
  if (/^[\w.,:/+-]+$/.test(value)) return value;
  const escaped = Buffer.from(value)
    .toString("latin1")
    .replace(/[^\x20-\x7e]|["\\$?]/g, (character) =>
      /["\\$?]/.test(character)
        ? `\\${character}`
        : `\\${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    );
  return `"${escaped}"`;
}
