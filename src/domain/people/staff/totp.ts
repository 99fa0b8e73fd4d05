import { createHmac, randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Vault } from "../../../../db/vault.ts";
import type { Seconds } from "../../core/time/time.ts";

/* TOTP (RFC 6238) and recovery codes. */

const PERIOD = 30;
const SECRET_BYTES = 20;
/** Tolerated steps before and after. */
const WINDOW = 1;
/** Letters without confusable ones, and without o and u, which make words. */
const LETTERS = "23456789abcdefghijkmnpqrstvwxyz";
const RECOVERY_LENGTH = 10;

export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** `otpauth://totp/...`. */
export function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return totp(secret, { issuer, label }).toString();
}

/** The time step of a code; undefined: it is wrong, or not after `last` (RFC 6238 5.2). */
export function totpStep(
  secret: string,
  code: string,
  { now, last }: { now: Seconds; last: number | null },
): number | undefined {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totp(secret).validate({ token, window: WINDOW, timestamp: now * 1000 });
  if (delta === null) return undefined;
  const step = Math.floor(now / PERIOD) + delta;
  return last !== null && step <= last ? undefined : step;
}

export function totpCode(secret: string, now: Seconds): string {
  return totp(secret).generate({ timestamp: now * 1000 });
}

function totp(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  const fixed = { algorithm: "SHA1", digits: 6, period: PERIOD };
  return new TOTP({ ...fixed, ...names, secret: Secret.fromBase32(secret) });
}

/** `abcde-fghij`, 49 bits. */
export function newRecoveryCode(): string {
  const letters = Array.from({ length: RECOVERY_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}

/** The hash of the normalized code. */
export function recoveryHash(vault: Vault, staffId: number, code: string): Buffer {
  const letters = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  return createHmac("sha256", vault.deriveKey("staff recovery codes"))
    .update(`${staffId} ${letters}`)
    .digest();
}
