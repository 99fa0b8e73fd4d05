import type { Db } from "../../../../db/open.ts";
import { takenBy } from "../../core/errors/codes.ts";
import type { Faults } from "../../core/errors/errors.ts";
import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import { addFault } from "../../core/fields/fields.ts";
import {
  findReferenceFaults,
  type Isp,
  isWithin,
  type Reference,
  type References,
  storedReferences,
} from "../../core/references/references.ts";
import { keyNameFault } from "../../core/fields/key-names.ts";
import { fold } from "../../core/fields/text.ts";
import { ADMIN, RESELLER, SELLERS } from "../../core/actor/profile-types.ts";

/** Lookups of the rules: in the store, for an import with the file. */
export interface StaffLookup extends References {
  /** Who else has the name, in words; undefined: nobody. */
  readonly holder: (name: SignInName, key: string, id: number) => string | undefined;
  readonly findUsername: (id: number) => string | undefined;
}

/** Unique across usernames and e-mail addresses. */
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

export function findStaffFaults(
  lookup: StaffLookup,
  { id, isp, values }: { id: number; isp: Isp; values: Values },
  faults: Faults,
): void {
  if (isp === null && values.profile_type && values.profile_type !== ADMIN)
    addFault(faults, "isp_id", phrase`must be an ISP; only an Admin can be the operator of the box`);
  findReferenceFaults(lookup, references, { isp, values }, faults);
  const { username } = values;
  const fault = username && usernameFault(username);
  if (fault && lookup.findUsername(id) !== username) addFault(faults, "username", fault);
  for (const name of signInNames) {
    const key = signInKey(values[name]);
    const holder = key && lookup.holder(name, key, id);
    if (holder) addFault(faults, name, takenBy(holder));
  }
}

/** Why an account has no credit limit: only Resellers' wallets are debited. */
export function creditLimitFault({
  profileType,
  creditLimit,
}: {
  profileType: number;
  creditLimit: number;
}): Phrase | undefined {
  return creditLimit > 0 && profileType !== RESELLER
    ? phrase`is for a Reseller alone; leave it 0`
    : undefined;
}

export function signInKey(name: string | null | undefined): string | null | undefined {
  return name && fold(name);
}

/** What is wrong with the username of a new account. */
export const usernameFault = (username: string): Phrase | undefined =>
  colonFault(username) ?? keyNameFault(username);

export function colonFault(username: string): Phrase | undefined {
  return username.includes(":")
    ? phrase`must not have a colon, at which HTTP Basic ends a name: this account could not use the API`
    : undefined;
}

/** An Admin or Reseller of the ISP or box. */
export function isSalesperson(
  { ispId, profileType }: { readonly ispId: number | null; readonly profileType: number },
  ofIsp: number,
): boolean {
  return isWithin(ispId, ofIsp) && SELLERS.includes(profileType);
}

/** Lookups in the store, which name no holder: it may be another ISP's. */
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
    findUsername: (id) =>
      $client.query<{ username: string }, [number]>("SELECT username FROM staff WHERE id = ?").get(id)
        ?.username,
  };
}
