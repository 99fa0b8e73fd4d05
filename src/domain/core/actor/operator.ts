import type { Actor, Scope } from "./actor.ts";

export const everything: Scope = { ispId: null, branchId: null, salespersonId: null };

/** The actor of the command line and jobs: every row, every operation. */
export function operator(name: string, source: "cli" | "system"): Actor {
  const flags = new Set<string>();
  return { staffId: null, subscriberId: null, name, source, scope: everything, admin: true, flags };
}
