import { randomInt } from "node:crypto";

/** Unambiguous on paper. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789";

/** Three groups of four, 59 bits. */
export function newPassword(): string {
  const group = () => Array.from({ length: 4 }, () => letters.charAt(randomInt(letters.length))).join("");
  return [group(), group(), group()].join("-");
}
