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

  /** As much of it as it needs by now: `14:31`, `Mon 22:51`, `2 Jan`, `2 Jan 2029`. */
  near(at: Seconds, now: Seconds): string {
    if (this.date(at) === this.date(now)) return this.#date(at, { timeStyle: "short" });
    if (Math.abs(now - at) < 6 * 86_400)
      return this.#date(at, { weekday: "short", hour: "2-digit", minute: "2-digit" });
    const isOfThisYear = this.#date(at, { year: "numeric" }) === this.#date(now, { year: "numeric" });
    return isOfThisYear ? this.#date(at, { day: "numeric", month: "short" }) : this.date(at);
  }

  /** `Monday 14 January`. */
  longDay(at: Seconds): string {
    return this.#date(at, { weekday: "long", day: "numeric", month: "long" });
  }

  /** `Mon 14 Jan, 22:51`. */
  weekTime(at: Seconds): string {
    return this.#date(at, {
      weekday: "short",
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
    });
  }

  /** A local month, 202601, as `January 2026`. */
  month(month: number): string {
    const at = Date.UTC(Math.floor(month / 100), (month % 100) - 1);
    const style = { month: "long", year: "numeric", timeZone: "UTC" } as const;
    return new Intl.DateTimeFormat(this.#locale, style).format(at);
  }

  /** Bits a second: `12.4 Mbit/s`. */
  bits(rate: number): string {
    const [value, unit] =
      rate >= 1e9 ? [rate / 1e9, "Gbit/s"] : rate >= 1e6 ? [rate / 1e6, "Mbit/s"] : [rate / 1e3, "kbit/s"];
    const style = { maximumFractionDigits: value < 100 ? 1 : 0 };
    return `${new Intl.NumberFormat(this.#locale, style).format(value)} ${unit}`;
  }

  /** `3 days ago`, `in 2 hours`. */
  ago(at: Seconds, now: Seconds): string {
    const seconds = at - now;
    const [size, unit] =
      Math.abs(seconds) >= 86_400
        ? ([86_400, "day"] as const)
        : Math.abs(seconds) >= 3600
          ? ([3600, "hour"] as const)
          : ([60, "minute"] as const);
    return new Intl.RelativeTimeFormat(this.#locale).format(Math.trunc(seconds / size), unit);
  }

  /** Minor units without a currency, with a real minus: `+22.00`, `−6.00`. */
  amount(minor: number, { plus = false }: { plus?: boolean } = {}): string {
    const format = new Intl.NumberFormat(this.#locale, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      signDisplay: plus ? "exceptZero" : "auto",
    });
    return format.format(minor / 100).replace("-", "\u2212");
  }

  /** `14:31:52`. */
  clock(at: Seconds): string {
    return this.#date(at, { timeStyle: "medium" });
  }

  /** A local date, 20260131, as `31 Jan`. */
  day(day: number): string {
    const at = Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100);
    return new Intl.DateTimeFormat(this.#locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(
      at,
    );
  }

  /** Hundredths of a percent. */
  taxRate(hundredths: number): string {
    const style = { style: "percent", maximumFractionDigits: 2 } as const;
    return new Intl.NumberFormat(this.#locale, style).format(hundredths / 10_000);
  }

  /** Minor units. */
  money(minor: number, currency: string): string {
    const style = { style: "currency", currency } as const;
    const { maximumFractionDigits: usual = 2 } = new Intl.NumberFormat(this.#locale, style).resolvedOptions();
    const format = new Intl.NumberFormat(this.#locale, {
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
    return new Intl.NumberFormat(this.#locale, {
      style: "unit",
      unit: UNITS[power] ?? "byte",
      unitDisplay: power === 0 ? "long" : "short",
      maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0,
    }).format(value);
  }

  percent(share: number): string {
    return new Intl.NumberFormat(this.#locale, { style: "percent", maximumFractionDigits: 0 }).format(share);
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.#locale).format(value);
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
    return new Intl.NumberFormat(this.#locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
  }

  #unit(count: number, unit: string): string {
    return new Intl.NumberFormat(this.#locale, { style: "unit", unit, unitDisplay: "short" }).format(count);
  }

  #date(at: Seconds, style: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.#locale, { ...style, timeZone: this.#zone, hourCycle: "h23" }).format(
      at * 1000,
    );
  }
}
