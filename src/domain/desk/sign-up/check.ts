import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Input, only, readFields } from "../../core/fields/fields.ts";
import { type Actor, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { addDuration, type DurationUnit, type Seconds } from "../../core/time/time.ts";
import { profileFields } from "../../goods/subscribers/fields.ts";
import { unsharedColumns } from "../../goods/subscribers/doubles.ts";
import { fold } from "../../core/fields/text.ts";
import { isFree, proposedUsername } from "./propose.ts";

const checked = only(profileFields, [
  "isp_id",
  "name",
  "username",
  "package_id",
  "nic_number",
  "mobile_number",
  "phone_number",
  "email",
]);

/** Contacts, with the column by which each is compared. */
const contacts = [
  ["nic_number", "nic_number"],
  ["mobile_number", "mobile_number"],
  ["phone_number", "phone_number"],
  ["email", "email_key"],
] as const;
export type Contact = (typeof contacts)[number][0];

export interface ValueInUse {
  readonly field: Contact;
  /** null: hidden; reported because it is refused. */
  readonly by: { readonly id: number; readonly name: string } | null;
  readonly isRefused: boolean;
}

export interface SignUpCheck {
  readonly isUsernameTaken: boolean;
  /** Free. */
  readonly proposal: string;
  readonly taken: readonly ValueInUse[];
  /** Minor units, and end; null: not chosen. */
  readonly sale: Sale | null;
}

export interface Sale {
  readonly price: number;
  readonly billingType: "prepaid" | "postpaid";
  readonly expiresAt: Seconds;
}

export function checkSignUp(db: Db, by: Actor, input: Input, { now }: { now: Seconds }): SignUpCheck {
  permit(by, "checkSignUp");
  const values = readFields(checked, input, {});
  const { username, name, mobile_number, package_id } = values;
  const unshared = new Set(unsharedColumns(db).map(({ column }) => column));
  const taken = contacts.flatMap(([field, column]): ValueInUse[] => {
    const value = values[field];
    if (!value) return [];
    const key = field === "email" ? fold(value) : value;
    const holder = findHolder(db, by, column, key);
    const isRefused = unshared.has(column);
    // sharing is hidden beyond the scope
    return holder === undefined || (holder === null && !isRefused) ? [] : [{ field, by: holder, isRefused }];
  });
  return {
    isUsernameTaken: username ? !isFree(db, username) : false,
    proposal: proposedUsername(db, { name: name ?? "", mobile: mobile_number ?? "" }),
    taken,
    sale: package_id ? findSale(db, by, package_id, now) : null,
  };
}

/** Who has the value; null: somebody whom the actor does not see, undefined: nobody. */
function findHolder({ $client }: Db, by: Actor, column: string, key: string): ValueInUse["by"] | undefined {
  const somebody = `SELECT 1 FROM subscribers WHERE ${column} = ? AND archived_at IS NULL LIMIT 1`;
  if ($client.query(somebody).get(key) === null) return undefined;
  const { text, values } = all({ text: `s.${column} = ?`, values: [key] }, scopeCondition(by.scope));
  return $client
    .query<{ id: number; name: string }, Value[]>(
      `SELECT s.id, s.name FROM subscribers s WHERE ${text} LIMIT 1`,
    )
    .get(...values);
}

interface Sold {
  readonly price: number;
  readonly billingType: "prepaid" | "postpaid";
  readonly duration: number;
  readonly unit: DurationUnit;
}

function findSale({ $client }: Db, { scope }: Actor, packageId: number, now: Seconds): Sale | null {
  const sold = $client
    .query<Sold, [number, number | null]>(
      `SELECT price, billing_type AS billingType, duration, duration_unit AS unit FROM packages
       WHERE id = ?1 AND isp_id = coalesce(?2, isp_id) AND status = 1`,
    )
    .get(packageId, scope.ispId);
  if (!sold) return null;
  const { price, billingType, duration, unit } = sold;
  return { price, billingType, expiresAt: addDuration(now, { count: duration, unit }).end };
}
