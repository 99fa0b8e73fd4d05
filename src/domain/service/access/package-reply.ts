import { decide, type Grant } from "./decide.ts";
import { type GrantAttribute, grantAttributes } from "./grant-attributes.ts";
import { ReplyAttributes } from "../../goods/attributes/reply.ts";
import { packageTerms } from "../../goods/packages/package-terms.ts";
import type { Db } from "../../../../db/open.ts";
import type { packages } from "../../../../db/schema.ts";
import { kindTraits, type NasKind } from "../../goods/nas/kinds.ts";
import { answerTerms, type GardenTerms } from "./garden.ts";
import { RADIUS_PPPOE } from "../../goods/subscribers/connection-types.ts";
import { addDuration, type Seconds } from "../../core/time/time.ts";

type Package = typeof packages.$inferSelect;

/**
 * What routers are sent for a subscriber of a package without a fixed address: while active, with the quota used up (null: no
 * quota), and after expiry. `rejected`: the login is refused then.
 */
export interface PackageReply {
  readonly paid: readonly GrantAttribute[] | "rejected";
  readonly usedUp: readonly GrantAttribute[] | "rejected" | null;
  readonly expired: readonly GrantAttribute[] | "rejected";
}

/** The reply to a PPPoE login at a router of a kind, the first of a period that starts now. */
export function packageReply(
  db: Db,
  sold: Package,
  { now, router = "mikrotik" }: { now: Seconds; router?: NasKind },
): PackageReply {
  const { garden, interimInterval } = answerTerms(db);
  const { end: expiresAt } = addDuration(now, { count: sold.duration, unit: sold.durationUnit });
  const attributesAt = (state: { expiresAt: Seconds; quotaUsed: number }) => {
    const takesLists = kindTraits[router].list !== null;
    const grant = tryGrant(sold, state, { ...garden, takesLists, now });
    return grant === undefined
      ? "rejected"
      : grantAttributes(grant, { interimInterval, router, service: "ppp" });
  };
  const { dataQuotaBytes } = sold;
  return {
    paid: attributesAt({ expiresAt, quotaUsed: 0 }),
    usedUp: dataQuotaBytes === 0 ? null : attributesAt({ expiresAt, quotaUsed: dataQuotaBytes }),
    expired: attributesAt({ expiresAt: now, quotaUsed: 0 }),
  };
}

function tryGrant(
  sold: Package,
  state: { expiresAt: Seconds; quotaUsed: number },
  at: GardenTerms & { takesLists: boolean; now: Seconds },
): Grant | undefined {
  const decision = decide(
    {
      id: 0,
      ispId: sold.ispId,
      status: 1,
      connectionTypeId: RADIUS_PPPOE,
      anyConnection: 0,
      staticIp: null,
      framedIpv6Prefix: null,
      delegatedIpv6Prefix: null,
      macAddress: null,
      macLock: 0,
      macLogin: 0,
      reply: ReplyAttributes.of(sold.replyAttributes, null),
      circuitId: null,
      remoteId: null,
      poolIp: null,
      poolPrefix: null,
      service: {
        ...packageTerms(sold),
        ...state,
        frozenAt: null,
        windowStart: null,
        extraBytes: 0,
        rollingBytes: 0,
      },
    },
    {
      ...at,
      ispId: null,
      nasAddress: "",
      mac: undefined,
      kind: "other",
      passwordIsRight: true,
      sessions: () => [],
      pending: () => 0,
      replacesAtNasPort: () => false,
    },
  );
  return decision.accept ? decision.grant : undefined;
}
