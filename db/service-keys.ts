import { getTableColumns } from "drizzle-orm";
import { packages, services } from "./schema.ts";

type Key = keyof typeof services.$inferSelect;
/** The columns that packages and services both have, and the volume, which is counted in a service. */
type TermKey = Extract<Key, keyof typeof packages.$inferSelect> | "quotaTotal";

const isTerm = (key: string): key is TermKey => key === "quotaTotal" || key in getTableColumns(packages);

/** What a service has of its package, by the keys of the schema. */
export const termKeys: readonly TermKey[] = Object.keys(getTableColumns(services)).filter(isTerm);

/** What of a service a login is decided from, beside the bytes that are used. */
export const loginKeys = [
  ...(["expiresAt", "frozenAt", "windowStart", "extraBytes", "rollingBytes"] as const),
  ...termKeys,
] as const satisfies readonly Key[];
