export const topics = ["sessions", "logins", "money", "findings", "trail", "routers", "messages"] as const;
export type Topic = (typeof topics)[number];

/** Owner of an event; undefined fields: everybody of the ISP. ISP null is the whole system. */
export interface Owner {
  readonly ispId: number | null;
  readonly branchId?: number | null;
  readonly salespersonId?: number | null;
}

export interface Owned {
  readonly owner: Owner;
  readonly times: number;
}
