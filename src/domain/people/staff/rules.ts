import type { Db } from "../../../../db/open.ts";
import { TAKEN_BY } from "../../core/errors/codes.ts";
import type { FieldErrors } from "../../core/errors/errors.ts";
import { addFault } from "../../core/fields/fields.ts";
import {
  findReferenceFaults,
  type Isp,
  isWithin,
  type Reference,
  type References,
  storedReferences,
} from "../../core/references/references.ts";
import { fold } from "../../core/fields/text.ts";
import { ADMIN, RESELLER, SELLERS } from "../../core/actor/profile-types.ts";

/** What the rules of an account ask: of the store for one account, of store and file for an import. */
export interface StaffLookup extends References {
  /** Who else signs in with a folded name, in words; undefined: nobody. A name that an account has already is nobody else's. */
  readonly holder: (name: SignInName, key: string, id: number) => string | undefined;
  /** The username of an account that there is. */
  readonly usernameOf: (id: number) => string | undefined;
}

/** What an account signs in with. No two accounts share one, be it the username of one and the e-mail address of another. */
export type SignInName = (typeof signInNames)[number];
export const signInNames = ["username", "email"] as const;

interface Values {
  readonly branch_id?: number | null;
  readonly role_code?: number | null;
  readonly profile_type?: number | null;
  readonly username?: string | null;
  readonly email?: string | null;
}

const references: readonly Reference<"branch_id" | "role_code">[] = [
  ["branch_id", "branches"],
  ["role_code", "roles"],
];

/** Adds what is wrong with an account's values beyond each value alone. A new account's id is one that no other has. */
export function findStaffFaults(
  lookup: StaffLookup,
  { id, isp, values }: { id: number; isp: Isp; values: Values },
  faults: FieldErrors,
): void {
  if (isp === null && values.profile_type && values.profile_type !== ADMIN)
    addFault(faults, "isp_id", "must be an ISP; only an Admin can be the operator of the box");
  findReferenceFaults(lookup, references, { isp, values }, faults);
  const { username } = values;
  const fault = username && usernameFault(username);
  if (fault && lookup.usernameOf(id) !== username) addFault(faults, "username", fault);
  for (const name of signInNames) {
    const key = signInKey(values[name]);
    const holder = key && lookup.holder(name, key, id);
    if (holder) addFault(faults, name, `${TAKEN_BY}${holder}`);
  }
}

/** What is wrong with a credit limit, if anything: only the wallet of a Reseller is ever debited. */
export function creditLimitFault({
  profileType,
  creditLimit,
}: {
  profileType: number;
  creditLimit: number;
}): string | undefined {
  return creditLimit > 0 && profileType !== RESELLER ? "is for a Reseller alone; leave it 0" : undefined;
}

/** What a name to sign in with is compared by. */
export function signInKey(name: string | null | undefined): string | null | undefined {
  return name && fold(name);
}

/** What is wrong with a new username, if anything. HTTP Basic ends the name at the first colon (RFC 7617 2). */
export function usernameFault(username: string): string | undefined {
  return username.includes(":")
    ? "must not have a colon, at which HTTP Basic ends a name: this account could not use the API"
    : undefined;
}

/** Whether subscribers of an ISP can have an account as their salesperson: an Admin or Reseller of theirs or of the box itself. */
export function isSalesperson(
  { ispId, profileType }: { readonly ispId: number | null; readonly profileType: number },
  ofIsp: number,
): boolean {
  return isWithin(ispId, ofIsp) && SELLERS.includes(profileType);
}

/** What the store has, for one account. Whose a name is, is not said: it may be another ISP's. */
export function storedStaff(db: Db): StaffLookup {
  const { $client } = db;
  return {
    ...storedReferences(db),
    holder: (_, key, id) =>
      $client
        .query<unknown, [string, string, number]>(
          "SELECT 1 FROM staff WHERE (username_key = ? OR email_key = ?) AND id <> ?",
        )
        .get(key, key, id) === null
        ? undefined
        : "another account",
    usernameOf: (id) =>
      $client.query<{ username: string }, [number]>("SELECT username FROM staff WHERE id = ?").get(id)
        ?.username,
  };
}
