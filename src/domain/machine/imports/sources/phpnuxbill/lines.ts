import type { MovedSubscriber } from "../../model.ts";
import type { Seconds } from "../../../../core/time/time.ts";
import type { RowClock } from "../row-clock.ts";
import type { Recharge } from "./tables.ts";

export interface Bought {
  readonly entry: Recharge;
  readonly endsAt: Seconds;
  readonly isOn: boolean;
}

/** Purchases, running ones first, the longest of them, then ended ones. */
export function inOrder(entries: readonly Recharge[], now: Seconds, clock: RowClock): Bought[] {
  return entries
    .flatMap((entry) => {
      const until = clock.seconds(entry.until);
      if (until === undefined) return [];
      const isOn = entry.status !== "off" && until > now;
      // disabled by staff before its end
      return [{ entry, isOn, endsAt: entry.status === "off" ? Math.min(until, now) : until }];
    })
    .toSorted((a, b) => Number(b.isOn) - Number(a.isOn) || b.endsAt - a.endsAt || b.entry.id - a.entry.id);
}

export function parseConnection(type: string): MovedSubscriber["connection"] {
  if (/^(pppoe|vpn|ppp)$/i.test(type)) return "ppp";
  return /^hotspot$/i.test(type) ? "hotspot" : null;
}
