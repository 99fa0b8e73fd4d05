import { codePoints, withoutUnseen } from "../../core/fields/text.ts";

/** Placeholders for "nothing". */
const nothing = new Set([
  ...["-", "--", "---", ".", "?", "x", "n/a", "na", "#n/a", "none", "(none)", "null", "nil", "nan", "\\n"],
  ...["undefined", "unknown", "not set", "0000-00-00", "0000-00-00 00:00:00", "1970-01-01"],
  ...["0.0.0.0", "::", "::/0", "00:00:00:00:00:00", "0", "00", "1"],
]);

/** Placeholders in text fields that may be real numbers, such as a port. */
const numbers = new Set(["0", "00", "1"]);

/** Whether a value is a placeholder. `areNumbersMeant`: 0 and 1 are real. */
export function isJunk(text: string, { areNumbersMeant = false } = {}): boolean {
  const key = text.toLowerCase();
  return nothing.has(key) && !(areNumbersMeant && numbers.has(key));
}

/** Addresses made up by programs. */
const madeUpMail = /@(localhost|localhost\.localdomain|example\.(com|org|net)|test\.(com|local)|none|null)$/i;

export function isMadeUpMail(text: string): boolean {
  return madeUpMail.test(text);
}

/** Zeros alone, or one digit repeated. */
export function isMadeUpPhone(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  return digits.length > 0 && /^(\d)\1*$/.test(digits) && (digits.length > 4 || digits[0] === "0");
}

/** The text trimmed, without control and invisible characters; `lines` keeps line breaks. */
export function cleanText(text: string, { lines = false } = {}): string {
  const plain = withoutUnseen(text.toWellFormed().replaceAll("\r\n", "\n"));
  return plain.replace(lines ? /(?![\t\n])\p{Cc}/gu : /\p{Cc}+/gu, lines ? "" : " ").trim();
}

/** The text cut to a column's characters. */
export function cutText(text: string, most: number): string {
  return codePoints(text) <= most ? text : [...text].slice(0, most).join("").trim();
}
