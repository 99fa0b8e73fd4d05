import { randomInt } from "node:crypto";
/** Letters for reading out over the telephone, without those that are mistaken for others. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 3;
const GROUP = 4;

export function madePassword(): string {
  const letter = () =>
    LETTERS.charAt(
      Math.floor(((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32) * LETTERS.length),
    );
  const group = () => Array.from({ length: GROUP }, letter).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

/** Letters for typing by hand, without those that are mistaken for others. */
export const SECRET_LETTERS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789";

/** 92 random bits in groups that can be read out. */
export function newSecret(): string {
  const group = () =>
    Array.from({ length: 4 }, () => SECRET_LETTERS.charAt(randomInt(SECRET_LETTERS.length))).join("");
  return Array.from({ length: 4 }, group).join("-");
}
