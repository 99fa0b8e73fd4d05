import { type Db, write } from "../../../db/open.ts";
import { audit } from "../audit.ts";
import { setting } from "../settings/settings.ts";
import { DomainError } from "../errors.ts";
import { serverAddresses } from "../radsec/keys.ts";
import { bundleName, certificatesOf, currentOf } from "../radsec/list.ts";
import { RADSEC_SECRET } from "../radsec/rules.ts";
import { type Actor, requireWholeIsp } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { type ApiAccount, apiAccount } from "./api-account.ts";
import { type Both, readRate } from "../packages/rate-limit.ts";
import { type Nas, nasById } from "./find.ts";
import { type KindScript, kindSections } from "./kind-script.ts";
import { splitZone } from "./zone.ts";

/** What the script of a router is made from. */
export interface RouterScript {
  /** The address at which the router reaches us. */
  server: string;
  /** More that the router asks when that does not answer, in this order. */
  others?: readonly RadiusPlace[];
  secret: string;
  /** The certificate that it has imported for RadSec; null: it asks over UDP. */
  radsec: { readonly certificate: string; readonly port: number } | null;
  authPort: number;
  acctPort: number;
  coaPort: number;
  interimInterval: number;
  /** Address lists of expired subscribers: they see the walled garden and nothing else. */
  expiredLists: readonly string[];
  /** Where they are sent, and the port of the portal that they may reach beside it; null where there are no such lists. */
  walled: { readonly address: string; readonly port: number; readonly portalPort: number | null } | null;
  api: ApiAccount | null;
}

/** Where a router asks over RADIUS. */
export type RadiusPlace = Pick<RouterScript, "server" | "authPort" | "acctPort">;
/** What a script says of this machine, or of the access boxes that the router asks. */
export interface ScriptPlace extends Pick<RouterScript, keyof RadiusPlace | "others" | "walled"> {
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
      interimInterval: setting(tx, "acct_interim_interval"),
      expiredLists,
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
  };
}

/** The rates of an ISP's packages, those for lines that have used up their data among them. */
function ratesOf({ $client }: Db, ispId: number): Both[] {
  return $client
    .query<{ rate: string }, [number]>(
      `SELECT rate_limit AS rate FROM packages WHERE isp_id = ?1 AND rate_limit IS NOT NULL
       UNION SELECT quota_exceeded FROM packages WHERE isp_id = ?1 AND quota_exceeded <> 'reject' ORDER BY 1`,
    )
    .all(ispId)
    .flatMap(({ rate }) => readRate(rate)?.rate ?? []);
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

/** What a router is told, in the order in which it is told it. */
export type ScriptPart =
  "radius" | "incoming" | "lines" | "policies" | "firewall" | "hotspot" | "walled" | "api";

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
  const { others = [], radsec } = script;
  const places: readonly RadiusPlace[] = radsec ? [script] : [script, ...others];
  const sections: ScriptSection[] = [
    ...(radsec ? [radsecSection(script.server, radsec)] : udpSections(script, places)),
    {
      part: "lines",
      commands: [
        `/ppp aaa set use-radius=yes accounting=yes interim-update=${interval(script.interimInterval)}`,
      ],
    },
    ...(radsec ? [] : [firewallSection(script, places)]),
    {
      part: "hotspot",
      commands: [
        "/ip hotspot profile set [find] use-radius=yes radius-accounting=yes radius-interim-update=received",
      ],
    },
    { part: "walled", commands: walledGarden(script) },
    { part: "api", commands: script.api ? apiUser(script.api, places) : [] },
  ];
  return sections.filter(({ commands }) => commands.length > 0);
}

function udpSections({ secret, coaPort }: RouterScript, places: readonly RadiusPlace[]): ScriptSection[] {
  // RouterOS asks the next one after this long, each time: with one alone it is worth waiting for
  const timeout = places.length > 1 ? "1s" : "3s";
  return [
    {
      part: "radius",
      commands: [
        "/radius remove [find comment=gatehouse]",
        ...places.map(
          ({ server, authPort, acctPort }) =>
            `/radius add service=ppp,hotspot address=${server} secret=${quoted(secret)} authentication-port=${authPort} accounting-port=${acctPort} timeout=${timeout} comment=gatehouse`,
        ),
        SIGN_WHERE_KNOWN,
      ],
    },
    { part: "incoming", commands: [`/radius incoming set accept=yes port=${coaPort}`] },
  ];
}

/** One connection for logins and reports; nothing is let in, for anybody could end sessions there under the secret of RadSec. */
function radsecSection(
  server: string,
  { certificate, port }: NonNullable<RouterScript["radsec"]>,
): ScriptSection {
  return {
    part: "radius",
    commands: [
      "/radius remove [find comment=gatehouse]",
      `/radius add service=ppp,hotspot address=${server} protocol=radsec secret=${RADSEC_SECRET} certificate=${certificate} authentication-port=${port} accounting-port=${port} timeout=3s comment=gatehouse`,
      SIGN_WHERE_KNOWN,
      "/radius incoming set accept=no",
      "/ip firewall filter remove [find comment=gatehouse chain=input]",
    ],
  };
}

function firewallSection({ coaPort }: RouterScript, places: readonly RadiusPlace[]): ScriptSection {
  return {
    part: "firewall",
    commands: [
      "/ip firewall filter remove [find comment=gatehouse chain=input]",
      ...[...new Set(places.map(({ server }) => server))].map(
        (server) =>
          `/ip firewall filter add chain=input action=accept protocol=udp src-address=${server} dst-port=${coaPort} comment=gatehouse`,
      ),
      `:do { ${FIRST_RULE} } on-error={ }`,
    ],
  };
}

/** Has a router sign its requests and want our answers signed. */
export const SIGN_REQUESTS = "/radius set [find comment=gatehouse] require-message-auth=yes-for-request-resp";
/** The same where the version knows it: older ones would refuse the whole command. */
const SIGN_WHERE_KNOWN = `:do { [[:parse "${SIGN_REQUESTS}"]] } on-error={ }`;
/** Puts the rule that lets our requests in before all others that can be moved. */
export const FIRST_RULE =
  "/ip firewall filter move [find comment=gatehouse chain=input] destination=[:pick [/ip firewall filter find dynamic=no] 0]";

/** Has RouterOS 7 set its clock by the network. */
export const NTP = "/system ntp client set enabled=yes servers=pool.ntp.org";

function apiUser({ username, password }: ApiAccount, places: readonly RadiusPlace[]): string[] {
  const name = quoted(username);
  const servers = [...new Set(places.map(({ server }) => server))];
  const only = servers.map((server) => `${server}/${server.includes(":") ? 128 : 32}`).join(",");
  const account = `group=gatehouse password=${quoted(password)} address=${only} comment=gatehouse`;
  return [
    ":if ([:len [/user group find name=gatehouse]] = 0) do={ /user group add name=gatehouse policy=api,read,write }",
    `:if ([:len [/user find name=${name}]] = 0) do={ /user add name=${name} ${account} } else={ /user set [find name=${name}] ${account} }`,
  ];
}

/** Expired subscribers reach the walled garden, the portal and DNS; nothing else of this box, staff's listener least of all. */
function walledGarden({ walled, expiredLists }: RouterScript): string[] {
  if (!walled || expiredLists.length === 0) return [];
  const { address, port, portalPort } = walled;
  const ports = portalPort === null || portalPort === port ? port : `${port},${portalPort}`;
  return [
    "/ip firewall address-list remove [find list=gatehouse-portal]",
    `/ip firewall address-list add list=gatehouse-portal address=${address} comment=gatehouse`,
    "/ip firewall nat remove [find comment=gatehouse]",
    "/ip firewall filter remove [find comment=gatehouse chain=forward]",
    ...expiredLists
      .map(quoted)
      .flatMap((list) => [
        `/ip firewall nat add chain=dstnat action=dst-nat protocol=tcp dst-port=80 src-address-list=${list} dst-address-list=!gatehouse-portal to-addresses=${address} to-ports=${port} comment=gatehouse`,
        `/ip firewall filter add chain=forward action=accept protocol=tcp dst-port=${ports} src-address-list=${list} dst-address-list=gatehouse-portal comment=gatehouse`,
        `/ip firewall filter add chain=forward action=accept protocol=udp dst-port=53 src-address-list=${list} comment=gatehouse`,
        `/ip firewall filter add chain=forward action=reject src-address-list=${list} comment=gatehouse`,
      ]),
  ];
}

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

function interval(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
