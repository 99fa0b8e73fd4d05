import { DomainError } from "../errors.ts";
import { type Field, text } from "../fields.ts";

/** argon2id at the least cost that OWASP recommends: 19 MiB, 2 passes, 1 lane; about 30 ms on a small box. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
/** Verified in place of the hash that an unknown user does not have; of a random password, at the same cost. */
const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$E8nioEwSLsaV6+goQXmZWxnDEfPXup3leVhtEFGUJcU$z8oQBP1yJYiTIYULlPOnuJ7OvCENnD4bsDL1zyNxe88";
const AT_ONCE = 2;
const MAX_WAITING = 100;

/** A password as somebody chooses it. */
export const chosenPassword: Field<string> = text(128);

let running = 0;
const waiting: (() => void)[] = [];

/** Hashes with argon2id. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password.normalize("NFC"), COST);
}

/**
 * Whether the password is that of the hash; without a hash it costs the same and is false. Two verifications run at a
 * time, for each takes a core and 19 MiB; the others wait. Throws `overloaded` when too many wait already.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  await turn();
  try {
    const matches = await Bun.password.verify(password.normalize("NFC"), hash ?? DUMMY_HASH);
    return matches && hash !== undefined;
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Resolves when a verification may run; the one that ends hands its place over. */
async function turn(): Promise<void> {
  if (running < AT_ONCE) {
    running += 1;
    return;
  }
  if (waiting.length >= MAX_WAITING)
    throw new DomainError("overloaded", "too many sign-ins at once; try again in a moment", {
      retryAfter: 2,
    });
  await new Promise<void>((resolve) => waiting.push(resolve));
}
