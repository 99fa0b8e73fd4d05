import type { Seconds } from "../../domain/time.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"];
const RATES: Readonly<Record<string, number>> = { "": 1, k: 1e3, M: 1e6, G: 1e9 };

/** Numbers, money and times as people of a locale write them; times in the server's zone. */
export class Format {
  readonly #locale: string;
  readonly #zone = Temporal.Now.timeZoneId();

  constructor(locale: string) {
    this.#locale = locale;
  }

  /** `25 Jan 2030, 12:00`. */
  time(at: Seconds): string {
    return this.#date(at, { dateStyle: "medium", timeStyle: "short" });
  }

  /** `25 Jan 2030`. */
  date(at: Seconds): string {
    return this.#date(at, { dateStyle: "medium" });
  }

  /** The time alone where it is of today. */
  timeNear(at: Seconds, now: Seconds): string {
    return this.date(at) === this.date(now) ? this.#date(at, { timeStyle: "short" }) : this.time(at);
  }

  /** A local date, 20260131, as `31 Jan`. */
  day(day: number): string {
    return dates(this.#locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(middayOf(day));
  }

  /** Hundredths of a percent. */
  taxRate(hundredths: number): string {
    const style = { style: "percent", maximumFractionDigits: 2 } as const;
    return numbers(this.#locale, style).format(hundredths / 10_000);
  }

  /** Minor units. */
  money(minor: number, currency: string): string {
    const style = { style: "currency", currency } as const;
    const { maximumFractionDigits: usual = 2 } = numbers(this.#locale, style).resolvedOptions();
    const format = numbers(this.#locale, {
      ...style,
      minimumFractionDigits: Math.min(usual, 2),
      maximumFractionDigits: 2,
    });
    return format.format(minor / 100);
  }

  /** `84.2 GB`, by thousands. */
  bytes(octets: number): string {
    const power = octets < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(octets) / 3));
    const value = octets / 1000 ** power;
    return numbers(this.#locale, {
      style: "unit",
      unit: UNITS[power] ?? "byte",
      unitDisplay: power === 0 ? "long" : "short",
      maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0,
    }).format(value);
  }

  /** `Fri 18 Jan`, of a local date. */
  weekday(day: number): string {
    const style = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
    return dates(this.#locale, style).format(middayOf(day));
  }

  /** `January`, of a local date. */
  month(day: number): string {
    return dates(this.#locale, { month: "long", timeZone: "UTC" }).format(middayOf(day));
  }

  /** `Tuesday 15 January 2030, 14:32`. */
  wholeTime(at: Seconds): string {
    return this.#date(at, { dateStyle: "full", timeStyle: "short" });
  }

  /** Minor units without their currency, whose sign stands elsewhere: `1,284.00`; `round`: `1,284`. */
  amount(minor: number, { round = false }: { round?: boolean } = {}): string {
    const digits = round ? 0 : 2;
    const style = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return numbers(this.#locale, style).format(minor / 100);
  }

  /** `US$`. */
  currencySign(currency: string): string {
    const parts = numbers(this.#locale, { style: "currency", currency }).formatToParts(0);
    return parts.find(({ type }) => type === "currency")?.value ?? currency;
  }

  /** `+32`, `−5`. */
  change(difference: number): string {
    return numbers(this.#locale, { signDisplay: "exceptZero" }).format(difference).replace("-", "−");
  }

  /** `+5.6 %`, of what was before. */
  changePercent(share: number): string {
    const style = { style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" } as const;
    return numbers(this.#locale, style).format(share).replace("-", "−");
  }

  /** `20 M` of bits a second. */
  rate(bits: number): string {
    const [by, unit] =
      bits >= 1e9 ? [1e9, "G"] : bits >= 1e6 ? [1e6, "M"] : bits >= 1e3 ? [1e3, "k"] : [1, ""];
    return `${numbers(this.#locale, { maximumFractionDigits: 1 }).format(bits / by)}${unit && ` ${unit}`}`;
  }

  percent(share: number): string {
    return numbers(this.#locale, { style: "percent", maximumFractionDigits: 0 }).format(share);
  }

  number(value: number): string {
    return numbers(this.#locale).format(value);
  }

  /** `2 hr 5 min`: the two largest units. */
  duration(seconds: Seconds): string {
    const parts: [number, string][] = [
      [Math.floor(seconds / 86_400), "day"],
      [Math.floor((seconds % 86_400) / 3600), "hour"],
      [Math.floor((seconds % 3600) / 60), "minute"],
    ];
    const first = parts.findIndex(([count]) => count > 0);
    if (first === -1) return this.#unit(Math.floor(seconds), "second");
    return parts
      .slice(first, first + 2)
      .filter(([count]) => count > 0)
      .map(([count, unit]) => this.#unit(count, unit))
      .join(" ");
  }

  /** Both directions of a rate limit of RouterOS, which the router sees from its own side; undefined when it is none. */
  speed(rateLimit: string | null): { down: string; up: string } | undefined {
    const [, up = "", upUnit = "", down = up, downUnit = upUnit] =
      /^(\d+)([kMG]?)(?:\/(\d+)([kMG]?))?(?: |$)/.exec(rateLimit ?? "") ?? [];
    if (up === "") return undefined;
    return { down: this.#rate(down, downUnit), up: this.#rate(up, upUnit) };
  }

  #rate(digits: string, unit: string): string {
    const bits = Number(digits) * (RATES[unit] ?? 1);
    const [value, name] =
      bits < 1e6 ? [bits / 1e3, "kbit/s"] : bits < 1e9 ? [bits / 1e6, "Mbit/s"] : [bits / 1e9, "Gbit/s"];
    return `${this.number(value)} ${name}`;
  }

  /** `1 month`. */
  span(count: number, unit: "hour" | "day" | "month"): string {
    return numbers(this.#locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
  }

  #unit(count: number, unit: string): string {
    return numbers(this.#locale, { style: "unit", unit, unitDisplay: "short" }).format(count);
  }

  #date(at: Seconds, style: Intl.DateTimeFormatOptions): string {
    return dates(this.#locale, { ...style, timeZone: this.#zone, hourCycle: "h23" }).format(at * 1000);
  }
}

/** A local date, 20260131, in UTC. */
function middayOf(day: number): number {
  return Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100, 12);
}

/* To make a formatter takes a hundred times as long as to format with it, and a page has hundreds of figures. */
const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function numbers(locale: string, style: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = locale + JSON.stringify(style);
  const made = numberFormats.get(key) ?? new Intl.NumberFormat(locale, style);
  numberFormats.set(key, made);
  return made;
}

function dates(locale: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(style);
  const made = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, style);
  dateFormats.set(key, made);
  return made;
}
