import type { MovedPackage, MovedRouter } from "../../model.ts";
import { readRateText } from "../../rates.ts";
import { RowFault, type Reading } from "./reading.ts";
import { parseTruth } from "./standing.ts";
import { isNothing, parseBytes, parseDurationText, parseRate } from "./values.ts";

export function readPackage(row: Reading): MovedPackage {
  const named = row.raw("name").trim();
  const key = row.raw("key").trim() || named;
  if (key === "") throw new RowFault("there is neither a name nor a number in this row");
  const name = row.map.packages.get(key) ?? (named || packageName(key));
  const duration = durationIn(row);
  const quota = readQuota(row);
  const billing = row.raw("billing_type").trim().toLowerCase();
  const sessions = Number(row.raw("simultaneous_use"));
  const readText = (target: "framed_pool" | "address_list") => row.raw(target).trim() || null;
  return {
    at: row.at,
    key,
    name,
    price: row.amount("price"),
    ...(duration && { duration }),
    ...(/^(postpaid|recurring|post paid)$/.test(billing) && { billing_type: "postpaid" as const }),
    rate_limit: readRateLimit(row, (text) =>
      row.notices.add("term_left", row.at, name, `The rate "${text}" is none that can be read; set it here`),
    ),
    ...(quota !== undefined && { data_quota_bytes: quota }),
    ...(Number.isInteger(sessions) && sessions > 0 && { simultaneous_use: sessions }),
    framed_pool: readText("framed_pool"),
    address_list: readText("address_list"),
    ...(row.has("status") && { enabled: parseTruth(row.raw("status")) !== false }),
  };
}

export function packageName(key: string): string {
  return /^\d+$/.test(key) ? `Package ${key}` : key;
}

export function readRouter(row: Reading): MovedRouter {
  const [key, name, address, secret] = (["key", "name", "address", "secret"] as const).map((target) =>
    row.raw(target).trim(),
  );
  const called = key || name || address;
  if (!called) throw new RowFault("there is neither a name nor an address in this row");
  return {
    at: row.at,
    key: called,
    name: name || address || called,
    address: address || null,
    secret: secret || null,
  };
}

/** rx/tx as the router sees it: from the subscriber first. null: none or invalid, which `unread` gets. */
export function readRateLimit(row: Reading, unread: (text: string) => void): string | null {
  const whole = row.raw("rate_limit").trim();
  const written = /[/ ]/.test(whole) && /\d[kmg]/i.test(whole) ? readRateText(whole) : undefined;
  if (written !== undefined) return written;
  const rates = whole === "" ? [row.raw("upload"), row.raw("download")] : whole.split("/");
  const headers = whole === "" ? [row.header("upload"), row.header("download")] : [row.header("rate_limit")];
  const [up, down = up] = rates.map((text, index) =>
    isNothing(text) ? null : parseRate(text, headers[index] ?? headers[0] ?? ""),
  );
  if (up === null && down === null) return null;
  if (up === undefined || down === undefined) {
    unread(rates.join(" / ").slice(0, 80));
    return null;
  }
  const assumed = down?.assumed ?? up?.assumed;
  if (assumed !== undefined) row.odd(`Rates without a unit were read as ${assumed}`);
  const both = [up, down].map((rate) => rate?.rate ?? "0");
  if (rates.length === 2 && whole !== "" && both[0] !== both[1])
    row.odd(`Column "${row.header("rate_limit")}" was read as upload/download, as RouterOS writes it`);
  return both.join("/");
}

function durationIn(row: Reading): MovedPackage["duration"] {
  const text = row.raw("duration");
  if (isNothing(text)) return undefined;
  const found =
    parseDurationText(text, row.raw("duration_unit")) ?? parseDurationText(text, row.header("duration"));
  if (found || !/^\d+$/.test(text.trim())) {
    if (!found)
      row.odd(`Column "${row.header("duration")}" has periods that cannot be read; a month stands for them`);
    return found;
  }
  row.odd(`Periods without a unit were read as days`);
  return { count: Number(text), unit: "day" };
}

function readQuota(row: Reading): number | undefined {
  const text = row.raw("data_quota");
  if (isNothing(text)) return undefined;
  const header = row.header("data_quota");
  const bytes = parseBytes(text, header);
  if (bytes === undefined) row.odd(`Column "${header}" has values that are no amount of data; none is set`);
  else if (/^\d+$/.test(text.trim()) && bytes === Number(text) && !/byte/i.test(header))
    row.odd(`Data quotas without a unit were read as bytes`);
  return bytes;
}
