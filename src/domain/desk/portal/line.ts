import { selectColumns } from "../../../../db/columns.ts";
import type { Db } from "../../../../db/open.ts";
import { type packages, services } from "../../../../db/schema.ts";
import { findNewestInvoice } from "../../service/activation/top-up.ts";
import { countedAt, type FairStanding, fairStanding } from "../../service/fair-use/terms.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permitSelf } from "../../core/actor/permissions.ts";
import { endAsThawed } from "../../goods/subscribers/frozen.ts";
import { type ProfileStatus, profileStatus } from "../../goods/subscribers/record.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface Quota {
  readonly total: number;
  readonly used: number;
  readonly isUsedUp: boolean;
  /** Else no access. */
  readonly slowsDown: boolean;
}

export interface Online {
  readonly address: string | null;
  readonly since: Seconds;
}

export interface Line {
  readonly status: ProfileStatus;
  readonly expiresAt: Seconds | null;
  readonly packageId: number;
  readonly packageName: string;
  readonly rateLimit: string | null;
  readonly isPrepaid: boolean;
  readonly quota: Quota | null;
  readonly online: Online | null;
  /** null: none. */
  readonly fair: FairStanding | null;
  /** Guards against a repeated purchase; 0: none. */
  readonly newestInvoice: number;
}

const SEALED = ["passwordSealed", "ntHashSealed"] as const;
type Service = Omit<typeof services.$inferSelect, (typeof SEALED)[number]>;
type Sold = Pick<typeof packages.$inferSelect, "name" | "rateLimit" | "billingType">;

const selectService = `SELECT ${selectColumns(services, "v", SEALED)} FROM services v WHERE v.subscriber_id = ?`;
const selectSold =
  "SELECT name, rate_limit AS rateLimit, billing_type AS billingType FROM packages WHERE id = ?";

/** Package of the service, else of the profile. */
export function readLine(
  db: Db,
  by: Actor,
  { id, packageId, status }: Subscriber,
  { now }: { now: Seconds },
): Line {
  permitSelf(by, "readLine", id);
  const service = db.$client.query<Service, [number]>(selectService).get(id);
  const sold = db.$client.query<Sold, [number]>(selectSold).get(service?.packageId ?? packageId);
  return {
    status: profileStatus(status, service?.expiresAt ?? null, now, service?.frozenAt ?? null),
    expiresAt: service ? endAsThawed(service.expiresAt, service.frozenAt, now) : null,
    packageId: service?.packageId ?? packageId,
    packageName: sold?.name ?? "",
    rateLimit: service ? service.rateLimit : (sold?.rateLimit ?? null),
    isPrepaid: sold?.billingType === "prepaid",
    quota: service && service.quotaTotal > 0 ? countQuota(service, now) : null,
    online: onlineNow(db, id),
    fair: service ? fairStanding(service, now) : null,
    newestInvoice: findNewestInvoice(db, id),
  };
}

export function isCutOff({ quota }: Pick<Line, "quota">): boolean {
  return quota?.isUsedUp === true && !quota.slowsDown;
}

function countQuota(service: Service, now: Seconds): Quota {
  const { total, used } = countedAt(service, now);
  return { total, used, isUsedUp: used >= total, slowsDown: service.quotaExceeded !== "reject" };
}

/** The open session, as the API shows it. */
function onlineNow({ $client }: Db, subscriberId: number): Online | null {
  return $client
    .query<Online, [number]>(
      `SELECT ifnull(framed_ip, framed_ipv6_prefix) AS address, started_at AS since FROM sessions
       WHERE subscriber_id = ? AND stopped_at IS NULL ORDER BY started_at DESC, id DESC LIMIT 1`,
    )
    .get(subscriberId);
}
