import type { Db } from "../../../../db/open.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { routerNamesOf, withoutCode } from "../cards/router-names.ts";
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

/**
 * What a router said when it was asked to do something with a session: done, no such session, or why not. `isSilent`: it
 * said nothing at all, so that another request now would wait as long.
 */
export type RouterAnswer =
  { kind: "acknowledged" } | { kind: "gone" } | { kind: "failed"; reason: string; isSilent?: boolean };

/** Whose session a router is asked about: a subscriber, or a name that is none's, which has no id. */
export type Holder = Pick<
  Subscriber,
  "username" | "connectionTypeId" | "anyConnection" | "macLogin" | "nasId"
> & {
  readonly id: number | null;
  readonly ispId: number | null;
};

/** Who is online at a router under a name; uptime in seconds. */
export interface OnlineUser {
  readonly id: string;
  readonly address: string | null;
  readonly mac: string | null;
  readonly uptime: number | null;
}

/** `unknown`: the router has no API that could be asked. */
export type OnlineAnswer =
  { kind: "listed"; users: readonly OnlineUser[] } | { kind: "unknown" | "failed"; reason: string };

/**
 * Asks the router of a subscriber to end a session; null for types 3 and 4, which have none in our books. `silence` is what
 * came of asking it over RADIUS a moment ago, so that it is not waited for twice. Never rejects.
 */
export type DisconnectSession = (
  holder: Holder,
  session: Session | null,
  silence?: RouterAnswer,
) => Promise<RouterAnswer>;

export interface RateChange {
  /** As RouterOS writes it; "": the rate stays as it is. */
  readonly rateLimit: string;
  /** reply_attributes that may stand in its place. */
  readonly added?: string | undefined;
  /** Octets from the session's start after which the router ends it, where it is told that. */
  readonly totalLimit?: number | undefined;
}

/** The routers as the domain asks them. None rejects. */
export interface Routers {
  readonly disconnect: DisconnectSession;
  /** Gives a session another rate without ending it. */
  readonly changeRate: (holder: Holder, session: Session, rate: RateChange) => Promise<RouterAnswer>;
  /** Lets a session last so many seconds in all, counted from its start. */
  readonly changeTimeout: (holder: Holder, session: Session, seconds: number) => Promise<RouterAnswer>;
  /** Whom the router lists under the holder's name. */
  readonly find: (holder: Holder, session: Session | null) => Promise<OnlineAnswer>;
}

/** A router as its RFC 5176 port is reached. */
export interface CoaNas {
  readonly name: string;
  readonly kind: NasKind;
  /** Where the session's packets come from, and the address of ours at which they arrived. */
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

/** Whom an API is asked about; `address` distinguishes several sessions of a name. */
export interface ActiveUser {
  readonly list: "ppp" | "hotspot" | "lease";
  readonly username: string;
  readonly address: string | null;
}

/** The two protocols that a router is asked by: RFC 5176 and the RouterOS API. Neither rejects. */
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

/** The routers of the NAS rows, each asked by its `disconnect_method`. */
export function routersOf(db: Db, protocols: RouterProtocols): Routers {
  const coa = coaByCode(db, protocols.coa);
  const disconnect: Routers["disconnect"] = async (subscriber, session, silence) => {
    const router = routerOf(db, subscriber, session);
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
    const first = silence ?? (await coa.disconnect(coaOf(db, router, session), session));
    if (first.kind !== "failed" || router.disconnectMethod === "coa" || !api) return first;
    const second = await disconnectBy(api);
    return second.kind === "failed" ? failed(`${first.reason}; ${second.reason}`) : second;
  };

  /** What only RADIUS can ask. */
  const change = async (
    subscriber: Holder,
    session: Session,
    ask: (router: CoaNas) => Promise<RouterAnswer>,
  ): Promise<RouterAnswer> => {
    const router = routerOf(db, subscriber, session);
    if (!router) return failed(missing(subscriber, session));
    if (isLease(session)) return failed(noOrder(db, router));
    if (!takesCoa(router)) return failed(noCoa(router));
    return ask(coaOf(db, router, session));
  };
  const changeRate: Routers["changeRate"] = (subscriber, session, rate) =>
    change(subscriber, session, (router) => coa.changeRate(router, session, rate));
  const changeTimeout: Routers["changeTimeout"] = (subscriber, session, seconds) =>
    change(subscriber, session, (router) => coa.changeTimeout(router, session, seconds));

  const find = async (subscriber: Holder, session: Session | null): Promise<OnlineAnswer> => {
    const router = routerOf(db, subscriber, session);
    const api = router && apiFor(db, router, subscriber, session);
    if (!api) return { kind: "unknown", reason: router ? noApi(router) : missing(subscriber, session) };
    return eachList(
      activeUsers(db, subscriber, session),
      async (user) => spoken(db, session, await protocols.api.find(api, user)),
      (answer) => answer.kind !== "listed" || answer.users.length > 0,
    );
  };

  return { disconnect, changeRate, changeTimeout, find };
}

/** The router that reported the session; without one, the router of the profile. Another ISP's goes by its address in what is said. */
function routerOf(db: Db, subscriber: Holder, session: Session | null): Nas | undefined {
  const router = findNas(db, session ? session.nasId : subscriber.nasId);
  if (!router || !session || router.ispId === subscriber.ispId) return router;
  return { ...router, name: session.nasAddress };
}

function coaOf(db: Db, router: Nas, { nasAddress, localAddress }: Session): CoaNas {
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

/** The API of a NAS; undefined when it has none. */
export function apiOf(db: Db, router: Nas): ApiNas | undefined {
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
 * The API that lists a session; undefined where its answer "nobody there" would prove nothing: it is that of another router
 * of the same NAS, or the session is one of DHCP, which is on no list.
 */
function apiFor(
  db: Db,
  router: Nas,
  { connectionTypeId, macLogin }: Holder,
  session: Session | null,
): ApiNas | undefined {
  const api = apiOf(db, router);
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
 * The same of sessions of cards, which our books have by the number and their routers by the code. Where no session has that name, the
 * router is asked by all that else identifies it: it may have the code as somebody typed it.
 */
function coaByCode(db: Db, coa: RouterProtocols["coa"]): RouterProtocols["coa"] {
  const ask = async (
    session: Session,
    request: (known: Session) => Promise<RouterAnswer>,
  ): Promise<RouterAnswer> => {
    if (session.cardId === null) return request(session);
    const [code = ""] = routerNamesOf(db, session.cardId);
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

/** What a router said, in which no code of a card is left. */
function spoken<A extends RouterAnswer | OnlineAnswer>(db: Db, session: Session | null, answer: A): A {
  const cardId = session?.cardId ?? null;
  if (cardId === null || !("reason" in answer)) return answer;
  const [code = ""] = routerNamesOf(db, cardId);
  const reason = withoutCode(answer.reason, code, cardNumber(cardId));
  return { ...answer, reason };
}

/** On which lists of its router somebody may be, under which names: on both, where nobody knows how it connects. */
function activeUsers(
  db: Db,
  { username, connectionTypeId, anyConnection }: Holder,
  session: Session | null,
): readonly [ActiveUser, ...ActiveUser[]] {
  const cardId = session?.cardId ?? null;
  const address = session?.framedIp ?? null;
  if (isLease(session))
    return [{ list: "lease", username: session?.mac ?? session?.username ?? username, address }];
  const known = cardId === null ? [] : routerNamesOf(db, cardId);
  const [first = session?.username ?? username, ...others] = known;
  const own = isHotspot(connectionTypeId) ? "hotspot" : "ppp";
  const other = own === "ppp" ? "hotspot" : "ppp";
  const lists = anyConnection === 1 ? ([own, other] as const) : ([own] as const);
  const rest = [first, ...others].flatMap((name) => lists.map((list) => ({ list, username: name, address })));
  return [{ list: own, username: first, address }, ...rest.slice(1)];
}

/** Asks for one list after the other, until an answer settles it; the last one counts. */
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

/** Whether it is asked over RADIUS: never who asks by RadSec, whose secret everybody knows. */
function takesCoa({ disconnectMethod, radsec }: Nas): boolean {
  return disconnectMethod !== "routeros" && radsec === 0;
}

/** No request of RADIUS reaches a lease of DHCP; its router asks again soon. */
export function isLease(session: Pick<Session, "class"> | null): boolean {
  return session !== null && readLease(session.class) !== undefined;
}

function noOrder(db: Db, { name }: Nas): string {
  const minutes = Math.ceil(setting(db, "dhcp_lease") / 60);
  return `a lease of DHCP takes no order from us: it ends, or has what is new, within ${minutes} minutes (setting dhcp_lease); to end leases at once, give the NAS ${name} its routeros host, username and password`;
}

function noCoa({ name, radsec }: Nas): string {
  return radsec === 1
    ? `the router ${name} asks by RadSec and takes no CoA`
    : `the router ${name} is not asked over RADIUS (disconnect_method routeros)`;
}

function failed(reason: string): RouterAnswer {
  return { kind: "failed", reason };
}

function missing({ username }: Holder, session: Session | null): string {
  return session
    ? `the router at ${session.nasAddress} that reported the session is not among the NAS any more; add it with: gatehouse nas add`
    : `the subscriber ${username} has no router; set its nas_id`;
}

function noApi({ name, radsec }: Nas): string {
  if (radsec === 1)
    return `the router ${name} asks by RadSec, which takes no CoA, and has no RouterOS API: its sessions end by Session-Timeout; give the NAS its routeros host, username and password`;
  return `the RouterOS API of the router ${name} is not set up for this session; give the NAS its routeros host, username and password`;
}
