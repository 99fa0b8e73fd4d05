import { attribute, type EncodedAttribute } from "../attributes/encode.ts";
import type { NasKind } from "../nas/kinds.ts";
import { type Rate, readRate } from "./rate-limit.ts";

/** The most that 32 bits say: what is faster is told as that. */
const FASTEST = 0xffff_ffff;

/**
 * How each kind of router is told a rate, which is numbers: bits a second down to the subscriber and up from it. A direction of 0 has no
 * limit, and is left out where a kind would take the 0 for one.
 */
const writers: Readonly<
  Record<Exclude<NasKind, "mikrotik">, (rate: Rate) => (EncodedAttribute | undefined)[]>
> = {
  /** Its shaper reads Filter-Id as kbit/s down/up; its own settings say how long a burst may be. */
  "accel-ppp": ({ rate: { down, up } }) => [attribute("Filter-Id", `${kbits(down)}/${kbits(up)}`)],
  /** IOS and IOS XE: the names of two policy maps of the router, `input` from the subscriber. */
  cisco: ({ rate: { down, up } }) => [
    up > 0 ? attribute("Cisco-AVPair", `ip:sub-qos-policy-in=${policyName("up", up)}`) : undefined,
    down > 0 ? attribute("Cisco-AVPair", `ip:sub-qos-policy-out=${policyName("down", down)}`) : undefined,
  ],
  /** Bits a second, `Input` from the subscriber; the peak is the burst, or the rate itself. */
  huawei: ({ rate, burst }) => [
    ...huaweiSide("Input", rate.up, burst?.up ?? 0),
    ...huaweiSide("Output", rate.down, burst?.down ?? 0),
  ],
  /** The names of two policies of the router, `Ingress` from the subscriber. */
  juniper: ({ rate: { down, up } }) => [
    up > 0 ? attribute("ERX-Ingress-Policy-Name", policyName("up", up)) : undefined,
    down > 0 ? attribute("ERX-Egress-Policy-Name", policyName("down", down)) : undefined,
  ],
  /** WISPr's, in bits a second, which is what most others take. */
  generic: ({ rate, least }) => [
    ...wisprSide("Up", rate.up, least?.up ?? 0),
    ...wisprSide("Down", rate.down, least?.down ?? 0),
  ],
};

const known = new Map<string, readonly EncodedAttribute[]>();
/** Rates and kinds of which there are few; forgotten all at once when they are many. */
const MAX_KNOWN = 2000;

/**
 * A rate as a router of a kind is told it, in an Accept and in a CoA alike. `rateLimit` as RouterOS writes it, which such a router is told to
 * the letter; each is worked out once.
 */
export function rateAttributes(kind: NasKind, rateLimit: string): readonly EncodedAttribute[] {
  const key = `${kind} ${rateLimit}`;
  const kept = known.get(key);
  if (kept) return kept;
  const made = write(kind, rateLimit);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, made);
  return made;
}

function write(kind: NasKind, rateLimit: string): readonly EncodedAttribute[] {
  if (kind === "mikrotik") return [attribute("Mikrotik-Rate-Limit", rateLimit)];
  const rate = readRate(rateLimit);
  return rate === undefined ? [] : writers[kind](rate).filter((one) => one !== undefined);
}

/**
 * Whether a router of a kind can be told a rate in the middle of a session: most know no word for a direction that has no limit any more,
 * and go on with the one that they have.
 */
export function canBeChangedTo(kind: NasKind, rateLimit: string): boolean {
  if (kind === "mikrotik" || kind === "accel-ppp") return true;
  const { down = 0, up = 0 } = readRate(rateLimit)?.rate ?? {};
  return down > 0 && up > 0;
}

/** What routers that go by names have to call a policy, by what it lets through in bits a second: `up-5M`, `down-512k`. */
export function policyName(side: "up" | "down", bits: number): string {
  if (bits % 1e6 === 0) return `${side}-${bits / 1e6}M`;
  return bits % 1e3 === 0 ? `${side}-${bits / 1e3}k` : `${side}-${bits}`;
}

function huaweiSide(side: "Input" | "Output", rate: number, burst: number): EncodedAttribute[] {
  if (rate === 0) return [];
  return [
    attribute(`Huawei-${side}-Average-Rate`, formatBits(rate)),
    attribute(`Huawei-${side}-Peak-Rate`, formatBits(Math.max(rate, burst))),
  ];
}

function wisprSide(side: "Up" | "Down", most: number, least: number): EncodedAttribute[] {
  return [
    ...(least > 0 ? [attribute(`WISPr-Bandwidth-Min-${side}`, formatBits(least))] : []),
    ...(most > 0 ? [attribute(`WISPr-Bandwidth-Max-${side}`, formatBits(most))] : []),
  ];
}

/** A thousandth at the least: 0 would be no limit. */
function kbits(bits: number): number {
  return bits === 0 ? 0 : Math.max(1, Math.round(bits / 1000));
}

function formatBits(bits: number): string {
  return String(Math.min(bits, FASTEST));
}
