/** Zeros on keyboards of Arabic, Persian, Hindi and Bengali. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6];

/** The text with digits of those keyboards as Latin ones. */
export function latinDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
  });
}
