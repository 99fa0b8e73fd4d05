import { attribute, type EncodedAttribute } from "../attributes/encode.ts";
import type { NasKind } from "../nas/kinds.ts";
import { type Rate, readRate } from "./rate-limit.ts";

/** The largest 32-bit value; faster rates are capped. */
const FASTEST = 0xffff_ffff;

/** Rates by kind, in bits a second. 0 is unlimited, and omitted where a kind would take it literally. */
const writers: Readonly<
  Record<Exclude<NasKind, "mikrotik">, (rate: Rate) => (EncodedAttribute | undefined)[]>
> = {
  "accel-ppp": ({ rate: { down, up } }) => [attribute("Filter-Id", `${kbits(down)}/${kbits(up)}`)],
  /** IOS and IOS XE: policy maps, `input` from the subscriber. */
  cisco: ({ rate: { down, up } }) => [
    up > 0 ? attribute("Cisco-AVPair", `ip:sub-qos-policy-in=${policyName("up", up)}`) : undefined,
    down > 0 ? attribute("Cisco-AVPair", `ip:sub-qos-policy-out=${policyName("down", down)}`) : undefined,
  ],
  /** Bits a second, `Input` from the subscriber; peak is the burst, or the rate. */
  huawei: ({ rate, burst }) => [
    ...huaweiSide("Input", rate.up, burst?.up ?? 0),
    ...huaweiSide("Output", rate.down, burst?.down ?? 0),
  ],
  /** Policies, `Ingress` from the subscriber. */
  juniper: ({ rate: { down, up } }) => [
    up > 0 ? attribute("ERX-Ingress-Policy-Name", policyName("up", up)) : undefined,
    down > 0 ? attribute("ERX-Egress-Policy-Name", policyName("down", down)) : undefined,
  ],
  /** WISPr, bits a second. */
  generic: ({ rate, least }) => [
    ...wisprSide("Up", rate.up, least?.up ?? 0),
    ...wisprSide("Down", rate.down, least?.down ?? 0),
  ],
};

const known = new Map<string, readonly EncodedAttribute[]>();
/** A cache, cleared when full. */
const MAX_KNOWN = 2000;

/** The attributes of a rate, for Accept and CoA. RouterOS gets `rateLimit` verbatim. */
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

/** Whether CoA can set it: most kinds cannot remove a limit, and keep the old one. */
export function canBeChangedTo(kind: NasKind, rateLimit: string): boolean {
  if (kind === "mikrotik" || kind === "accel-ppp") return true;
  const { down = 0, up = 0 } = readRate(rateLimit)?.rate ?? {};
  return down > 0 && up > 0;
}

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

/** Kilobits, at least 1: 0 would be unlimited. */
function kbits(bits: number): number {
  return bits === 0 ? 0 : Math.max(1, Math.round(bits / 1000));
}

function formatBits(bits: number): string {
  return String(Math.min(bits, FASTEST));
}
