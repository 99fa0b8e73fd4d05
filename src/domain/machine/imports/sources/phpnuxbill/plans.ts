import type { MovedPackage } from "../../model.ts";
import type { Notices } from "../../notices.ts";
import { readRateText } from "../../rates.ts";
import { parsePrice } from "../prices.ts";
import { readNumber, readText } from "../row-text.ts";
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

  findOrAddKey(id: string, name: string, at: MovedPackage["at"]): string | null {
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

  findPrice(key: string | null): string | null {
    return key === null ? null : (this.#moved.get(key)?.price ?? null);
  }

  /** The amount of a balance plan; undefined: another plan. */
  findBalance(id: string): string | null | undefined {
    const row = this.#tables.plans.get(id)?.row;
    return row && isBalance(row) ? parsePrice(readText(row, "price")) : undefined;
  }

  /** Seconds online; null: unlimited. */
  findUptime(id: string): number | null {
    const row = this.#tables.plans.get(id)?.row;
    const limit =
      row && readText(row, "typebp").toLowerCase() === "limited" ? readText(row, "limit_type") : "";
    if (!row || !/^(time|both)_limit$/i.test(limit)) return null;
    const unit = readText(row, "time_unit").toLowerCase() === "mins" ? 60 : 3600;
    return Math.min((readNumber(row, "time_limit") ?? 0) * unit, 316_224_000) || null;
  }

  #add(id: string, kept: Kept): void {
    const { at, row } = kept;
    const plain = readText(row, "name_plan") || `Plan ${id}`;
    if (isBalance(row)) {
      this.#notices.add(
        "left_out",
        at,
        plain,
        "sells balance, and is no package: money is paid in at the desk here",
      );
      return;
    }
    const key = this.#freeName([plain, `${plain} (${readText(row, "routers") || id})`, `${plain} (${id})`]);
    this.#keys.set(id, key);
    const leave = (text: string) => this.#notices.add("term_left", at, key, text);
    this.#moved.set(key, {
      at,
      key,
      name: key,
      price: parsePrice(readText(row, "price")),
      billing_type: readText(row, "prepaid").toLowerCase() === "no" ? "postpaid" : "prepaid",
      ...readDuration(kept, leave),
      ...readPlanRate(kept, this.#tables, leave),
      ...readLimits(kept, leave),
      ...this.#readPools(kept, leave),
      enabled: readText(row, "enabled") !== "0",
    });
  }

  #freeName(names: readonly string[]): string {
    return names.find((name) => !this.#moved.has(name)) ?? names.at(-1) ?? "";
  }

  /** Pools for active and expired: older versions name pool and list, newer ones another plan. */
  #readPools({ row }: Kept, leave: Leave): Partial<MovedPackage> {
    const expired = this.#tables.plans.get(readText(row, "plan_expired"));
    if (expired)
      leave(
        `expired users have the plan ${readText(expired.row, "name_plan")} there; here its pool is taken, and no rate of its own`,
      );
    const expiredPool = readText(row, "pool_expired") || (expired ? readText(expired.row, "pool") : "");
    const list = readText(row, "list_expired");
    return {
      ...(readText(row, "pool") !== "" && { framed_pool: readText(row, "pool") }),
      ...(expiredPool !== "" && { expired_pool: expiredPool }),
      ...(list !== "" && { expired_address_list: list }),
    };
  }
}

type Leave = (text: string) => void;

const isBalance = (row: Kept["row"]) => readText(row, "type").toLowerCase() === "balance";

function readDuration({ row }: Kept, leave: Leave): Pick<MovedPackage, "duration"> {
  const count = readNumber(row, "validity") ?? 0;
  const unit = readText(row, "validity_unit").toLowerCase();
  if (count < 1) return {};
  if (unit === "mins") {
    const hours = Math.ceil(count / 60);
    if (hours * 60 !== count)
      leave(`is valid for ${count} minutes there; here, where an hour is the shortest, for ${hours} h`);
    return { duration: { count: hours, unit: "hour" } };
  }
  if (unit === "period")
    leave(
      `ends on the same day of each month there, day ${readText(row, "expired_date") || "20"}; here each renewal keeps the day that the subscriber has`,
    );
  if (unit === "hrs") return { duration: { count, unit: "hour" } };
  return { duration: { count, unit: unit === "days" ? "day" : "month" } };
}

/** 0 means no limit, as for the router. */
function readPlanRate({ row }: Kept, tables: Tables, leave: Leave): Pick<MovedPackage, "rate_limit"> {
  const bandwidth = tables.bandwidths.get(readText(row, "id_bw"))?.row;
  if (!bandwidth) return {};
  const side = (name: string) => {
    const rate = readNumber(bandwidth, name) ?? 0;
    return rate === 0
      ? ""
      : `${rate}${readText(bandwidth, `${name}_unit`).toLowerCase() === "kbps" ? "k" : "M"}`;
  };
  const [up, down] = [side("rate_up"), side("rate_down")];
  if (up === "" || down === "") return {};
  const burst = readText(bandwidth, "burst");
  const rate = readRateText(`${up}/${down} ${burst}`);
  if (rate === undefined) leave(`its burst "${burst}" is none that RouterOS knows; it comes without`);
  return { rate_limit: rate ?? `${up}/${down}` };
}

const BYTES: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

function readLimits(
  { row }: Kept,
  leave: Leave,
): Pick<MovedPackage, "data_quota_bytes" | "simultaneous_use"> {
  const isHotspot = readText(row, "type").toLowerCase() === "hotspot";
  const shared = readNumber(row, "shared_users") ?? 0;
  const sessions = isHotspot && shared > 0 ? Math.min(shared, 1000) : 1;
  const isLimited = readText(row, "typebp").toLowerCase() === "limited";
  const limit = isLimited ? readText(row, "limit_type").toLowerCase() : "";
  if (limit === "time_limit" || limit === "both_limit")
    leave(
      `has ${readText(row, "time_limit")} ${readText(row, "time_unit")} online there; time online is not counted against a limit here`,
    );
  const bytes =
    (readNumber(row, "data_limit") ?? 0) * (BYTES[readText(row, "data_unit").toLowerCase()] ?? 1e6);
  const hasQuota = (limit === "data_limit" || limit === "both_limit") && bytes > 0;
  return {
    simultaneous_use: sessions,
    ...(hasQuota && { data_quota_bytes: Math.min(bytes, Number.MAX_SAFE_INTEGER) }),
  };
}
