import { isDeepStrictEqual } from "node:util";
import type { Db } from "../../../../db/open.ts";
import type { Input } from "../../core/fields/fields.ts";
import { nearestName } from "../../core/fields/nearest.ts";
import { type Actor, may } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import type { Seconds } from "../../core/time/time.ts";
import { profileFields } from "./fields.ts";
import type { Subscriber } from "./find.ts";
import { type SubscriberRecord, subscriberRecord } from "./record.ts";

export interface IgnoredField {
  readonly name: string;
  readonly changedBy: string;
}

/** Operations for other parts. */
const operations = new Map([
  ["id", "never changes"],
  ["user_id", "never changes"],
  ["status", "subscriber/enable or disable"],
  ["mac_address", "subscriber/change_mac or mac_lock"],
  ["mac_lock", "subscriber/mac_lock or mac_unlock"],
  ["global_note", "subscriber/note"],
  ["staff_notes", "subscriber/note_add"],
  ["new_password", "subscriber/reset_password"],
  ["portal_pass", "subscriber/portal_password"],
  ["balance", "gatehouse subscriber credit"],
  ["billing_type", "package_id"],
  ["pool_ip", "address_pool of the package"],
  ["pool_prefix", "delegated_ipv6_from of the package"],
  ["profile_status", "subscriber/enable or disable, activation/activate"],
  ["connection_status", "activation/disconnect"],
  ["current_expiration_date", "activation/activate"],
  ["frozen_since", "subscriber/freeze or thaw"],
  ["area_data", "city_id, area_id, subarea_id"],
  ["archived_at", "subscriber/archive or restore"],
  ["created_at", "never changes"],
  ["updated_at", "every change"],
  ["payment_reference", "never changes"],
]);

export type ReadableRecord = Readonly<Record<string, unknown>>;

/** The record as the client gets it. */
export type ToJson = (record: SubscriberRecord) => object;

export function namesBesideProfile(input: Input): string[] {
  return Object.keys(input).filter((name) => !Object.hasOwn(profileFields, name));
}

export function readableRecord(
  db: Db,
  { id, status, globalNote }: Subscriber,
  { now, by, toJson }: { now: Seconds; by: Actor; toJson: ToJson },
): ReadableRecord {
  if (!may(by, "subscriber_view")) return {};
  const record = subscriberRecord(db, { ...by, scope: everything }, id, { now });
  return { ...toJson(record), user_id: id, status, global_note: globalNote };
}

/** Names whose values match neither the record before nor after. */
export function ignoredFields(
  input: Input,
  names: readonly string[],
  ...records: ReadableRecord[]
): IgnoredField[] {
  return names
    .filter(
      (name) => !records.some((record) => Object.hasOwn(record, name) && isSame(record[name], input[name])),
    )
    .map((name) => ({ name, changedBy: operations.get(name) ?? notKnown(name) }));
}

function notKnown(name: string): string {
  const near = nearestName(name, Object.keys(profileFields));
  return near === undefined ? "no field of a subscriber" : `no field of a subscriber; the nearest is ${near}`;
}

/** Forms send text. */
function isSame(known: unknown, sent: unknown): boolean {
  return (
    isDeepStrictEqual(known, sent) || (!isObject(known) && !isObject(sent) && asText(known) === asText(sent))
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function asText(value: unknown): string {
  return String(value ?? "");
}
