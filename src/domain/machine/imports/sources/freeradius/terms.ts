import { isIPv4 } from "node:net";
import type { MovedPackage } from "../../model.ts";
import { formatRate, readRateText } from "../../rates.ts";
import type { Combined, Pair } from "./pairs.ts";
import { tellRest } from "./rest.ts";

/** Terms of a package. */
export type Terms = Pick<
  MovedPackage,
  | "rate_limit"
  | "data_quota_bytes"
  | "framed_pool"
  | "framed_ipv6_pool"
  | "delegated_ipv6_pool"
  | "address_list"
  | "simultaneous_use"
  | "idle_timeout"
>;

/** The beginning from which usage counts. */
export type QuotaPeriod = "session" | "month" | "ever";

export interface TermsRead {
  readonly terms: Terms;
  readonly quotaPeriod: QuotaPeriod | null;
  /** Seconds from the first login. */
  readonly accessPeriod: number | null;
  readonly staticIp: Pair | null;
  readonly framedPrefix: Pair | null;
  readonly delegatedPrefix: Pair | null;
}

/** Reports a row that cannot come, and why. */
export type Leave = (pair: Pair, why: string) => void;

/** The highest limit, for none. */
export const UNLIMITED_SESSIONS = 1000;

/** Common counter names: Max-Monthly-Octets, Max-Data, Max-Total-Traffic. */
const BYTES =
  /^max-(?:(daily|weekly|monthly|all|global|total)-)?(?:total-)?(octets|traffic|data|volume|bytes)$/;

/** Reads each attribute once; the rest is reported. */
class Lists {
  readonly #seen = new Set<Pair>();
  readonly #leave: Leave;
  readonly #lists: Combined;

  constructor(lists: Combined, leave: Leave) {
    this.#lists = lists;
    this.#leave = leave;
  }

  /** The first; further ones are reported. */
  reply(name: string): Pair | undefined {
    return this.#first(this.#lists.reply, name);
  }

  control(name: string): Pair | undefined {
    return this.#first(this.#lists.control, name);
  }

  matching(form: RegExp): readonly Pair[] {
    const found = this.#lists.control.filter(({ name }) => form.test(name));
    for (const pair of found) this.#seen.add(pair);
    return found;
  }

  all(name: string): readonly Pair[] {
    const found = this.#lists.reply.filter((pair) => pair.name === name);
    for (const pair of found) this.#seen.add(pair);
    return found;
  }

  leave(pair: Pair | undefined, why: string): void {
    if (pair) this.#leave(pair, why);
  }

  get rest(): readonly Pair[] {
    return [...this.#lists.control, ...this.#lists.reply].filter((pair) => !this.#seen.has(pair));
  }

  #first(list: readonly Pair[], name: string): Pair | undefined {
    const [first, ...others] = list.filter((pair) => pair.name === name);
    if (first) this.#seen.add(first);
    for (const other of others) {
      this.#seen.add(other);
      this.#leave(other, `a package has one ${first?.attribute ?? name}, and the first is taken`);
    }
    return first;
  }
}

export function readTerms(combined: Combined, leave: Leave): TermsRead {
  const lists = new Lists(combined, leave);
  const quota = readQuota(lists);
  const terms: Terms = {
    ...named("rate_limit", readRate(lists)),
    ...named("data_quota_bytes", quota?.bytes),
    ...named("framed_pool", lists.reply("framed-pool")?.value),
    ...named("framed_ipv6_pool", lists.reply("framed-ipv6-pool")?.value),
    ...named(
      "delegated_ipv6_pool",
      (lists.reply("mikrotik-delegated-ipv6-pool") ?? lists.reply("delegated-ipv6-prefix-pool"))?.value,
    ),
    ...named("address_list", lists.reply("mikrotik-address-list")?.value),
    simultaneous_use: readSessions(lists),
    ...named("idle_timeout", readIdle(lists)),
  };
  const staticIp = lists.reply("framed-ip-address");
  const read = {
    terms,
    quotaPeriod: quota?.period ?? null,
    accessPeriod: readAccessPeriod(lists),
    staticIp: staticIp && isOwn(staticIp.value) ? staticIp : null,
    framedPrefix: lists.reply("framed-ipv6-prefix") ?? null,
    delegatedPrefix: lists.reply("delegated-ipv6-prefix") ?? null,
  };
  if (staticIp && !isIPv4(staticIp.value)) leave(staticIp, "it is no address");
  tellRest(lists.rest, leave);
  return read;
}

function named<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined || value === "" ? {} : { [key]: value }) as { [P in K]?: V };
}

/** Whether an address is one, and no magic value: 255.255.255.254 (router's choice), 255.255.255.255 (subscriber's), 0.0.0.0. */
function isOwn(address: string): boolean {
  return isIPv4(address) && !address.startsWith("255.255.255.25") && address !== "0.0.0.0";
}

function readRate(lists: Lists): string | undefined {
  const [own] = lists.matching(/^mikrotik-rate-limit$/);
  const rate = lists.reply("mikrotik-rate-limit") ?? own;
  if (rate) {
    const text = readRateText(rate.value);
    if (text === undefined && rate.value.trim() !== "")
      lists.leave(rate, "it is no rate that RouterOS knows");
    if (rate === own)
      lists.leave(rate, "FreeRADIUS sends it from a reply alone; here it is taken as it is meant");
    if (text !== undefined) return /^0(\/0)?$/.test(text) ? undefined : text;
  }
  return (
    bothRates(lists, "wispr-bandwidth-max-up", "wispr-bandwidth-max-down", 1) ??
    bothRates(lists, "chillispot-bandwidth-max-up", "chillispot-bandwidth-max-down", 1000) ??
    ascendRate(lists)
  );
}

function bothRates(lists: Lists, upName: string, downName: string, unit: number): string | undefined {
  const [up, down] = [lists.reply(upName), lists.reply(downName)];
  const bits = [up, down].map((pair) => {
    if (!pair) return 0;
    const value = parseWhole(pair.value);
    if (value === undefined) lists.leave(pair, "it is no number");
    return (value ?? 0) * unit;
  });
  return formatRate(bits[0] ?? 0, bits[1] ?? 0);
}

/** Data alone is both ways, twice down and up; with Xmit it is up. */
function ascendRate(lists: Lists): string | undefined {
  const data = lists.all("ascend-data-rate").map(({ value }) => parseWhole(value) ?? 0);
  const xmit = lists.reply("ascend-xmit-rate");
  const [first = 0, second = first] = data;
  return xmit ? formatRate(first, parseWhole(xmit.value) ?? 0) : formatRate(second, first);
}

interface Quota {
  readonly bytes: number;
  readonly period: QuotaPeriod;
}

function readQuota(lists: Lists): Quota | undefined {
  let found: Quota | undefined;
  for (const pair of lists.matching(BYTES)) {
    const every = BYTES.exec(pair.name)?.[1];
    const bytes = parseWhole(pair.value);
    if (every === "daily" || every === "weekly")
      lists.leave(pair, "a quota here is of the package's whole period");
    else if (bytes === undefined) lists.leave(pair, "it is no number of bytes");
    else if (found) lists.leave(pair, "a package has one quota, and the first is taken");
    else if (bytes > 0) found = { bytes: clipped(bytes), period: every === "monthly" ? "month" : "ever" };
  }
  const session =
    sessionQuota(lists, "mikrotik-total-limit") ?? sessionQuota(lists, "chillispot-max-total-octets");
  return found ?? session;
}

/** A limit for each session; the nearest of one for a period. */
function sessionQuota(lists: Lists, name: string): Quota | undefined {
  const low = lists.reply(name);
  const high = lists.reply(`${name.replace("-octets", "")}-gigawords`);
  const bytes = (parseWhole(low?.value ?? "0") ?? 0) + (parseWhole(high?.value ?? "0") ?? 0) * 2 ** 32;
  if (bytes === 0) return undefined;
  lists.leave(
    low ?? high,
    "there the router counts it anew with each session; here it is the quota of a whole period",
  );
  return { bytes: clipped(bytes), period: "session" };
}

const clipped = (bytes: number) => Math.min(bytes, Number.MAX_SAFE_INTEGER);

function readSessions(lists: Lists): number {
  const pair = lists.control("simultaneous-use") ?? lists.reply("port-limit");
  const count = pair && parseWhole(pair.value);
  if (count !== undefined && count >= 1 && count <= UNLIMITED_SESSIONS) return count;
  if (count === undefined || count === 0)
    lists.leave(pair, "it is no number of sessions that lets anybody in");
  return UNLIMITED_SESSIONS;
}

function readIdle(lists: Lists): number | undefined {
  const pair = lists.reply("idle-timeout");
  const seconds = pair && parseWhole(pair.value);
  if (seconds !== undefined && seconds >= 1 && seconds <= 604_800) return seconds;
  if (seconds !== 0) lists.leave(pair, "an idle timeout is of 1 to 604800 seconds");
  return undefined;
}

function readAccessPeriod(lists: Lists): number | null {
  const pair = lists.control("access-period") ?? lists.control("expire-after");
  const seconds = pair && parseWhole(pair.value);
  if (pair && !seconds) lists.leave(pair, "it is no number of seconds");
  return seconds || null;
}

function parseWhole(text: string): number | undefined {
  return /^\d{1,30}$/.test(text.trim()) ? Number(text) : undefined;
}
