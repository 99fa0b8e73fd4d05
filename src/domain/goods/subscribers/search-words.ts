import { fold } from "../../core/fields/text.ts";

/** Normalized forms of a query. */
export interface Needle {
  readonly raw: string;
  /** Folded, without accents. */
  readonly text: string;
  /** Digits of a telephone number; "" if none. */
  readonly digits: string;
  /** Hex of a MAC; "" if none. */
  readonly hex: string;
}

/** `ip`: a session's. */
export interface Searched {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly mobile_number: string | null;
  readonly phone_number: string | null;
  readonly nic_number: string | null;
  readonly address: string | null;
  readonly box_number: string | null;
  readonly box_address: string | null;
  readonly mac_address: string | null;
  readonly static_ip: string | null;
  readonly pool_ip: string | null;
  readonly circuit_id: string | null;
  readonly remote_id: string | null;
  readonly email: string | null;
}

/** Best first. */
const ranks = ["whole", "beginning", "word", "middle"] as const;
export const WORST = ranks.length;
/** What column indexes find. */
export const BEGINNING = ranks.indexOf("beginning");

/** Short queries count only beginnings. */
export function worstRank({ text }: Needle): number {
  const length = [...text].length;
  if (length > 2) return ranks.indexOf("middle");
  return length === 2 ? ranks.indexOf("word") : BEGINNING;
}

export function toNeedle(query: string): Needle {
  const raw = query.trim();
  return {
    raw,
    text: plain(raw),
    digits: /^[+()\d\s./-]+$/.test(raw) ? raw.replace(/\D/g, "") : "",
    hex: /^[\da-f:.-]+$/i.test(raw) ? hexDigits(raw) : "",
  };
}

function plain(text: string): string {
  return fold(text.normalize("NFKD").replace(/\p{M}/gu, ""));
}

const hexDigits = (text: string) => text.replace(/[^\da-f]/gi, "").toLowerCase();

/** The best field and rank; WORST: none. */
export function rankFound(found: Searched, needle: Needle): { rank: number; matched: string[] } {
  const byField = Object.entries(comparedTexts(found, needle)).map(
    ([name, [value, part]]) => [name, rankIn(value, part, numbers.has(name))] as const,
  );
  const matched = byField.filter(([, rank]) => rank < WORST).sort(([, a], [, b]) => a - b);
  return { rank: matched[0]?.[1] ?? WORST, matched: matched.map(([name]) => name) };
}

/** Value and query in comparable forms. */
function comparedTexts(
  found: Searched,
  { text, digits, hex, raw }: Needle,
): Record<string, [string, string]> {
  const number = (value: string | null): [string, string] =>
    digits === "" ? [plain(value ?? ""), text] : [(value ?? "").replace(/\D/g, ""), digits];
  const words = (value: string | null): [string, string] => [plain(value ?? ""), text];
  return {
    name: words(found.name),
    username: words(found.username),
    mobile_number: number(found.mobile_number),
    phone_number: number(found.phone_number),
    nic_number: words(found.nic_number),
    address: words(found.address),
    box_number: words(found.box_number),
    box_address: words(found.box_address),
    mac_address: [hexDigits(found.mac_address ?? ""), hex],
    static_ip: [found.static_ip ?? "", raw],
    pool_ip: [found.pool_ip ?? "", raw],
    circuit_id: [found.circuit_id ?? "", raw],
    remote_id: [found.remote_id ?? "", raw],
    email: words(found.email),
    // ids match whole
    id: [raw === String(found.id) ? raw : "", raw],
  };
}

/** End exclusive. */
export type Range = readonly [from: number, to: number];

/** Normalization by character. */
const forms = {
  words: (character: string) => plain(character),
  number: (character: string) => (/\d/.test(character) ? character : ""),
  hex: (character: string) => (/[\da-f]/i.test(character) ? character.toLowerCase() : ""),
};

/** The match within the shown value; null: none. */
export function rangeIn(field: string, value: string, { text, digits, hex }: Needle): Range | null {
  const isNumber = numbers.has(field) && digits !== "";
  const [form, part] = isNumber
    ? [forms.number, digits]
    : field === "mac_address"
      ? [forms.hex, hex]
      : [forms.words, text];
  let formed = "";
  const ranges: Range[] = [];
  let at = 0;
  for (const character of value) {
    for (const one of form(character)) {
      formed += one;
      for (let unit = 0; unit < one.length; unit++) ranges.push([at, at + character.length]);
    }
    at += character.length;
  }
  const found = part === "" ? -1 : formed.indexOf(part);
  const [first, last] = [ranges[found], ranges[found + part.length - 1]];
  return first && last ? [first[0], last[1]] : null;
}

/** Fields that are searched by their end too. */
const numbers: ReadonlySet<string> = new Set(["mobile_number", "phone_number"]);

function rankIn(value: string, part: string, isNumber: boolean): number {
  if (part === "" || value === "") return WORST;
  if (value === part) return ranks.indexOf("whole");
  const at = value.indexOf(part);
  if (at < 0) return WORST;
  if (at === 0) return BEGINNING;
  const isWord = value.includes(` ${part}`) || (isNumber && value.endsWith(part));
  return ranks.indexOf(isWord ? "word" : "middle");
}
