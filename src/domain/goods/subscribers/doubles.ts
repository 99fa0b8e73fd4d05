import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";

/** A column whose values no two subscribers share, and the field that it is of. */
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
  /** Compared without case: the column has the folded form. */
  readonly isFolded?: true;
  /** The column of what they are not shared within; absent, it is the appliance. */
  readonly within?: "isp_id";
}

/** Unique in the store too. */
export const usernames: Unshared = { field: "username", column: "username_key", isFolded: true };

const contacts: readonly Unshared[] = [
  { field: "nic_number", column: "nic_number" },
  { field: "mobile_number", column: "mobile_number" },
  { field: "phone_number", column: "phone_number" },
  { field: "email", column: "email_key", isFolded: true },
];

/**
 * Not shared within an ISP. Two ISPs of one box may both use 10.0.0.5, behind routers of their own; and none learns what
 * the other has.
 */
const addresses: readonly Unshared[] = [
  { field: "static_ip", column: "static_ip", within: "isp_id" },
  { field: "framed_ipv6_prefix", column: "framed_ipv6_prefix", within: "isp_id" },
  { field: "delegated_ipv6_prefix", column: "delegated_ipv6_prefix", within: "isp_id" },
];

/** What the store itself lets two share: contacts while unique_contacts is 1, as it is or as `isUnique` says, and addresses. */
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

/** Every such value, from before it was refused. One look at an index for each column. */
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
