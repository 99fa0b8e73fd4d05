/** The alphabet of text messages (3GPP TS 23.038, 6.2.1), and what of it takes two places. */
const PLAIN =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const DOUBLE = "\f^{}\\[~]|€";
const plain = new Set(PLAIN);
const double = new Set(DOUBLE);

/** How many text messages a text is, as gateways count and charge them; a letter beyond the alphabet halves what one holds. */
export function smsParts(text: string): number {
  if (text === "") return 0;
  const signs = [...text];
  const isPlain = signs.every((sign) => plain.has(sign) || double.has(sign));
  const [alone, each] = isPlain ? [160, 153] : [70, 67];
  const sizeOf = (sign: string) => (isPlain ? (double.has(sign) ? 2 : 1) : sign.length);
  const total = signs.reduce((sum, sign) => sum + sizeOf(sign), 0);
  if (total <= alone) return 1;
  // what takes two places is not cut in two
  let parts = 1;
  let filled = 0;
  for (const sign of signs) {
    const size = sizeOf(sign);
    if (filled + size > each) {
      parts++;
      filled = 0;
    }
    filled += size;
  }
  return parts;
}
