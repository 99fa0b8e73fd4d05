import { randomInt } from "node:crypto";
import type { Db } from "../../../../db/open.ts";
import { fold } from "../../core/fields/text.ts";

/** Characters of a proposed username at the most, so that a number fits behind it. */
const LONGEST = 40;
/** Numbers that are tried behind a name. */
const TRIES = 200;

/** Letters and digits that nobody reads or hears as another one. */
const CLEAR = "abcdefghjkmnpqrstuvwxyz23456789";

/** Ten characters that are easily read out: 49 bits. */
export function proposedPassword(): string {
  return Array.from({ length: 10 }, () => CLEAR[randomInt(CLEAR.length)]).join("");
}

/** A username that nobody has, made of a name; of one without Latin letters, of the digits of a telephone number, or of `user`. */
export function proposedUsername(db: Db, { name, mobile }: { name: string; mobile: string }): string {
  const base = latin(name) || mobile.replace(/\D/g, "").slice(-LONGEST) || "user";
  if (isFree(db, base)) return base;
  for (let number = 2; number < TRIES; number++)
    if (isFree(db, `${base}${number}`)) return `${base}${number}`;
  return `${base}${randomInt(1e5, 1e6)}`;
}

/** `Tomás Herrera` as `tomas.herrera`. */
function latin(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’.]/g, "")
    .replace(/[^a-z0-9]+/g, ".");
  return plain.slice(0, LONGEST).replace(/^\.+|\.+$/g, "");
}

/** Whether nobody has a username, whoever asks: it is unique on the whole appliance. */
export function isFree({ $client }: Db, username: string): boolean {
  return $client.query("SELECT 1 FROM subscribers WHERE username_key = ?").get(fold(username)) === null;
}
