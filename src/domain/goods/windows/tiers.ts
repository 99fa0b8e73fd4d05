export interface Tier {
  readonly after: number;
  readonly rate: string;
}

export const MAX_TIERS = 5;

const UNITS: readonly (readonly [string, number])[] = [
  ["TB", 1e12],
  ["GB", 1e9],
  ["MB", 1e6],
  ["kB", 1e3],
];

/** `50GB`, `1.5 TB` or `1000`; undefined: invalid. Decimal. */
export function readBytes(text: string): number | undefined {
  const read = /^(\d{1,15}(?:\.\d{1,9})?) ?(TB|GB|MB|kB|B)?$/i.exec(text.trim());
  if (!read) return undefined;
  const unit = UNITS.find(([name]) => name.toLowerCase() === read[2]?.toLowerCase())?.[1] ?? 1;
  const bytes = Math.round(Number(read[1]) * unit);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}

export function writeBytes(bytes: number): string {
  const unit = UNITS.find(([, size]) => bytes % size === 0);
  return unit ? `${bytes / unit[1]}${unit[0]}` : String(bytes);
}

/** `50GB 5M/5M; 100GB 1M/1M`, ascending. undefined: invalid, or more than five. */
export function readTiers(text: string, isRate: (rate: string) => boolean): readonly Tier[] | undefined {
  const tiers: Tier[] = [];
  for (const part of splitParts(text)) {
    const read = /^(\S+(?: ?[TGMk]?B(?= ))?) +(\S.*)$/i.exec(part);
    const after = read && readBytes(read[1] ?? "");
    const rate = read?.[2] ?? "";
    if (!after || !isRate(rate) || after <= (tiers.at(-1)?.after ?? 0)) return undefined;
    tiers.push({ after, rate });
  }
  return tiers.length > 0 && tiers.length <= MAX_TIERS ? tiers : undefined;
}

export function writeTiers(tiers: readonly Tier[]): string {
  return tiers.map(({ after, rate }) => `${writeBytes(after)} ${rate}`).join("; ");
}

/** Parts between semicolons or lines, blanks collapsed. */
export function splitParts(text: string): string[] {
  return text
    .split(/[;\n]/)
    .map((part) => part.trim().replaceAll(/\s+/g, " "))
    .filter((part) => part !== "");
}

/** A cache. */
const known = new Map<string, readonly Tier[]>();
const MAX_KNOWN = 5000;

export function parseTiers(text: string | null): readonly Tier[] {
  if (text === null) return [];
  let tiers = known.get(text);
  if (!tiers) {
    tiers = readTiers(text, () => true) ?? [];
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, tiers);
  }
  return tiers;
}
