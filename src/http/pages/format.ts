import { localDay, parseTime, type Seconds } from "../../domain/core/time/time.ts";
import { portalWords, type Words } from "../words/languages.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"];
const FROM_THE_RIGHT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const RATES: Readonly<Record<string, number>> = { "": 1, k: 1e3, M: 1e6, G: 1e9 };

type Rate = readonly [value: string, unit: string];

/** A time as `formatTime` writes it. */
const WRITTEN_TIME = /\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g;

const A_MONDAY = 20300107;

/**
 * Numbers, money and times of a locale in the server's zone. Always Latin digits and the Gregorian calendar, as on invoices and
 * routers: amounts are compared and typed. Each is isolated on right-to-left pages.
 */
export class Format {
  readonly #locale: string;
  readonly #words: Pick<Words, "dir" | "units">;
  readonly #zone = Temporal.Now.timeZoneId();
  readonly #numbers = new Map<string, Intl.NumberFormat>();
  readonly #dates = new Map<string, Intl.DateTimeFormat>();

  constructor(locale: string, words: Pick<Words, "dir" | "units"> = portalWords("en")) {
    this.#locale = new Intl.Locale(locale, { numberingSystem: "latn", calendar: "gregory" }).toString();
    this.#words = words;
  }

  /** Isolated stored text. */
  name(text: string): string {
    const isForeign = this.#words.dir === "rtl" || FROM_THE_RIGHT.test(text);
    return isForeign ? isolate(text) : text;
  }

  /** `25 Jan 2030, 12:00`. */
  time(at: Seconds): string {
    return this.#date(at, { dateStyle: "medium", timeStyle: "short" });
  }

  /** Domain text with times reformatted. */
  times(text: string): string {
    return text.replace(WRITTEN_TIME, (written) => {
      const at = parseTime(written);
      return at === undefined ? written : this.time(at);
    });
  }

  /** `25 Jan 2030`. */
  date(at: Seconds): string {
    return this.#date(at, { dateStyle: "medium" });
  }

  /** Without the date if today. */
  timeNear(at: Seconds, now: Seconds): string {
    return this.date(at) === this.date(now) ? this.timeOfDay(at) : this.time(at);
  }

  /** As short as possible: `14:31`, `Mon 22:51`, `2 Jan`, `2 Jan 2029`. */
  near(at: Seconds, now: Seconds): string {
    if (this.date(at) === this.date(now)) return this.timeOfDay(at);
    if (Math.abs(now - at) < 6 * 86_400)
      return this.#date(at, { weekday: "short", hour: "2-digit", minute: "2-digit" });
    const isThisYear = this.#date(at, { year: "numeric" }) === this.#date(now, { year: "numeric" });
    return isThisYear ? this.#date(at, { day: "numeric", month: "short" }) : this.date(at);
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
  yearMonth(month: number): string {
    const at = Date.UTC(Math.floor(month / 100), (month % 100) - 1);
    return this.#dated(at, { month: "long", year: "numeric", timeZone: "UTC" });
  }

  /** Bits a second: `12.4 Mbit/s`. */
  bits(rate: number): string {
    const { kbit, Mbit, Gbit } = this.#words.units;
    const [value, unit] =
      rate >= 1e9 ? [rate / 1e9, Gbit] : rate >= 1e6 ? [rate / 1e6, Mbit] : [rate / 1e3, kbit];
    const format = this.#numbered({ maximumFractionDigits: value < 100 ? 1 : 0 });
    return this.#own(`${format.format(value)} ${unit}`);
  }

  /** `252 ms`. */
  milliseconds(count: number): string {
    return this.#own(this.#words.units.ms(this.number(count)));
  }

  /** `3 days ago`, `in 2 hours`. */
  ago(at: Seconds, now: Seconds): string {
    const seconds = at - now || -0; // just now is past
    const [size, unit] =
      Math.abs(seconds) >= 86_400
        ? ([86_400, "day"] as const)
        : Math.abs(seconds) >= 3600
          ? ([3600, "hour"] as const)
          : ([60, "minute"] as const);
    return this.#own(new Intl.RelativeTimeFormat(this.#locale).format(Math.trunc(seconds / size), unit));
  }

  clock(at: Seconds): string {
    return this.#date(at, { timeStyle: "medium" });
  }

  timeOfDay(at: Seconds): string {
    return this.#date(at, { timeStyle: "short" });
  }

  day(day: number): string {
    return this.#dated(toMidday(day), { day: "numeric", month: "short", timeZone: "UTC" });
  }

  /** Hundredths of a percent. */
  taxRate(hundredths: number): string {
    return this.#own(
      this.#numbered({ style: "percent", maximumFractionDigits: 2 }).format(hundredths / 10_000),
    );
  }

  money(minor: number, currency: string): string {
    const style = { style: "currency", currency } as const;
    const { maximumFractionDigits: usual = 2 } = this.#numbered(style).resolvedOptions();
    const format = this.#numbered({
      ...style,
      minimumFractionDigits: Math.min(usual, 2),
      maximumFractionDigits: 2,
    });
    return this.#own(unmarked(format.format(minor / 100)));
  }

  sum(minor: number, currency: string): string {
    return this.money(minor, currency).replace("-", "\u2212");
  }

  /** `84.2 GB`, by thousands. */
  bytes(octets: number): string {
    const power = octets < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(octets) / 3));
    const value = octets / 1000 ** power;
    const format = this.#numbered({
      style: "unit",
      unit: UNITS[power] ?? "byte",
      unitDisplay: power === 0 ? "long" : "short",
      maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0,
    });
    return this.#own(format.format(value));
  }

  /** `Fri 18 Jan`, of a local date. */
  weekday(day: number): string {
    return this.#dated(toMidday(day), {
      weekday: "short",
      day: "numeric",
      month: "short",
      timeZone: "UTC",
    });
  }

  /** `Mon`: 0 is Monday. */
  dayOfWeek(day: number): string {
    return this.#dated(toMidday(A_MONDAY + day), { weekday: "short", timeZone: "UTC" });
  }

  /** From one local date to another: `1 – 15 January 2030`. */
  dayRange(first: number, last: number): string {
    return this.#range(first, last, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  }

  /** The same in few words: `1 – 15 Jan`; of one day `1 Jan`. */
  shortDayRange(first: number, last: number): string {
    return this.#range(first, last, { day: "numeric", month: "short", timeZone: "UTC" });
  }

  /** The months of two local dates: `Feb 2029 – Jan 2030`. */
  monthRange(first: number, last: number): string {
    return this.#range(first, last, { month: "short", year: "numeric", timeZone: "UTC" });
  }

  #range(first: number, last: number, style: Intl.DateTimeFormatOptions): string {
    const make = () => new Intl.DateTimeFormat(this.#locale, style);
    const format = this.#dates.getOrInsertComputed(JSON.stringify(style), make);
    return this.#own(format.formatRange(toMidday(first), toMidday(last)));
  }

  /** `Jan`, of a local month, 202601. */
  shortMonth(month: number): string {
    return this.#dated(toMidday(month * 100 + 1), { month: "short", timeZone: "UTC" });
  }

  /** `January`, of a local date. */
  month(day: number): string {
    return this.#dated(toMidday(day), { month: "long", timeZone: "UTC" });
  }

  /** `Tuesday 15 January 2030, 14:32`. */
  wholeTime(at: Seconds): string {
    return this.#date(at, { dateStyle: "full", timeStyle: "short" });
  }

  /** Minor units without currency: `1,284.00`, `−6.00`; `plus`: `+22.00`; `round`: `1,284`. */
  amount(minor: number, { plus = false, round = false }: { plus?: boolean; round?: boolean } = {}): string {
    const digits = round ? 0 : 2;
    const format = this.#numbered({
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      signDisplay: plus ? "exceptZero" : "negative",
    });
    return this.#own(format.format(minor / 100).replace("-", "\u2212"));
  }

  /** `US$`. */
  currencySign(currency: string): string {
    const parts = this.#numbered({ style: "currency", currency }).formatToParts(0);
    return this.#own(parts.find(({ type }) => type === "currency")?.value ?? currency);
  }

  /** Whether the language has the sign behind the amount, as `18,00 US$`. */
  isSignLast(currency: string): boolean {
    const parts = this.#numbered({ style: "currency", currency }).formatToParts(0);
    return (
      parts.findIndex(({ type }) => type === "currency") > parts.findIndex(({ type }) => type === "integer")
    );
  }

  /** `20 million`, for zeros are not counted by eye; null: too small. */
  spoken(minor: number): string | null {
    if (Math.abs(minor) < 100_000) return null;
    const style = { notation: "compact", compactDisplay: "long", maximumFractionDigits: 6 } as const;
    return this.#own(this.#numbered(style).format(minor / 100));
  }

  change(difference: number): string {
    const text = this.#numbered({ signDisplay: "exceptZero" }).format(difference);
    return this.#own(text.replace("-", "−"));
  }

  /** `+5.6 %`. */
  changePercent(share: number): string {
    const style = { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
    return this.#own(
      this.#numbered({ ...style, signDisplay: "exceptZero" })
        .format(share)
        .replace("-", "−"),
    );
  }

  /** `20 M` of bits a second. */
  rate(bits: number): string {
    const [by, unit] =
      bits >= 1e9 ? [1e9, "G"] : bits >= 1e6 ? [1e6, "M"] : bits >= 1e3 ? [1e3, "k"] : [1, ""];
    const text = this.#numbered({ maximumFractionDigits: 1 }).format(bits / by);
    return this.#own(unit === "" ? text : `${text} ${unit}`);
  }

  share(share: number): string {
    return this.#own(
      this.#numbered({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share),
    );
  }

  percent(share: number): string {
    return this.#own(this.#numbered({ style: "percent", maximumFractionDigits: 0 }).format(share));
  }

  number(value: number): string {
    return this.#numbered({}).format(value);
  }

  /** `2h 5m`: the two largest units. */
  duration(seconds: Seconds): string {
    const parts: [number, string][] = [
      [Math.floor(seconds / 86_400), "day"],
      [Math.floor((seconds % 86_400) / 3600), "hour"],
      [Math.floor((seconds % 3600) / 60), "minute"],
    ];
    const first = parts.findIndex(([count]) => count > 0);
    if (first === -1) return this.#unit(Math.max(0, Math.floor(seconds)), "second");
    return parts
      .slice(first, first + 2)
      .filter(([count]) => count > 0)
      .map(([count, unit]) => this.#unit(count, unit))
      .join(" ");
  }

  /** From the subscriber's side; undefined: no limit. */
  speed(rateLimit: string | null): { down: string; up: string } | undefined {
    const rates = this.#rates(rateLimit);
    return rates && { down: this.#own(rates.down.join(" ")), up: this.#own(rates.up.join(" ")) };
  }

  /** The same in few words: `30 / 10 Mbit/s`; of two units as `apart` says them. */
  speeds(rateLimit: string | null, apart: (down: string, up: string) => string): string | undefined {
    const { down, up } = this.#rates(rateLimit) ?? {};
    if (!down || !up) return undefined;
    return down[1] === up[1]
      ? this.#own(`${down[0]} / ${up.join(" ")}`)
      : apart(this.#own(down.join(" ")), this.#own(up.join(" ")));
  }

  #rates(rateLimit: string | null): { down: Rate; up: Rate } | undefined {
    const [, up = "", upUnit = "", down = up, downUnit = upUnit] =
      /^(\d+)([kMG]?)(?:\/(\d+)([kMG]?))?(?: |$)/.exec(rateLimit ?? "") ?? [];
    if (up === "" || (Number(up) === 0 && Number(down) === 0)) return undefined;
    return { down: this.#rate(down, downUnit), up: this.#rate(up, upUnit) };
  }

  #rate(digits: string, unit: string): Rate {
    const bits = Number(digits) * (RATES[unit] ?? 1);
    const { kbit, Mbit, Gbit } = this.#words.units;
    const [value, name] =
      bits < 1e6 ? [bits / 1e3, kbit] : bits < 1e9 ? [bits / 1e6, Mbit] : [bits / 1e9, Gbit];
    return [this.number(value), name];
  }

  /** `1 month`. */
  span(count: number, unit: "second" | "minute" | "hour" | "day" | "month"): string {
    return this.#own(this.#numbered({ style: "unit", unit, unitDisplay: "long" }).format(count));
  }

  /** `Fri 25 Jan`. */
  shortDay(at: Seconds): string {
    return this.#date(at, { weekday: "short", day: "numeric", month: "short" }).replace(",", "");
  }

  isSameDay(one: Seconds, other: Seconds): boolean {
    return localDay(one) === localDay(other);
  }

  #unit(count: number, unit: string): string {
    return this.#own(this.#numbered({ style: "unit", unit, unitDisplay: "narrow" }).format(count));
  }

  #date(at: Seconds, style: Intl.DateTimeFormatOptions): string {
    return this.#dated(at * 1000, { ...style, timeZone: this.#zone, hourCycle: "h23" });
  }

  #dated(at: number, style: Intl.DateTimeFormatOptions): string {
    const make = () => new Intl.DateTimeFormat(this.#locale, style);
    return this.#own(this.#dates.getOrInsertComputed(JSON.stringify(style), make).format(at));
  }

  #numbered(style: Intl.NumberFormatOptions): Intl.NumberFormat {
    const make = () => new Intl.NumberFormat(this.#locale, style);
    return this.#numbers.getOrInsertComputed(JSON.stringify(style), make);
  }

  #own(text: string): string {
    return this.#words.dir === "rtl" ? isolate(text) : text;
  }
}

/** Cached formats of a language, because clients choose the locale. */
const MOST = 64;
const made = new WeakMap<object, Map<string, Format>>();

/** The format, cached, for making formatters takes longer than a page. */
export function cachedFormat(locale: string, words: Pick<Words, "dir" | "units">): Format {
  const known = made.get(words) ?? new Map<string, Format>();
  made.set(words, known);
  const key = `${locale} ${Temporal.Now.timeZoneId()}`; // the zone is a setting
  const [oldest] = known.keys();
  if (!known.has(key) && known.size >= MOST && oldest !== undefined) known.delete(oldest);
  return known.getOrInsertComputed(key, () => new Format(locale, words));
}

/** The amount without direction marks for Latin currencies, which they would tear apart. */
function unmarked(amount: string): string {
  return FROM_THE_RIGHT.test(amount) ? amount : amount.replace(/[\u200e\u200f]/g, "");
}

function toMidday(day: number): number {
  return Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100, 12);
}

/** The text between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. */
function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
