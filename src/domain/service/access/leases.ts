import type { Db } from "../../../../db/open.ts";
import { fold } from "../../core/fields/text.ts";
import { NONE, roomFor, ShortMemory } from "../../core/memory/short-memory.ts";
import type { Seconds } from "../../core/time/time.ts";
import { halfRate } from "../../goods/packages/rate-limit.ts";
import type { Decision, Grant } from "./decide.ts";
import { confines } from "./outcomes.ts";

/** The DHCP line of option 82, as stored for subscribers. */
export interface Line {
  readonly circuitId: string | null;
  readonly remoteId: string | null;
}

/** How a DHCP login was matched; `session`: by the open session for which DHCPv6 requests a prefix. */
export type Found =
  | { readonly usernameKey: string; readonly by: "line" | "mac" }
  | { readonly usernameKey: string; readonly by: "session"; readonly mac: string | null };

interface Named {
  usernameKey: string;
}

/** A subscriber deleted on an access box has no username key. */
const PRESENT =
  "archived_at IS NULL AND substr(username_key, 1, 1) <> char(0) AND isp_id = ifnull($ispId, isp_id)";

/** Finds the subscriber of a DHCP request, which carries no name: by line, device or open session. Statements are prepared once. */
export class LeaseReader {
  readonly #circuit;
  readonly #remote;
  readonly #mac;
  readonly #session;
  readonly #named;

  constructor({ $client }: Db) {
    this.#circuit = $client.query<
      Named,
      [{ circuitId: string; remoteId: string | null; ispId: number | null }]
    >(
      `SELECT username_key AS usernameKey FROM subscribers
       WHERE circuit_id = $circuitId AND (remote_id IS NULL OR remote_id = $remoteId) AND ${PRESENT}
       ORDER BY remote_id IS NULL LIMIT 1`,
    );
    this.#remote = $client.query<Named, [{ remoteId: string; ispId: number | null }]>(
      `SELECT username_key AS usernameKey FROM subscribers
       WHERE remote_id = $remoteId AND circuit_id IS NULL AND ${PRESENT} LIMIT 2`,
    );
    this.#mac = $client.query<Named & Line, [{ mac: string; ispId: number | null }]>(
      `SELECT username_key AS usernameKey, circuit_id AS circuitId, remote_id AS remoteId FROM subscribers
       WHERE mac_address = $mac AND mac_login = 1 AND ${PRESENT} LIMIT 2`,
    );
    this.#session = $client.query<
      Named & Line & { mac: string; username: string },
      [{ mac: string; nasAddress: string }]
    >(
      `SELECT s.username_key AS usernameKey, s.circuit_id AS circuitId, s.remote_id AS remoteId, o.mac, o.username
       FROM sessions o JOIN subscribers s ON s.id = o.subscriber_id
       WHERE o.nas_address = $nasAddress AND o.mac = $mac AND o.stopped_at IS NULL
       ORDER BY o.started_at DESC LIMIT 1`,
    );
    this.#named = $client.query<Named & { mac: string | null }, [{ key: string; nasAddress: string }]>(
      `SELECT s.username_key AS usernameKey, o.mac FROM subscribers s JOIN sessions o ON o.subscriber_id = s.id
       WHERE s.username_key = $key AND o.nas_address = $nasAddress AND o.stopped_at IS NULL LIMIT 1`,
    );
  }

  /** By circuit and remote id, else by circuit alone, else by remote id alone. */
  ofLine({ circuitId, remoteId }: Line, ispId: number | null): Found | undefined {
    const found =
      (circuitId === null ? null : this.#circuit.get({ circuitId, remoteId, ispId })) ??
      (remoteId === null ? null : only(this.#remote.all({ remoteId, ispId })));
    return found ? { usernameKey: found.usernameKey, by: "line" } : undefined;
  }

  /** The one subscriber who logs in with this MAC address, unless the line contradicts. */
  ofMac(mac: string, line: Line, ispId: number | null): Found | undefined {
    const found = only(this.#mac.all({ mac, ispId }));
    return found && !contradicts(found, line) ? { usernameKey: found.usernameKey, by: "mac" } : undefined;
  }

  /** The session on a PPP interface: `user1`, or `user1-1` when there are several. */
  ofInterface(name: string, mac: string | undefined, nasAddress: string): Found | undefined {
    const named = this.#named.get({ key: fold(name), nasAddress });
    if (named) return { usernameKey: named.usernameKey, by: "session", mac: named.mac };
    const online = mac === undefined ? null : this.#session.get({ mac, nasAddress });
    const isOwn = online !== null && numbered(fold(name), fold(online.username));
    return isOwn ? { usernameKey: online.usernameKey, by: "session", mac: online.mac } : undefined;
  }

  /** The session of this device at the router, unless the line contradicts: a device's own word proves nothing. */
  ofSession(mac: string, line: Line, nasAddress: string): Found | undefined {
    const found = this.#session.get({ mac, nasAddress });
    return found && !contradicts(found, line)
      ? { usernameKey: found.usernameKey, by: "session", mac: found.mac }
      : undefined;
  }
}

/** Whether it is the interface name of one of several sessions of the name. */
function numbered(of: string, name: string): boolean {
  return of === name || (of.startsWith(name) && /^-\d+$/.test(of.slice(name.length)));
}

/** Whether the request is from another line than the subscriber's. Missing parts do not contradict. */
export function contradicts(has: Line, line: Line): boolean {
  if (line.circuitId === null && line.remoteId === null) return false;
  return (
    (has.circuitId !== null && has.circuitId !== line.circuitId) ||
    (has.remoteId !== null && has.remoteId !== line.remoteId)
  );
}

/** Undefined when there are several. */
function only<T>(rows: readonly T[]): T | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}

/** Words of an entry: the NAS. */
const HOLDERS = { most: 65_536, words: 1 };

export const roomForHolders = (threads?: number) => roomFor(HOLDERS, threads);

/**
 * Subscribers with a DHCPv6 prefix beside their lease at a router, of all threads. Kept in memory: after eviction one lease has the full
 * rate until the next renewal.
 */
export class PrefixHolders {
  readonly #memory: ShortMemory;

  /** `who` as in ShortMemory. */
  constructor(room = roomForHolders(), who?: number) {
    this.#memory = new ShortMemory(room, HOLDERS, who);
  }

  add(subscriberId: number, nasId: number, { now, until }: { now: Seconds; until: Seconds }): void {
    const memory = this.#memory;
    memory.hold(subscriberId);
    const known = memory.find(subscriberId);
    const place = known === NONE ? memory.take(subscriberId, now) : known;
    memory.setWord(place, 0, nasId);
    memory.setEnd(place, until);
    memory.release();
  }

  has(subscriberId: number, nasId: number | null, now: Seconds): boolean {
    const place = this.#memory.find(subscriberId);
    return place !== NONE && this.#memory.word(place, 0) === nasId && this.#memory.end(place) > now;
  }
}

/** How long the lease may last, and whether its line has a second queue. */
interface LeaseTerms {
  readonly seconds: number;
  readonly isHalf: boolean;
}

/** The decision for a lease: short, because it cannot be changed before the router asks again. */
export function ofLease(decision: Decision, terms: LeaseTerms): Decision {
  return decision.accept ? { ...decision, grant: leased(decision.grant, terms) } : decision;
}

/** The decision for a prefix of a session: prefix and rate; nothing in the walled garden. */
export function ofPrefix(decision: Decision, terms: LeaseTerms): Decision {
  if (!decision.accept) return decision;
  if (confines(decision.reason))
    return {
      accept: false,
      reason: decision.reason === "accepted_expired" ? "expired" : "quota_used_up",
    };
  const { rateLimit, delegatedIpv6Prefix, delegatedIpv6Pool, addressList, sessionTimeout } = decision.grant;
  const grant = { rateLimit, delegatedIpv6Prefix, delegatedIpv6Pool, addressList, sessionTimeout };
  return { ...decision, grant: leased(grant, terms) };
}

/** The grant as a lease: the walled garden has no prefix, and its rate is not halved. */
function leased(grant: Grant, { seconds, isHalf }: LeaseTerms): Grant {
  const { rateLimit, isGarden } = grant;
  const isHalved = isHalf && !isGarden && rateLimit !== undefined;
  return {
    ...grant,
    rateLimit: isHalved ? halfRate(rateLimit) : rateLimit,
    sessionTimeout: Math.min(grant.sessionTimeout, seconds),
  };
}
