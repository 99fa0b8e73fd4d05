/**
 * An amount as somebody typed it, without commas that part its thousands: `2,000` is 2000. Any other comma stays, and is a fault of
 * the field: `22,50` is not 2,250.
 */
export function ungrouped(typed: string): string {
  return /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(typed) ? typed.replaceAll(",", "") : typed;
}
