import { codePoints, withoutUnseen } from "../../core/fields/text.ts";

/** What forms and databases hold where there is nothing. */
const nothing = new Set([
  ...["-", "--", "---", ".", "?", "x", "n/a", "na", "#n/a", "none", "(none)", "null", "nil", "nan", "\\n"],
  ...["undefined", "unknown", "not set", "0000-00-00", "0000-00-00 00:00:00", "1970-01-01"],
  ...["0.0.0.0", "::", "::/0", "00:00:00:00:00:00", "0", "00", "1"],
]);

/** Values that mean nothing in a field of words, and may in one of numbers, such as a port. */
const numbers = new Set(["0", "00", "1"]);

/** Whether a text stands where nothing was known. `areNumbersMeant`: 0 and 1 are values. */
export function isJunk(text: string, { areNumbersMeant = false } = {}): boolean {
  const key = text.toLowerCase();
  return nothing.has(key) && !(areNumbersMeant && numbers.has(key));
}

/** Addresses that a program filled in. */
const madeUpMail = /@(localhost|localhost\.localdomain|example\.(com|org|net)|test\.(com|local)|none|null)$/i;

export function isMadeUpMail(text: string): boolean {
  return madeUpMail.test(text);
}

/** Numbers that nobody is reached by: zeros alone, or one digit over and over. */
export function isMadeUpPhone(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  return digits.length > 0 && /^(\d)\1*$/.test(digits) && (digits.length > 4 || digits[0] === "0");
}

/** Text without blanks at its ends, and without characters that control or that nobody sees; `lines`: with those that end lines. */
export function cleanText(text: string, { lines = false } = {}): string {
  const plain = withoutUnseen(text.toWellFormed().replaceAll("\r\n", "\n"));
  return plain.replace(lines ? /(?![\t\n])\p{Cc}/gu : /\p{Cc}+/gu, lines ? "" : " ").trim();
}

/** As many characters as a column takes. */
export function cutText(text: string, most: number): string {
  return codePoints(text) <= most ? text : [...text].slice(0, most).join("").trim();
}
