import { LOGINS } from "../../parts/hrefs.ts";
import type { DecisionFilter } from "../../../../domain/service/access/decisions.ts";
import { parseMac } from "../../../../domain/core/fields/text.ts";

export interface LoginsQuery extends DecisionFilter {
  /** Older than this id. */
  readonly before: number | undefined;
}

export const kinds = ["pppoe", "hotspot", "unknown"] as const;

export function loginsQuery(query: URLSearchParams): LoginsQuery {
  const id = (name: string) => {
    const value = query.get(name) ?? "";
    return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined;
  };
  const who = (query.get("who") ?? "").trim().slice(0, 253);
  const mac = parseMac(who);
  const outcome = query.get("outcome");
  return {
    reason: query.get("reason")?.match(/^[a-z_]{1,40}$/)?.[0],
    accepted: outcome === "accepted" ? 1 : outcome === "rejected" ? 0 : undefined,
    nasId: id("router"),
    kind: kinds.find((kind) => kind === query.get("kind")),
    username: who === "" || mac ? undefined : who,
    mac,
    before: id("before"),
  };
}

export function loginsHref(filter: LoginsQuery, change: Partial<LoginsQuery> = {}): string {
  const { reason, accepted, nasId, kind, username, mac, before } = {
    ...filter,
    before: undefined,
    ...change,
  };
  const outcome = accepted === undefined ? undefined : accepted === 1 ? "accepted" : "rejected";
  const named = { outcome, reason, router: nasId, kind, who: mac ?? username, before };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(named)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? LOGINS : `${LOGINS}?${query}`;
}

export function isNarrowed(query: LoginsQuery): boolean {
  return loginsHref(query) !== LOGINS;
}

/** The address by which a script loads one part. */
export function partHref(query: LoginsQuery, part: "list" | "side"): string {
  const href = loginsHref(query, { before: query.before });
  return `${href}${href.includes("?") ? "&" : "?"}part=${part}`;
}
