import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, scryptSync } from "node:crypto";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";

const VERSION = 1;
const SALT = 16;
const NONCE = 12;
const TAG = 16;
/** A guess costs 128 MB and some tenths of a second (RFC 7914). */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
/** A short fingerprint, to tell keys apart. */
const NAME_BYTES = 8;

export const SHORTEST_PASSPHRASE = 12;

export function sealKey(key: string, passphrase: string): Buffer {
  requireLong(passphrase);
  const salt = randomBytes(SALT);
  return sealWith(derive(passphrase, salt), salt, key);
}

export async function sealKeyAside(key: string, passphrase: string): Promise<Buffer> {
  requireLong(passphrase);
  const salt = randomBytes(SALT);
  const derived = await new Promise<Buffer>((resolve, reject) =>
    scrypt(passphrase.normalize("NFC"), salt, 32, COST, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    ),
  );
  return sealWith(derived, salt, key);
}

function requireLong(passphrase: string): void {
  if (passphrase.trim().length >= SHORTEST_PASSPHRASE) return;
  throw new DomainError(
    "invalid",
    phrase`the passphrase is too short; take ${SHORTEST_PASSPHRASE} characters or more, blanks at the ends not counted`,
  );
}

function sealWith(derived: Buffer, salt: Buffer, key: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", derived, nonce);
  const body = Buffer.concat([cipher.update(key, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), salt, nonce, cipher.getAuthTag(), body]);
}

/** Throws `refused` for a wrong passphrase. */
export function unsealKey(sealed: Uint8Array, passphrase: string): string {
  if (sealed[0] !== VERSION || sealed.length <= 1 + SALT + NONCE + TAG)
    throw new DomainError(
      "refused",
      phrase`the key in this backup is of another version; take a newer gatehouse`,
    );
  const [salt, nonce, tag, body] = cut(sealed.subarray(1), SALT, NONCE, TAG);
  const decipher = createDecipheriv("aes-256-gcm", derive(passphrase, salt), nonce);
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch {
    throw new DomainError("refused", phrase`the passphrase is not the one of this backup; try another one`);
  }
}

export function keyName(key: string): string {
  const material = Buffer.from(key.trim(), "base64");
  return createHash("sha256")
    .update("gatehouse key name")
    .update(material)
    .digest("hex")
    .slice(0, NAME_BYTES * 2);
}

function derive(passphrase: string, salt: Uint8Array): Buffer {
  return scryptSync(passphrase.normalize("NFC"), salt, 32, COST);
}

function cut(bytes: Uint8Array, first: number, second: number, third: number) {
  const at = [first, first + second, first + second + third] as const;
  return [
    bytes.subarray(0, at[0]),
    bytes.subarray(at[0], at[1]),
    bytes.subarray(at[1], at[2]),
    bytes.subarray(at[2]),
  ] as const;
}
