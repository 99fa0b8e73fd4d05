import { MAX_AMOUNT } from "../../core/amounts/money.ts";

/** Hundredths, whole units, or the smallest unit of ISO 4217. */
export interface Unit {
  readonly unit: "minor" | "major" | "iso";
  /** With `iso`: exceptions of this provider. */
  readonly digits?: Readonly<Record<string, number>>;
}

/** Decimals of currencies that have not two (ISO 4217). */
const exponents: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ),
  ...Object.fromEntries("BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3])),
};

/** Hundredths; undefined: none above 0, or not exact. */
export function parseProviderAmount(
  text: string | undefined,
  { unit, digits: otherwise = {} }: Unit,
  currency: string | undefined,
): number | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,6}))?$/.exec(text ?? "");
  if (!match) return undefined;
  const own = otherwise[currency ?? ""] ?? exponents[currency ?? ""] ?? 2;
  const decimals = { major: 0, minor: 2, iso: own }[unit];
  const [, whole = "", fraction = ""] = match;
  // digits, and how many are decimals
  const digits = BigInt(whole + fraction);
  const after = fraction.length + decimals;
  const scale = 10n ** BigInt(Math.max(0, after - 2));
  const hundredths = after <= 2 ? digits * 10n ** BigInt(2 - after) : digits / scale;
  if (after > 2 && digits % scale !== 0n) return undefined;
  return hundredths > 0n && hundredths <= BigInt(MAX_AMOUNT) ? Number(hundredths) : undefined;
}
