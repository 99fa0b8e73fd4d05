import { compileLiteral, selected } from "../../../../db/columns.ts";
import type { Db } from "../../../../db/open.ts";
import { services } from "../../../../db/schema.ts";
import { loginKeys } from "../../../../db/service-keys.ts";
import type { Vault } from "../../../../db/vault.ts";
import { type NasPort, SameNasPort } from "../sessions/same-nas-port.ts";
import type { Granted } from "../sessions/session-class.ts";
import { ReplyAttributes } from "../../goods/attributes/reply.ts";
import { ntPasswordHash } from "../../goods/subscribers/password.ts";
import type { Seconds } from "../../core/time/time.ts";
import { NtKey } from "./nt-key.ts";

/** The input of a decision: the subscriber and, once activated, its service (columns of db/schema.ts). */
export interface Candidate {
  id: number;
  ispId: number;
  status: number;
  connectionTypeId: number;
  /** 1: PPPoE and hotspot both, because the type is unknown. */
  anyConnection: number;
  staticIp: string | null;
  framedIpv6Prefix: string | null;
  delegatedIpv6Prefix: string | null;
  macAddress: string | null;
  macLock: number;
  macLogin: number;
  /** Reply attributes of package and subscriber, parsed. */
  reply: ReplyAttributes | undefined;
  /** The required DHCP line (option 82). */
  circuitId: string | null;
  remoteId: string | null;
  /** From the package's pools. */
  poolIp: string | null;
  poolPrefix: string | null;
  /** The service's, and the profile's before the first activation. */
  password: StoredPassword;
  service: Service | undefined;
  /** What the last Accept granted; undefined before the first. */
  granted?: Granted | undefined;
}

const serviceKeys = [...loginKeys, "quotaUsed"] as const;

export type Service = Pick<typeof services.$inferSelect, (typeof serviceKeys)[number]>;

/** An open session, as a new login of the same subscriber needs it. */
export interface OpenSession {
  class: Uint8Array | null;
  mac: string | null;
  nasAddress: string;
}

interface Sealed {
  passwordSealed: Uint8Array;
  /** null: derived from the password. */
  ntHashSealed: Uint8Array | null;
}

/**
 * A password in both forms, each decrypted on first use and kept: a login is a third cheaper without decryption. Only in
 * memory, beside the master key. The returned buffers must not be changed.
 */
export class StoredPassword {
  readonly #vault: Vault;
  readonly #sealed: Sealed;
  #clear: Buffer | undefined;
  #ntKey: NtKey | undefined;

  constructor(vault: Vault, { passwordSealed, ntHashSealed }: Sealed) {
    this.#vault = vault;
    this.#sealed = { passwordSealed, ntHashSealed };
  }

  /** Throws as Vault.open does. */
  get clear(): Buffer {
    return (this.#clear ??= this.#vault.open(this.#sealed.passwordSealed));
  }

  get ntKey(): NtKey {
    const { ntHashSealed } = this.#sealed;
    return (this.#ntKey ??= new NtKey(
      ntHashSealed === null ? ntPasswordHash(this.clear.toString()) : this.#vault.open(ntHashSealed),
    ));
  }
}

type Row = Omit<Candidate, "service" | "password" | "granted" | "reply"> &
  Sealed & { ownReplyAttributes: string | null } & { [K in keyof Service]: Service[K] | null };

/** Most candidates cached; then all are dropped at once. */
const MAX_KEPT = 50_000;

/** Prepared reads for logins. A candidate is cached until the store's stamp says that it changed: checking the stamp costs a sixth of reading it. */
export class AccessReader {
  readonly #vault: Vault;
  readonly #stamp;
  readonly #candidate;
  readonly #open;
  readonly #started;
  readonly #sameNasPort: SameNasPort;

  readonly #kept = new Map<string, { stamp: number; candidate: Candidate }>();

  constructor(db: Db) {
    this.#vault = db.vault;
    this.#stamp = db.$client.query<{ stamp: number }, [string]>(
      "SELECT stamp FROM login_stamps WHERE username_key = ?",
    );
    this.#candidate = db.$client.query<Row, [string]>(`
      SELECT s.id, s.isp_id AS ispId, s.status, s.connection_type_id AS connectionTypeId,
        s.any_connection AS anyConnection, s.static_ip AS staticIp, s.framed_ipv6_prefix AS framedIpv6Prefix,
        s.delegated_ipv6_prefix AS delegatedIpv6Prefix, s.mac_address AS macAddress, s.mac_lock AS macLock,
        s.mac_login AS macLogin, s.reply_attributes AS ownReplyAttributes, s.circuit_id AS circuitId,
        s.remote_id AS remoteId, s.pool_ip AS poolIp, s.pool_prefix AS poolPrefix,
        coalesce(v.password_sealed, s.password_sealed) AS passwordSealed,
        v.nt_hash_sealed AS ntHashSealed, ${selected(services, "v", serviceKeys)}
      FROM subscribers s LEFT JOIN services v ON v.subscriber_id = s.id
      WHERE s.username_key = ?`);
    this.#open = db.$client.query<OpenSession, [number]>(
      "SELECT class, mac, nas_address AS nasAddress FROM sessions WHERE subscriber_id = ? AND stopped_at IS NULL",
    );
    this.#started = db.$client.query<{ found: number }, [number, number, Uint8Array]>(
      "SELECT 1 AS found FROM sessions WHERE subscriber_id = ? AND started_at >= ? AND class = ? LIMIT 1",
    );
    this.#sameNasPort = new SameNasPort(db);
  }

  /** By folded username. Call it within a transaction when others may write. */
  candidate(usernameKey: string): Candidate | undefined {
    const stamp = this.#stamp.get(usernameKey)?.stamp;
    if (stamp === undefined) return undefined;
    const kept = this.#kept.get(usernameKey);
    if (kept?.stamp === stamp) return kept.candidate;
    const row = this.#candidate.get(usernameKey);
    if (!row) return undefined;
    const candidate = toCandidate(row, this.#vault);
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(usernameKey, { stamp, candidate });
    return candidate;
  }

  openSessions(subscriberId: number): OpenSession[] {
    return this.#open.all(subscriberId);
  }

  /** Whether a session of this Class started after `since`, open or closed. */
  hasStarted(subscriberId: number, sessionClass: Uint8Array, since: Seconds): boolean {
    return this.#started.get(subscriberId, since, sessionClass) !== null;
  }

  /** Whether a login without a MAC address replaces an open session at its NAS-Port. */
  replacesAtNasPort(subscriberId: number, nasPort: NasPort): boolean {
    return this.#sameNasPort.findRival(subscriberId, nasPort) !== undefined;
  }
}

/** Whether there is a service: without one every column is NULL, and `expiresAt` is NOT NULL in one. */
function isService(row: Row): row is Row & Service {
  return row.expiresAt !== null;
}

/** The columns that a login needs and no more: cached candidates are far apart in memory. */
const toService = compileLiteral<Service, Service>(serviceKeys.map((key) => ({ name: key, of: key })));

function toCandidate(row: Row, vault: Vault): Candidate {
  return {
    id: row.id,
    ispId: row.ispId,
    status: row.status,
    connectionTypeId: row.connectionTypeId,
    anyConnection: row.anyConnection,
    staticIp: row.staticIp,
    framedIpv6Prefix: row.framedIpv6Prefix,
    delegatedIpv6Prefix: row.delegatedIpv6Prefix,
    macAddress: row.macAddress,
    macLock: row.macLock,
    macLogin: row.macLogin,
    reply: ReplyAttributes.of(row.replyAttributes, row.ownReplyAttributes),
    circuitId: row.circuitId,
    remoteId: row.remoteId,
    poolIp: row.poolIp,
    poolPrefix: row.poolPrefix,
    password: new StoredPassword(vault, row),
    service: isService(row) ? toService(row) : undefined,
    granted: undefined,
  };
}
