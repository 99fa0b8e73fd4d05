/** What a line carries at the most: from the subscriber and to it. */
export interface LineRate {
  readonly input: number;
  readonly output: number;
}

/** What no line of a small ISP's subscriber is faster than, in bits a second. */
const FASTEST = 1e9;
/** What is counted beyond what is limited: headers, and the moment between two looks at the clock. */
const SLACK = 1.25;
const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1e3, M: 1e6 };

/** By a RouterOS rate limit, its burst included, in octets a second; one of 0, or none, is no limit. */
export function lineRateOf(rateLimit: string | null): LineRate {
  const [limit = "", burst = ""] = (rateLimit ?? "").split(" ");
  const [input, output] = [0, 1].map((side) => Math.max(bits(limit, side), bits(burst, side)) || FASTEST);
  return { input: octets(input), output: octets(output) };
}

/** What a RouterOS rate limit sells, in bits a second from and to the subscriber, without burst; null where it limits nothing. */
export function soldRate(rateLimit: string | null): { input: number | null; output: number | null } {
  const [limit = ""] = (rateLimit ?? "").split(" ");
  return { input: bits(limit, 0) || null, output: bits(limit, 1) || null };
}

/** The limit alone, in bits a second; 0 is none. */
export function limitOf(rateLimit: string | null): LineRate {
  const [limit = ""] = (rateLimit ?? "").split(" ");
  return { input: bits(limit, 0), output: bits(limit, 1) };
}

/** `rx/tx`, or one for both. */
function bits(pair: string, side: number): number {
  const both = pair.split("/");
  const [, digits = "0", unit = ""] = /^(\d+)([kM]?)$/.exec(both[side] ?? both[0] ?? "") ?? [];
  return Number(digits) * (UNITS[unit] ?? 1);
}

function octets(bitsPerSecond = FASTEST): number {
  return (bitsPerSecond / 8) * SLACK;
}
