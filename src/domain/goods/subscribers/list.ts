import { type Changed, changedRecords, type Position } from "../../core/changes/changes.ts";
import { NO_FILTER } from "../../core/errors/codes.ts";
import { all, among, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Faults, rejectFaults } from "../../core/errors/errors.ts";
import {
  findUnknownNames,
  flag,
  id,
  type Input,
  ipv4,
  mac,
  oneOf,
  readFields,
  scopeId,
  text,
  type Values,
  wholeNumber,
} from "../../core/fields/fields.ts";
import {
  type Actor,
  type Scope,
  scopeCondition,
  seeingArchived,
  seesWholeIsp,
} from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import {
  hasConnectionStatus,
  hasProfileStatus,
  officeConditions,
  officeFilters,
  present,
  unindexed,
} from "./list-conditions.ts";
import { sortedIds, sorts } from "./list-order.ts";
import { connectionType } from "./connection-types.ts";
import { profileStatuses, type SubscriberRecord, subscriberRecords } from "./record.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** All must match. */
export const listFilters = {
  isp_id: scopeId,
  branch_id: scopeId,
  user_id: id,
  username: text(128),
  mobile: text(100),
  phone: text(100),
  email: text(254),
  nic: text(100),
  package_id: id,
  salesperson_id: id,
  nas_id: id,
  static_ip: ipv4,
  mac_address: mac,
  profile_status: oneOf(...profileStatuses),
  connection_status: oneOf("online", "offline"),
  connection_type: connectionType,
  sms_status: flag,
  mac_lock: flag,
  ...officeFilters,
  sort: oneOf(...sorts, ...sorts.map((name) => `-${name}` as const)),
  limit: wholeNumber(1, MAX_LIMIT),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER),
};

type Filters = Values<typeof listFilters>;

export interface Page {
  records: SubscriberRecord[];
  total: number;
  limit: number;
  offset: number;
}

/** Reads filters, in which empty counts as absent. Throws `invalid` for a bad value or name. */
export function readFilters(input: Input): Filters {
  const faults: Faults = {};
  const filters = readFields(listFilters, input, faults);
  findUnknownNames(listFilters, input, faults, { message: NO_FILTER });
  rejectFaults(faults);
  return filters;
}

export function listSubscribers(db: Db, by: Actor, filters: Filters, { now }: { now: Seconds }): Page {
  permit(by, "listSubscribers");
  const limit = filters.limit ?? DEFAULT_LIMIT;
  const offset = filters.offset ?? 0;
  const matches = matching(by.scope, filters, now);
  const seer = seeingArchived(by, filters.archived);
  const read = db.$client.transaction(() => {
    const total = countMatching(db, matches);
    if (filters.sort) {
      const ids = sortedIds(db, matches, { sort: filters.sort, total, limit, offset });
      return { records: recordsInOrder(db, seer, ids, { now }), total };
    }
    const page = pageCondition(matches, { total, limit, offset });
    return { records: subscriberRecords(db, seer, page, { now }), total };
  });
  return { ...read(), limit, offset };
}

/** Changed subscribers, with those who left. Who is online, and what the clock alone changes of one who is frozen, is no change. */
export function changedSubscribers(
  db: Db,
  by: Actor,
  position: Position,
  { now }: { now: Seconds },
): Changed<SubscriberRecord> {
  permit(by, "changedSubscribers");
  const seer = seeingArchived(by, 1);
  return changedRecords(db, "subscriber", position, {
    visible: (ids) => subscriberRecords(db, seer, among("s.id", ids), { now }),
    idOf: ({ id }) => id,
  });
}

/** Records of a read. */
const AT_ONCE = 500;

/** Subscribers of a list in pages, with ids fixed at the beginning. */
export function everyListed(
  db: Db,
  by: Actor,
  filters: Filters,
  { now }: { now: Seconds },
): Generator<SubscriberRecord[], void> {
  permit(by, "everyListed");
  const matches = matching(by.scope, filters, now);
  const read = db.$client.transaction(() => {
    const total = countMatching(db, matches);
    return sortedIds(db, matches, { sort: filters.sort, total, limit: total, offset: 0 });
  });
  return readRecords(db, seeingArchived(by, filters.archived), read(), now);
}

function* readRecords(db: Db, by: Actor, ids: readonly number[], now: Seconds) {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    yield recordsInOrder(db, by, ids.slice(from, from + AT_ONCE), { now });
}

/** Alias `s`; archived ones on request. */
export function matching(scope: Scope, filters: Filters, now: Seconds): Condition {
  const seen = scopeCondition({ ...scope, archived: true });
  return all(
    filters.profile_status && seesWholeIsp(scope) ? unindexed(seen) : seen,
    officeConditions(filters, now),
    conditions(filters, now),
  );
}

function recordsInOrder(
  db: Db,
  by: Actor,
  ids: readonly number[],
  { now }: { now: Seconds },
): SubscriberRecord[] {
  const byId = new Map(
    subscriberRecords(db, by, among("s.id", ids), { now }).map((record) => [record.id, record]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Ids first: skipped rows cost index entries only. From the nearer end. */
function pageCondition(
  { text, values }: Condition,
  { total, limit, offset }: Pick<Page, "total" | "limit" | "offset">,
): Condition {
  const after = total - offset - limit;
  const [order, count, skipped] =
    after < offset
      ? ["DESC", Math.max(0, Math.min(limit, total - offset)), Math.max(0, after)]
      : ["ASC", limit, offset];
  // an expression, or SQLite compiles anew for each LIMIT
  const ids = `SELECT s.id FROM subscribers s WHERE ${text} ORDER BY s.id ${order} LIMIT ? + 0 OFFSET ?`;
  return { text: `s.id IN (${ids})`, values: [...values, count, skipped] };
}

const ofIsp = { ispId: 0, branchId: null, salespersonId: null, archived: true };
const onlyIsp = all(scopeCondition(ofIsp), present).text;

export function countMatching({ $client }: Db, { text, values }: Condition): number {
  const count = "SELECT count(*) FROM subscribers s";
  // all less archived ones, both counted by index
  const everybody = `(${count}) - (${count} WHERE s.archived_at IS NOT NULL)`;
  const sql =
    text === onlyIsp
      ? `SELECT iif((SELECT min(isp_id) FROM subscribers) = ?1 AND (SELECT max(isp_id) FROM subscribers) = ?1,
           ${everybody}, (${count} WHERE ${text.replace("?", "?1")})) AS total`
      : `SELECT ${text === present.text ? everybody : `(${count} WHERE ${text})`} AS total`;
  return $client.query<{ total: number }, Value[]>(sql).get(...values)?.total ?? 0;
}

function conditions(filters: Filters, now: Seconds): Condition {
  const { username, email, profile_status, connection_status } = filters;
  return all(
    equal("s.id", filters.user_id),
    equal("s.username_key", username && fold(username)),
    equal("s.mobile_number", filters.mobile),
    equal("s.phone_number", filters.phone),
    equal("s.email_key", email && fold(email)),
    equal("s.nic_number", filters.nic),
    equal("s.package_id", filters.package_id),
    equal("s.salesperson_id", filters.salesperson_id),
    equal("s.nas_id", filters.nas_id),
    equal("s.static_ip", filters.static_ip),
    equal("s.mac_address", filters.mac_address),
    equal("s.connection_type_id", filters.connection_type),
    equal("s.sms_status", filters.sms_status),
    equal("s.mac_lock", filters.mac_lock),
    profile_status ? hasProfileStatus[profile_status](now) : undefined,
    connection_status ? hasConnectionStatus[connection_status] : undefined,
  );
}
