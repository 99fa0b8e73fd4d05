import { type Field, wholeNumber } from "../fields.ts";

export const ADMIN = 1;
export const STAFF = 2;
export const RESELLER = 3;

/** What an account is, as the command line says it. */
export const profileTypes = { admin: ADMIN, staff: STAFF, reseller: RESELLER } as const;

export function profileTypeName(type: number): string | undefined {
  return Object.entries(profileTypes).find(([, number]) => number === type)?.[0];
}

export const profileType: Field<number> = {
  ...wholeNumber(ADMIN, RESELLER),
  message: `must be ${ADMIN} (Admin), ${STAFF} (Staff) or ${RESELLER} (Reseller)`,
};

/** Whether subscribers of an ISP can have an account as their salesperson: an Admin or Reseller of theirs or of the box itself. */
export function isSalesperson(
  { ispId, profileType: type }: { readonly ispId: number | null; readonly profileType: number },
  ofIsp: number,
): boolean {
  return (ispId === null || ispId === ofIsp) && (type === ADMIN || type === RESELLER);
}
