import type { Package } from "./soak-model.ts";

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
  shown(seconds: number): string {
    return this.#format.format(seconds * 1000);
  }

  /** `Y-m-d`; no zone begins its day within a quarter of an hour. */
  date(seconds: number): string {
    const index = Math.floor(seconds / 900);
    if (this.#quarter.index !== index) this.#quarter = { index, date: this.shown(seconds).slice(0, 10) };
    return this.#quarter.date;
  }

  add(from: number, { duration, unit }: Pick<Package, "duration" | "unit">): number {
    if (unit === "hour") return from + duration * 3600;
    const local = new Date(this.#asUtc(from) * 1000);
    const day = local.getUTCDate();
    if (unit === "day") local.setUTCDate(day + duration);
    else {
      local.setUTCDate(1);
      local.setUTCMonth(local.getUTCMonth() + duration);
      const last = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
      local.setUTCDate(Math.min(day, last));
    }
    return this.#momentOf(local.getTime() / 1000);
  }

  /** What the clock on the wall shows, as if it were UTC. */
  #asUtc(seconds: number): number {
    return Date.parse(`${this.shown(seconds).replace(" ", "T")}Z`) / 1000;
  }

  /** The first moment at which the wall shows this; one that is left out counts on from before. */
  #momentOf(local: number): number {
    const before = local - (this.#asUtc(local - 86_400) - (local - 86_400));
    const after = local - (this.#asUtc(local + 86_400) - (local + 86_400));
    return [before, after].find((moment) => this.#asUtc(moment) === local) ?? before;
  }
}
