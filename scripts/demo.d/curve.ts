import { localDay, type Seconds, startOfDay } from "../../src/domain/core/time/time.ts";
import type { Line } from "./lines.ts";

const DAY = 86_400;
/** The router that was away, for 42 minutes of the last night. */
export const AWAY = 3;
const AWAY_FROM = 3 * 3600 + 360;
const AWAY_FOR = 42 * 60;

/** The share of lines that is online at each full hour of a day: low before dawn, most after dinner. */
const day = [
  0.74, 0.58, 0.45, 0.38, 0.34, 0.36, 0.45, 0.58, 0.68, 0.73, 0.76, 0.77, 0.78, 0.79, 0.8, 0.81, 0.83, 0.86,
  0.91, 0.95, 0.97, 0.96, 0.92, 0.85,
];

export interface Curve {
  readonly sessions: (nasId: number, at: Seconds) => number;
  /** From and to subscribers. */
  readonly octets: (nasId: number, at: Seconds, seconds: number) => [number, number];
  /** A minute. */
  readonly logins: (nasId: number, at: Seconds) => number;
  readonly away: (now: Seconds) => { from: Seconds; to: Seconds };
}

/** How many sessions routers have over time: their lines by the hour, a little growth, a ripple. */
export function onlineCurve(lines: readonly Line[], now: Seconds): Curve {
  const counts = new Map<number, number>();
  for (const { nasId } of lines) counts.set(nasId, (counts.get(nasId) ?? 0) + 1);
  const begun = startOfDay(localDay(now));
  const night = begun + AWAY_FROM + AWAY_FOR < now ? begun : begun - DAY;
  const outage = { from: night + AWAY_FROM, to: night + AWAY_FROM + AWAY_FOR };
  const shareAt = (at: Seconds) => {
    const hours = ((at - begun) / 3600 + 24 * 100) % 24;
    const index = Math.floor(hours);
    const [one = 0, next = 0] = [day[index], day[(index + 1) % 24]];
    return one + (next - one) * (hours - index);
  };
  const isAway = (nasId: number, at: Seconds) => nasId === AWAY && at >= outage.from && at < outage.to;
  const sessions = (nasId: number, at: Seconds) => {
    const grown = 1 - ((now - at) / DAY) * 0.0022;
    const ripple = 1 + 0.012 * Math.sin(at / 4000 + nasId) + 0.006 * Math.sin(at / 700 + nasId * 2);
    const weekend = 1 + 0.02 * Math.sin(((at - begun) / DAY / 7) * 2 * Math.PI);
    const all = (counts.get(nasId) ?? 0) * shareAt(at) * grown * ripple * weekend;
    const back = nasId === AWAY ? Math.min(1, Math.max(0, (at - outage.to) / 900)) : 1;
    if (isAway(nasId, at)) return Math.round(all * 0.06);
    return Math.round(at >= outage.to && at < outage.to + 900 ? all * back : all);
  };
  return {
    sessions,
    octets: (nasId, at, seconds) => {
      const busy = shareAt(at) ** 2 * (0.9 + 0.2 * Math.sin(at / 1300 + nasId));
      const down = sessions(nasId, at) * busy * 260_000 * seconds;
      return [Math.round(down * 0.11), Math.round(down)];
    },
    logins: (nasId, at) => {
      const rush = nasId === AWAY && at >= outage.to && at < outage.to + 900 ? 12 : 0;
      return Math.round(sessions(nasId, at) * 0.004 * (1 + Math.sin(at / 300 + nasId))) + rush;
    },
    away: () => outage,
  };
}
