import { Type } from "@sinclair/typebox";
import type { Db, Tx } from "../../../db/open.ts";
import type { FieldErrors } from "../errors.ts";
import { addFault, amount, field, type Input, readFields, username, type Values } from "../fields.ts";
import { ENABLED, staffFields } from "../staff/accounts.ts";
import { hashPassword, knownPassword, verifyPassword } from "../staff/passwords.ts";
import { ADMIN } from "../staff/profile-types.ts";
import { revokeStaffTokens } from "../staff/tokens.ts";
import { fold } from "../text.ts";
import type { Seconds } from "../time.ts";
import { type Claim, findCollisions, type Parked } from "./collisions.ts";
import { type Directory, enter, findReferenceFault } from "./directory.ts";
import { type Row, readRows } from "./rows.ts";
import { StagedRows, type Staging } from "./staging.ts";
import { stampField } from "./stamps.ts";

const required = ["isp_id", "name", "username", "profile_type"] as const;
const signInKeys = { username_key: "username_key", email_key: "email_key" };

/** What Bun.password makes of a password: how an export carries it. The bounds keep a sign-in from costing gigabytes. */
export const passwordHash = field(
  Type.String({
    pattern:
      "^\\$argon2id\\$v=19\\$m=[0-9]{1,6},t=[0-9]{1,2},p=[0-9]\\$[A-Za-z0-9+/]{11,88}\\$[A-Za-z0-9+/]{16,88}$",
  }),
  "must be an argon2id hash such as $argon2id$v=19$m=19456,t=2,p=1$...",
  (value): string => value,
);

/** Passwords and names that people have already are not refused for what is asked of new ones; see findStaffFaults. */
const fields = {
  ...staffFields,
  username,
  password: knownPassword,
  password_hash: passwordHash,
  balance: amount,
  stamp: stampField,
};
export type StaffRow = Row<Values<typeof fields>>;

export function readStaff(file: Input, stored: Directory, faults: FieldErrors): StaffRow[] {
  return readRows(
    file["staff"],
    "/staff",
    {
      names: new Set(Object.keys(fields)),
      read: (row, found, { known }) => {
        const values = readFields(fields, row, found, { required, partial: known });
        if (!known && row["password"] === undefined && row["password_hash"] === undefined)
          addFault(found, "password", "is required");
        if (row["password"] === "" || row["password"] === null)
          addFault(found, "password", "must not be empty");
        return values;
      },
    },
    stored.staff,
    faults,
  );
}

/** Enters the accounts into the directory and adds what is wrong with references and names to sign in with. */
export function findStaffFaults(
  db: Db,
  rows: readonly StaffRow[],
  directory: Directory,
  faults: FieldErrors,
): Parked[] {
  enter(directory, "staff", rows, faults);
  const storedName = db.$client.query<{ username: string }, [number]>(
    "SELECT username FROM staff WHERE id = ?",
  );
  const claims: Claim[] = [];
  for (const { id, pointer, values } of rows) {
    const isp = directory.staff.get(id);
    const { profile_type, branch_id, role_code, username, email } = values;
    if (isp === null && profile_type && profile_type !== ADMIN)
      addFault(faults, `${pointer}/isp_id`, "must be an ISP; only an Admin can be the operator of the box");
    findReferenceFault(directory.branches, branch_id, isp, `${pointer}/branch_id`, faults);
    findReferenceFault(directory.roles, role_code, isp, `${pointer}/role_code`, faults);
    if (username?.includes(":") && storedName.get(id)?.username !== username)
      addFault(
        faults,
        `${pointer}/username`,
        "must not have a colon, at which HTTP Basic ends a name: this account could not use the API",
      );
    if (username)
      claims.push({ id, column: "username_key", pointer: `${pointer}/username`, key: fold(username) });
    if (email !== undefined)
      claims.push({ id, column: "email_key", pointer: `${pointer}/email`, key: email && fold(email) });
  }
  return findCollisions(db, "staff", signInKeys, claims, faults);
}

/** The hashes of the passwords that are new, by staff id; a password that an account has already changes nothing. */
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

/** The accounts. A new password, and a status that becomes another one than 1, revoke the tokens of the account. */
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
      { onInsert: { created_at: now }, onChange: { updated_at: now } },
    );
    const { status } = columns;
    const isDisabled = typeof status === "number" && status !== ENABLED && status !== stored?.["status"];
    if (stored && (hashes.has(row.id) || isDisabled)) signedOut.push(row.id);
  }
  const write = (tx: Tx) => {
    staged.write(tx);
    for (const id of signedOut) revokeStaffTokens(tx, id, now);
  };
  return { rows: staged, write };
}
