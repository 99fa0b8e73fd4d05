/** What can happen while somebody looks at a page. */
export const topics = ["sessions", "logins", "money", "findings", "trail", "routers", "messages"] as const;
export type Topic = (typeof topics)[number];

/** Whose something is; undefined where it concerns everybody of the ISP. An ISP of null is the whole box. */
export interface Owner {
  readonly ispId: number | null;
  readonly branchId?: number | null;
  readonly salespersonId?: number | null;
}

export interface Owned {
  readonly owner: Owner;
  readonly times: number;
}
