import { eq, max } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { branches, isps, rolePermissions, roles, sequences, staff } from "../../db/schema.ts";
import type { Input } from "../../src/domain/core/fields/fields.ts";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { addStaff, type StaffRow } from "../../src/domain/people/staff/accounts.ts";
import { operator } from "../../src/domain/core/actor/operator.ts";
import { NOW } from "./store.ts";

/** argon2id of `secret-1` at the lowest cost: a real hash that hundreds of calls can afford. */
export const SECRET_1_HASH =
  "$argon2id$v=19$m=8,t=1,p=1$1zuLyYfgx9GKXTU6HYBOHgQ6YgDkPRwb1vxK3FoFdgw$8RVtsldxYOaqPDJjVWyD7sxqZiXOBXGXtcvStGpHJGo";

export const cli = operator("root", "cli");

/** ISP 1 with branches 11 and 12, ISP 2 with branch 21. */
export function insertIsps(db: Db): void {
  db.insert(isps)
    .values([
      { id: 1, name: "Northlink" },
      { id: 2, name: "Southlink" },
    ])
    .run();
  db.insert(branches)
    .values([
      { id: 11, ispId: 1, name: "Centre" },
      { id: 12, ispId: 1, name: "Harbour" },
      { id: 21, ispId: 2, name: "Hill" },
    ])
    .run();
}

/** A role of an ISP with these flags set to 1. */
export function insertRole(db: Db, code: number, ispId: number, name: string, flags: string[] = []): void {
  db.insert(roles).values({ code, ispId, name, permissionsSet: 1, createdAt: NOW }).run();
  for (const flag of flags) db.insert(rolePermissions).values({ roleCode: code, flag, value: 1 }).run();
  db.insert(sequences)
    .values({ name: "role_code", last: code })
    .onConflictDoUpdate({ target: sequences.name, set: { last: code } })
    .run();
}

/** An account of ISP 1, an Admin with the password `secret-1`, unless said otherwise. */
export async function insertStaff(db: Db, username: string, values: Input = {}): Promise<StaffRow> {
  const row = {
    isp_id: 1,
    name: username.toUpperCase(),
    username,
    email: `${username}@isp.example`,
    password: "secret-1",
    profile_type: 1,
    ...values,
  };
  if (row.password !== "secret-1") return addStaff(db, cli, row, { now: NOW });
  const id =
    1 +
    (db
      .select({ id: max(staff.id) })
      .from(staff)
      .get()?.id ?? 0);
  const { password: _, ...account } = row;
  await importDataSet(db, cli, { staff: [{ ...account, id, password_hash: SECRET_1_HASH }] }, { now: NOW });
  const inserted = db.select().from(staff).where(eq(staff.id, id)).get();
  if (!inserted) throw new Error(`${username} was not inserted`);
  return inserted;
}
