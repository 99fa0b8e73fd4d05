import type { Db } from "../../db/open.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { verbatim } from "../domain/core/errors/phrase.ts";
import { amountAboveZero, wholeNumber } from "../domain/core/fields/fields.ts";
import type { WalletName } from "../domain/money/payments/payer.ts";
import { findStaffBySignIn } from "../domain/people/staff/accounts.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import { subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { SEE_LIST } from "./see-list.ts";

export const STAFF = "it is the username of a Reseller, not of a subscriber";

/** The wallet of a subscriber's username, or with `--staff` of an account. Throws `not_found`. */
export function walletNamed(
  db: Db,
  { scope }: Actor,
  username: string,
  isStaff: boolean | undefined,
): WalletName {
  if (!isStaff) return { subscriberId: subscriberByUsername(db, scope, username, SEE_LIST).id };
  const account = findStaffBySignIn(db, username);
  if (account) return { staffId: account.id };
  throw new DomainError(
    "not_found",
    verbatim(`there is no staff account ${username}; see: gatehouse staff list`),
  );
}

export function parseAmountOption(value: string): number {
  const amount = amountAboveZero.read(value);
  if (amount !== undefined) return amount;
  throw new DomainError("invalid", verbatim(`the amount ${value} ${amountAboveZero.message}`));
}

export interface Listing {
  user?: string;
  limit: string;
  json?: boolean;
}

export function firstPage(limit: string): { before: number; limit: number } {
  const rows = wholeNumber(1, 1_000_000);
  const read = rows.read(limit);
  if (read === undefined) throw new DomainError("invalid", verbatim(`--limit ${limit} ${rows.message}`));
  return { before: Number.MAX_SAFE_INTEGER, limit: read };
}

/** The one row of an id or a number that several ISPs may have. Throws `not_found`, `refused`. */
export function onlyOne<T>(found: readonly T[], noun: string, named: string): T {
  const [one, another] = found;
  if (!one)
    throw new DomainError("not_found", verbatim(`there is no ${noun} ${named}; see: gatehouse ${noun} list`));
  if (another)
    throw new DomainError("refused", verbatim(`several ISPs have a ${noun} ${named}; name it by its id`));
  return one;
}

export function parseId(named: string): number | undefined {
  return /^[0-9]{1,15}$/.test(named) ? Number(named) : undefined;
}
