import type { Actor } from "../../src/domain/core/actor/actor.ts";

/** A member of the demo ISP's staff, who may do everything there. */
export const staff = (staffId: number, name: string): Actor => ({
  staffId,
  subscriberId: null,
  name,
  source: "192.0.2.10",
  scope: { ispId: 1, branchId: null, salespersonId: null },
  admin: true,
  flags: new Set(),
});
