import type { MovedSubscriber } from "../../model.ts";
import { sourceTime } from "../../dates.ts";
import type { Seconds } from "../../../time.ts";
import type { Entry } from "./tables.ts";

/** A plan that a customer has, or had last. */
export interface Recharge {
  readonly entry: Entry;
  readonly endsAt: Seconds;
  readonly isOn: boolean;
}

/** Of several: those that run now, the one that runs longest first, before those that are over. */
export function inOrder(entries: readonly Entry[], now: Seconds, zone: string): Recharge[] {
  return entries
    .flatMap((entry) => {
      const until = sourceTime(entry.until, zone);
      if (until === undefined) return [];
      const isOn = entry.status !== "off" && until > now;
      // switched off by staff before its time was over
      return [{ entry, isOn, endsAt: entry.status === "off" ? Math.min(until, now) : until }];
    })
    .toSorted((a, b) => Number(b.isOn) - Number(a.isOn) || b.endsAt - a.endsAt || b.entry.id - a.entry.id);
}

/** As what a line logs in. */
export function connectionOf(type: string): MovedSubscriber["connection"] {
  if (/^(pppoe|vpn|ppp)$/i.test(type)) return "ppp";
  return /^hotspot$/i.test(type) ? "hotspot" : null;
}

/** What was booked there, in words; null: it has no day. */
export function historyOf(entry: Entry, zone: string): { at: Seconds; text: string } | null {
  const at = sourceTime(entry.since, zone);
  if (at === undefined) return null;
  const parts = [
    entry.invoice,
    entry.name,
    entry.price,
    entry.until && `until ${entry.until}`,
    entry.method,
    entry.note,
  ];
  return {
    at,
    text: parts
      .filter((part) => part !== "")
      .join(", ")
      .replace(/\s+/g, " "),
  };
}
