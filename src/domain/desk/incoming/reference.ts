/** Damm's quasigroup (2004): detects single wrong digits and adjacent swaps. */
const damm = [
  [0, 3, 1, 7, 5, 9, 8, 6, 4, 2],
  [7, 0, 9, 2, 1, 5, 4, 8, 6, 3],
  [4, 2, 0, 6, 8, 7, 1, 3, 5, 9],
  [1, 7, 5, 0, 9, 8, 3, 4, 2, 6],
  [6, 1, 2, 3, 0, 4, 5, 9, 7, 8],
  [3, 6, 7, 4, 2, 0, 9, 5, 8, 1],
  [5, 8, 6, 9, 7, 2, 0, 1, 3, 4],
  [8, 9, 4, 5, 3, 6, 2, 0, 1, 7],
  [9, 4, 3, 8, 6, 1, 7, 2, 0, 5],
  [2, 5, 8, 1, 4, 3, 6, 7, 9, 0],
] as const;

const SHORTEST = 4;

function checkDigit(digits: string): number {
  let digit = 0;
  for (const one of digits) digit = damm[digit]?.[Number(one)] ?? 0;
  return digit;
}

/** Id, at least three digits, and a check digit. */
export function makeReference(subscriberId: number): string {
  const digits = String(subscriberId).padStart(SHORTEST - 1, "0");
  return `${digits}${checkDigit(digits)}`;
}

/** A reference without blanks and dashes; undefined: it has not the form of one. */
function parseDigits(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, "");
  return /^\d{4,16}$/.test(digits) ? digits : undefined;
}

/** Whether somebody meant a reference, and mistyped it. */
export function hasWrongDigit(text: string): boolean {
  const digits = parseDigits(text);
  return digits !== undefined && checkDigit(digits) !== 0;
}

/** The subscriber that a reference is made for; undefined: none. */
export function parseReference(text: string): number | undefined {
  const digits = parseDigits(text);
  if (digits === undefined || checkDigit(digits) !== 0) return undefined;
  const id = Number(digits.slice(0, -1));
  return id > 0 && makeReference(id) === digits ? id : undefined;
}
