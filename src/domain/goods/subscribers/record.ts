import type { Named } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { subscribers } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { fieldNames } from "../../core/fields/fields.ts";
import { type Actor, may, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { recordFields } from "./fields.ts";
import { endAsThawed } from "./frozen.ts";

export const profileStatuses = ["disabled", "inactive", "expired", "active"] as const;
export type ProfileStatus = (typeof profileStatuses)[number];
export type ConnectionStatus = "online" | "offline";

/** Frozen is shown as disabled. */
export function profileStatus(
  status: number,
  expiresAt: Seconds | null,
  now: Seconds,
  frozenAt: Seconds | null,
): ProfileStatus {
  if (status !== 1 || frozenAt !== null) return "disabled";
  if (expiresAt === null) return "inactive";
  return expiresAt <= now ? "expired" : "active";
}

export const isOnline =
  "EXISTS (SELECT 1 FROM sessions WHERE sessions.subscriber_id = s.id AND sessions.stopped_at IS NULL)";

type Columns = Named<typeof subscribers>;

/** Minor units. */
type Row = Pick<Columns, "id" | Exclude<keyof typeof recordFields, "branch_id" | "password">> & {
  branch_id: number;
  password: Uint8Array;
  area_data: string;
  balance: number;
  billing_type: string;
  profile_status: number;
  connection_status: ConnectionStatus;
  current_expiration_date: Seconds | null;
  frozen_since: Seconds | null;
  created_at: Seconds;
  updated_at: Seconds;
};

/** A separator that no name has. */
const SEPARATOR = "\0";

/** Record fields that are no plain columns. Records are row copies, so place names are joined into one. */
const derived: Readonly<Record<string, string>> = {
  branch_id: "coalesce(s.branch_id, 0)",
  password: "s.password_sealed",
  area_data: ["areas", "subareas", "cities"]
    .map((table) => `coalesce(${table}.name, '')`)
    .join(" || char(0) || "),
  balance: "coalesce(w.balance, 0)",
  billing_type: "p.billing_type",
  profile_status: "s.status",
  connection_status: `iif(${isOnline}, 'online', 'offline')`,
  current_expiration_date: "v.expires_at",
  frozen_since: "v.frozen_at",
  created_at: "s.created_at",
  updated_at: "s.updated_at",
};

/** Place names follow their ids. */
export const recordNames: readonly string[] = [
  ...new Set([
    "id",
    ...fieldNames(recordFields).flatMap((name) => (name === "subarea_id" ? [name, "area_data"] : name)),
    ...Object.keys(derived),
  ]),
];

// NOT INDEXED: by id, not by the scope's ISP
const select = `
  SELECT ${recordNames.map((name) => `${derived[name] ?? `s.${name}`} AS ${name}`).join(", ")}
  FROM subscribers s NOT INDEXED
    JOIN packages p ON p.id = s.package_id
    LEFT JOIN services v ON v.subscriber_id = s.id
    LEFT JOIN wallets w ON w.subscriber_id = s.id
    LEFT JOIN areas ON areas.id = s.area_id
    LEFT JOIN subareas ON subareas.id = s.subarea_id
    LEFT JOIN cities ON cities.id = s.city_id`;

/** Records by id, in minor units and UTC seconds. The password is null without permission, or where damaged. */
export function subscriberRecords(
  db: Db,
  by: Actor,
  where: Condition | undefined,
  { now }: { now: Seconds },
) {
  permit(by, "subscriberRecords");
  const showPassword = may(by, "subscriber_password");
  const { text, values } = all(where, scopeCondition(by.scope));
  return db.$client
    .query<Row, Value[]>(`${select} WHERE ${text} ORDER BY s.id`)
    .all(...values)
    .map((row) => toRecord(row, showPassword ? (db.vault.openTextIfWhole(row.password) ?? null) : null, now));
}

function toRecord(row: Row, password: string | null, now: Seconds) {
  const { profile_status: status, current_expiration_date: expiresAt, frozen_since: frozenAt } = row;
  const [area, subarea, city] = row.area_data.split(SEPARATOR);
  return {
    ...row,
    password,
    area_data: {
      area: place(row.area_id, area),
      subarea: place(row.subarea_id, subarea),
      city: place(row.city_id, city),
    },
    profile_status: profileStatus(status, expiresAt, now, frozenAt),
    current_expiration_date: expiresAt === null ? null : endAsThawed(expiresAt, frozenAt, now),
  };
}

function place(id: number | null, name: string | undefined): { id: number; name: string } | null {
  return id === null || !name ? null : { id, name };
}

export type SubscriberRecord = ReturnType<typeof subscriberRecords>[number];

export function subscriberRecord(db: Db, by: Actor, id: number, { now }: { now: Seconds }): SubscriberRecord {
  permit(by, "subscriberRecord");
  const [record] = subscriberRecords(db, by, equal("s.id", id), { now });
  if (!record) throw new DomainError("not_found", phrase`there is no subscriber ${id}`);
  return record;
}
