import type { Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, type Input } from "../../core/fields/fields.ts";

export interface Both {
  readonly down: number;
  readonly up: number;
}

/** Bits a second, and seconds; null: absent. */
export interface Rate {
  readonly rate: Both;
  /** Allowed while the mean over `time` is below `threshold`. */
  readonly burst: Both | null;
  readonly threshold: Both | null;
  readonly time: Both | null;
  /** 1 to 8, the default. */
  readonly priority: number | null;
  /** Guaranteed. */
  readonly least: Both | null;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1e3, M: 1e6 };

/** `rx/tx rx/tx rx/tx rx/tx priority rx/tx`; tx is towards the subscriber. undefined: none. */
export function readRate(rateLimit: string | null): Rate | undefined {
  if (rateLimit === null || rateLimit === "") return undefined;
  const [rate, burst, threshold, time, priority, least] = rateLimit.split(" ");
  return {
    rate: parsePair(rate) ?? { down: 0, up: 0 },
    burst: parsePair(burst),
    threshold: parsePair(threshold),
    time: parsePair(time),
    priority: priority === undefined ? null : Number(priority),
    least: parsePair(least),
  };
}

/** The slower of both each way, without burst and guarantees. 0 is unlimited. */
export function slowerRate(one: string | null, other: string): string {
  const [first, second] = [readRate(one)?.rate, readRate(other)?.rate];
  const least = (side: keyof Both) => Math.min(first?.[side] || Infinity, second?.[side] || Infinity);
  const [down, up] = [least("down"), least("up")].map((bits) => (Number.isFinite(bits) ? bits : 0));
  return formatPair({ down: down ?? 0, up: up ?? 0 }, formatBits);
}

/** The rate of each of two queues of a line. */
export function halfRate(rateLimit: string): string {
  const { rate, burst, threshold, least, ...rest } = readRate(rateLimit) ?? { rate: { down: 0, up: 0 } };
  const half = (both: Both | null | undefined) =>
    both ? { down: Math.ceil(both.down / 2), up: Math.ceil(both.up / 2) } : null;
  return writeRate({
    ...{ time: null, priority: null, ...rest, rate: half(rate) ?? rate },
    ...{ burst: half(burst), threshold: half(threshold), least: half(least) },
  });
}

/** Rates of a pair; null: absent, or 0 both ways. */
function parsePair(pair: string | undefined): Both | null {
  const [up = "", down = up] = (pair ?? "").split("/");
  const both = { down: parseBits(down), up: parseBits(up) };
  return both.down === 0 && both.up === 0 ? null : both;
}

function parseBits(text: string): number {
  const [, digits = "0", unit = ""] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  return Number(digits) * (UNITS[unit] ?? 1);
}

export function writeRate({ rate, burst, threshold, time, priority, least }: Rate): string {
  const parts = [
    formatPair(rate, formatBits),
    formatPair(burst, formatBits),
    formatPair(threshold, formatBits),
    formatPair(time, String),
    priority === null && least !== null ? "8" : (priority?.toString() ?? ""),
    formatPair(least, formatBits),
  ];
  while (parts.length > 1 && parts.at(-1) === "") parts.pop();
  return parts.map((part) => part || "0/0").join(" ");
}

function formatPair(both: Both | null, format: (value: number) => string): string {
  return both === null ? "" : `${format(both.up)}/${format(both.down)}`;
}

function formatBits(bits: number): string {
  if (bits !== 0 && bits % 1e6 === 0) return `${bits / 1e6}M`;
  return bits !== 0 && bits % 1e3 === 0 ? `${bits / 1e3}k` : String(bits);
}

const speedNames = ["rate", "burst", "threshold", "least"] as const;

/** Form fields in Mbit/s. */
export const rateInputs = [
  ...speedNames.flatMap((name) => [`${name}_down`, `${name}_up`]),
  ...["time_down", "time_up", "priority"],
];

/** RouterOS syntax; "": none. Adds faults. */
export function rateSent(input: Input, faults: Faults): string {
  const before = Object.keys(faults).length;
  const [rate, burst, threshold, least] = speedNames.map((name) => bothSent(input, name, speedSent, faults));
  const time = bothSent(input, "time", secondsSent, faults);
  const priority = prioritySent(input, faults);
  if (Object.keys(faults).length > before) return "";
  const more = [burst, threshold, time, least].some((part) => part !== null) || priority !== null;
  if (!rate) {
    if (more)
      addFault(faults, "rate_down", phrase`is needed: a burst, a priority or a minimum is part of a rate`);
    return "";
  }
  const sent = { rate, burst: burst ?? null, threshold: threshold ?? null, time, priority };
  findBurstFaults(sent, faults);
  return writeRate({ ...sent, least: least ?? null });
}

function findBurstFaults({ rate, burst, threshold, time }: Omit<Rate, "least">, faults: Faults): void {
  if (burst === null) {
    if (threshold !== null || time !== null)
      addFault(faults, "burst_down", phrase`is needed with a threshold or a time`);
    return;
  }
  if (burst.down < rate.down)
    addFault(faults, "burst_down", phrase`must be at least the rate, for it is a burst above it`);
  if (burst.up < rate.up)
    addFault(faults, "burst_up", phrase`must be at least the rate, for it is a burst above it`);
  if (threshold === null)
    addFault(faults, "threshold_down", phrase`is needed with a burst: the mean above which it ends`);
  if (time === null) addFault(faults, "time_down", phrase`is needed with a burst: the seconds of that mean`);
}

type ReadOne = (text: string) => number | undefined;

/** Two rates that are sent both or neither; 0 both ways is unlimited. */
function bothSent(input: Input, name: string, read: ReadOne, faults: Faults): Both | null {
  const [down, up] = ["down", "up"].map((side) => {
    const text = String(input[`${name}_${side}`] ?? "").trim();
    if (text === "") return null;
    const value = read(text);
    if (value === undefined)
      addFault(
        faults,
        `${name}_${side}`,
        name === "time"
          ? phrase`must be whole seconds up to 99999`
          : phrase`must be a number of Mbit/s such as 30 or 0.512`,
      );
    return value ?? null;
  });
  if (typeof down === "number" && typeof up === "number")
    return down === 0 && up === 0 && name !== "rate" ? null : { down, up };
  if (typeof down === "number") addFault(faults, `${name}_up`, phrase`is needed beside the other direction`);
  if (typeof up === "number") addFault(faults, `${name}_down`, phrase`is needed beside the other direction`);
  return null;
}

/** A rate with at most three decimals, in bits a second. */
function speedSent(text: string): number | undefined {
  return /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1e6) : undefined;
}

function secondsSent(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

function prioritySent(input: Input, faults: Faults): number | null {
  const text = String(input["priority"] ?? "").trim();
  if (text === "") return null;
  if (/^[1-8]$/.test(text)) return Number(text);
  addFault(faults, "priority", phrase`must be a number from 1, which goes first, to 8`);
  return null;
}
