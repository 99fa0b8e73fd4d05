import { getTableColumns } from "drizzle-orm";
import { cardBatches, packages, services } from "./schema.ts";

type Key = keyof typeof services.$inferSelect;
/** The columns that packages and services both have, and the volume, which is counted in a service. */
export type TermKey = Extract<Key, keyof typeof packages.$inferSelect> | "quotaTotal";

const isTerm = (key: string): key is TermKey => key === "quotaTotal" || key in getTableColumns(packages);

/** What a service has of its package, by the keys of the schema. */
export const termKeys: readonly TermKey[] = Object.keys(getTableColumns(services)).filter(isTerm);

export type CardTermKey = Extract<TermKey, keyof typeof cardBatches.$inferSelect>;

const isCardTerm = (key: string): key is CardTermKey => isTerm(key) && key in getTableColumns(cardBatches);

/** What of it a batch of cards has too. */
export const cardTermKeys: readonly CardTermKey[] = termKeys.filter(isCardTerm);

/** What of a service a login is decided from, beside the bytes that are used. */
export const loginKeys = [
  ...(["expiresAt", "frozenAt", "windowStart", "extraBytes", "rollingBytes"] as const),
  ...termKeys,
] as const satisfies readonly Key[];
