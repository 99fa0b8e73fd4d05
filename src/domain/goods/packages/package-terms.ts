import { type KeyOf, keyOf } from "../../../../db/columns.ts";
import { packages, services } from "../../../../db/schema.ts";
import { type CardTermKey, cardTermKeys } from "../../../../db/service-keys.ts";
import { namesOf } from "../../core/fields/fields.ts";
import { termFields } from "./fields.ts";

type Package = typeof packages.$inferSelect;
type TermName = keyof typeof termFields;
/** What a service has of its package. */
export type Terms = Pick<
  typeof services.$inferSelect,
  KeyOf<typeof services, Exclude<TermName, "data_quota_bytes"> | "quota_total">
>;

/** Where the terms are, by the keys of the schema. */
const terms = namesOf(termFields).map((name) => ({
  ofPackage: keyOf(packages, name),
  // the volume of a package is the total of a service, which counts what is used of it
  ofService: keyOf(services, name === "data_quota_bytes" ? "quota_total" : name),
}));

/** What the holders of a package are given, as columns of a service. */
export function packageTerms(sold: Package): Terms {
  return Object.fromEntries(terms.map(({ ofPackage, ofService }) => [ofService, sold[ofPackage]])) as Terms;
}

/** What of it an access card gives, which knows no fair use. */
export function cardTerms(sold: Package): Pick<Terms, CardTermKey> {
  const given = packageTerms(sold);
  return Object.fromEntries(cardTermKeys.map((key) => [key, given[key]])) as Pick<Terms, CardTermKey>;
}
