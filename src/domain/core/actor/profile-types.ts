import { phrase } from "../errors/phrase.ts";
import { type Field, wholeNumber } from "../fields/fields.ts";

export const ADMIN = 1;
export const STAFF = 2;
export const RESELLER = 3;
/** Possible salespersons. */
export const SELLERS: readonly number[] = [ADMIN, RESELLER];

export const profileTypes = { admin: ADMIN, staff: STAFF, reseller: RESELLER } as const;

export function profileTypeName(type: number): string | undefined {
  return Object.entries(profileTypes).find(([, number]) => number === type)?.[0];
}

export const profileType: Field<number> = {
  ...wholeNumber(ADMIN, RESELLER),
  message: phrase`must be ${ADMIN} (Admin), ${STAFF} (Staff) or ${RESELLER} (Reseller)`,
};
