import type { packages, services } from "../../../../db/schema.ts";
import { type CardTermKey, cardTermKeys, type TermKey, termKeys } from "../../../../db/service-keys.ts";

type Package = typeof packages.$inferSelect;
export type Terms = Pick<typeof services.$inferSelect, TermKey>;

const pickTerms = (sold: Package, keys: readonly TermKey[]) =>
  Object.fromEntries(keys.map((key) => [key, sold[key === "quotaTotal" ? "dataQuotaBytes" : key]]));

/** The terms of a package, as columns of a service. */
export const packageTerms = (sold: Package): Terms => pickTerms(sold, termKeys) as Terms;

export const cardTerms = (sold: Package) => pickTerms(sold, cardTermKeys) as Pick<Terms, CardTermKey>;
