import type { Seconds } from "../../../domain/core/time/time.ts";

/** Round values from `bottom`, mostly 0, to `top`. */
export interface Scale {
  readonly top: number;
  /** 0 or below. */
  readonly bottom: number;
  readonly lines: readonly number[];
}

const STEPS = [1, 2, 4, 5, 10];

export function roundScale(
  most: number,
  { count = 4, least = 1, below = 0 }: { count?: number; least?: number; below?: number } = {},
): Scale {
  const rough = Math.max((most + below) / count, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * power >= rough * 0.999_999) ?? 10) * power;
  const steps = (of: number) => Math.ceil((of / step) * 0.999_999);
  const under = steps(below);
  const over = Math.max(under > 0 ? 0 : 1, steps(most));
  return {
    top: step * over,
    bottom: -step * under || 0,
    lines: Array.from({ length: under + over + 1 }, (_, line) => step * (line - under)),
  };
}

/** The height from the top, in percent. */
export function heightFromTop({ top, bottom }: Scale, value: number): string {
  return percent(top - value, top - bottom);
}

interface TimeTick {
  readonly at: Seconds;
  readonly isDay: boolean;
}

const MINUTES = [5, 10, 15, 30];
const HOURS = [1, 2, 3, 4, 6, 12];
const DAYS = [1, 2, 5, 7, 14, 30];

/** Round local times, at most `most`. */
export function timeTicks(from: Seconds, to: Seconds, most = 7): TimeTick[] {
  const hours = (to - from) / 3600;
  const minutes = hours < 3 ? MINUTES.find((each) => (hours * 60) / each <= most) : undefined;
  if (minutes !== undefined) return minuteTicks(from, to, minutes);
  const step = HOURS.find((each) => hours / each <= most);
  const start = localTime(from).round({ smallestUnit: "hour", roundingMode: "ceil" });
  const ticks: TimeTick[] = [];
  if (step === undefined) {
    const days = DAYS.find((each) => hours / 24 / each <= most) ?? 90;
    let day = localTime(to).startOfDay();
    while (toSeconds(day) >= from) {
      ticks.unshift({ at: toSeconds(day), isDay: true });
      day = day.subtract({ days });
    }
    return ticks;
  }
  for (let time = start; toSeconds(time) <= to; time = time.add({ hours: 1 }))
    if (time.hour % step === 0) ticks.push({ at: toSeconds(time), isDay: false });
  return ticks;
}

function minuteTicks(from: Seconds, to: Seconds, step: number): TimeTick[] {
  const ticks: TimeTick[] = [];
  const start = localTime(from).round({ smallestUnit: "minute", roundingMode: "ceil" });
  for (let time = start; toSeconds(time) <= to; time = time.add({ minutes: 1 }))
    if (time.minute % step === 0) ticks.push({ at: toSeconds(time), isDay: false });
  return ticks;
}

function localTime(at: Seconds): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(Temporal.Now.timeZoneId());
}

function toSeconds(time: Temporal.ZonedDateTime): Seconds {
  return Math.floor(time.epochMilliseconds / 1000);
}

export function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100}%`;
}
