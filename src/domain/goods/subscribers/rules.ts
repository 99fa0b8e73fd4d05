import type { Db } from "../../../../db/open.ts";
import { takenBy } from "../../core/errors/codes.ts";
import type { Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { codeNames, IS_A_CODE } from "../codes/taken-names.ts";
import { addFault } from "../../core/fields/fields.ts";
import {
  findReferenceFaults,
  type Isp,
  type Reference,
  type References,
  storedReferences,
  UNKNOWN,
} from "../../core/references/references.ts";
import { findAssignedAddresses } from "../address-pools/rules.ts";
import { keyNameFault } from "../../core/fields/key-names.ts";
import { fold } from "../../core/fields/text.ts";
import { type Unshared, unsharedColumns, usernames } from "./doubles.ts";
import type { ProfileValues } from "./fields.ts";
import type { Subscriber } from "./find.ts";
import { findLineFault } from "./line-id.ts";

/** Lookups of the rules: in the store, for an import with the file. */
export interface SubscriberLookup extends References {
  /** Another holder in words; undefined: none. Unchanged values pass; `check` reports old duplicates. */
  readonly holder: (column: Unshared, key: string, row: Row) => string | undefined;
}

interface Row {
  readonly id: number;
  readonly isp: Isp;
}

const references: readonly Reference<
  "branch_id" | "package_id" | "nas_id" | "city_id" | "area_id" | "subarea_id" | "salesperson_id"
>[] = [
  ["branch_id", "branches"],
  ["package_id", "packages"],
  ["nas_id", "nas"],
  ["city_id", "cities"],
  ["area_id", "areas"],
  ["subarea_id", "subareas"],
  ["salesperson_id", "salespersons"],
];

export function findWrongReferences(
  lookup: References,
  row: { isp: Isp; values: ProfileValues },
  faults: Faults,
): void {
  findReferenceFaults(lookup, references, row, faults);
}

export function findCollisions(
  { holder }: Pick<SubscriberLookup, "holder">,
  columns: readonly Unshared[],
  row: Row & { values: ProfileValues },
  faults: Faults,
): void {
  for (const column of columns) {
    const key = comparedKey(column, row.values);
    if (!key || (column.within && row.isp === UNKNOWN)) continue;
    const other = holder(column, key, row);
    if (other) addFault(faults, column.field, takenBy(other));
  }
}

/** null: freed. */
export function comparedKey({ field, isFolded }: Unshared, values: ProfileValues): string | null | undefined {
  const value = values[field];
  return value && isFolded ? fold(value) : value;
}

/** Faults beyond single values. */
export function findSubscriberFaults(db: Db, row: Row & { values: ProfileValues }, faults: Faults): void {
  const lookup = storedSubscribers(db);
  findWrongReferences(lookup, row, faults);
  findCollisions(lookup, [usernames, ...unsharedColumns(db)], row, faults);
  findCodeAsName(db, row, faults);
  findKeyAsName(db, row, faults);
  if (typeof row.isp === "number") {
    findTopUp(db, { ispId: row.isp, packageId: row.values.package_id }, faults);
    findAssignedAddresses(db, { id: row.id, ispId: row.isp, values: row.values }, faults);
    findLineFault(db, { id: row.id, ispId: row.isp, values: row.values }, faults);
  }
}

/** A top-up cannot be renewed. */
function findTopUp(
  { $client }: Db,
  { ispId, packageId }: { ispId: number; packageId: number | null | undefined },
  faults: Faults,
): void {
  if (packageId === undefined || packageId === null) return;
  const sold = $client
    .query<{ name: string }, [number, number]>(
      "SELECT name FROM packages WHERE id = ? AND isp_id = ? AND (top_up_bytes > 0 OR top_up_days > 0)",
    )
    .get(packageId, ispId);
  if (sold)
    addFault(faults, "package_id", phrase`${sold.name} is a top-up and no package; choose another one`);
}

type Named = Row & { values: ProfileValues };

/** Refuses a username that is a card's code; unchanged ones pass. */
function findCodeAsName(db: Db, row: Named, faults: Faults): void {
  const { username } = row.values;
  if (username && codeNames(db)(username) && !isOwnName(db, row)) addFault(faults, "username", IS_A_CODE);
}

/** Refuses a username that begins as ids of API keys do; unchanged ones pass. */
function findKeyAsName(db: Db, row: Named, faults: Faults): void {
  const fault = row.values.username && keyNameFault(row.values.username);
  if (fault && !isOwnName(db, row)) addFault(faults, "username", fault);
}

function isOwnName({ $client }: Db, { id, values: { username } }: Named): boolean {
  const own = $client
    .query<{ id: number }, [string]>("SELECT id FROM subscribers WHERE username_key = ?")
    .get(fold(username ?? ""));
  return own?.id === id;
}

/** Adds faults where somebody else has the username or a contact by now: the subscriber returns from the archive. */
export function findUsernameAndContactFaults(db: Db, subscriber: Subscriber, faults: Faults): void {
  const { ispId: isp, username, nicNumber, mobileNumber, phoneNumber, email, staticIp } = subscriber;
  const { framedIpv6Prefix, delegatedIpv6Prefix } = subscriber;
  const values = {
    username,
    nic_number: nicNumber,
    mobile_number: mobileNumber,
    phone_number: phoneNumber,
    email,
    static_ip: staticIp,
    framed_ipv6_prefix: framedIpv6Prefix,
    delegated_ipv6_prefix: delegatedIpv6Prefix,
  };
  // like a new row: archived values are free
  const row = { id: 0, isp, values };
  findCollisions(storedSubscribers(db), [usernames, ...unsharedColumns(db)], row, faults);
  findAssignedAddresses(db, { ...row, ispId: isp }, faults);
  findLineFault(
    db,
    { ...row, ispId: isp, values: { circuit_id: subscriber.circuitId, remote_id: subscriber.remoteId } },
    faults,
  );
  findCodeAsName(db, row, faults);
}

/** Holders are not named, who may be another ISP's. */
function storedSubscribers(db: Db): SubscriberLookup {
  const { $client } = db;
  return {
    ...storedReferences(db),
    holder: ({ column, within }, key, { id, isp }) =>
      $client
        .query<unknown, [string, number, number]>(
          `SELECT 1 FROM subscribers WHERE ${column} = ?1 AND id <> ?2 AND ?3 IN (0, isp_id) AND archived_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM subscribers WHERE id = ?2 AND ${column} = ?1)`,
        )
        .get(key, id, within ? Number(isp) : 0) === null
        ? undefined
        : "another subscriber",
  };
}
