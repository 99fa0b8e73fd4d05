import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Account } from "../../core/amounts/balance.ts";
import { DomainError, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { selectStaff, type StaffRow } from "../../people/staff/accounts.ts";
import { type Actor, requireFlag, type Scope } from "../../core/actor/actor.ts";
import { permissions } from "../../core/actor/permissions.ts";
import { RESELLER } from "../../core/actor/profile-types.ts";
import { staffCondition } from "../../core/actor/reach.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";

/** A subscriber's, or a staff account's. */
export interface WalletName {
  readonly subscriberId?: number | null | undefined;
  readonly staffId?: number | null | undefined;
}

export interface Payer {
  readonly account: Account;
  readonly ispId: number;
  readonly branchId: number | null;
  readonly name: string;
  readonly packageId: number | null;
}

/** Throws `invalid` unless one is named, `not_found` outside the scope; for staff `forbidden` to Resellers, owners and without wallet_adjust. */
export function requirePayer(db: Db, by: Actor, named: WalletName): Payer {
  const { subscriberId, staffId } = requireOnePayer(named);
  if (subscriberId !== null) {
    const { ispId, branchId, name, packageId } = subscriberById(db, by.scope, subscriberId);
    return { account: { subscriberId }, ispId, branchId, name, packageId };
  }
  requireFlag(by, permissions.adjustWallet);
  if (by.scope.salespersonId !== null)
    throw new DomainError("forbidden", phrase`a reseller's wallet is moved by staff of the ISP; ask them`, {
      code: "staff_only",
    });
  if (by.staffId === staffId)
    throw new DomainError("forbidden", phrase`nobody moves money of the own wallet; ask somebody else`, {
      code: "own_account",
    });
  const { ispId, branchId, name } = resellerById(db, by.scope, staffId);
  return { account: { staffId }, ispId, branchId, name, packageId: null };
}

/** Throws `not_found` outside the scope, `refused` without a wallet. */
function resellerById(db: Db, scope: Scope, staffId: number): StaffRow & { ispId: number } {
  const row = staffInWalletScope(db, scope, staffId);
  const { ispId } = row;
  if (row.profileType !== RESELLER || ispId === null)
    throw new DomainError("refused", phrase`${row.name} is no Reseller and has no wallet; name a Reseller`, {
      code: "no_wallet",
    });
  return { ...row, ispId };
}

export function staffInWalletScope({ $client }: Db, scope: Scope, staffId: number): StaffRow {
  const { text, values } = all(equal("a.id", staffId), staffCondition(scope));
  return known(
    $client.query<StaffRow, Value[]>(`${selectStaff} WHERE ${text}`).get(...values),
    phrase`there is no staff account ${staffId}`,
  );
}

/** Throws `invalid` unless exactly one is named. */
export function requireOnePayer({
  subscriberId,
  staffId,
}: WalletName): { subscriberId: number; staffId: null } | { subscriberId: null; staffId: number } {
  if (subscriberId && !staffId) return { subscriberId, staffId: null };
  if (staffId && !subscriberId) return { subscriberId: null, staffId };
  throw new DomainError(
    "invalid",
    phrase`name one wallet: user_id of a subscriber, or staff_id of a Reseller`,
    {
      fields: { user_id: [phrase`is required, or staff_id in its place, and not both`] },
    },
  );
}
