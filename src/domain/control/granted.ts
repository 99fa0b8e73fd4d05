import { and, asc, desc, eq, gte } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { auditEntries, authLog, packages, type services } from "../../../db/schema.ts";
import { confines } from "../access/outcomes.ts";
import type { Session } from "../sessions/advance.ts";
import { parseTime, type Seconds } from "../time.ts";

type Service = typeof services.$inferSelect;

/** What a session was given when it logged in, as far as our books tell. */
export interface Granted {
  /** It logged in expired, or with its quota used up, and is in the walled garden. */
  readonly isConfined: boolean;
  readonly rateLimit: string | null;
  readonly framedPool: string | null;
  readonly framedIpv6Pool: string | null;
  readonly delegatedIpv6Pool: string | null;
  readonly addressList: string | null;
}

/** Looks a session's login up: the decision under its Class, and the package that was activated at that time. */
export function grantedAtLogin(db: Db, session: Session, service: Service): Granted {
  const before = activationAfter(db, service.subscriberId, session.startedAt);
  const isOther = before !== undefined && before.packageId !== service.packageId;
  const sold = isOther
    ? db.select().from(packages).where(eq(packages.id, before.packageId)).get()
    : undefined;
  const { rateLimit, framedPool, framedIpv6Pool, delegatedIpv6Pool, addressList } = sold ?? service;
  return {
    isConfined: isConfined(db, session, service, before?.expiresAt ?? service.expiresAt),
    rateLimit,
    framedPool,
    framedIpv6Pool,
    delegatedIpv6Pool,
    addressList,
  };
}

/** By the login itself; where its Class is unknown, by what was true when it started. */
function isConfined(db: Db, session: Session, service: Service, expiresAt: Seconds): boolean {
  const decided = session.class && decisionOf(db, service.subscriberId, session.class);
  if (decided) return confines(decided);
  const { startedAt } = session;
  const { quotaCrossedAt, quotaExceeded } = service;
  const wasUsedUp = quotaCrossedAt !== null && quotaExceeded === "reject" && startedAt > quotaCrossedAt;
  return startedAt >= expiresAt || wasUsedUp;
}

function decisionOf(db: Db, subscriberId: number, sessionClass: Buffer): string | undefined {
  return db
    .select({ reason: authLog.reason })
    .from(authLog)
    .where(
      and(eq(authLog.subscriberId, subscriberId), eq(authLog.class, sessionClass), eq(authLog.accepted, 1)),
    )
    .orderBy(desc(authLog.id))
    .limit(1)
    .get()?.reason;
}

/** What the service was before the first activation since a session started; undefined when there was none. */
function activationAfter(
  db: Db,
  subscriberId: number,
  startedAt: Seconds,
): { packageId: number; expiresAt: Seconds | undefined } | undefined {
  const entry = db
    .select({ before: auditEntries.before })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.entity, "subscriber"),
        eq(auditEntries.entityId, String(subscriberId)),
        eq(auditEntries.action, "subscriber.activate"),
        gte(auditEntries.at, startedAt),
      ),
    )
    .orderBy(asc(auditEntries.id))
    .limit(1)
    .get();
  const before: unknown = entry?.before ? JSON.parse(entry.before) : undefined;
  if (typeof before !== "object" || before === null || !("package_id" in before)) return undefined;
  if (typeof before.package_id !== "number") return undefined;
  const expiration = "expiration" in before ? before.expiration : undefined;
  return {
    packageId: before.package_id,
    expiresAt: typeof expiration === "string" ? parseTime(expiration) : undefined,
  };
}
