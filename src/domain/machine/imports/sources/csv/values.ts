import { latinDigits } from "../../../../core/amounts/digits.ts";
/** Placeholders for "nothing". */
const NOTHING = /^(|-+|—|0|n\/?a|null|none|nil|never|no|unlimited|\\n|0000-00-00( 00:00:00)?)$/i;

export function isNothing(text: string): boolean {
  return NOTHING.test(text.trim());
}

export type DecimalSign = "." | ",";

/** Decides the decimal sign from all amounts; a point by default. */
export class DecimalSeen {
  readonly #counts = { ".": 0, ",": 0 };
  #either = 0;

  add(value: string): void {
    const text = bareNumber(value);
    const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
    if (last < 0) return;
    const sign = text[last] === "," ? "," : ".";
    const other = sign === "," ? "." : ",";
    const times = text.split(sign).length - 1;
    if (times > 1)
      this.#counts[other]++; // it parts thousands
    else if (text.includes(other) || text.length - last - 1 !== 3 || /^-?0[.,]/.test(text))
      this.#counts[sign]++;
    else this.#either++;
  }

  /** Whether it is certain, or values conflict. */
  get found(): { readonly sign: DecimalSign; readonly sure: boolean; readonly either: number } {
    const { ".": points, ",": commas } = this.#counts;
    const sure = points + commas === 0 ? this.#either === 0 : points === 0 || commas === 0;
    return { sign: commas > points ? "," : ".", sure, either: this.#either };
  }
}

/** `-1234.50`; undefined: no amount. Drops currencies and separators; brackets mean minus. */
export function parseAmountText(value: string, sign: DecimalSign): string | undefined {
  const text = bareNumber(value);
  const plain = text.replaceAll(sign === "," ? "." : ",", "").replace(",", ".");
  if (!/^-?(\d+(\.\d*)?|\.\d+)$/.test(plain)) return undefined;
  const [, minus = "", whole = "", decimals] = /^(-?)0*(\d*)(?:\.(\d*))?$/.exec(plain) ?? [];
  const rest = decimals === undefined ? "" : `.${decimals.replace(/0+$/, "").padEnd(2, "0")}`;
  return `${minus}${whole === "" ? "0" : whole}${rest}`;
}

function bareNumber(value: string): string {
  const isMinus = /^\s*\(.*\)\s*$/.test(value) || /^\D*[-\u2212]|-\s*$/.test(value);
  const digits = latinDigits(value)
    .replaceAll("\u066b", ".")
    .replaceAll("\u066c", ",")
    .replace(/[\s\u00a0\u202f'’()\-\u2212]/g, "")
    .replace(/^[\p{L}\p{Sc}.]+|[\p{L}\p{Sc}]+\.?$/gu, "");
  return (isMinus ? "-" : "") + digits;
}

/** The unit of a number or header in bits a second; undefined: none. */
function rateUnit(text: string): number | undefined {
  const [, prefix = ""] =
    /(?:^|[\s\d([_])([kmg]?)i?(?:b(?:it)?(?:s|ps|\/s|it\/s)?|bps)?[)\]]?\s*$/i.exec(text) ?? [];
  const scale: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9 };
  if (prefix !== "") return scale[prefix.toLowerCase()];
  return /bps|bit\/s/i.test(text) ? 1 : undefined;
}

/**
 * A RouterOS rate, `10M` or `512k`; undefined: none. Bare numbers use the header's unit; without one bits from 100,000,
 * kilobits from 1,000 and megabits below (`assumed`).
 */
export function parseRate(
  value: string,
  header: string,
): { readonly rate: string; readonly assumed?: string } | undefined {
  const [, digits] = /^(\d{1,12}(?:[.,]\d+)?)/.exec(value.trim()) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits.replace(",", "."));
  const unit = rateUnit(value.trim()) ?? rateUnit(header);
  if (unit === undefined && !/^[\d.,]+$/.test(value.trim())) return undefined;
  const [scale, assumed] = unit === undefined ? assumedScale(number) : [unit, undefined];
  const bits = Math.round(number * scale);
  return { rate: routerRate(bits), ...(assumed !== undefined && { assumed }) };
}

function assumedScale(number: number): [scale: number, unit: string] {
  if (number >= 100_000) return [1, "bit/s"];
  return number >= 1000 ? [1e3, "kbit/s"] : [1e6, "Mbit/s"];
}

function routerRate(bits: number): string {
  if (bits > 0 && bits % 1e6 === 0) return `${bits / 1e6}M`;
  return bits > 0 && bits % 1000 === 0 ? `${bits / 1000}k` : String(bits);
}

const BYTES: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** `100 GB`, or in the header's unit, else bytes; undefined: none. */
export function parseBytes(value: string, header: string): number | undefined {
  const [, digits, unit] = /^(\d+(?:[.,]\d+)?)\s*([kmgt]?)i?b?(?:ytes?)?$/i.exec(value.trim()) ?? [];
  if (digits === undefined) return undefined;
  const [, ofHeader = ""] = /(?:^|[\s([_])([kmgt])i?b?[)\]]?\s*$/i.exec(header) ?? [];
  const scale = BYTES[(unit || ofHeader).toLowerCase()] ?? 1;
  const bytes = Math.round(Number(digits.replace(",", ".")) * scale);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

const UNITS: readonly (readonly [RegExp, "hour" | "day" | "month", number])[] = [
  [/^(h|hr|hrs|hours?|horas?|heures?|stunden?|saat|jam|час\p{L}*|ساع\p{L}*)$/u, "hour", 1],
  [/^(d|days?|dias?|jours?|tage?|gun|hari|siku|дн\p{L}*|день|يوم|ايام|أيام|دن|दिन)$/u, "day", 1],
  [/^(w|wk|weeks?|semanas?|semaines?|wochen?|hafta|minggu|недел\p{L}*)$/u, "day", 7],
  [
    /^(m|mo|mon|mths?|months?|mes|meses|mois|monate?|ay|bulan|mwezi|месяц\p{L}*|мес|شهر|اشهر|ماہ|महीने|महीना)$/u,
    "month",
    1,
  ],
  [/^(y|yr|yrs|years?|anos?|ans?|annees?|jahre?|yil|tahun|лет|год\p{L}*|سنة)$/u, "month", 12],
];

/** `30 days`, or in a named unit; undefined: none. */
export function parseDurationText(value: string, unitText: string) {
  const [, digits, own = ""] = /^(\d{1,5})\s*(\p{L}*)\.?$/u.exec(plain(value)) ?? [];
  const words = own !== "" ? [own] : plain(unitText).split(/[^\p{L}]+/u);
  const unit = words
    .map((word) => UNITS.find(([form]) => form.test(word)))
    .find((found) => found !== undefined);
  if (digits === undefined || !unit || Number(digits) === 0) return undefined;
  return { count: Number(digits) * unit[2], unit: unit[1] };
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .replaceAll("\u0131", "i")
    .trim()
    .toLowerCase();
}

/** `own`: the router's own user. `static`: no login. */
export type ConnectionWord = "ppp" | "hotspot" | "own_ppp" | "own_hotspot" | "static" | "any";

const CONNECTIONS: readonly (readonly [RegExp, ConnectionWord])[] = [
  [/^(1|ppp|pppoe|ppp oe|radius pppoe|pptp|l2tp|vpn)$/, "ppp"],
  [/^(2|hotspot|radius hotspot|hot spot|wifi|wi fi|captive|captive portal)$/, "hotspot"],
  [/^(3|router pppoe|local pppoe|mikrotik pppoe)$/, "own_ppp"],
  [/^(4|router hotspot|local hotspot|mikrotik hotspot)$/, "own_hotspot"],
  [/^(5|static|static ip|static address|ip fija|ip fixo|manual)$/, "static"],
  [/^(0|any|all|both|)$/, "any"],
];

export function parseConnection(value: string): ConnectionWord | undefined {
  const word = value
    .trim()
    .toLowerCase()
    .replace(/[\s_\-/]+/g, " ");
  return CONNECTIONS.find(([form]) => form.test(word))?.[1];
}
