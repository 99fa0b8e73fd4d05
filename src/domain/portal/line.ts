import { and, desc, eq, isNull } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { packages, services, sessions } from "../../../db/schema.ts";
import type { Actor } from "../staff/actor.ts";
import { permitSelf } from "../staff/permissions.ts";
import { type ProfileStatus, profileStatus } from "../subscribers/record.ts";
import type { Subscriber } from "../subscribers/find.ts";
import type { Seconds } from "../time.ts";

export interface Quota {
  readonly total: number;
  readonly used: number;
  readonly isUsedUp: boolean;
  /** What happens then: slower until the next activation, instead of no access. */
  readonly slowsDown: boolean;
}

export interface Online {
  readonly address: string | null;
  readonly since: Seconds;
}

/** What a subscriber has bought, and whether it works now. */
export interface Line {
  readonly status: ProfileStatus;
  readonly expiresAt: Seconds | null;
  readonly packageId: number;
  readonly packageName: string;
  /** RouterOS syntax. */
  readonly rateLimit: string | null;
  readonly isPrepaid: boolean;
  readonly quota: Quota | null;
  readonly online: Online | null;
}

/** The line of a subscriber: the package of its service, or of its profile before the first activation. */
export function lineOf(
  db: Db,
  by: Actor,
  { id, packageId, status }: Subscriber,
  { now }: { now: Seconds },
): Line {
  permitSelf(by, "lineOf", id);
  const service = db.select().from(services).where(eq(services.subscriberId, id)).get();
  const sold = db
    .select()
    .from(packages)
    .where(eq(packages.id, service?.packageId ?? packageId))
    .get();
  return {
    status: profileStatus(status, service?.expiresAt ?? null, now),
    expiresAt: service?.expiresAt ?? null,
    packageId: service?.packageId ?? packageId,
    packageName: sold?.name ?? "",
    rateLimit: service ? service.rateLimit : (sold?.rateLimit ?? null),
    isPrepaid: sold?.billingType === "prepaid",
    quota: service && service.quotaTotal > 0 ? quotaOf(service) : null,
    online: onlineNow(db, id),
  };
}

function quotaOf({ quotaTotal, quotaUsed, quotaExceeded }: typeof services.$inferSelect): Quota {
  return {
    total: quotaTotal,
    used: quotaUsed,
    isUsedUp: quotaUsed >= quotaTotal,
    slowsDown: quotaExceeded !== "reject",
  };
}

/** The newest open session, as the API shows it too. */
function onlineNow(db: Db, subscriberId: number): Online | null {
  const session = db
    .select({ framedIp: sessions.framedIp, prefix: sessions.framedIpv6Prefix, since: sessions.startedAt })
    .from(sessions)
    .where(and(eq(sessions.subscriberId, subscriberId), isNull(sessions.stoppedAt)))
    .orderBy(desc(sessions.startedAt), desc(sessions.id))
    .limit(1)
    .get();
  return session ? { address: session.framedIp ?? session.prefix, since: session.since } : null;
}
