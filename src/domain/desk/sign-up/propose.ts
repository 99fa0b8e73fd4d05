import { randomInt } from "node:crypto";
import type { Db } from "../../../../db/open.ts";
import { fold } from "../../core/fields/text.ts";

/** Leaves room for a number. */
const LONGEST = 40;
/** Numbers appended. */
const TRIES = 200;

/** Unambiguous. */
const CLEAR = "abcdefghjkmnpqrstuvwxyz23456789";

/** 49 bits. */
export function proposedPassword(): string {
  return Array.from({ length: 10 }, () => CLEAR[randomInt(CLEAR.length)]).join("");
}

/** A free username from the name, else from telephone digits, else `user`. */
export function proposedUsername(db: Db, { name, mobile }: { name: string; mobile: string }): string {
  const base = latin(name) || mobile.replace(/\D/g, "").slice(-LONGEST) || "user";
  if (isFree(db, base)) return base;
  for (let number = 2; number < TRIES; number++)
    if (isFree(db, `${base}${number}`)) return `${base}${number}`;
  return `${base}${randomInt(1e5, 1e6)}`;
}

/** `tomas.herrera`. */
function latin(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’.]/g, "")
    .replace(/[^a-z0-9]+/g, ".");
  return plain.slice(0, LONGEST).replace(/^\.+|\.+$/g, "");
}

/** Appliance-wide. */
export function isFree({ $client }: Db, username: string): boolean {
  return $client.query("SELECT 1 FROM subscribers WHERE username_key = ?").get(fold(username)) === null;
}
