import type { MovedPackage } from "../../model.ts";
import type { Notices } from "../../notices.ts";
import { readRateText } from "../../rates.ts";
import { priceOf } from "../prices.ts";
import { numberOf, textOf } from "../row-text.ts";
import type { Kept, Tables } from "./tables.ts";

export class Plans {
  readonly #keys = new Map<string, string>();
  readonly #moved = new Map<string, MovedPackage>();
  readonly #tables: Tables;
  readonly #notices: Notices;

  constructor(tables: Tables, notices: Notices) {
    this.#tables = tables;
    this.#notices = notices;
    for (const [id, kept] of tables.plans) this.#add(id, kept);
  }

  get all(): readonly MovedPackage[] {
    return [...this.#moved.values()];
  }

  keyOf(id: string, name: string, at: MovedPackage["at"]): string | null {
    const known = this.#keys.get(id) ?? (this.#moved.has(name) ? name : undefined);
    if (known !== undefined) return known;
    if (name === "") return null;
    this.#moved.set(name, { at, key: name, name, price: null });
    this.#keys.set(id, name);
    this.#notices.add(
      "package_made",
      at,
      name,
      "the plan was deleted there, but somebody still has it: only its name is known",
    );
    return name;
  }

  priceOf(key: string | null): string | null {
    return key === null ? null : (this.#moved.get(key)?.price ?? null);
  }

  /** The amount of a balance plan; undefined: another plan. */
  balanceOf(id: string): string | null | undefined {
    const row = this.#tables.plans.get(id)?.row;
    return row && isBalance(row) ? priceOf(textOf(row, "price")) : undefined;
  }

  /** Seconds online; null: unlimited. */
  uptimeOf(id: string): number | null {
    const row = this.#tables.plans.get(id)?.row;
    const limit = row && textOf(row, "typebp").toLowerCase() === "limited" ? textOf(row, "limit_type") : "";
    if (!row || !/^(time|both)_limit$/i.test(limit)) return null;
    const unit = textOf(row, "time_unit").toLowerCase() === "mins" ? 60 : 3600;
    return Math.min((numberOf(row, "time_limit") ?? 0) * unit, 316_224_000) || null;
  }

  #add(id: string, kept: Kept): void {
    const { at, row } = kept;
    const plain = textOf(row, "name_plan") || `Plan ${id}`;
    if (isBalance(row)) {
      this.#notices.add(
        "left_out",
        at,
        plain,
        "sells balance, and is no package: money is paid in at the desk here",
      );
      return;
    }
    const key = this.#freeName([plain, `${plain} (${textOf(row, "routers") || id})`, `${plain} (${id})`]);
    this.#keys.set(id, key);
    const leave = (text: string) => this.#notices.add("term_left", at, key, text);
    this.#moved.set(key, {
      at,
      key,
      name: key,
      price: priceOf(textOf(row, "price")),
      billing_type: textOf(row, "prepaid").toLowerCase() === "no" ? "postpaid" : "prepaid",
      ...durationOf(kept, leave),
      ...rateOfPlan(kept, this.#tables, leave),
      ...limitsOf(kept, leave),
      ...this.#poolsOf(kept, leave),
      enabled: textOf(row, "enabled") !== "0",
    });
  }

  #freeName(names: readonly string[]): string {
    return names.find((name) => !this.#moved.has(name)) ?? names.at(-1) ?? "";
  }

  /** Pools for active and expired: older versions name pool and list, newer ones another plan. */
  #poolsOf({ row }: Kept, leave: Leave): Partial<MovedPackage> {
    const expired = this.#tables.plans.get(textOf(row, "plan_expired"));
    if (expired)
      leave(
        `expired users have the plan ${textOf(expired.row, "name_plan")} there; here its pool is taken, and no rate of its own`,
      );
    const expiredPool = textOf(row, "pool_expired") || (expired ? textOf(expired.row, "pool") : "");
    const list = textOf(row, "list_expired");
    return {
      ...(textOf(row, "pool") !== "" && { framed_pool: textOf(row, "pool") }),
      ...(expiredPool !== "" && { expired_pool: expiredPool }),
      ...(list !== "" && { expired_address_list: list }),
    };
  }
}

type Leave = (text: string) => void;

const isBalance = (row: Kept["row"]) => textOf(row, "type").toLowerCase() === "balance";

function durationOf({ row }: Kept, leave: Leave): Pick<MovedPackage, "duration"> {
  const count = numberOf(row, "validity") ?? 0;
  const unit = textOf(row, "validity_unit").toLowerCase();
  if (count < 1) return {};
  if (unit === "mins") {
    const hours = Math.ceil(count / 60);
    if (hours * 60 !== count)
      leave(`is valid for ${count} minutes there; here, where an hour is the shortest, for ${hours} h`);
    return { duration: { count: hours, unit: "hour" } };
  }
  if (unit === "period")
    leave(
      `ends on the same day of each month there, day ${textOf(row, "expired_date") || "20"}; here each renewal keeps the day that the subscriber has`,
    );
  if (unit === "hrs") return { duration: { count, unit: "hour" } };
  return { duration: { count, unit: unit === "days" ? "day" : "month" } };
}

/** 0 means no limit, as for the router. */
function rateOfPlan({ row }: Kept, tables: Tables, leave: Leave): Pick<MovedPackage, "rate_limit"> {
  const bandwidth = tables.bandwidths.get(textOf(row, "id_bw"))?.row;
  if (!bandwidth) return {};
  const side = (name: string) => {
    const rate = numberOf(bandwidth, name) ?? 0;
    return rate === 0
      ? ""
      : `${rate}${textOf(bandwidth, `${name}_unit`).toLowerCase() === "kbps" ? "k" : "M"}`;
  };
  const [up, down] = [side("rate_up"), side("rate_down")];
  if (up === "" || down === "") return {};
  const burst = textOf(bandwidth, "burst");
  const rate = readRateText(`${up}/${down} ${burst}`);
  if (rate === undefined) leave(`its burst "${burst}" is none that RouterOS knows; it comes without`);
  return { rate_limit: rate ?? `${up}/${down}` };
}

const BYTES: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

function limitsOf({ row }: Kept, leave: Leave): Pick<MovedPackage, "data_quota_bytes" | "simultaneous_use"> {
  const isHotspot = textOf(row, "type").toLowerCase() === "hotspot";
  const shared = numberOf(row, "shared_users") ?? 0;
  const sessions = isHotspot && shared > 0 ? Math.min(shared, 1000) : 1;
  const isLimited = textOf(row, "typebp").toLowerCase() === "limited";
  const limit = isLimited ? textOf(row, "limit_type").toLowerCase() : "";
  if (limit === "time_limit" || limit === "both_limit")
    leave(
      `has ${textOf(row, "time_limit")} ${textOf(row, "time_unit")} online there; time online is not counted against a limit here`,
    );
  const bytes = (numberOf(row, "data_limit") ?? 0) * (BYTES[textOf(row, "data_unit").toLowerCase()] ?? 1e6);
  const hasQuota = (limit === "data_limit" || limit === "both_limit") && bytes > 0;
  return {
    simultaneous_use: sessions,
    ...(hasQuota && { data_quota_bytes: Math.min(bytes, Number.MAX_SAFE_INTEGER) }),
  };
}
