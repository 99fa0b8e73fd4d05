import { insert } from "../../../../db/insert.ts";
import type { Db, Tx } from "../../../../db/open.ts";
import { radsecKeys } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { certify, makeAuthority, newKey, type Pair } from "./certificates.ts";

const DAY = 86_400;
/** Longer than any router lives, because a new authority has to be installed on each. */
const AUTHORITY_DAYS = 25 * 365;
const SERVER_DAYS = 730;
/** Days; routers trust the authority, so renewal is automatic. */
const RENEW_BEFORE = 60;

type Row = typeof radsecKeys.$inferSelect;
type KeyName = Row["name"];

/** Our certificate and key, and the authority of routers' ones. */
export interface ServerKeys {
  readonly server: Pair;
  readonly authority: string;
}

/** Our own pair and its authority; undefined: RadSec is unused. Throws for a damaged key. */
export function serverKeys(db: Db): ServerKeys | undefined {
  const server = storedPair(db, "server");
  const authority = findRow(db, "authority");
  return server && authority && { server, authority: authority.certificate };
}

export function hasServerKeys(db: Db): boolean {
  return findRow(db, "server") !== undefined;
}

/** Named addresses of ours. */
export function serverAddresses(db: Db): string[] {
  return findRow(db, "server")?.addresses.split(",") ?? [];
}

function findRow({ $client }: Db, name: KeyName): Row | undefined {
  const row = $client
    .query<Row, [KeyName]>(
      `SELECT name, certificate, key_sealed AS keySealed, addresses, not_after AS notAfter, made_at AS madeAt
       FROM radsec_keys WHERE name = ?`,
    )
    .get(name);
  return row ?? undefined;
}

function storedPair(db: Db, name: KeyName): Pair | undefined {
  const row = findRow(db, name);
  return row && { certificate: row.certificate, key: db.vault.openText(Buffer.from(row.keySealed)) };
}

/** Keys made before the transaction, because it takes long. */
export interface Prepared {
  readonly authority: Pair;
  readonly isNewAuthority: boolean;
  /** null: the present one will do. */
  readonly server: (Pair & { readonly addresses: string }) | null;
  readonly known: readonly string[];
}

/** Authority, and server certificate for `address`, where missing. */
export async function prepareKeys(db: Db, address: string | undefined, now: Seconds): Promise<Prepared> {
  const stored = storedPair(db, "authority");
  const authority = stored ?? (await newAuthority(now));
  const known = serverAddresses(db);
  const addresses = address === undefined || known.includes(address) ? known : [...known, address];
  const [first, ...others] = addresses;
  const isWhole = known.length === addresses.length && !isServerDue(db, now);
  if (first === undefined || (stored && isWhole))
    return { authority, isNewAuthority: !stored, server: null, known };
  const key = await newKey();
  const certificate = certify(authority, key, {
    use: "server",
    addresses: [first, ...others],
    days: SERVER_DAYS,
    now,
  });
  return {
    authority,
    isNewAuthority: !stored,
    server: { certificate, key, addresses: addresses.join(",") },
    known,
  };
}

async function newAuthority(now: Seconds): Promise<Pair> {
  const key = await newKey();
  return { certificate: makeAuthority(key, "Gatehouse RadSec", AUTHORITY_DAYS, now), key };
}

/** Throws `conflict` for a concurrent change. */
export function storeKeys(
  tx: Tx,
  { authority, isNewAuthority, server, known }: Prepared,
  now: Seconds,
): void {
  const stored = findRow(tx, "authority");
  const addresses = serverAddresses(tx);
  const isOther = server !== null && addresses.join() !== known.join();
  const isWhole = server === null || server.addresses.split(",").every((one) => addresses.includes(one));
  if ((stored ? stored.certificate !== authority.certificate : !isNewAuthority) || (isOther && !isWhole))
    throw new DomainError(
      "conflict",
      phrase`somebody else made a certificate at the same moment; do it again`,
      {
        code: "stale",
      },
    );
  if (!stored) store(tx, "authority", authority, { addresses: "", days: AUTHORITY_DAYS, now });
  if (server && !isOther)
    store(tx, "server", server, { addresses: server.addresses, days: SERVER_DAYS, now });
}

export function isServerDue(db: Db, now: Seconds): boolean {
  const stored = findRow(db, "server");
  return stored !== undefined && stored.notAfter <= now + RENEW_BEFORE * DAY;
}

function store(
  tx: Tx,
  name: KeyName,
  { certificate, key }: Pair,
  { addresses, days, now }: { addresses: string; days: number; now: Seconds },
): void {
  const row = { name, certificate, keySealed: tx.vault.seal(key), addresses };
  insert(tx, radsecKeys, { ...row, notAfter: now + days * DAY, madeAt: now }, { replacing: ["name"] });
}
