import { stamps } from "./data-set/stamps.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Value } from "./imported-rows.ts";
import type { Move } from "./move.ts";

export interface StoredPerson extends Readonly<Record<string, Value | Uint8Array>> {
  readonly id: number;
  readonly username: string;
  readonly archived_at: Seconds | null;
  readonly expires_at: Seconds | null;
  readonly balance: number;
  readonly entries: number;
  readonly password_sealed: Uint8Array;
}

const columns = [
  ...[
    "id",
    "username",
    "username_key",
    "archived_at",
    "password_sealed",
    "name",
    "nic_number",
    "mobile_number",
  ],
  ...[
    "phone_number",
    "email",
    "address",
    "latitude",
    "longitude",
    "box_number",
    "box_address",
    "uplink_port",
  ],
  ...["static_ip", "framed_ipv6_prefix", "delegated_ipv6_prefix", "mac_address", "global_note", "mac_lock"],
  ...["mac_login", "auto_renew", "status", "branch_id", "city_id", "area_id", "subarea_id", "salesperson_id"],
  ...["nas_id", "package_id", "connection_type_id", "any_connection"],
];

export class StoredPeople {
  readonly #byId = new Map<number, StoredPerson>();
  readonly #byKey = new Map<string, StoredPerson>();
  readonly #elsewhere: ReadonlySet<string>;
  readonly readStamp: (id: number) => string;

  constructor({ db, ispId }: Pick<Move, "db" | "ispId">) {
    const rows = db.$client
      .query<StoredPerson, [number]>(
        `SELECT ${columns.map((name) => `s.${name}`).join(", ")}, v.expires_at, coalesce(w.balance, 0) AS balance,
           (SELECT count(*) FROM ledger_entries e WHERE e.subscriber_id = s.id) AS entries
         FROM subscribers s LEFT JOIN services v ON v.subscriber_id = s.id LEFT JOIN wallets w ON w.subscriber_id = s.id
         WHERE s.isp_id = ?`,
      )
      .all(ispId);
    for (const row of rows) {
      this.#byId.set(row.id, row);
      if (row.archived_at === null) this.#byKey.set(String(row["username_key"]), row);
    }
    const others = db.$client
      .query<{ key: string }, [number]>(
        "SELECT username_key AS key FROM subscribers WHERE isp_id <> ? AND archived_at IS NULL",
      )
      .all(ispId);
    this.#elsewhere = new Set(others.map(({ key }) => key));
    this.readStamp = stamps(db, "subscribers");
  }

  byId(id: number): StoredPerson | undefined {
    return this.#byId.get(id);
  }

  byKey(key: string): StoredPerson | undefined {
    return this.#byKey.get(key);
  }

  /** Whether another ISP has it. */
  isElsewhere(key: string): boolean {
    return this.#elsewhere.has(key);
  }
}

/** A stored value as it is compared: an imported user without a name has its username. */
export function ours(stored: StoredPerson, field: string): Value {
  if (field === "connection")
    return stored["any_connection"] === 1 ? "any" : Number(stored["connection_type_id"]);
  const value = stored[field] ?? null;
  if (field === "name" && value === stored.username) return null;
  if (value instanceof Uint8Array) return null;
  return field === "global_note" && value === "" ? null : value;
}
