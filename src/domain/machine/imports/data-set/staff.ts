import type { Db, Tx } from "../../../../../db/open.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault, amount, flag, type Input, readFields, type Values } from "../../../core/fields/fields.ts";
import { ENABLED, staffFields } from "../../../people/staff/accounts.ts";
import {
  hashPassword,
  knownPassword,
  passwordHash,
  verifyPassword,
} from "../../../people/staff/passwords.ts";
import { SELLERS, STAFF } from "../../../core/actor/profile-types.ts";
import { findStaffFaults, signInKey, type StaffLookup, storedStaff } from "../../../people/staff/rules.ts";
import { signOutStaff } from "../../../people/staff/sign-out.ts";
import { fold } from "../../../core/fields/text.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { Holders, type VacatedValue } from "./collisions.ts";
import { addBelow, type Directory, enter, referencesIn } from "./directory.ts";
import { type Row, readRows } from "./rows.ts";
import { StagedRows, type Staging } from "./staging.ts";
import { stampField } from "./stamps.ts";

const required = ["isp_id", "name", "username", "profile_type"] as const;

/** `is_key`: an API key that acted here; without its secret it is a name for what it did. */
const fields = {
  ...staffFields,
  is_key: flag,
  password: knownPassword,
  password_hash: passwordHash,
  balance: amount,
  stamp: stampField,
};
export type StaffRow = Row<Values<typeof fields>>;

export function readStaff(file: Input, stored: Directory, faults: Faults): StaffRow[] {
  return readRows(
    file["staff"],
    "/staff",
    {
      names: new Set(Object.keys(fields)),
      read: (row, found, { known }) => {
        const values = readFields(fields, row, found, { required, partial: known });
        const isKey = values.is_key === 1;
        if (!known && !isKey && row["password"] === undefined && row["password_hash"] === undefined)
          addFault(found, "password", phrase`is required`);
        if (row["password"] === "" || row["password"] === null)
          addFault(found, "password", phrase`must not be empty`);
        return values;
      },
    },
    stored.staff,
    faults,
  );
}

/** Adds faults of the account rules. */
export function findStaffRowFaults(
  db: Db,
  rows: readonly StaffRow[],
  directory: Directory,
  faults: Faults,
): VacatedValue[] {
  enter(directory, "staff", rows, faults);
  enterSalespersons(directory, rows);
  const holders = new Holders(db, { table: "staff", noun: "account" }, rows, [
    { column: "username_key", keyOf: ({ values }) => signInKey(values.username) },
    { column: "email_key", keyOf: ({ values }) => signInKey(values.email) },
  ]);
  const keys = new Map(
    rows.flatMap(({ id, values }) => (values.is_key === 1 && values.username ? [[id, values.username]] : [])),
  );
  const lookup: StaffLookup = {
    ...referencesIn(directory),
    holder: (name, key, id) => holders.of(`${name}_key`, key, id),
    findUsername: (id) => keys.get(id) ?? storedStaff(db).findUsername(id),
  };
  for (const { id, pointer, values } of rows) {
    const found: Faults = {};
    findStaffFaults(lookup, { id, isp: directory.staff.get(id) ?? null, values }, found);
    addBelow(pointer, found, faults);
  }
  return [...holders.vacated];
}

/** A missing type has a fault of its own. */
function enterSalespersons({ staff, salespersons }: Directory, rows: readonly StaffRow[]): void {
  for (const { id, known, values } of rows) {
    const { profile_type: type } = values;
    if (type ? SELLERS.includes(type) : !known) salespersons.set(id, staff.get(id) ?? null);
    else if (type) salespersons.delete(id);
  }
}

/** New hashes by staff id; unchanged passwords are skipped. */
export async function hashStaffPasswords(
  db: Db,
  rows: readonly StaffRow[],
): Promise<ReadonlyMap<number, string>> {
  const stored = db.$client.query<{ hash: string }, [number]>(
    "SELECT password_hash AS hash FROM staff WHERE id = ?",
  );
  const hashes = new Map<number, string>();
  for (const { id, values } of rows) {
    const current = stored.get(id)?.hash;
    const { password, password_hash } = values;
    if (password_hash && password_hash !== current) hashes.set(id, password_hash);
    if (password && !(current && (await verifyPassword(password, current))))
      hashes.set(id, await hashPassword(password));
  }
  return hashes;
}

/** Signs in nowhere, whatever the row says. */
const asKey = { is_key: 1, password_hash: "", role_code: null, profile_type: STAFF, status: 0 };

/** A new password or a status other than 1 revokes tokens. */
export function stageStaff(
  staging: Staging,
  rows: readonly StaffRow[],
  hashes: ReadonlyMap<number, string>,
  now: Seconds,
): { rows: StagedRows; write: (tx: Tx) => void } {
  const staged = new StagedRows(staging, "staff");
  const signedOut: number[] = [];
  for (const row of rows) {
    const {
      password: _password,
      password_hash: _hash,
      balance: _balance,
      stamp: _stamp,
      is_key: isKey,
      isp_id,
      branch_id,
      username,
      email,
      ...columns
    } = row.values;
    const stored = staged.find(row);
    staged.put(
      row.id,
      stored,
      {
        ...columns,
        isp_id: isp_id === 0 ? null : isp_id,
        branch_id: branch_id === 0 ? null : branch_id,
        username,
        username_key: username && fold(username),
        email,
        email_key: email && fold(email),
        password_hash: hashes.get(row.id),
      },
      { onInsert: { created_at: now, ...(isKey === 1 && asKey) }, onChange: { updated_at: now } },
    );
    const { status } = columns;
    const isDisabled = typeof status === "number" && status !== ENABLED && status !== stored?.["status"];
    if (stored && (hashes.has(row.id) || isDisabled)) signedOut.push(row.id);
  }
  const write = (tx: Tx) => {
    staged.write(tx);
    for (const id of signedOut) signOutStaff(tx, id, now);
  };
  return { rows: staged, write };
}
