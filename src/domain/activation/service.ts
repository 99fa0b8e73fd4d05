import type { Tx } from "../../../db/open.ts";
import { type packages, services } from "../../../db/schema.ts";
import { sealPassword } from "../subscribers/password.ts";
import type { Seconds } from "../time.ts";

export interface ServiceTerms {
  package: typeof packages.$inferSelect;
  expiresAt: Seconds;
  /** null: the service arrives by import, nobody activated it here. */
  activatedAt: Seconds | null;
}

export interface NewService extends ServiceTerms {
  subscriberId: number;
  /** The password of the profile, sealed. */
  passwordSealed: Buffer;
}

/** Writes what RADIUS answers from: the package's terms as they are today, with the quota counter at zero. */
export function writeService(tx: Tx, { subscriberId, passwordSealed, ...service }: NewService): void {
  const terms = {
    ...sealPassword(tx.vault, tx.vault.openText(passwordSealed)),
    ...serviceTerms(service),
  };
  tx.insert(services)
    .values({ subscriberId, ...terms })
    .onConflictDoUpdate({ target: services.subscriberId, set: terms })
    .run();
}

/** The columns of a service that come from its package, with the quota counter at zero. */
export function serviceTerms({ package: sold, expiresAt, activatedAt }: ServiceTerms) {
  return {
    packageId: sold.id,
    expiresAt,
    activatedAt,
    quotaTotal: sold.dataQuotaBytes,
    quotaUsed: 0,
    quotaCrossedAt: null,
    quotaExceeded: sold.quotaExceeded,
    rateLimit: sold.rateLimit,
    framedPool: sold.framedPool,
    framedIpv6Pool: sold.framedIpv6Pool,
    delegatedIpv6Pool: sold.delegatedIpv6Pool,
    addressList: sold.addressList,
    expiredPool: sold.expiredPool,
    expiredAddressList: sold.expiredAddressList,
    simultaneousUse: sold.simultaneousUse,
    idleTimeout: sold.idleTimeout,
  };
}
