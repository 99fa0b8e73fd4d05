import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";

/** A unique column. */
export interface Unshared {
  readonly field:
    | "username"
    | "nic_number"
    | "mobile_number"
    | "phone_number"
    | "email"
    | "static_ip"
    | "framed_ipv6_prefix"
    | "delegated_ipv6_prefix";
  readonly column: string;
  /** Compared folded. */
  readonly isFolded?: true;
  /** Unique within; absent: the appliance. */
  readonly within?: "isp_id";
}

/** Usernames, whose uniqueness is a constraint of the store too. */
export const usernames: Unshared = { field: "username", column: "username_key", isFolded: true };

const contacts: readonly Unshared[] = [
  { field: "nic_number", column: "nic_number" },
  { field: "mobile_number", column: "mobile_number" },
  { field: "phone_number", column: "phone_number" },
  { field: "email", column: "email_key", isFolded: true },
];

/** Addresses, unshared within an ISP: two may use 10.0.0.5 behind their own routers, unknown to each other. */
const addresses: readonly Unshared[] = [
  { field: "static_ip", column: "static_ip", within: "isp_id" },
  { field: "framed_ipv6_prefix", column: "framed_ipv6_prefix", within: "isp_id" },
  { field: "delegated_ipv6_prefix", column: "delegated_ipv6_prefix", within: "isp_id" },
];

/** Columns checked in code: contacts while unique_contacts is 1 (or `isUnique`), and addresses. */
export function unsharedColumns(
  db: Db,
  isUnique: unknown = setting(db, "unique_contacts"),
): readonly Unshared[] {
  return isUnique === 1 ? [...contacts, ...addresses] : addresses;
}

export interface Double {
  readonly field: Unshared["field"];
  readonly value: string;
  readonly ids: readonly number[];
  readonly usernames: readonly string[];
}

export function findDoubles(db: Db, columns: readonly Unshared[]): Double[] {
  return columns.flatMap(({ field, column, within }) => {
    const key = within === undefined ? column : `${column}, ${within}`;
    const shared = db.$client
      .query<{ value: string; place: number | null }, []>(
        `SELECT ${column} AS value, ${within ?? "NULL"} AS place FROM subscribers WHERE ${column} IS NOT NULL AND archived_at IS NULL
         GROUP BY ${key} HAVING count(*) > 1`,
      )
      .all();
    const holders = db.$client.query<{ id: number; username: string }, [string, number | null]>(
      `SELECT id, username FROM subscribers WHERE ${column} = ? AND +${within ?? "NULL"} IS ? AND archived_at IS NULL ORDER BY id`,
    );
    return shared.map(({ value, place }) => {
      const all = holders.all(value, place);
      return { field, value, ids: all.map(({ id }) => id), usernames: all.map(({ username }) => username) };
    });
  });
}
