/** GSM-7 (3GPP TS 23.038, 6.2.1), and its two-septet characters. */
const PLAIN =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const DOUBLE = "\f^{}\\[~]|€";
const plain = new Set(PLAIN);
const double = new Set(DOUBLE);

/** Billed parts; a character beyond GSM-7 halves their size. */
export function smsParts(text: string): number {
  if (text === "") return 0;
  const signs = [...text];
  const isPlain = signs.every((sign) => plain.has(sign) || double.has(sign));
  const [alone, each] = isPlain ? [160, 153] : [70, 67];
  const sizeOf = (sign: string) => (isPlain ? (double.has(sign) ? 2 : 1) : sign.length);
  const total = signs.reduce((sum, sign) => sum + sizeOf(sign), 0);
  if (total <= alone) return 1;
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
