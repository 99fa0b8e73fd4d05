import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Db, writePatiently } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { overlap } from "../../core/networks/networks.ts";
import { fold } from "../../core/fields/text.ts";
import { KEY_PREFIX } from "../../core/fields/key-names.ts";
import type { Seconds } from "../../core/time/time.ts";

const SECRET_BYTES = 32;

/** A new secret, and what is stored of it: of 256 random bits a plain hash is enough. */
export function newSecret(): { secret: string; secretHash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { secret, secretHash: sha256(secret) };
}

export const newUsername = (): string => `${KEY_PREFIX}${randomBytes(8).toString("hex")}`;

/** A key by its id, with what a call of it is held against. */
export interface PresentedKey {
  readonly id: number;
  readonly secretHash: Uint8Array;
  readonly formerHash: Uint8Array | null;
  readonly formerUntil: Seconds | null;
  readonly addresses: string | null;
  readonly endsAt: Seconds | null;
  readonly revokedAt: Seconds | null;
  readonly isProven: 0 | 1;
}

/** undefined: there is none; an account of that name may be somebody's from before there were keys. */
export function findKey({ $client }: Pick<Db, "$client">, username: string): PresentedKey | undefined {
  const key = fold(username);
  if (!key.startsWith(KEY_PREFIX)) return undefined;
  const found = $client.query<PresentedKey, [string]>(
    `SELECT a.id, k.secret_hash AS secretHash, k.former_hash AS formerHash, k.former_until AS formerUntil, k.addresses,
       k.ends_at AS endsAt, k.revoked_at AS revokedAt, k.is_proven AS isProven
     FROM staff a JOIN api_keys k ON k.staff_id = a.id WHERE a.username_key = ?`,
  );
  return found.get(key) ?? undefined;
}

/** The hash of the secret where it is the key's; undefined: it is wrong. */
export function provenHash(
  { secretHash, formerHash, formerUntil }: PresentedKey,
  secret: string,
  now: Seconds,
): Buffer | undefined {
  const hash = sha256(secret);
  const isPresent = timingSafeEqual(secretHash, hash);
  const isFormer = timingSafeEqual(formerHash ?? new Uint8Array(hash.length), hash);
  return isPresent || (isFormer && formerUntil !== null && now < formerUntil) ? hash : undefined;
}

/** Notes that the program has the newest secret: at the first call with it, before the answer, so that no rotation ends what is in use. */
export async function noteProven(db: Db, { id, isProven }: PresentedKey, proof: Uint8Array): Promise<void> {
  if (isProven === 1) return;
  await writePatiently(db, ({ $client }) =>
    $client
      .query<unknown, [number, Uint8Array]>(
        "UPDATE api_keys SET is_proven = 1 WHERE staff_id = ? AND secret_hash = ?",
      )
      .run(id, proof),
  );
}

/** Requires that who has the secret may use it. Throws `unauthenticated` for one that was revoked or has ended, `forbidden` from elsewhere. */
export function requireUsable(
  { addresses, endsAt, revokedAt }: Pick<PresentedKey, "addresses" | "endsAt" | "revokedAt">,
  { source, now }: { source: string; now: Seconds },
): void {
  if (revokedAt !== null)
    throw new DomainError("unauthenticated", phrase`the key was revoked; use another one`, {
      code: "key_revoked",
    });
  if (endsAt !== null && endsAt < now)
    throw new DomainError(
      "unauthenticated",
      phrase`the key has ended; give it a later end, or use another one`,
      {
        code: "key_ended",
      },
    );
  if (addresses === null || addresses.split(",").some((network) => isIn(source, network))) return;
  throw new DomainError("forbidden", phrase`the key may not be used from ${source}; add that address to it`, {
    code: "address_not_allowed",
  });
}

function isIn(source: string, network: string): boolean {
  return source !== "unknown" && overlap(source, network);
}

function sha256(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
