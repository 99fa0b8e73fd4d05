import { phrase } from "../../src/domain/core/errors/phrase.ts";
import type { NasTools } from "../../src/domain/goods/router-setup/tools.ts";
import type { Routers } from "../../src/domain/service/control/routers.ts";

export const noRouters: Routers = {
  disconnect: async () => ({ kind: "failed", reason: "no router" }),
  changeRate: async () => ({ kind: "failed", reason: "no router" }),
  changeTimeout: async () => ({ kind: "failed", reason: "no router" }),
  find: async () => ({ kind: "unknown", reason: "no router" }),
};

/** Every router answers, and reaches us at 10.0.0.254. */
export const noNasTools: NasTools = {
  ask: async (router) => [
    { check: "reachable", status: "ok", detail: phrase`${router.address} answers`, remedy: null },
    {
      check: "coa",
      status: "failed",
      detail: phrase`port ${3799} does not answer`,
      remedy: "/radius/incoming/set accept=yes",
    },
  ],
  findPlace: async (_router, _lists, server = "10.0.0.254") => ({
    server,
    authPort: 1812,
    acctPort: 1813,
    walled: { address: server, port: 8081, portalPort: null },
  }),
  portalOrigin: async () => "http://10.0.0.254:8080",
  sendHotspot: async () => ["hotspot"],
  open: async (_router, _login, body) =>
    body({
      print: async (menu) => (menu === "/system/resource" ? [{ version: "7.16.1" }] : null),
      add: async () => {},
      set: async () => {},
      remove: async () => {},
      run: async () => [],
    }),
  readConfig: async () => ({
    text: "# 2026-11-22 03:00:00 by RouterOS 7.16.1\n/system identity\nset name=core\n",
    source: "export",
    version: "7.16.1",
    note: null,
  }),
  ownAddress: async () => "10.0.0.254",
};
