import { getTableColumns } from "drizzle-orm";
import { cardBatches, packages, services } from "./schema.ts";

type Key = keyof typeof services.$inferSelect;
/** Common columns of packages and services, and the quota, which a service counts. */
export type TermKey = Extract<Key, keyof typeof packages.$inferSelect> | "quotaTotal";

const isTerm = (key: string): key is TermKey => key === "quotaTotal" || key in getTableColumns(packages);

export const termKeys: readonly TermKey[] = Object.keys(getTableColumns(services)).filter(isTerm);

export type CardTermKey = Extract<TermKey, keyof typeof cardBatches.$inferSelect>;

const isCardTerm = (key: string): key is CardTermKey => isTerm(key) && key in getTableColumns(cardBatches);

export const cardTermKeys: readonly CardTermKey[] = termKeys.filter(isCardTerm);

/** Columns of a service that decide a login, beside byte counts. */
export const loginKeys = [
  ...(["expiresAt", "frozenAt", "windowStart", "extraBytes", "rollingBytes"] as const),
  ...termKeys,
] as const satisfies readonly Key[];
