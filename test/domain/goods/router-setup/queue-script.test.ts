import { expect, test } from "bun:test";
import { updateNas } from "../../../../src/domain/goods/nas/nas.ts";
import { buildNasScript } from "../../../../src/domain/goods/router-setup/script.ts";
import { FakeConfig } from "../../../support/fake-routeros-config.ts";
import { by, undoneIspStores } from "../../../support/isp.ts";
import { noNasTools } from "../../../support/routers.ts";
import { paste } from "../../../support/pasted-script.ts";
import { NOW } from "../../../support/store.ts";
import { WatchedRouter } from "../../../support/watched-router.ts";

const ispStore = undoneIspStores();

/* What is pasted makes of the queues of lines what a set-up makes of them. */

const MENUS = [
  "/queue/type",
  "/ppp/profile",
  "/ip/hotspot/user/profile",
  "/ip/dhcp-server",
  "/ipv6/dhcp-server",
];
const lines = {
  "/ppp/profile": [{ name: "lines", "queue-type": "default-small" }, { name: "office" }],
  "/interface/pppoe-server/server": [
    { "service-name": "isp", "default-profile": "lines" },
    { "service-name": "old", "default-profile": "office", disabled: "true" },
  ],
  "/ip/hotspot/user/profile": [{ name: "guests", "queue-type": "hotspot-default" }],
  "/ip/dhcp-server": [
    { name: "four", interface: "bridge2", "use-radius": "true" },
    { name: "home", interface: "bridge9" },
  ],
  "/ipv6/dhcp-server": [
    { name: "six", interface: "bridge2", "use-radius": "true" },
    { name: "home6", interface: "bridge9" },
  ],
};

const scriptOf = async (store: Awaited<ReturnType<typeof ispStore>>) =>
  (
    await buildNasScript(store.db, by, 1, {
      now: NOW,
      findPlace: (router, lists) => noNasTools.findPlace(router, lists, undefined),
    })
  ).join("\n");

const rowsOf = (config: FakeConfig) =>
  MENUS.flatMap((menu) => config.rows(menu).map((row) => Object.assign({ menu }, row, { ".id": "" })));

test.each([
  ["an empty router", "7.16.1 (stable)", {}, { shaper: "fq_codel" }],
  ["an empty router of a version with a queue each way", "7.19.2", {}, { shaper: "cake" }],
  ["an empty router with leases", "7.16.1 (stable)", {}, { shaper: "cake", shaper_leases: true }],
  ["profiles that servers have", "7.20", lines, { shaper: "fq_codel", shaper_leases: true }],
  ["two queues of half each", "7.20", lines, { dual_stack: "half" }],
  ["IPv4 alone", "7.20", lines, { shaper: "cake", dual_stack: "ipv4" }],
  ["RouterOS 6.49, which has none", "6.49.17 (long-term)", {}, { shaper: "cake", shaper_leases: true }],
] as const)("%s", async (_, version, have, chosen) => {
  using store = await ispStore({ packages: [] });
  updateNas(store.db, by, { nasId: 1, input: chosen }, { now: NOW });
  const pasted = new FakeConfig(version);
  for (const [menu, rows] of Object.entries(have)) pasted.have(menu, ...structuredClone(rows));
  const script = await scriptOf(store);
  paste(pasted, script);
  await using made = await WatchedRouter.start(store.db, {
    version,
    have: Object.fromEntries(Object.entries(have).map(([menu, rows]) => [menu, [...rows]])),
  });
  await made.setUp();
  expect(rowsOf(pasted)).toEqual(rowsOf(made.config));
  // once more makes no difference
  paste(pasted, script);
  expect(rowsOf(pasted)).toEqual(rowsOf(made.config));
  expect(script.split("\n").at(-1)).toStartWith(':put "Pasting keeps nothing of the queues that lines had');
});

test("another kind of queue takes the place of the first; where none is chosen nothing is said", async () => {
  using store = await ispStore({ packages: [] });
  const config = new FakeConfig("7.16.1 (stable)");
  expect(await scriptOf(store)).not.toContain("queue");
  for (const shaper of ["fq_codel", "cake"]) {
    updateNas(store.db, by, { nasId: 1, input: { shaper } }, { now: NOW });
    paste(config, await scriptOf(store));
  }
  expect(config.rows("/queue/type").map(({ name }) => name)).toEqual([
    "default",
    "default-small",
    "gatehouse-cake",
  ]);
});
