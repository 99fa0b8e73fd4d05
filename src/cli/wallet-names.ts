import type { Db } from "../../db/open.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { amountAboveZero, wholeNumber } from "../domain/core/fields/fields.ts";
import type { WalletName } from "../domain/money/payments/payer.ts";
import { findStaffBySignIn } from "../domain/people/staff/accounts.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import { subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { SEE_LIST } from "./see-list.ts";

/* Wallets and amounts as people type them. */

/** What `--staff` says. */
export const STAFF = "it is the username of a Reseller, not of a subscriber";

/** The subscriber of a username, or the staff account. Throws `not_found`. */
export function walletNamed(
  db: Db,
  { scope }: Actor,
  username: string,
  isStaff: boolean | undefined,
): WalletName {
  if (!isStaff) return { subscriberId: subscriberByUsername(db, scope, username, SEE_LIST).id };
  const account = findStaffBySignIn(db, username);
  if (account) return { staffId: account.id };
  throw new DomainError("not_found", `there is no staff account ${username}; see: gatehouse staff list`);
}

/** Minor units, above 0. Throws `invalid`. */
export function amountOf(value: string): number {
  const amount = amountAboveZero.read(value);
  if (amount !== undefined) return amount;
  throw new DomainError("invalid", `the amount ${value} ${amountAboveZero.message}`);
}

/** What a list prints at most, the newest first. */
export interface Listing {
  user?: string;
  limit: string;
  json?: boolean;
}

/** The first page of a list. Throws `invalid` for a limit that is none. */
export function firstPage(limit: string): { before: number; limit: number } {
  const rows = wholeNumber(1, 1_000_000);
  const read = rows.read(limit);
  if (read === undefined) throw new DomainError("invalid", `--limit ${limit} ${rows.message}`);
  return { before: Number.MAX_SAFE_INTEGER, limit: read };
}

/** A row that is named by its id or its number, of which several ISPs may have one. Throws `not_found`, `refused`. */
export function onlyOne<T>(found: readonly T[], noun: string, named: string): T {
  const [one, another] = found;
  if (!one) throw new DomainError("not_found", `there is no ${noun} ${named}; see: gatehouse ${noun} list`);
  if (another) throw new DomainError("refused", `several ISPs have a ${noun} ${named}; name it by its id`);
  return one;
}

/** The id that was typed; undefined: it is a number such as R-2030-000001. */
export function idOf(named: string): number | undefined {
  return /^[0-9]{1,15}$/.test(named) ? Number(named) : undefined;
}
