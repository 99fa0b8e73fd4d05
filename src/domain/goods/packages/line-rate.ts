import { readRate } from "./rate-limit.ts";

export interface LineRate {
  readonly input: number;
  readonly output: number;
}

/** Bits a second. */
const FASTEST = 1e9;
/** Tolerance for headers and clock ticks. */
const SLACK = 1.25;

/** Includes bursts; 0 or none is unlimited. */
export function lineRateOf(rateLimit: string | null): LineRate {
  const { rate, burst } = readRate(rateLimit) ?? {};
  const most = (side: "down" | "up") => Math.max(rate?.[side] ?? 0, burst?.[side] ?? 0) || FASTEST;
  return { input: octets(most("up")), output: octets(most("down")) };
}

function octets(bitsPerSecond: number): number {
  return (bitsPerSecond / 8) * SLACK;
}
