import { randomInt } from "node:crypto";

/** No two of these are taken for each other when they are read from paper. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789";

/** A password to hand out: three groups of four, 59 bits. */
export function newPassword(): string {
  const group = () => Array.from({ length: 4 }, () => letters.charAt(randomInt(letters.length))).join("");
  return [group(), group(), group()].join("-");
}
