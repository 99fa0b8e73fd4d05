/** What is said of a batch when it is made; money in minor units, times in UTC seconds. */
export interface Terms {
  readonly kind: "access" | "refill" | "package";
  /** Whose terms an access card has, or what a package card activates. */
  readonly packageId: number | null;
  readonly rate?: string;
  readonly list?: string | null;
  readonly price: number;
  /** What the reseller pays who holds the batch; null: the ISP sells it. */
  readonly resellerPrice: number | null;
  readonly chargeOn: "handover" | "use" | null;
  readonly needsSale: boolean;
  readonly sellBy: number | null;
  readonly useBy: number | null;
  readonly lasts: { readonly duration: number; readonly unit: "hour" | "day" | "month" } | null;
  readonly uptime: number | null;
  readonly quota: number;
  readonly atOnce: number;
  readonly locks: boolean;
}

export interface Batch extends Terms {
  readonly id: number;
  readonly madeAt: number;
  readonly cards: readonly Card[];
}

export interface Card {
  readonly id: number;
  /** In the books. */
  readonly name: string;
  readonly batch: Terms;
  readonly madeAt: number;
  code: string;
  state: "new" | "sold" | "active" | "void";
  /** Whether the desk was paid for it. */
  isPaid: boolean;
  soldBy: number | null;
  soldAt: number | null;
  firstUsedAt: number | null;
  endsAt: number | null;
  seconds: number;
  octets: number;
  usedUpAt: number | null;
  lockedTo: string | null;
  redeemedBy: number | null;
  chargedAt: number | null;
}

export type Standing = Card["state"] | "expired" | "used up";
