/** The subscribers of an access box, stored as JSON. */
export interface Scope {
  readonly isps?: readonly number[];
  readonly branches?: readonly { readonly isp: number; readonly branch: number }[];
}

/** The scope of an access box's row; null: everybody. */
export function parseScope({ scope }: { scope: string | null }): Scope | null {
  return scope === null ? null : (JSON.parse(scope) as Scope); // as addAccessBox wrote it
}
