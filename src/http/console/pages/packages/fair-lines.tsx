import { hoursIn } from "../../../../domain/goods/windows/hours.ts";
import { parseTiers } from "../../../../domain/goods/windows/tiers.ts";
import type { ConsoleView } from "../../view.ts";
import { formatClock } from "./fair-values.ts";
import { describeSpeed } from "../../parts/phrases.ts";

export function TierLines({ view, tiers }: { view: ConsoleView; tiers: string }) {
  const { facts } = view.words.fairUse;
  return (
    <>
      {parseTiers(tiers).map(({ after, rate }) => (
        <div>{facts.tier(view.format.bytes(after), describeSpeed(view, rate))}</div>
      ))}
    </>
  );
}

export function HourLines({ view, hours }: { view: ConsoleView; hours: string }) {
  const { facts } = view.words.fairUse;
  return (
    <>
      {hoursIn(hours).map(({ days, from, to, isFree, rate }) => {
        const what = [isFree && facts.freeHours, rate !== null && describeSpeed(view, rate)];
        return (
          <div>
            {daysText(view, days)} {formatClock(from)} – {formatClock(to)}:{" "}
            {what.filter(Boolean).join(view.words.list.comma)}
          </div>
        );
      })}
    </>
  );
}

function daysText({ words, format }: ConsoleView, days: readonly number[]): string {
  if (days.length === 7) return words.fairUse.facts.everyDay;
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  if (days.length > 2 && last - first === days.length - 1)
    return `${format.dayOfWeek(first)} – ${format.dayOfWeek(last)}`;
  return days.map((day) => format.dayOfWeek(day)).join(words.list.comma);
}
