import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { fold } from "../../core/fields/text.ts";
import { selectStaff, staffNamed, type StaffRow } from "./accounts.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { peopleCondition } from "../../core/actor/reach.ts";

/** Absent: all. */
export interface StaffFilter {
  readonly username?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly profileType?: number | null | undefined;
  readonly roleCode?: number | null | undefined;
  readonly status?: number | null | undefined;
}

const orders = { username: "a.username_key", name: "a.name", id: "a.id", created_at: "a.created_at" };

export const staffSorts = ["username", "name", "id", "created_at"] as const;
type Sort = (typeof staffSorts)[number];

export function staffPage(
  { $client }: Db,
  by: Actor,
  { username, email, profileType, roleCode, status }: StaffFilter,
  paging: { limit: number; offset: number; sort: Sort; descending: boolean },
): { rows: StaffRow[]; total: number } {
  permit(by, "staffPage");
  const { text, values } = all(
    peopleCondition(by.scope),
    equal("a.username_key", username && fold(username)),
    equal("a.email_key", email && fold(email)),
    equal("a.profile_type", profileType),
    equal("a.role_code", roleCode),
    equal("a.status", status),
  );
  const { limit, offset, sort, descending } = paging;
  const direction = descending ? "DESC" : "ASC";
  const order = `${orders[sort]} ${direction}, a.id ${direction}`;
  const rows = $client
    .query<StaffRow, Value[]>(`${selectStaff} WHERE ${text} ORDER BY ${order} LIMIT ? + 0 OFFSET ?`)
    .all(...values, limit, offset);
  const counted = $client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total FROM staff a WHERE ${text}`)
    .get(...values);
  return { rows, total: counted?.total ?? 0 };
}

export function staffAccountById(db: Db, by: Actor, staffId: number): StaffRow {
  permit(by, "staffAccountById");
  return staffNamed(db, by.scope, { staffId });
}
