import { insert } from "../../../../db/insert.ts";
import type { Tx } from "../../../../db/open.ts";
import { type packages, services } from "../../../../db/schema.ts";
import { windowAt } from "../../goods/windows/window.ts";
import { packageTerms } from "../../goods/packages/package-terms.ts";
import { sealPassword } from "../../goods/subscribers/password.ts";
import type { Anchor, Seconds } from "../../core/time/time.ts";

export interface ServiceTerms {
  package: typeof packages.$inferSelect;
  expiresAt: Seconds;
  /** null: imported, not activated here. */
  activatedAt: Seconds | null;
}

export interface NewService extends ServiceTerms {
  subscriberId: number;
  passwordSealed: Buffer;
  anchor: Anchor | null;
  /** Rollover bytes of top-ups from the previous service. */
  rolledOver?: number;
}

/** The renewal day and hour of a service; null: its end. */
export function anchorOf({
  anchorDay: day,
  anchorTime: time,
}: Pick<typeof services.$inferSelect, "anchorDay" | "anchorTime">): Anchor | null {
  return day === null || time === null ? null : { day, time };
}

/** Writes the service that RADIUS answers from: the package's present terms with the quota counter at zero. */
export function writeService(
  tx: Tx,
  { subscriberId, passwordSealed, anchor, rolledOver = 0, ...service }: NewService,
): void {
  const terms = serviceTerms(service);
  // without a quota or tiers they could never be used
  const extra = terms.quotaTotal > 0 || terms.tiers !== null ? rolledOver : 0;
  const row = {
    subscriberId,
    ...sealPassword(tx.vault, tx.vault.openText(passwordSealed)),
    ...terms,
    extraBytes: extra,
    rollingBytes: extra,
    quotaTotal: terms.quotaTotal > 0 ? terms.quotaTotal + extra : 0,
    anchorDay: anchor?.day ?? null,
    anchorTime: anchor?.time ?? null,
    // a new period: extensions and freezes are cleared
    frozenAt: null,
    paidUntil: null,
    renewsFrom: null,
  };
  insert(tx, services, row, { replacing: ["subscriberId"] });
}

/** Columns of a service that come from its package, with the quota counter at zero. */
export function serviceTerms({ package: sold, expiresAt, activatedAt }: ServiceTerms) {
  return {
    packageId: sold.id,
    expiresAt,
    activatedAt,
    quotaUsed: 0,
    quotaCrossedAt: null,
    freeBytes: 0,
    extraBytes: 0,
    rollingBytes: 0,
    windowStart: activatedAt === null ? null : (windowAt(sold.fairWindow, activatedAt)?.start ?? null),
    ...packageTerms(sold),
  };
}
