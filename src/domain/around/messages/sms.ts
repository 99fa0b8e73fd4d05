/** Characters of the default alphabet of text messages (3GPP TS 23.038), and those that take two places in it. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const extended = new Set("\f^{}\\[~]|€");

export interface SmsLength {
  /** `gsm` while every character is of the default alphabet, else `ucs2`. */
  readonly coding: "gsm" | "ucs2";
  /** Places taken, in septets or in units of 16 bits. */
  readonly places: number;
  /** Messages that it is sent and charged as. */
  readonly segments: number;
  /** Places still free in the last of them. */
  readonly left: number;
  /** The characters that are not of the default alphabet, each once, the first five. */
  readonly foreign: readonly string[];
}

/** How long a text is as a text message. One alone has 160 or 70 places; each of several has 153 or 67, and no character is cut in two. */
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
