import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import type { Db } from "../../../../db/open.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { listRouterNames, withoutCode } from "../cards/router-names.ts";
import { findNas, type Nas } from "../../goods/nas/find.ts";
import type { NasKind } from "../../goods/nas/kinds.ts";
import type { Session } from "../sessions/advance.ts";
import { readLease } from "../sessions/session-class.ts";
import { splitZone } from "../../core/networks/zone.ts";
import { defaultRouterosPort } from "../../goods/nas/fields.ts";
import { setting } from "../../core/settings/settings.ts";
import { isHotspot, RADIUS_PPPOE } from "../../goods/subscribers/connection-types.ts";
import { parseStationMac } from "../../core/fields/text.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";

/** A router's answer: done, no such session, or why not. `isSilent`: no answer at all, so another request would time out too. */
export type RouterAnswer =
  { kind: "acknowledged" } | { kind: "gone" } | { kind: "failed"; reason: string; isSilent?: boolean };

/** A session's subscriber, or an unknown name without id. */
export type Holder = Pick<
  Subscriber,
  "username" | "connectionTypeId" | "anyConnection" | "macLogin" | "nasId"
> & {
  readonly id: number | null;
  readonly ispId: number | null;
};

/** uptime in seconds. */
export interface OnlineUser {
  readonly id: string;
  readonly address: string | null;
  readonly mac: string | null;
  readonly uptime: number | null;
}

/** `unknown`: no API configured. */
export type OnlineAnswer =
  { kind: "listed"; users: readonly OnlineUser[] } | { kind: "unknown" | "failed"; reason: string };

/**
 * Ends a session at a subscriber's router; null for types 3 and 4, which have no sessions here. `silence` is the result of a
 * RADIUS attempt just made, to avoid a second timeout. Never rejects.
 */
export type DisconnectSession = (
  holder: Holder,
  session: Session | null,
  silence?: RouterAnswer,
) => Promise<RouterAnswer>;

export interface RateChange {
  /** RouterOS syntax; "": unchanged. */
  readonly rateLimit: string;
  /** reply_attributes that may replace it. */
  readonly added?: string | undefined;
  /** Octets from the session's start after which the router ends it, where supported. */
  readonly totalLimit?: number | undefined;
}

/** Router operations of the domain. None rejects. */
export interface Routers {
  readonly disconnect: DisconnectSession;
  readonly changeRate: (holder: Holder, session: Session, rate: RateChange) => Promise<RouterAnswer>;
  /** Sets the session's total length in seconds from its start. */
  readonly changeTimeout: (holder: Holder, session: Session, seconds: number) => Promise<RouterAnswer>;
  /** Active entries under the holder's name. */
  readonly find: (holder: Holder, session: Session | null) => Promise<OnlineAnswer>;
}

/** A router's RFC 5176 endpoint. */
export interface CoaNas {
  readonly name: string;
  readonly kind: NasKind;
  /** Source address of the session's packets, and our address they arrived at. */
  readonly address: string;
  readonly localAddress: string | null;
  readonly port: number;
  readonly secret: Uint8Array;
  /** Seconds. */
  readonly wait: number;
  readonly messageAuthenticator: boolean;
  readonly eventTimestamp: boolean;
}

export interface ApiNas {
  readonly id: number;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly tls: boolean;
  readonly fingerprint: string | null;
}

/** `address` distinguishes sessions of the same name. */
export interface ActiveUser {
  readonly list: "ppp" | "hotspot" | "lease";
  readonly username: string;
  readonly address: string | null;
}

/** RFC 5176 and the RouterOS API. Neither rejects. */
export interface RouterProtocols {
  readonly coa: {
    readonly disconnect: (router: CoaNas, session: Session) => Promise<RouterAnswer>;
    readonly changeRate: (router: CoaNas, session: Session, rate: RateChange) => Promise<RouterAnswer>;
    readonly changeTimeout: (router: CoaNas, session: Session, seconds: number) => Promise<RouterAnswer>;
  };
  readonly api: {
    readonly disconnect: (router: ApiNas, user: ActiveUser) => Promise<RouterAnswer>;
    readonly find: (router: ApiNas, user: ActiveUser) => Promise<OnlineAnswer>;
  };
}

/** Routers of the NAS table, each by its `disconnect_method`. */
export function makeRouters(db: Db, protocols: RouterProtocols): Routers {
  const coa = coaByCode(db, protocols.coa);
  const disconnect: Routers["disconnect"] = async (subscriber, session, silence) => {
    const router = findRouter(db, subscriber, session);
    if (!router) return failed(missing(subscriber, session));
    const api = apiFor(db, router, subscriber, session);
    const disconnectBy = (one: ApiNas) =>
      eachList(
        activeUsers(db, subscriber, session),
        async (user) => spoken(db, session, await protocols.api.disconnect(one, user)),
        ({ kind }) => kind !== "gone",
      );
    if (isLease(session) && !api) return failed(noOrder(db, router));
    if (session === null || isLease(session) || !takesCoa(router)) {
      return api ? disconnectBy(api) : failed(noApi(router));
    }
    const first = silence ?? (await coa.disconnect(toCoaNas(db, router, session), session));
    if (first.kind !== "failed" || router.disconnectMethod === "coa" || !api) return first;
    const second = await disconnectBy(api);
    return second.kind === "failed"
      ? { kind: "failed", reason: `${first.reason}; ${second.reason}` }
      : second;
  };

  /** Changes a session by RADIUS; there is no other way. */
  const change = async (
    subscriber: Holder,
    session: Session,
    ask: (router: CoaNas) => Promise<RouterAnswer>,
  ): Promise<RouterAnswer> => {
    const router = findRouter(db, subscriber, session);
    if (!router) return failed(missing(subscriber, session));
    if (isLease(session)) return failed(noOrder(db, router));
    if (!takesCoa(router)) return failed(noCoa(router));
    return ask(toCoaNas(db, router, session));
  };
  const changeRate: Routers["changeRate"] = (subscriber, session, rate) =>
    change(subscriber, session, (router) => coa.changeRate(router, session, rate));
  const changeTimeout: Routers["changeTimeout"] = (subscriber, session, seconds) =>
    change(subscriber, session, (router) => coa.changeTimeout(router, session, seconds));

  const find = async (subscriber: Holder, session: Session | null): Promise<OnlineAnswer> => {
    const router = findRouter(db, subscriber, session);
    const api = router && apiFor(db, router, subscriber, session);
    if (!api)
      return { kind: "unknown", reason: (router ? noApi(router) : missing(subscriber, session)).toString() };
    return eachList(
      activeUsers(db, subscriber, session),
      async (user) => spoken(db, session, await protocols.api.find(api, user)),
      (answer) => answer.kind !== "listed" || answer.users.length > 0,
    );
  };

  return { disconnect, changeRate, changeTimeout, find };
}

/** The reporting router, else the profile's. Another ISP's is shown by address. */
function findRouter(db: Db, subscriber: Holder, session: Session | null): Nas | undefined {
  const router = findNas(db, session ? session.nasId : subscriber.nasId);
  if (!router || !session || router.ispId === subscriber.ispId) return router;
  return { ...router, name: session.nasAddress };
}

function toCoaNas(db: Db, router: Nas, { nasAddress, localAddress }: Session): CoaNas {
  return {
    name: router.name,
    kind: router.kind,
    address: splitZone(nasAddress).host,
    localAddress,
    port: router.coaPort,
    secret: db.vault.open(router.secretSealed),
    wait: setting(db, "max_coa_wait"),
    messageAuthenticator: setting(db, "coa_message_authenticator"),
    eventTimestamp: router.coaEventTimestamp === 1,
  };
}

export function toApiNas(db: Db, router: Nas): ApiNas | undefined {
  const { id, name, routerosHost, routerosPort, routerosUsername, routerosPasswordSealed } = router;
  if (routerosHost === null || routerosUsername === null || routerosPasswordSealed === null) return undefined;
  const tls = router.routerosTls === 1;
  return {
    id,
    name,
    host: routerosHost,
    port: routerosPort ?? defaultRouterosPort(tls),
    username: routerosUsername,
    password: db.vault.openText(routerosPasswordSealed),
    tls,
    fingerprint: router.routerosTlsFingerprint,
  };
}

/**
 * The API that lists a session; undefined where its "nobody there" would prove nothing: another router of the same NAS, or a
 * DHCP session, which is on no list.
 */
function apiFor(
  db: Db,
  router: Nas,
  { connectionTypeId, macLogin }: Holder,
  session: Session | null,
): ApiNas | undefined {
  const api = toApiNas(db, router);
  if (!api || session === null) return api;
  const isElsewhere = router.address.includes("/") && api.host !== splitZone(session.nasAddress).host;
  const isDhcp =
    !isLease(session) &&
    connectionTypeId === RADIUS_PPPOE &&
    macLogin === 1 &&
    parseStationMac(session.username) !== undefined;
  return isElsewhere || isDhcp ? undefined : api;
}

/**
 * The same for cards, stored by number and known to routers by code. If no session has that name, it is identified by
 * everything else: the code may have been typed differently.
 */
function coaByCode(db: Db, coa: RouterProtocols["coa"]): RouterProtocols["coa"] {
  const ask = async (
    session: Session,
    request: (known: Session) => Promise<RouterAnswer>,
  ): Promise<RouterAnswer> => {
    if (session.cardId === null) return request(session);
    const [code = ""] = listRouterNames(db, session.cardId);
    const first = await request({ ...session, username: code });
    const last = first.kind === "gone" && code !== "" ? await request({ ...session, username: "" }) : first;
    return spoken(db, session, last);
  };
  return {
    disconnect: (router, session) => ask(session, (known) => coa.disconnect(router, known)),
    changeRate: (router, session, rate) => ask(session, (known) => coa.changeRate(router, known, rate)),
    changeTimeout: (router, session, seconds) =>
      ask(session, (known) => coa.changeTimeout(router, known, seconds)),
  };
}

/** A router's answer without any card code. */
function spoken<A extends RouterAnswer | OnlineAnswer>(db: Db, session: Session | null, answer: A): A {
  const cardId = session?.cardId ?? null;
  if (cardId === null || !("reason" in answer)) return answer;
  const [code = ""] = listRouterNames(db, cardId);
  const reason = withoutCode(answer.reason, code, cardNumber(cardId));
  return { ...answer, reason };
}

/** Lists and names to search; both lists when the type is unknown. */
function activeUsers(
  db: Db,
  { username, connectionTypeId, anyConnection }: Holder,
  session: Session | null,
): readonly [ActiveUser, ...ActiveUser[]] {
  const cardId = session?.cardId ?? null;
  const address = session?.framedIp ?? null;
  if (isLease(session))
    return [{ list: "lease", username: session?.mac ?? session?.username ?? username, address }];
  const known = cardId === null ? [] : listRouterNames(db, cardId);
  const [first = session?.username ?? username, ...others] = known;
  const own = isHotspot(connectionTypeId) ? "hotspot" : "ppp";
  const other = own === "ppp" ? "hotspot" : "ppp";
  const lists = anyConnection === 1 ? ([own, other] as const) : ([own] as const);
  const rest = [first, ...others].flatMap((name) => lists.map((list) => ({ list, username: name, address })));
  return [{ list: own, username: first, address }, ...rest.slice(1)];
}

/** Queries lists until one settles it; the last answer counts. */
async function eachList<A>(
  [first, ...others]: readonly [ActiveUser, ...ActiveUser[]],
  ask: (user: ActiveUser) => Promise<A>,
  isSettled: (answer: A) => boolean,
): Promise<A> {
  let answer = await ask(first);
  for (const user of others) {
    if (isSettled(answer)) break;
    answer = await ask(user);
  }
  return answer;
}

/** Whether a router takes a CoA: not by RadSec, whose shared secret is public. */
function takesCoa({ disconnectMethod, radsec }: Nas): boolean {
  return disconnectMethod !== "routeros" && radsec === 0;
}

/** RADIUS cannot change a DHCP lease; its router asks again soon. */
export function isLease(session: Pick<Session, "class"> | null): boolean {
  return session !== null && readLease(session.class) !== undefined;
}

function noOrder(db: Db, { name }: Nas): Phrase {
  const minutes = Math.ceil(setting(db, "dhcp_lease") / 60);
  return phrase`a lease of DHCP takes no order from us: it ends, or has what is new, within ${minutes} minutes (setting dhcp_lease); to end leases at once, give the NAS ${name} its routeros host, username and password`;
}

function noCoa({ name, radsec }: Nas): Phrase {
  return radsec === 1
    ? phrase`the router ${name} asks by RadSec and takes no CoA`
    : phrase`the router ${name} is not asked over RADIUS (disconnect_method routeros)`;
}

function failed(reason: Phrase): RouterAnswer {
  return { kind: "failed", reason: reason.toString() };
}

function missing({ username }: Holder, session: Session | null): Phrase {
  return session
    ? phrase`the router at ${session.nasAddress} that reported the session is not among the NAS any more; add it with: gatehouse nas add`
    : phrase`the subscriber ${username} has no router; set its nas_id`;
}

function noApi({ name, radsec }: Nas): Phrase {
  if (radsec === 1)
    return phrase`the router ${name} asks by RadSec, which takes no CoA, and has no RouterOS API: its sessions end by Session-Timeout; give the NAS its routeros host, username and password`;
  return phrase`the RouterOS API of the router ${name} is not set up for this session; give the NAS its routeros host, username and password`;
}
