import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { parseResolvers } from "../../core/settings/garden-settings.ts";
import { setting } from "../../core/settings/settings.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { hoursIn } from "../windows/hours.ts";
import { parseTiers } from "../windows/tiers.ts";
import { type Both, readRate, slowerRate } from "../packages/rate-limit.ts";
import { serverAddresses } from "../radsec/keys.ts";
import { bundleName, listCertificates, findCurrent } from "../radsec/list.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { apiAccount } from "./api-account.ts";
import { type Nas, nasById } from "../nas/find.ts";
import { findConfined, confiningLists, noteGarden } from "./garden.ts";
import { type KindScript, kindSections } from "./kind-script.ts";
import { queueCommands } from "./queue-script.ts";
import { ignored, namedCommands, pairs, terminalMenu, tried } from "./terminal.ts";
import { isRecent } from "./versions.ts";
import { MARK } from "./mark.ts";
import type { RadiusPlace, RouterScript, ScriptSection, Desired, DesiredRows } from "./parts.ts";
import { clock, desiredState } from "./desired.ts";
import { GARDEN_INTERFACES, GARDEN_PROFILE } from "./garden/names.ts";
import { NOTHING_FOUND } from "./garden/found.ts";
import { splitZone } from "../../core/networks/zone.ts";

export interface ScriptPlace extends Pick<RouterScript, keyof RadiusPlace | "others" | "walled" | "apiFrom"> {
  readonly radsecPort?: number;
}

/** Needs of a script. */
export interface ScriptTools {
  readonly now: Seconds;
  readonly findPlace: (router: Nas, expiredLists: readonly string[]) => Promise<ScriptPlace>;
  /** Empty: the router; absent: the setting. */
  readonly resolvers?: readonly string[] | undefined;
  /** A person chooses the resolvers; else the commands check. */
  readonly isAsked?: boolean;
  /** Empty: no profile. */
  readonly profile?: Readonly<Partial<Record<"local-address" | "remote-address", string | undefined>>>;
}

/** Commands or configuration with secrets. RouterOS without an API gets an account. Throws `not_found`, `refused`. */
export async function buildNasScript(
  db: Db,
  by: Actor,
  nasId: number,
  { now, findPlace, resolvers, profile = {}, isAsked = false }: ScriptTools,
): Promise<string[]> {
  permit(by, "buildNasScript");
  requireWholeIsp(by, "routers");
  const before = nasById(db, by.scope, nasId);
  const expiredLists = before.kind === "mikrotik" ? confiningLists(db, before) : [];
  const place = await findPlace(nasById(db, by.scope, nasId), expiredLists);
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
      radsec: requireRadsec(tx, router, place, now),
      coaPort: router.coaPort,
      dhcp: router.dhcp === 1,
      interimInterval: setting(tx, "acct_interim_interval"),
      apiFiles: setting(tx, "config_ftp"),
      queues: toQueues(router),
      expiredLists,
      ...gardenChosen(tx, router, { resolvers, profile, isAsked, isConfining: expiredLists.length > 0 }),
      api,
    });
  });
}

/** What lines of a router are to have, as somebody chose. */
export const toQueues = ({
  shaper,
  shaperLeases,
  dualStack,
}: Pick<Nas, "shaper" | "shaperLeases" | "dualStack">) => ({
  shaper,
  isForLeases: shaperLeases === 1,
  dualStack,
});

/** A script does not see what a router has: whom the garden asks has to be said, and what its profile is to have. Throws `refused`. */
function gardenChosen(
  db: Db,
  { name }: Nas,
  {
    resolvers,
    profile = {},
    isAsked,
    isConfining,
  }: Pick<ScriptTools, "resolvers" | "profile" | "isAsked"> & { isConfining: boolean },
): Pick<RouterScript, "resolvers" | "found"> {
  const named = parseResolvers(setting(db, "garden_dns"));
  if (isAsked && isConfining && !resolvers && named.length === 0)
    throw new DomainError(
      "refused",
      phrase`whom lines in the walled garden of ${name} ask for names has to be said: --dns ADDRESS, or --dns router where that answers (/ip dns allow-remote-requests); for every router with: gatehouse settings set garden_dns ADDRESS`,
    );
  const values = Object.fromEntries(
    Object.entries(profile).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const own = { ...values, "use-ipv6": "no", "interface-list": GARDEN_INTERFACES };
  const isProfile = isConfining && Object.keys(values).length > 0;
  return {
    resolvers: resolvers ?? named,
    ...(isProfile && {
      found: { ...NOTHING_FOUND, profiles: [{ name: GARDEN_PROFILE, base: "", values: own }] },
    }),
  };
}

/** What is asked of a router of another kind than RouterOS. */
export function kindScript(db: Db, router: Nas, place: ScriptPlace, secret: string): KindScript {
  const { host } = splitZone(router.address);
  return {
    secret,
    coaPort: router.coaPort,
    interimInterval: setting(db, "acct_interim_interval"),
    address: host.includes("/") ? null : host,
    places: [place, ...(place.others ?? [])],
    rates: listRates(db, router.ispId),
    garden: {
      ...findConfined(db, router),
      resolvers: parseResolvers(setting(db, "garden_dns")),
      rate: setting(db, "garden_rate"),
      walled: place.walled,
    },
  };
}

/** Rates that an ISP sells, with those of fair use. */
function listRates(db: Db, ispId: number): Both[] {
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
      parseTiers(tiers).map((tier) => tier.rate),
      hoursIn(hours).map((one) => one.rate),
    ),
  );
  const distinct = new Set(named.filter((rate) => rate !== null));
  return [...distinct].toSorted().flatMap((rate) => readRate(rate)?.rate ?? []);
}

/** Throws `refused` without a certificate. */
export function requireRadsec(
  db: Db,
  { id, name, radsec }: Nas,
  { radsecPort = 2083 }: ScriptPlace,
  now: Seconds,
): RouterScript["radsec"] {
  if (radsec === 0) return null;
  const current = findCurrent(listCertificates(db, id), now);
  if (!current)
    throw new DomainError(
      "refused",
      phrase`${name} is to ask by RadSec and has no certificate; make one with: gatehouse nas radsec`,
    );
  // RouterOS's name for a file's first certificate
  return { certificate: `${bundleName(current)}_0`, port: radsecPort };
}

/** An address on our certificate. */
export function certifiedPlace(db: Db, { radsec }: Nas, place: ScriptPlace): ScriptPlace {
  const [first, ...others] = radsec === 1 ? serverAddresses(db) : [];
  if (first === undefined || first === place.server || others.includes(place.server)) return place;
  return { ...place, server: first };
}

/** Idempotent RouterOS commands (6.49 and 7). */
export function routerScript(script: RouterScript): string[] {
  return scriptSections(script).flatMap(({ commands }) => commands);
}

/** Sections by purpose. Rows have the comment gatehouse, by which they are replaced. */
export function scriptSections(script: RouterScript): ScriptSection[] {
  const desired = desiredState(script).filter((one) =>
    one.kind === "rows" ? one.rows.length > 0 || one.part === "firewall" : one !== clock,
  );
  const queues = script.queues ? queueCommands(script.queues) : [];
  const parts = [...new Set(desired.map(({ part }) => part))];
  const sections: ScriptSection[] = parts.map((part) => ({
    part,
    commands: [
      ...desired.filter((one) => one.part === part).flatMap(formatCommands),
      ...(part === "walled" && script.resolvers.length === 0 ? [ANSWERS_NAMES] : []),
    ],
  }));
  if (queues.length > 0) sections.push({ part: "queues", commands: queues });
  const notDone = [
    ...(parts.includes("walled") ? [NOT_DONE] : []),
    ...(queues.length > 0 ? [NOT_GIVEN_BACK] : []),
  ];
  return sections.map(({ part, commands }, index) => ({
    part,
    commands: index === sections.length - 1 ? [...commands, ...notDone] : commands,
  }));
}

/** A script checks neither the resolver nor other ways out. */
const ANSWERS_NAMES = `:if (![/ip dns get allow-remote-requests]) do={ :put "This router answers no questions for names, so who is expired finds no page: say whom they ask with  gatehouse nas script --dns ADDRESS  and paste this anew" }`;
const NOT_DONE = `:put "Pasting does not do what gatehouse nas setup does: addresses of pools of expired subscribers, FastTrack, connections that are open already, IPv6 of PPP profiles. gatehouse nas watch says what of it leads out of the garden"`;

const NOT_GIVEN_BACK = `:put "Pasting keeps nothing of the queues that lines had, and cannot say whether this version has the new ones (RouterOS 7.1 on): gatehouse nas setup does both, and gives them back. Lines get theirs at their next login"`;

function formatCommands(desired: Desired): string[] {
  if (desired.kind === "edits") return [];
  const menu = terminalMenu(desired.menu);
  if (desired.kind !== "rows")
    return [`${menu} set ${desired.kind === "each" ? "[find] " : ""}${pairs(desired.values)}`];
  if (desired.isNamed) return desired.rows.flatMap((row) => namedCommands(menu, row, desired.own));
  const adds = desired.rows.map((row) => {
    const known = Object.entries(row).filter(([name]) => !isRecent(desired.menu, name));
    return `${menu} add ${pairs({ ...Object.fromEntries(known), comment: MARK })}`;
  });
  // fails as a whole without the IPv6 package
  const isPackage = desired.menu.startsWith("/ipv6/");
  return [`${menu} remove [find ${pairs(desired.own)}]`, ...adds, ...recentCommands(desired)]
    .map((command) => (isPackage ? tried(command) : command))
    .concat(
      desired.first && adds.length > 0
        ? moveFirstCommand(menu, desired.own["chain"] ?? "", isPackage ? tried : ignored)
        : [],
    );
}

/** What older versions do not know, and would refuse the whole command for. */
function recentCommands({ menu, rows }: DesiredRows): string[] {
  const recent = Object.entries(rows[0] ?? {}).filter(([name]) => isRecent(menu, name));
  if (recent.length === 0) return [];
  const command = `${terminalMenu(menu)} set [find comment=${MARK}] ${pairs(Object.fromEntries(recent))}`;
  return [tried(command)];
}

/** Has a router sign its requests and want our answers signed. */
export const SIGN_REQUESTS = `/radius set [find comment=${MARK}] require-message-auth=yes-for-request-resp`;
const moveFirstCommand = (menu: string, chain: string, wrapped = ignored) =>
  wrapped(
    `${menu} move [find comment=${MARK} chain=${chain}] destination=[:pick [${menu} find chain=${chain} dynamic=no] 0]`,
  );
export const FIRST_RULE = moveFirstCommand("/ip firewall filter", "input");

export const NTP = `${terminalMenu(clock.menu)} set ${pairs(clock.values)}`;
