import type { Db } from "../../../../db/open.ts";
import { write } from "../../../../db/open.ts";
import { staff } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, type Input, readFields, without } from "../../core/fields/fields.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import {
  staffEntry,
  managedStaff,
  type NamedStaff,
  staffFields,
  staffNamed,
  staffRecord,
  type StaffRow,
} from "./accounts.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { requireAnotherAdmin } from "./last-admin.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ADMIN, RESELLER, SELLERS } from "../../core/actor/profile-types.ts";
import { requireMayLend, requireNoMore, requireStaffWithin } from "../../core/actor/reach.ts";
import { creditLimitFault, findStaffFaults, storedStaff } from "./rules.ts";

/** ISP, password and status are separate. */
export const changedStaffFields = without(staffFields, ["isp_id", "password", "status"]);
const required = ["name", "username", "profile_type"] as const;

/** Throws `not_found`, `invalid` with every fault, `refused` for the last Admin, `forbidden` for a more powerful account. */
export function updateStaff(
  db: Db,
  by: Actor,
  { input, ...named }: NamedStaff & { input: Input },
  { now }: { now: Seconds },
): StaffRow {
  permit(by, "updateStaff");
  const faults: Faults = {};
  const values = readFields(changedStaffFields, input, faults, { required, partial: true });
  return write(db, (tx) => {
    const before = managedStaff(tx, by, named);
    const orStored = (value: number | null | undefined, stored: number | null) =>
      value === undefined ? stored : value || null;
    const after = {
      ...before,
      branchId: orStored(values.branch_id, before.branchId),
      name: values.name ?? before.name,
      username: values.username ?? before.username,
      email: values.email === undefined ? before.email : values.email,
      phone: values.phone === undefined ? before.phone : values.phone,
      profileType: values.profile_type ?? before.profileType,
      roleCode: orStored(values.role_code, before.roleCode),
      creditLimit: values.credit_limit === undefined ? before.creditLimit : (values.credit_limit ?? 0),
    };
    requireStaffWithin(by, after);
    findStaffFaults(storedStaff(tx), { id: before.id, isp: before.ispId, values }, faults);
    const { profileType, creditLimit } = after;
    const limitFault = creditLimitFault({ profileType, creditLimit });
    if (limitFault) addFault(faults, "credit_limit", limitFault);
    rejectFaults(faults);
    requireNoMore(tx, by, { isAdmin: after.profileType === ADMIN, roleCode: after.roleCode });
    requireMayLend(by, { before: before.creditLimit, after: after.creditLimit });
    requireAnotherAdmin(tx, by, before, after);
    if (!SELLERS.includes(after.profileType)) requireNoCustomers(tx, before);
    if (after.profileType !== before.profileType) requireNoMoney(tx, before, after);
    const { id, status: _status, passwordHash: _hash, ...columns } = after;
    const keys = { usernameKey: fold(after.username), emailKey: after.email && fold(after.email) };
    update(tx, staff, { ...columns, ...keys, updatedAt: now }, { id });
    const row = staffNamed(tx, everything, { staffId: id });
    audit(tx, by, now, {
      ...staffEntry(row, "staff.update"),
      before: staffRecord(before),
      after: staffRecord(row),
    });
    return row;
  });
}

/** Throws `refused`. */
function requireNoCustomers({ $client }: Db, { id, username }: StaffRow): void {
  const found = $client
    .query<{ count: number }, [number]>("SELECT count(*) AS count FROM subscribers WHERE salesperson_id = ?")
    .get(id);
  if (found && found.count > 0)
    throw new DomainError(
      "refused",
      phrase`${username} is the salesperson of ${found.count} subscribers; give them another one first`,
      { code: "in_use" },
    );
}

/** Throws `refused`: a wallet or open till would disappear from lists. */
function requireNoMoney(db: Db, { id, username, profileType }: StaffRow, after: StaffRow): void {
  const held = readBalance(db, { staffId: id });
  if (profileType === RESELLER && held !== 0)
    throw new DomainError(
      "refused",
      phrase`the wallet of ${username} holds ${formatAmount(held)}; bring it to 0 first (payment/take, payment/refund or wallet/adjust)`,
      { code: "wallet_not_empty" },
    );
  if (after.profileType === RESELLER && hasOpenTill(db, id))
    throw new DomainError(
      "refused",
      phrase`${username} took or handed back money since the last day's close; it has to be closed first`,
      { code: "till_not_closed" },
    );
}

function hasOpenTill({ $client }: Db, id: number): boolean {
  const open = $client.query<unknown, [number]>(
    `SELECT 1 FROM payments WHERE taken_by = ? AND reseller_id IS NULL
     AND (closing_id IS NULL OR (reversed_at IS NOT NULL AND reversal_closing_id IS NULL)) LIMIT 1`,
  );
  return open.get(id) !== null;
}
