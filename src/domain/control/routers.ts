import { eq } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { nas } from "../../../db/schema.ts";
import type { Nas } from "../nas/nas.ts";
import type { Session } from "../sessions/advance.ts";
import { defaultRouterosPort } from "../nas/fields.ts";
import { setting } from "../settings/settings.ts";
import { isHotspot, RADIUS_PPPOE } from "../subscribers/connection-types.ts";
import { parseStationMac } from "../text.ts";
import type { Holder, OnlineAnswer, RouterAnswer, Routers } from "./disconnect.ts";

/** A router as its RFC 5176 port is reached. */
export interface CoaNas {
  readonly name: string;
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

/** A router as its RouterOS API is reached. */
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

/** Whom an API is asked about; `address` tells one of several sessions of a name. */
export interface ActiveUser {
  readonly list: "ppp" | "hotspot";
  readonly username: string;
  readonly address: string | null;
}

/** The two doors of a router. None rejects. */
export interface Doors {
  readonly coa: {
    readonly disconnect: (router: CoaNas, session: Session) => Promise<RouterAnswer>;
    readonly changeRate: (router: CoaNas, session: Session, rateLimit: string) => Promise<RouterAnswer>;
  };
  readonly api: {
    readonly disconnect: (router: ApiNas, user: ActiveUser) => Promise<RouterAnswer>;
    readonly find: (router: ApiNas, user: ActiveUser) => Promise<OnlineAnswer>;
  };
}

/** The routers of the NAS rows, each asked by its `disconnect_method`. */
export function routersOf(db: Db, doors: Doors): Routers {
  const disconnect: Routers["disconnect"] = async (subscriber, session, silence) => {
    const router = routerOf(db, subscriber, session);
    if (!router) return failed(missing(subscriber, session));
    const user = activeUser(subscriber, session);
    const api = apiFor(db, router, subscriber, session);
    if (session === null || router.disconnectMethod === "routeros") {
      return api ? doors.api.disconnect(api, user) : failed(noApi(router));
    }
    const first = silence ?? (await doors.coa.disconnect(coaOf(db, router, session), session));
    if (first.kind !== "failed" || router.disconnectMethod === "coa" || !api) return first;
    const second = await doors.api.disconnect(api, user);
    return second.kind === "failed" ? failed(`${first.reason}; ${second.reason}`) : second;
  };

  const changeRate = async (
    subscriber: Holder,
    session: Session,
    rateLimit: string,
  ): Promise<RouterAnswer> => {
    const router = routerOf(db, subscriber, session);
    if (!router) return failed(missing(subscriber, session));
    if (router.disconnectMethod === "routeros")
      return failed(`the router ${router.name} is not asked over RADIUS (disconnect_method routeros)`);
    return doors.coa.changeRate(coaOf(db, router, session), session, rateLimit);
  };

  const find = async (subscriber: Holder, session: Session | null): Promise<OnlineAnswer> => {
    const router = routerOf(db, subscriber, session);
    const api = router && apiFor(db, router, subscriber, session);
    if (!api) return { kind: "unknown", reason: router ? noApi(router) : missing(subscriber, session) };
    return doors.api.find(api, activeUser(subscriber, session));
  };

  return { disconnect, changeRate, find };
}

/** The router that reported the session; without one, the router of the profile. */
function routerOf(db: Db, subscriber: Holder, session: Session | null): Nas | undefined {
  const id = session ? session.nasId : subscriber.nasId;
  return id === null ? undefined : db.select().from(nas).where(eq(nas.id, id)).get();
}

function coaOf(db: Db, router: Nas, { nasAddress, localAddress }: Session): CoaNas {
  return {
    name: router.name,
    address: nasAddress,
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
  const isElsewhere = router.address.includes("/") && api.host !== session.nasAddress;
  const isDhcp =
    connectionTypeId === RADIUS_PPPOE && macLogin === 1 && parseStationMac(session.username) !== undefined;
  return isElsewhere || isDhcp ? undefined : api;
}

function activeUser({ username, connectionTypeId }: Holder, session: Session | null): ActiveUser {
  const list = isHotspot(connectionTypeId) ? "hotspot" : "ppp";
  return { list, username: session?.username ?? username, address: session?.framedIp ?? null };
}

function failed(reason: string): RouterAnswer {
  return { kind: "failed", reason };
}

function missing({ username }: Holder, session: Session | null): string {
  return session
    ? `the router at ${session.nasAddress} that reported the session is not among the NAS any more; add it with: gatehouse nas add`
    : `the subscriber ${username} has no router; set its nas_id`;
}

function noApi({ name }: Nas): string {
  return `the RouterOS API of the router ${name} is not set up for this session; give the NAS its routeros host, username and password`;
}
