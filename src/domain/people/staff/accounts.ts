import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, write, writePatiently } from "../../../../db/open.ts";
import { staff } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import {
  addFault,
  email,
  id,
  type Input,
  price,
  readFields,
  scopeId,
  text,
  username,
  type Values,
  wholeNumber,
} from "../../core/fields/fields.ts";
import { checkNewIsp, inOwnIsp } from "../../core/references/references.ts";
import { formatMinor } from "../../core/amounts/money.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Actor, Scope } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { chosenPassword, hashPassword } from "./passwords.ts";
import { forgetFirstPassword } from "./first-password.ts";
import { permit } from "../../core/actor/permissions.ts";
import {
  refuseReseller,
  requireMayLend,
  requireNoMore,
  requireStaffWithin,
  peopleCondition,
} from "../../core/actor/reach.ts";
import { requireAnotherAdmin } from "./last-admin.ts";
import { ADMIN, profileType } from "../../core/actor/profile-types.ts";
import { creditLimitFault, findStaffFaults, storedStaff, usernameFault } from "./rules.ts";
import { signOutStaff } from "./sign-out.ts";

export const ENABLED = 1;

export const staffFields = {
  isp_id: scopeId,
  branch_id: scopeId,
  name: text(120),
  username,
  email,
  phone: text(40),
  password: chosenPassword,
  profile_type: profileType,
  role_code: id,
  status: wholeNumber(0, 255),
  credit_limit: price,
};
export const requiredStaffFields = ["isp_id", "name", "username", "password", "profile_type"] as const;

export type StaffRow = typeof staff.$inferSelect;

/** Throws `invalid` with every fault, `forbidden` for an account that would see or do more than the actor. */
export async function addStaff(
  db: Db,
  by: Actor,
  input: Input,
  { now, id }: { now: Seconds; id?: number },
): Promise<StaffRow> {
  permit(by, "addStaff");
  const faults: Faults = {};
  const values = readFields(staffFields, inOwnIsp(db, by, input), faults, {
    required: requiredStaffFields,
  });
  values.branch_id ??= by.scope.branchId;
  if (values.isp_id !== undefined)
    requireStaffWithin(by, { ispId: values.isp_id || null, branchId: values.branch_id || null });
  findNewStaffFaults(db, by, values, faults);
  rejectFaults(faults);
  requireNoMore(db, by, { isAdmin: values.profile_type === ADMIN, roleCode: values.role_code ?? null });
  requireMayLend(by, { before: 0, after: values.credit_limit ?? 0 });
  const { isp_id, branch_id, name, username, email, phone, password, profile_type, role_code } = values;
  if (!name || !username || !password || !profile_type) throw new Error("a required field was not checked");
  const passwordHash = await hashPassword(password);
  return writePatiently(db, (tx) => {
    findNewStaffFaults(tx, by, values, faults); // again: hashing took its time
    rejectFaults(faults);
    const added = insert(tx, staff, {
      ...(id !== undefined && { id }),
      ispId: isp_id || null,
      branchId: branch_id || null,
      name,
      username,
      usernameKey: fold(username),
      email: email ?? null,
      emailKey: email ? fold(email) : null,
      phone: phone ?? null,
      passwordHash,
      profileType: profile_type,
      roleCode: role_code ?? null,
      status: values.status ?? ENABLED,
      creditLimit: values.credit_limit ?? 0,
      createdAt: now,
      updatedAt: now,
    });
    const row = staffNamed(tx, everything, { staffId: added });
    audit(tx, by, now, { ...staffEntry(row, "staff.add"), after: staffRecord(row) });
    return row;
  });
}

/** Faults that need no store. */
export function checkStaffValues(input: Input): void {
  const faults: Faults = {};
  const { username } = readFields(staffFields, input, faults, { required: requiredStaffFields });
  const fault = username && usernameFault(username);
  if (fault) addFault(faults, "username", fault);
  rejectFaults(faults);
}

function findNewStaffFaults(
  db: Db,
  { scope }: Actor,
  values: Values<typeof staffFields>,
  faults: Faults,
): void {
  const lookup = storedStaff(db);
  const isp = checkNewIsp(lookup, values.isp_id, faults, { own: scope.ispId });
  findStaffFaults(lookup, { id: 0, isp, values }, faults);
  const { profile_type, credit_limit } = values;
  const fault =
    profile_type && creditLimitFault({ profileType: profile_type, creditLimit: credit_limit ?? 0 });
  if (fault) faults["credit_limit"] ??= [fault];
}

export function listStaff({ $client }: Db, by: Actor): StaffRow[] {
  permit(by, "listStaff");
  const { text, values } = peopleCondition(by.scope);
  return $client
    .query<StaffRow, Value[]>(`${selectStaff} WHERE ${text} ORDER BY a.username_key`)
    .all(...values);
}

export type NamedStaff = { readonly staffId: number } | { readonly username: string };

export async function changeStaffPassword(
  db: Db,
  by: Actor,
  { password, ...named }: NamedStaff & { password: string },
  { now }: { now: Seconds },
): Promise<void> {
  permit(by, "changeStaffPassword");
  const faults: Faults = {};
  const values = readFields({ password: chosenPassword }, { password }, faults, { required: ["password"] });
  rejectFaults(faults);
  managedStaff(db, by, named);
  const passwordHash = await hashPassword(values.password ?? "");
  const username = await writePatiently(db, (tx) => {
    const row = managedStaff(tx, by, named);
    update(tx, staff, { passwordHash, updatedAt: now }, { id: row.id });
    signOutStaff(tx, row.id, now);
    audit(tx, by, now, staffEntry(row, "staff.password"));
    return row.username;
  });
  forgetFirstPassword(db, username);
}

export function setStaffStatus(
  db: Db,
  by: Actor,
  { status, ...named }: NamedStaff & { status: 0 | 1 },
  { now }: { now: Seconds },
): void {
  permit(by, "setStaffStatus");
  write(db, (tx) => {
    const row = managedStaff(tx, by, named);
    if (status !== ENABLED) {
      if (row.id === by.staffId)
        throw new DomainError("refused", phrase`nobody disables the own account; ask another Admin`, {
          code: "own_account",
        });
      requireAnotherAdmin(tx, by, row, { ...row, status });
      signOutStaff(tx, row.id, now);
    }
    update(tx, staff, { status, updatedAt: now }, { id: row.id });
    audit(tx, by, now, {
      ...staffEntry(row, "staff.status"),
      before: { status: row.status },
      after: { status },
    });
  });
}

/** The account with a username or an e-mail address. */
export function findStaffBySignIn(db: Db, usernameOrEmail: string): StaffRow | undefined {
  return signsInWith(db, usernameOrEmail.trim());
}

export function staffRecord(row: StaffRow) {
  return {
    id: row.id,
    name: row.name,
    username: row.username,
    email: row.email ?? "",
    phone: row.phone ?? "",
    profile_type: row.profileType,
    isp_id: row.ispId ?? 0,
    branch_id: row.branchId ?? 0,
    role_code: row.roleCode,
    status: row.status,
    credit_limit: formatMinor(row.creditLimit),
  };
}

/** Throws `not_found`. */
export function staffNamed({ $client }: Db, scope: Scope, named: NamedStaff): StaffRow {
  const isMeant =
    "staffId" in named ? equal("a.id", named.staffId) : equal("a.username_key", fold(named.username));
  const { text, values } = all(isMeant, peopleCondition(scope));
  const row = $client.query<StaffRow, Value[]>(`${selectStaff} WHERE ${text}`).get(...values);
  if (row) return row;
  const name = "staffId" in named ? named.staffId : named.username;
  throw new DomainError("not_found", phrase`there is no staff account ${name}; see: gatehouse staff list`);
}

/** Hand-written, because every API call runs it. */
export const selectStaff = `SELECT ${selectColumns(staff, "a")} FROM staff a`;

/** People alone. A username wins over an equal e-mail. */
function signsInWith({ $client }: Db, name: string): StaffRow | undefined {
  const key = fold(name);
  const by = (column: "username_key" | "email_key") =>
    $client.query<StaffRow, [string]>(`${selectStaff} WHERE a.${column} = ? AND a.is_key = 0`).get(key);
  return by("username_key") ?? by("email_key") ?? undefined;
}

/** An account that may no more than the actor. Throws `not_found`, `forbidden`. */
export function managedStaff(db: Db, by: Actor, named: NamedStaff): StaffRow {
  refuseReseller(by);
  const row = staffNamed(db, by.scope, named);
  requireNoMore(db, by, { isAdmin: row.profileType === ADMIN, roleCode: row.roleCode });
  return row;
}

export function staffEntry(row: StaffRow, action: string) {
  return { action, entity: "staff", entityId: row.id, ispId: row.ispId };
}
