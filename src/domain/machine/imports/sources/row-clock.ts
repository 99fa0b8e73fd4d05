import { sourceTime } from "../dates.ts";
import type { Seconds } from "../../../core/time/time.ts";

const DAY = 86_400;

/** Parses millions of times: a day is looked up once, unless its clocks change. */
export class RowClock {
  readonly #zone: string;
  readonly #days = new Map<string, Seconds | null>();

  constructor(zone: string) {
    this.#zone = zone;
  }

  /** `2026-11-22 10:00:00`, optional fraction and offset; undefined for none and zeros. */
  seconds(text: string): Seconds | undefined {
    if (text.length < 19 || text.startsWith("0000")) return undefined;
    const midnight = text.length === 19 ? this.#midnight(text.slice(0, 10)) : null;
    if (midnight === null) return sourceTime(text, this.#zone);
    const sum = midnight + twoDigits(text, 11) * 3600 + twoDigits(text, 14) * 60 + twoDigits(text, 17);
    return Number.isNaN(sum) ? undefined : sum;
  }

  /** null: the clocks change that day, or invalid. */
  #midnight(day: string): Seconds | null {
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const [from, to] = [sourceTime(`${day} 00:00:00`, this.#zone), sourceTime(`${day} 23:59:59`, this.#zone)];
    const midnight = from !== undefined && to !== undefined && to - from === DAY - 1 ? from : null;
    if (this.#days.size < 20_000) this.#days.set(day, midnight);
    return midnight;
  }
}

function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
