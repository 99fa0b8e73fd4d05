/** GSM-7, and its two-septet characters (3GPP TS 23.038). */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const extended = new Set("\f^{}\\[~]|€");

export interface SmsLength {
  /** `ucs2` for any other character. */
  readonly coding: "gsm" | "ucs2";
  /** Septets or 16-bit units. */
  readonly places: number;
  /** Billed parts. */
  readonly segments: number;
  /** In the last one. */
  readonly left: number;
  /** The first five beyond GSM-7. */
  readonly foreign: readonly string[];
}

/** One has 160 or 70 places, each of several 153 or 67; no character is split. */
export function smsLength(text: string): SmsLength {
  const characters = [...text];
  const foreign = new Set(characters.filter((one) => !basic.has(one) && !extended.has(one)));
  const coding = foreign.size === 0 ? "gsm" : "ucs2";
  const widths = characters.map((one) => (coding === "ucs2" ? one.length : extended.has(one) ? 2 : 1));
  const places = widths.reduce((sum, width) => sum + width, 0);
  const [alone, each] = coding === "gsm" ? [160, 153] : [70, 67];
  const result = { coding, places, foreign: [...foreign].slice(0, 5) } as const;
  if (places <= alone) return { ...result, segments: places === 0 ? 0 : 1, left: alone - places };
  let segments = 1;
  let used = 0;
  for (const width of widths) {
    if (used + width > each) {
      segments++;
      used = 0;
    }
    used += width;
  }
  return { ...result, segments, left: each - used };
}
