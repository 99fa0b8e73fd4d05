import { phrase } from "../../core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { field, type Field, text } from "../../core/fields/fields.ts";
import { codePoints } from "../../core/fields/text.ts";
import { FairQueue } from "./fair-queue.ts";

/** OWASP's minimum: 19 MiB, 2 passes, 1 lane; about 30 ms on a small box. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
/** The hash that is verified for unknown users, at the same cost. */
export const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$E8nioEwSLsaV6+goQXmZWxnDEfPXup3leVhtEFGUJcU$z8oQBP1yJYiTIYULlPOnuJ7OvCENnD4bsDL1zyNxe88";

const SHORTEST = 8;
const LONGEST = 128;

export const knownPassword: Field<string> = text(LONGEST);

const tooShort = phrase`must be text of ${SHORTEST} to ${LONGEST} characters on one line, not blanks alone`;

export const chosenPassword: Field<string> = {
  schema: Type.String({ minLength: SHORTEST, maxLength: LONGEST, description: tooShort.toString() }),
  message: tooShort,
  read: (value) => {
    const password = knownPassword.read(value);
    return password !== undefined && codePoints(password) >= SHORTEST && password.trim() !== ""
      ? password
      : undefined;
  },
};

/** The hash in the import format, whose bounds keep a sign-in from costing gigabytes. */
export const passwordHash = field(
  Type.String({
    pattern:
      "^\\$argon2id\\$v=19\\$m=[0-9]{1,6},t=[0-9]{1,2},p=[0-9]\\$[A-Za-z0-9+/]{11,88}\\$[A-Za-z0-9+/]{16,88}$",
  }),
  phrase`must be an argon2id hash such as $argon2id$v=19$m=19456,t=2,p=1$...`,
  (value): string => value,
);

/** A verification takes a core and 19 MiB. */
const queue = new FairQueue({ atOnce: 2, maxWaiting: 100 });

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password.normalize("NFC"), COST);
}

/** Whether the password is right; without a hash equal cost, and `withoutHash`. Two at a time; sources that failed wait longer. Throws `overloaded`. */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  { source = "", withoutHash = false }: { source?: string; withoutHash?: boolean } = {},
): Promise<boolean> {
  const turn = await queue.turn(source);
  let isRight = false;
  try {
    const matches = await Bun.password.verify(password.normalize("NFC"), hash ?? DUMMY_HASH);
    isRight = hash === undefined ? withoutHash : matches;
    return isRight;
  } finally {
    turn.end({ isRight });
  }
}
