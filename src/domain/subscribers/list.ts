import { and, asc, count, eq, inArray, ne, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { subscribers } from "../../../db/schema.ts";
import { type FieldErrors, rejectFaults } from "../errors.ts";
import {
  addFault,
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
} from "../fields.ts";
import { type Actor, subscriberInScope } from "../staff/actor.ts";
import { fold } from "../text.ts";
import type { Seconds } from "../time.ts";
import { isOnline, type SubscriberRecord, subscriberRecords } from "./record.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** The filters of the list; all that are given must match (decisions.md, Subscribers). */
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
  profile_status: oneOf("disabled", "inactive", "expired", "active"),
  connection_status: oneOf("online", "offline"),
  connection_type: wholeNumber(1, 5),
  sms_status: flag,
  mac_lock: flag,
  limit: wholeNumber(1, MAX_LIMIT),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER),
};

type Filters = Values<typeof listFilters>;

export interface Page {
  records: SubscriberRecord[];
  /** How many match in all. */
  total: number;
  limit: number;
  offset: number;
}

/** The filters of a query; one sent empty counts as not sent. Throws `invalid` for a malformed value or a misspelt name. */
export function readFilters(input: Input): Filters {
  const faults: FieldErrors = {};
  const filters = readFields(listFilters, input, faults);
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(listFilters, name)) addFault(faults, name, "is not a filter of this list");
  }
  rejectFaults(faults);
  return filters;
}

/** A page of the subscribers that the actor sees, in the order of their ids. */
export function listSubscribers(db: Db, actor: Actor, filters: Filters, now: Seconds): Page {
  const limit = filters.limit ?? DEFAULT_LIMIT;
  const offset = filters.offset ?? 0;
  const where = conditions(filters, now);
  const matches = and(subscriberInScope(actor.scope), where);
  // ids first: what is skipped on the way to a late page costs an entry of an index, not a joined row
  const ids = db.select({ id: subscribers.id }).from(subscribers).where(matches);
  const page = ids.orderBy(asc(subscribers.id)).limit(limit).offset(offset);
  return db.transaction(() => {
    const records = subscriberRecords(db, actor, inArray(subscribers.id, page), { limit, offset: 0, now });
    const total = db.select({ total: count() }).from(subscribers).where(matches).get()?.total ?? 0;
    return { records, total, limit, offset };
  });
}

function conditions(filters: Filters, now: Seconds): SQL | undefined {
  const { username, email, profile_status, connection_status } = filters;
  return and(
    equal(subscribers.id, filters.user_id),
    equal(subscribers.usernameKey, username && fold(username)),
    equal(subscribers.mobileNumber, filters.mobile),
    equal(subscribers.phoneNumber, filters.phone),
    equal(subscribers.emailKey, email && fold(email)),
    equal(subscribers.nicNumber, filters.nic),
    equal(subscribers.packageId, filters.package_id),
    equal(subscribers.salespersonId, filters.salesperson_id),
    equal(subscribers.nasId, filters.nas_id),
    equal(subscribers.staticIp, filters.static_ip),
    equal(subscribers.macAddress, filters.mac_address),
    equal(subscribers.connectionTypeId, filters.connection_type),
    equal(subscribers.smsStatus, filters.sms_status),
    equal(subscribers.macLock, filters.mac_lock),
    profile_status ? hasProfileStatus[profile_status](now) : undefined,
    connection_status === "online" ? isInOpenSession : undefined,
    connection_status === "offline" ? not(isOnline) : undefined,
  );
}

function equal(column: Parameters<typeof eq>[0], value: string | number | null | undefined): SQL | undefined {
  return value === null || value === undefined ? undefined : sql`${column} = ${value}`;
}

/** The same as `isOnline`, from the open sessions instead of from every subscriber. */
const isInOpenSession = sql`${subscribers.id} IN (SELECT subscriber_id FROM sessions WHERE stopped_at IS NULL)`;

const ownService = sql`SELECT 1 FROM services WHERE services.subscriber_id = ${subscribers.id}`;
const isEnabled = eq(subscribers.status, 1);
const hasProfileStatus = {
  disabled: () => ne(subscribers.status, 1),
  inactive: () => and(isEnabled, sql`NOT EXISTS (${ownService})`),
  expired: (now: Seconds) => and(isEnabled, sql`EXISTS (${ownService} AND services.expires_at <= ${now})`),
  active: (now: Seconds) => and(isEnabled, sql`EXISTS (${ownService} AND services.expires_at > ${now})`),
};
