import type { packages } from "../../../../db/schema.ts";
import type { Db } from "../../../../db/open.ts";
import { packageById } from "../../service/activation/auto-renew.ts";
import { findService, type Service } from "../../service/activation/plan.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { type OutstandingInvoice, openInvoices } from "../../money/billing/statement.ts";
import { type SessionInScope, sessionsById } from "../../service/sessions/in-scope.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, may, seesMoney } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type ReadSubscriber, subscriberById } from "../../goods/subscribers/find.ts";
import { endAsThawed } from "../../goods/subscribers/frozen.ts";
import { type ProfileStatus, profileStatus } from "../../goods/subscribers/record.ts";

/** Rows counted. */
export const MOST = 1000;
const OPEN_ONES = 10;
const OF_DAY = 100;
const DAY = 86_400;

type Package = typeof packages.$inferSelect;

/** Minor units. */
export interface HeadMoney {
  readonly balance: number;
  readonly price: number;
  /** With debt. */
  readonly due: number;
  /** Oldest first. */
  readonly owed: readonly OutstandingInvoice[];
}

export interface Counts {
  readonly sessions: number | null;
  readonly logins: number | null;
  readonly money: number | null;
  readonly changes: number | null;
}

export interface Head {
  readonly subscriber: ReadSubscriber;
  readonly status: ProfileStatus;
  readonly sold: Package;
  readonly next: Package | null;
  readonly service: Service | null;
  readonly expiresAt: Seconds | null;
  readonly open: readonly SessionInScope[];
  readonly last: SessionInScope | null;
  readonly ofDay: readonly SessionInScope[];
  readonly money: HeadMoney | null;
  readonly currency: string;
  readonly counts: Counts;
  readonly names: Readonly<Record<"area" | "subarea" | "city" | "nas" | "salesperson", string | null>>;
}

/** The head of a subscriber's page. Throws not_found. */
export function readHead(db: Db, by: Actor, subscriberId: number, { now }: { now: Seconds }): Head {
  permit(by, "readHead");
  const read = db.$client.transaction(() => {
    const { passwordSealed: _, portalPass: __, ...subscriber } = subscriberById(db, by.scope, subscriberId);
    const service = findService(db, subscriberId) ?? null;
    const inProfile = findPackage(db, subscriber.packageId);
    const isOther = service !== null && service.packageId !== inProfile.id;
    const sold = isOther ? findPackage(db, service.packageId) : inProfile;
    const { status } = subscriber;
    return {
      subscriber,
      sold,
      service,
      ...readSessions(db, by, subscriberId, now),
      next: inProfile.id === sold.id ? null : inProfile,
      status: profileStatus(status, service?.expiresAt ?? null, now, service?.frozenAt ?? null),
      expiresAt: service && endAsThawed(service.expiresAt, service.frozenAt, now),
      money: seesMoney(by) ? readMoney(db, { subscriberId, inProfile, service, now }) : null,
      currency: setting(db, "currency", subscriber.ispId),
      counts: countRecords(db, by, subscriberId),
      names: findNames(db, subscriber),
    };
  });
  return read();
}

// INDEXED BY, or SQLite scans all sessions of a flapping line
const OPEN = `SELECT id FROM sessions INDEXED BY sessions_open_subscriber
  WHERE subscriber_id = ? AND stopped_at IS NULL ORDER BY started_at DESC LIMIT ${OPEN_ONES}`;
/** The session that ended last: by its end, because lost stops make sessions overlap. */
const ENDED = `SELECT id FROM (SELECT id, stopped_at FROM sessions INDEXED BY sessions_subscriber
    WHERE subscriber_id = ? AND stopped_at IS NOT NULL ORDER BY started_at DESC LIMIT 50)
  ORDER BY stopped_at DESC, id DESC LIMIT 1`;

const SINCE = `SELECT id FROM sessions INDEXED BY sessions_subscriber
  WHERE subscriber_id = ? AND started_at >= ? ORDER BY started_at DESC LIMIT ${OF_DAY}`;

function readSessions(
  db: Db,
  { scope }: Actor,
  subscriberId: number,
  now: Seconds,
): Pick<Head, "open" | "last" | "ofDay"> {
  const open = new Set(listIds(db, OPEN, subscriberId));
  const [ended] = listIds(db, ENDED, subscriberId);
  const ofDay = new Set(listIds(db, SINCE, subscriberId, now - DAY));
  const ids = open.union(ofDay).union(new Set(ended === undefined ? [] : [ended]));
  const all = sessionsById(db, scope, [...ids]);
  return {
    open: all.filter(({ session }) => open.has(session.id)),
    last: all.find(({ session }) => session.id === ended) ?? null,
    ofDay: all.filter(({ session }) => ofDay.has(session.id)),
  };
}

function listIds({ $client }: Db, query: string, ...values: number[]): number[] {
  const rows = $client.query<{ id: number }, number[]>(query).all(...values);
  return rows.map(({ id }) => id);
}

function findPackage(db: Db, id: number): Package {
  const found = packageById(db, id);
  if (!found) throw new Error(`there is no package ${id}`);
  return found;
}

interface Wallet {
  subscriberId: number;
  inProfile: Package;
  service: Service | null;
  now: Seconds;
}

function readMoney(db: Db, { subscriberId, inProfile, service, now }: Wallet): HeadMoney {
  const balance = readBalance(db, { subscriberId });
  const { price, billingType } = inProfile;
  const isBilledLater = billingType === "postpaid" && service !== null && service.expiresAt > now;
  const due = Math.max(0, isBilledLater ? -balance : price - balance);
  const owed = balance < 0 ? openInvoices(db, subscriberId) : [];
  return { balance, price, due, owed };
}

const counted = {
  sessions: "FROM sessions WHERE subscriber_id = ?1",
  logins: "FROM auth_log WHERE subscriber_id = ?1",
  money: "FROM ledger_entries WHERE subscriber_id = ?1",
  changes: "FROM audit_entries WHERE entity = 'subscriber' AND entity_id = CAST(?1 AS TEXT)",
};

function countRecords({ $client }: Db, by: Actor, subscriberId: number): Counts {
  const count = (from: string) =>
    $client
      .query<{ n: number }, [number]>(`SELECT count(*) AS n FROM (SELECT 1 ${from} LIMIT ${MOST})`)
      .get(subscriberId)?.n ?? 0;
  return {
    sessions: may(by, "session_view") ? count(counted.sessions) : null,
    logins: may(by, "session_view") ? count(counted.logins) : null,
    money: may(by, "wallet_view") ? count(counted.money) : null,
    changes: may(by, "audit_view") ? count(counted.changes) : null,
  };
}

const NAMES = `SELECT (SELECT name FROM areas WHERE id = ?) AS area, (SELECT name FROM subareas WHERE id = ?) AS subarea,
  (SELECT name FROM cities WHERE id = ?) AS city, (SELECT name FROM nas WHERE id = ?) AS nas,
  (SELECT name FROM staff WHERE id = ?) AS salesperson`;

function findNames({ $client }: Db, of: ReadSubscriber): Head["names"] {
  const { areaId, subareaId, cityId, nasId, salespersonId } = of;
  const names = $client
    .query<Head["names"], (number | null)[]>(NAMES)
    .get(areaId, subareaId, cityId, nasId, salespersonId);
  if (!names) throw new Error("a row of constants is always there");
  return names;
}
