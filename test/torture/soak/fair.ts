import type { Calendar } from "./calendar.ts";
import type { Package, Service } from "./model.ts";

/** Slower rates after so many octets of a day, another one at night, in which nothing counts, and one on weekends, in which it does. */
export interface FairTerms {
  readonly tiers: readonly { readonly after: number; readonly rate: string }[];
  readonly night: string;
  readonly weekend: string;
}

/** What a top-up adds; `stays`: what is left of it at midnight is there the next day. */
export interface TopUp {
  readonly id: number;
  readonly price: number;
  readonly octets: number;
  readonly days: number;
  readonly stays: boolean;
}

/** In the words of the import format: from ten in the evening to six, and on both days of the weekend from ten to two. */
export function fairWords({ tiers, night, weekend }: FairTerms) {
  return {
    tiers: tiers.map(({ after, rate }) => `${after} ${rate}`).join("; "),
    hours: `daily 22:00-06:00 free ${night}; sat,sun 10:00-14:00 ${weekend}`,
    fair_window: "day",
  };
}

/** The counters of a day. */
export interface Day {
  date: string;
  free: number;
  extra: number;
  /** Of `extra`, what stays at the end of the day. */
  staying: number;
}

type Kind = "free" | "weekend" | "plain";

/** What the wall shows decides, minute by minute: another way than the product's, which looks from boundary to boundary. */
export class FairClock {
  readonly #calendar: Calendar;
  readonly #minutes = new Map<number, { date: string; kind: Kind }>();

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  at(seconds: number): { date: string; kind: Kind } {
    const minute = Math.floor(seconds / 60);
    let known = this.#minutes.get(minute);
    if (!known) {
      const [date = "", time = ""] = this.#calendar.format(minute * 60).split(" ");
      const hour = Number(time.slice(0, 2));
      const isWeekend = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
      const kind =
        hour >= 22 || hour < 6 ? "free" : isWeekend && hour >= 10 && hour < 14 ? "weekend" : "plain";
      this.#minutes.set(minute, (known = { date, kind }));
    }
    return known;
  }

  /** The counters as they are at a moment. */
  today(service: Service, now: number): { used: number; extra: number } {
    const { date } = this.at(now);
    const { day, used, sold } = service;
    if (!day || !sold.fair || date <= day.date) return { used, extra: day?.extra ?? 0 };
    return { used: 0, extra: left(day, used, sold) };
  }

  rate(service: Service, now: number): string {
    const { sold } = service;
    if (!sold.fair) return sold.rate;
    const { used, extra } = this.today(service, now);
    const { kind } = this.at(now);
    if (kind === "free") return sold.fair.night;
    const reached = sold.fair.tiers.findLast(({ after }) => used >= after + extra);
    return reached?.rate ?? (kind === "weekend" ? sold.fair.weekend : sold.rate);
  }

  /** Octets that went by evenly in so many seconds before a moment. */
  use(service: Service, octets: number, { at, seconds }: { at: number; seconds: number }): void {
    const { day } = service;
    if (!day || at < service.activatedAt) return;
    const from = at - seconds;
    let [begun, done] = [seconds > 0 ? from : at, 0];
    while (done < octets || begun < at) {
      const now = this.at(begun);
      let end = (Math.floor(begun / 60) + 1) * 60;
      while (end < at && this.#isAsIn(end, now)) end += 60;
      const isLast = end >= at;
      const upTo = isLast ? octets : Number((BigInt(octets) * BigInt(end - from)) / BigInt(seconds));
      this.#add(service, day, now, upTo - done);
      [begun, done] = [end, upTo];
      if (isLast) return;
    }
  }

  #isAsIn(seconds: number, { date, kind }: { date: string; kind: Kind }): boolean {
    const other = this.at(seconds);
    return other.date === date && (other.kind === "free") === (kind === "free");
  }

  #add(service: Service, day: Day, { date, kind }: { date: string; kind: Kind }, octets: number): void {
    if (octets === 0 || date < day.date) return;
    this.begin(service, date);
    if (kind === "free") day.free += octets;
    else service.used += octets;
  }

  /** A day that is another than the one before. */
  begin(service: Service, date: string): void {
    const { day, used, sold } = service;
    if (!day || date <= day.date) return;
    const extra = left(day, used, sold);
    Object.assign(day, { date, free: 0, extra, staying: extra });
    service.used = 0;
  }
}

/** What stays of top-ups: what the package gives is used first, then what goes. */
export function left({ extra, staying }: Day, used: number, { fair }: Package): number {
  return Math.max(0, Math.min(staying, (fair?.tiers[0]?.after ?? Infinity) + extra - used));
}
