import type { Range } from "../../../domain/around/reports/range.ts";
import { localDay, type Seconds, startOfDay } from "../../../domain/core/time/time.ts";

export type Step = "day" | "month";

/** Comparisons: the time before, the same days a month or a year before. */
export const besides = ["before", "month", "year"] as const;
export type Beside = (typeof besides)[number];

/** The range that is compared with; whole days. */
export function rangeBeside({ from, to }: Range, beside: Beside, step: Step): Range {
  const [first, last] = [dateAt(from), dateAt(to)];
  const steps = stepsBetween(first, last, step) + 1;
  const back = { before: { [`${step}s`]: steps }, month: { months: 1 }, year: { years: 1 } }[beside];
  return { from: toSeconds(first.subtract(back)), to: toSeconds(last.subtract(back).add({ days: 1 })) - 1 };
}

export function countBars({ from, to }: Range, step: Step): number {
  return stepsBetween(dateAt(from), dateAt(to), step) + 1;
}

export function listPeriods(range: Range, step: Step): number[] {
  const date = dateAt(range.from);
  const first = step === "month" ? date.with({ day: 1 }) : date;
  return Array.from({ length: countBars(range, step) }, (_, index) => {
    const { year, month, day } = first.add({ [`${step}s`]: index });
    return step === "day" ? year * 10_000 + month * 100 + day : year * 100 + month;
  });
}

function stepsBetween(first: Temporal.PlainDate, last: Temporal.PlainDate, step: Step): number {
  if (step === "day") return first.until(last).days;
  return (last.year - first.year) * 12 + last.month - first.month;
}

function dateAt(at: Seconds): Temporal.PlainDate {
  const day = localDay(at);
  return Temporal.PlainDate.from({
    year: Math.floor(day / 10_000),
    month: Math.floor(day / 100) % 100,
    day: day % 100,
  });
}

function toSeconds({ year, month, day }: Temporal.PlainDate): Seconds {
  return startOfDay(year * 10_000 + month * 100 + day);
}
