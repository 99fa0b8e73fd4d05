import type { Routers } from "../../src/domain/control/routers.ts";

/** Routers that cannot be asked anything. */
export const noRouters: Routers = {
  disconnect: async () => ({ kind: "failed", reason: "no router" }),
  changeRate: async () => ({ kind: "failed", reason: "no router" }),
  changeTimeout: async () => ({ kind: "failed", reason: "no router" }),
  find: async () => ({ kind: "unknown", reason: "no router" }),
};
