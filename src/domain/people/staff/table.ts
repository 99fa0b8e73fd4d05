import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { staff } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { StaffRow } from "./accounts.ts";
import { readIdleSince } from "./console-sessions.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { peopleCondition } from "../../core/actor/reach.ts";

/** An account with role, flags and last sign-in. */
export interface StaffLine extends Omit<StaffRow, "passwordHash" | "totpSecret" | "totpStep"> {
  readonly ispName: string | null;
  readonly branchName: string | null;
  readonly roleName: string | null;
  readonly flags: readonly string[];
  readonly hasSecondFactor: boolean;
  readonly needsSecondFactor: boolean;
  readonly sessions: number;
  /** Of the console or the API; null: never. */
  readonly lastSignInAt: Seconds | null;
}

/** Absent: all. `text`: part of a name, username, address or number. */
export interface StaffNarrowing {
  readonly staffId?: number | undefined;
  readonly text?: string | undefined;
  readonly profileType?: number | undefined;
  readonly roleCode?: number | undefined;
  readonly branchId?: number | undefined;
  readonly status?: number | undefined;
}

const columns = selectColumns(staff, "a");

/** Sign-ins are audit entries of the account. */
const select = `
  SELECT ${columns}, i.name AS ispName, b.name AS branchName, r.name AS roleName, ifnull(r.needs_second_factor, 0) AS needed,
    (SELECT group_concat(flag) FROM role_permissions WHERE role_code = a.role_code AND value = 1) AS flagList,
    (SELECT count(*) FROM staff_sessions WHERE staff_id = a.id AND expires_at > ? AND seen_at > ?) AS sessions,
    (SELECT at FROM audit_entries WHERE entity = 'staff' AND entity_id = CAST(a.id AS TEXT)
       AND action IN ('staff.console_sign_in', 'staff.sign_in') ORDER BY id DESC LIMIT 1) AS lastSignInAt
  FROM staff a LEFT JOIN isps i ON i.id = a.isp_id LEFT JOIN branches b ON b.id = a.branch_id
    LEFT JOIN roles r ON r.code = a.role_code`;

interface Found extends StaffRow {
  readonly ispName: string | null;
  readonly branchName: string | null;
  readonly roleName: string | null;
  readonly needed: number;
  readonly flagList: string | null;
  readonly sessions: number;
  readonly lastSignInAt: Seconds | null;
}

/** Accounts, the enabled first, by name, with total. */
export function staffTable(
  db: Db,
  by: Actor,
  { staffId, text: needle, profileType, roleCode, branchId, status }: StaffNarrowing,
  {
    now,
    limit,
    offset,
    idleSince = readIdleSince(db, now),
  }: { now: Seconds; limit: number; offset: number; idleSince?: Seconds },
): { rows: StaffLine[]; total: number } {
  permit(by, "staffTable");
  const { text, values } = all(
    peopleCondition(by.scope),
    equal("a.id", staffId),
    equal("a.profile_type", profileType),
    equal("a.role_code", roleCode),
    equal("a.branch_id", branchId),
    equal("a.status", status),
    needle === undefined || needle === "" ? undefined : named(needle),
  );
  const rows = db.$client
    .query<Found, Value[]>(
      `${select} WHERE ${text} ORDER BY a.status <> 1, a.name COLLATE NOCASE, a.id LIMIT ? + 0 OFFSET ?`,
    )
    .all(now, idleSince, ...values, limit, offset);
  const counted = db.$client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total FROM staff a WHERE ${text}`)
    .get(...values);
  return { rows: rows.map(toStaffLine), total: counted?.total ?? 0 };
}

function named(needle: string): Condition {
  const columns = ["a.name", "a.username", "a.email", "a.phone"];
  const part = `%${needle.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    text: `(${columns.map((column) => `ifnull(${column}, '') LIKE ? ESCAPE '\\'`).join(" OR ")})`,
    values: columns.map(() => part),
  };
}

function toStaffLine({
  passwordHash: _hash,
  totpSecret,
  totpStep: _step,
  needed,
  flagList,
  ...row
}: Found): StaffLine {
  return {
    ...row,
    flags: flagList === null ? [] : flagList.split(","),
    hasSecondFactor: totpSecret !== null,
    needsSecondFactor: needed === 1,
  };
}
