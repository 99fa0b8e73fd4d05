/** Whose subscribers a box has; a store says it as JSON. */
export interface Scope {
  readonly isps?: readonly number[];
  readonly branches?: readonly { readonly isp: number; readonly branch: number }[];
}

/** Whose subscribers a box has, as its row says; null: everybody's. */
export function scopeOf({ scope }: { scope: string | null }): Scope | null {
  return scope === null ? null : (JSON.parse(scope) as Scope); // as addAccessBox wrote it
}
