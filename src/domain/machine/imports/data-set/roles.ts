import type { Db, Tx } from "../../../../../db/open.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import {
  addFault,
  flag,
  id,
  type Input,
  readFields,
  text,
  type Values,
} from "../../../core/fields/fields.ts";
import type { Seconds } from "../../../core/time/time.ts";
import type { FieldChange } from "./change-log.ts";
import { type Directory, enter } from "./directory.ts";
import { below, items, object, type Row, readRows } from "./rows.ts";
import type { StoredRow } from "./change-log.ts";
import { StagedRows, type Staging } from "./staging.ts";

/** Fields beside flags. */
const notFlags = new Set(["role_code", "isp_id", "branch_id"]);
const roleFields = { isp_id: id, name: text(120), needs_second_factor: flag };

type Permissions = ReadonlyMap<string, 0 | 1>;
type RoleValues = Values<typeof roleFields> & { permissions: Permissions | null | undefined };

export interface Roles {
  readonly flags: readonly string[];
  readonly roles: readonly Row<RoleValues>[];
}

export function readRoles(db: Db, file: Input, stored: Directory, faults: Faults): Roles {
  const flags = readFlags(file["permission_flags"], faults);
  const catalogue = new Set([...flags, ...flagNames(db)]);
  const roles = readRows(
    file["roles"],
    "/roles",
    {
      names: new Set([...Object.keys(roleFields), "permissions"]),
      key: "code",
      read: (row, found, { known }) => ({
        ...readFields(roleFields, row, found, { required: ["isp_id", "name"], partial: known }),
        permissions: readPermissions(row["permissions"], catalogue, found),
      }),
    },
    stored.roles,
    faults,
  );
  return { flags, roles };
}

export function flagNames(db: Db): string[] {
  return db.$client
    .query<{ name: string }, []>("SELECT name FROM permission_flags ORDER BY rowid")
    .all()
    .map(({ name }) => name);
}

export function findRoleFaults({ roles }: Roles, directory: Directory, faults: Faults): void {
  enter(directory, "roles", roles, faults);
}

export function stageRoles(
  staging: Staging,
  { flags, roles }: Roles,
  now: Seconds,
): { rows: StagedRows; write: (tx: Tx) => void } {
  const staged = new StagedRows(staging, "roles", "code");
  const known = new Set(flagNames(staging.db));
  const newFlags = flags.filter((name) => !known.has(name));
  const stored = storedPermissions(staging.db);
  const changes: { code: number; permissions: Permissions | null }[] = [];
  for (const row of roles) {
    const { permissions, ...columns } = row.values;
    const permissionsSet = permissions === undefined ? undefined : permissions ? 1 : 0;
    const before = stored.get(row.id);
    const touched = permissions
      ? [...permissions].some(([name, value]) => flagBefore(before, name) !== value)
      : permissions === null && before !== undefined;
    const onInsert = { created_at: now };
    const role = staged.find(row);
    if (role && touched) logPermissions(staging, role, before, permissions ?? null);
    staged.put(row.id, role, { ...columns, permissions_set: permissionsSet }, { onInsert, touched });
    if (touched) changes.push({ code: row.id, permissions: permissions ?? null });
  }
  const write = (tx: Tx) => {
    const add = tx.$client.query("INSERT OR IGNORE INTO permission_flags (name) VALUES (?)");
    for (const name of newFlags) add.run(name);
    staged.write(tx);
    writePermissions(tx, changes, roles);
  };
  return { rows: staged, write };
}

function flagBefore(before: ReadonlyMap<string, number> | undefined, name: string): number | null {
  return before ? (before.get(name) ?? 0) : null;
}

function logPermissions(
  { changes }: Staging,
  { code, name }: StoredRow,
  before: ReadonlyMap<string, number> | undefined,
  permissions: Permissions | null,
): void {
  const log = (field: string, change: FieldChange) => changes.add("roles", Number(code), name, field, change);
  if (!permissions) log("permissions", { before: `${before?.size ?? 0} set`, after: null });
  for (const [flagName, after] of permissions ?? []) {
    const value = flagBefore(before, flagName);
    if (value !== after) log(`permissions/${flagName}`, { before: value, after });
  }
}

/** Advances the sequence of codes, so that none is given out twice. */
function writePermissions(
  tx: Tx,
  changes: readonly { code: number; permissions: Permissions | null }[],
  roles: Roles["roles"],
): void {
  const clear = tx.$client.query("DELETE FROM role_permissions WHERE role_code = ?");
  const set = tx.$client.query(
    "INSERT INTO role_permissions (role_code, flag, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  for (const { code, permissions } of changes) {
    if (permissions === null) clear.run(code);
    for (const [name, value] of permissions ?? []) set.run(code, name, value);
  }
  const largest = roles.reduce((code, row) => Math.max(code, row.id), 0);
  if (largest === 0) return;
  tx.$client
    .query(
      "INSERT INTO sequences (name, last) VALUES ('role_code', ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)",
    )
    .run(largest);
}

function storedPermissions(db: Db): Map<number, Map<string, number>> {
  const byRole = new Map<number, Map<string, number>>();
  const rows = db.$client
    .query<{ role: number; flag: string; value: number }, []>(
      "SELECT role_code AS role, flag, value FROM role_permissions",
    )
    .all();
  for (const { role, flag, value } of rows) {
    const permissions = byRole.get(role) ?? new Map<string, number>();
    byRole.set(role, permissions.set(flag, value));
  }
  return byRole;
}

function readFlags(section: unknown, faults: Faults): string[] {
  return items(section, "/permission_flags", faults).flatMap((name, index) => {
    if (typeof name === "string" && /^[a-z][a-z0-9_]{0,63}$/.test(name) && !notFlags.has(name)) return [name];
    addFault(
      faults,
      `/permission_flags/${index}`,
      phrase`must be a name of small letters, digits and underscores, none of ${[...notFlags].join(", ")}`,
    );
    return [];
  });
}

/** Permissions of a role; unnamed flags stay. */
function readPermissions(
  value: unknown,
  catalogue: ReadonlySet<string>,
  faults: Faults,
): Permissions | null | undefined {
  if (value === undefined || value === null) return value;
  const values = object(value, "permissions", faults);
  const permissions = new Map<string, 0 | 1>();
  for (const [name, value] of Object.entries(values ?? {})) {
    const decoded = flag.read(value);
    if (!catalogue.has(name))
      addFault(
        faults,
        below("permissions", name),
        phrase`is not a permission flag; add it to permission_flags`,
      );
    else if (decoded === undefined) addFault(faults, below("permissions", name), flag.message);
    else permissions.set(name, decoded);
  }
  return permissions;
}
