import type { DueDate, Package, Period } from "./model.ts";

/** The calendar of a zone, by another way than the product's: what the zone shows for a moment is all that is asked of it. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat;
  #quarter = { index: -1, date: "" };

  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      dateStyle: "short",
      timeStyle: "medium",
    });
  }

  /** `Y-m-d H:i:s`. */
  format(seconds: number): string {
    return this.#format.format(seconds * 1000);
  }

  /** `Y-m-d`; no zone begins its day within a quarter of an hour. */
  date(seconds: number): string {
    const index = Math.floor(seconds / 900);
    if (this.#quarter.index !== index) this.#quarter = { index, date: this.format(seconds).slice(0, 10) };
    return this.#quarter.date;
  }

  /** A period of a package: from a moment, or on from the end of the period before it. */
  add(from: number | Period, { duration, unit }: Pick<Package, "duration" | "unit">): Period {
    const start = typeof from === "number" ? { until: from, due: null } : from;
    if (unit === "hour") return { until: start.until + duration * 3600, due: null };
    const due = later(start.due ?? this.#dueAt(start.until), duration, unit);
    const { year, month, day, time } = due;
    return { until: this.#momentOf(Date.UTC(year, month, Math.min(day, lastDay(due))) / 1000 + time), due };
  }

  #dueAt(moment: number): DueDate {
    const local = this.#asUtc(moment);
    return { ...dateOf(local), time: local % 86_400 };
  }

  /** What the clock on the wall shows, as if it were UTC. */
  #asUtc(seconds: number): number {
    return Date.parse(`${this.format(seconds).replace(" ", "T")}Z`) / 1000;
  }

  /** The first moment at which the wall shows this; one that is left out counts on from before. */
  #momentOf(local: number): number {
    const before = local - (this.#asUtc(local - 86_400) - (local - 86_400));
    const after = local - (this.#asUtc(local + 86_400) - (local + 86_400));
    return [before, after].find((moment) => this.#asUtc(moment) === local) ?? before;
  }
}

function later(due: DueDate, duration: number, unit: "day" | "month"): DueDate {
  if (unit === "month") return { ...due, month: due.month + duration };
  const day = Math.min(due.day, lastDay(due)) + duration;
  return { ...due, ...dateOf(Date.UTC(due.year, due.month, day) / 1000) };
}

function dateOf(utc: number): Omit<DueDate, "time"> {
  const date = new Date(utc * 1000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

function lastDay({ year, month }: DueDate): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}
