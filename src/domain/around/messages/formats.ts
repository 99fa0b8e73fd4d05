import { formatAmount } from "../../core/amounts/money.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Right-to-left languages. */
const FROM_THE_RIGHT = new Set(["ar", "ur"]);

/** A language's words, with Latin digits and Gregorian dates. */
export class MessageFormat {
  readonly #locale: string;
  readonly #isFromTheRight: boolean;
  readonly #zone = Temporal.Now.timeZoneId();

  constructor(language: string) {
    this.#locale = new Intl.Locale(language, { numberingSystem: "latn", calendar: "gregory" }).toString();
    this.#isFromTheRight = FROM_THE_RIGHT.has(language);
  }

  date(at: Seconds): string {
    return this.#formatted(at, { dateStyle: "medium" });
  }

  time(at: Seconds): string {
    return this.#formatted(at, { dateStyle: "medium", timeStyle: "short" });
  }

  money(minor: number, currency: string): string {
    return `${formatAmount(minor)} ${currency}`;
  }

  bytes(count: number): string {
    const units = ["B", "kB", "MB", "GB", "TB"];
    let [value, unit] = [count, 0];
    while (value >= 1000 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    return `${Math.round(value * 10) / 10} ${units[unit]}`;
  }

  placed(value: string): string {
    const line = value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
    return this.#isFromTheRight && line !== "" ? `\u2068${line}\u2069` : line;
  }

  #formatted(at: Seconds, options: Intl.DateTimeFormatOptions): string {
    // the narrow space before AM is not in GSM-7
    return new Intl.DateTimeFormat(this.#locale, { ...options, timeZone: this.#zone })
      .format(at * 1000)
      .replaceAll(/[\u202f\u00a0]/g, " ");
  }
}
