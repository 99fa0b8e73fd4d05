import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { resolversOf } from "../../core/settings/garden-settings.ts";
import { setting } from "../../core/settings/settings.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { hoursIn } from "../windows/hours.ts";
import { tiersOf } from "../windows/tiers.ts";
import { type Both, readRate, slowerRate } from "../packages/rate-limit.ts";
import { serverAddresses } from "../radsec/keys.ts";
import { bundleName, certificatesOf, currentOf } from "../radsec/list.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { apiAccount } from "./api-account.ts";
import { type Nas, nasById } from "../nas/find.ts";
import { confinedOf, noteGarden } from "./garden.ts";
import { type KindScript, kindSections } from "./kind-script.ts";
import { isRecent } from "./versions.ts";
import {
  clock,
  MARK,
  PORTAL_LIST,
  RESOLVER_LIST,
  type RadiusPlace,
  type RouterScript,
  type ScriptSection,
  type Values,
  type Wanted,
  wantedOf,
  type WantedRows,
} from "./wanted.ts";
import { splitZone } from "../../core/networks/zone.ts";

/** What a script says of this machine, or of the access boxes that the router asks. */
export interface ScriptPlace extends Pick<RouterScript, keyof RadiusPlace | "others" | "walled" | "apiFrom"> {
  /** 2083 unless said otherwise. */
  readonly radsecPort?: number;
}

/**
 * What points a router here, its secrets included: RouterOS commands, or the configuration of its kind. One of RouterOS
 * without an API gets an account for it, which they make there and we keep. `placeOf` says where we are as the router reaches us. Throws `not_found`, `refused`.
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
  const before = nasById(db, by.scope, nasId);
  const expiredLists = before.kind === "mikrotik" ? expiredListsOf(db, before.ispId) : [];
  const place = await placeOf(nasById(db, by.scope, nasId), expiredLists);
  return write(db, (tx) => {
    const router = nasById(tx, by.scope, nasId); // as it is now
    audit(tx, by, now, { action: "nas.script", entity: "nas", entityId: nasId, ispId: router.ispId });
    if (router.kind !== "mikrotik" || place.walled) noteGarden(tx, router);
    if (router.kind !== "mikrotik")
      return kindSections(
        router.kind,
        kindScript(tx, router, place, tx.vault.openText(router.secretSealed)),
      ).flatMap(({ commands }) => commands);
    const api = apiAccount(tx, by, nasId, { now });
    return routerScript({
      ...certifiedPlace(tx, router, place),
      secret: tx.vault.openText(router.secretSealed),
      radsec: radsecOfScript(tx, router, place, now),
      coaPort: router.coaPort,
      dhcp: router.dhcp === 1,
      interimInterval: setting(tx, "acct_interim_interval"),
      expiredLists,
      resolvers: resolversOf(setting(tx, "garden_dns")),
      api,
    });
  });
}

/** What the script of a router of another kind is made from. */
export function kindScript(db: Db, router: Nas, place: ScriptPlace, secret: string): KindScript {
  const { host } = splitZone(router.address);
  return {
    ...{ secret, coaPort: router.coaPort, interimInterval: setting(db, "acct_interim_interval") },
    address: host.includes("/") ? null : host,
    places: [place, ...(place.others ?? [])],
    rates: ratesOf(db, router.ispId),
    garden: {
      ...confinedOf(db, router),
      resolvers: resolversOf(setting(db, "garden_dns")),
      rate: setting(db, "garden_rate"),
      walled: place.walled,
    },
  };
}

/** The rates of an ISP's packages, those of fair use and for lines that have used up their data among them. */
function ratesOf(db: Db, ispId: number): Both[] {
  const sold = db.$client
    .query<
      { rate: string | null; slower: string; tiers: string | null; hours: string | null; confines: number },
      [number]
    >(
      `SELECT rate_limit AS rate, quota_exceeded AS slower, tiers, hours,
         coalesce(expired_pool, expired_address_list) IS NOT NULL AS confines FROM packages WHERE isp_id = ?`,
    )
    .all(ispId);
  const garden = setting(db, "garden_rate");
  const named = sold.flatMap(({ rate, slower, tiers, hours, confines }) =>
    [rate, slower === "reject" ? null : slower, confines === 1 ? slowerRate(rate, garden) : null].concat(
      tiersOf(tiers).map((tier) => tier.rate),
      hoursIn(hours).map((one) => one.rate),
    ),
  );
  const distinct = new Set(named.filter((rate) => rate !== null));
  return [...distinct].toSorted().flatMap((rate) => readRate(rate)?.rate ?? []);
}

/** What a router that asks by RadSec does that with. Throws `refused` while it has no certificate. */
export function radsecOfScript(
  db: Db,
  { id, name, radsec }: Nas,
  { radsecPort = 2083 }: ScriptPlace,
  now: Seconds,
): RouterScript["radsec"] {
  if (radsec === 0) return null;
  const current = currentOf(certificatesOf(db, id), now);
  if (!current)
    throw new DomainError(
      "refused",
      `${name} is to ask by RadSec and has no certificate; make one with: gatehouse nas radsec`,
    );
  // as RouterOS calls the first certificate of a file
  return { certificate: `${bundleName(current)}_0`, port: radsecPort };
}

/** Where a router that asks by RadSec dials: an address that our certificate is for, or it would hang up. */
export function certifiedPlace(db: Db, { radsec }: Nas, place: ScriptPlace): ScriptPlace {
  const [first, ...others] = radsec === 1 ? serverAddresses(db) : [];
  if (first === undefined || first === place.server || others.includes(place.server)) return place;
  return { ...place, server: first };
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

/** The RouterOS commands (6.49 and 7) that point a router at this appliance; once more they do no harm. */
export function routerScript(script: RouterScript): string[] {
  return scriptSections(script).flatMap(({ commands }) => commands);
}

/** The same by what they are for. What is made has the comment gatehouse, by which it is found and replaced the next time. */
export function scriptSections(script: RouterScript): ScriptSection[] {
  // a script does not look what is there, and leaves a clock alone that somebody may have set
  const wanted = wantedOf(script).filter((one) =>
    one.kind === "rows" ? one.rows.length > 0 || one.part === "firewall" : one !== clock,
  );
  const parts = [...new Set(wanted.map(({ part }) => part))];
  return parts.map((part) => ({
    part,
    commands: [
      ...wanted.filter((one) => one.part === part).flatMap(commandsOf),
      ...(part === "walled" && script.resolvers.length === 0 ? [ANSWERS_NAMES] : []),
    ],
  }));
}

/** A script does not look whether the router that has to answer them does. */
const ANSWERS_NAMES = `:if (![/ip dns get allow-remote-requests]) do={ :put "This router answers no questions for names, so who is expired finds no page: say whom they ask with  gatehouse settings set garden_dns ADDRESS  and paste this anew" }`;

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
    ...(wanted.first && adds.length > 0
      ? [`:do { ${firstOf(wanted.own["chain"] ?? "")} } on-error={ }`]
      : []),
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
const isListName = (value: string) => value === `!${PORTAL_LIST}` || value === `!${RESOLVER_LIST}`;

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
