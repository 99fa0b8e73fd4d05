import { readRate } from "./rate-limit.ts";

/** What a line carries at the most, in octets a second: from the subscriber and to it. */
export interface LineRate {
  readonly input: number;
  readonly output: number;
}

/** What no line of a small ISP's subscriber is faster than, in bits a second. */
const FASTEST = 1e9;
/** What is counted beyond what is limited: headers, and the moment between two looks at the clock. */
const SLACK = 1.25;

/** By a RouterOS rate limit, its burst included; one of 0, or none, is no limit. */
export function lineRateOf(rateLimit: string | null): LineRate {
  const { rate, burst } = readRate(rateLimit) ?? {};
  const most = (side: "down" | "up") => Math.max(rate?.[side] ?? 0, burst?.[side] ?? 0) || FASTEST;
  return { input: octets(most("up")), output: octets(most("down")) };
}

function octets(bitsPerSecond: number): number {
  return (bitsPerSecond / 8) * SLACK;
}
