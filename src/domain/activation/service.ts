import type { Tx } from "../../../db/open.ts";
import { type packages, services } from "../../../db/schema.ts";
import { sealPassword } from "../subscribers/password.ts";
import type { Seconds } from "../time.ts";

export interface ServiceTerms {
  subscriberId: number;
  /** The password of the profile, sealed. */
  passwordSealed: Buffer;
  package: typeof packages.$inferSelect;
  expiresAt: Seconds;
  /** null: the service arrives by import, nobody activated it here. */
  activatedAt: Seconds | null;
}

/** Writes what RADIUS answers from: the package's terms as they are today, with the quota counter at zero. */
export function writeService(
  tx: Tx,
  { package: sold, subscriberId, passwordSealed, expiresAt, activatedAt }: ServiceTerms,
): void {
  const terms = {
    packageId: sold.id,
    ...sealPassword(tx.vault, tx.vault.openText(passwordSealed)),
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
  tx.insert(services)
    .values({ subscriberId, ...terms })
    .onConflictDoUpdate({ target: services.subscriberId, set: terms })
    .run();
}
