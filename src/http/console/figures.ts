import type { Seconds } from "../../domain/core/time/time.ts";
import type { Words } from "../words/languages.ts";

type Names = Pick<Words, "tag" | "units">;

/** Formats hundreds of rows in one language: making a formatter takes longer than using it. */
export class Figures {
  readonly #one: Intl.NumberFormat;
  readonly #three: Intl.NumberFormat;
  readonly #clock: Intl.DateTimeFormat;
  readonly #short: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #units: Words["units"];

  constructor({ tag, units }: Names) {
    const locale = new Intl.Locale(tag, { numberingSystem: "latn", calendar: "gregory" });
    this.#units = units;
    this.#one = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    this.#three = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
    const time = (style: "medium" | "short") =>
      new Intl.DateTimeFormat(locale, { timeStyle: style, hourCycle: "h23", timeZone: zone() });
    this.#clock = time("medium");
    this.#short = time("short");
    this.#day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: zone() });
  }

  /** Bits a second to megabits: `94.2`. */
  megabits(bits: number): string {
    return this.#one.format(bits / 1e6);
  }

  /** Bits a second to `2.84`, `Gbit/s`. */
  rate(bits: number): { value: string; unit: string } {
    const { kbit, Mbit, Gbit } = this.#units;
    const [size, unit] = bits >= 1e9 ? [1e9, Gbit] : bits >= 1e6 ? [1e6, Mbit] : [1e3, kbit];
    return { value: this.#three.format(bits / size), unit };
  }

  /** Bits a second for an axis: `2 G`. */
  axis(bits: number): string {
    if (bits === 0) return "0";
    const sign = bits >= 1e9 ? "G" : bits >= 1e6 ? "M" : "k";
    return `${this.rate(bits).value} ${sign}`;
  }

  clock(at: Seconds): string {
    return this.#clock.format(at * 1000);
  }

  time(at: Seconds): string {
    return this.#short.format(at * 1000);
  }

  day(at: Seconds): string {
    return this.#day.format(at * 1000);
  }
}

const zone = () => Temporal.Now.timeZoneId();

const known = new Map<string, Figures>();

/** Figures, kept by language and time zone, of which there are few. */
export function cachedFigures({ words }: { readonly words: Names }): Figures {
  const key = `${words.tag} ${zone()}`;
  const made = known.get(key) ?? new Figures(words);
  known.set(key, made);
  return made;
}
