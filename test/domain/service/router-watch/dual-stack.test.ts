import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { updateNas } from "../../../../src/domain/goods/nas/nas.ts";
import { type LeasedLine, makeLeaseQueues } from "../../../support/fake-routeros-queues.ts";
import { by, undoneIspStores } from "../../../support/isp.ts";
import { WatchedRouter } from "../../../support/watched-router.ts";

const ispStore = undoneIspStores();

/* Lines of DHCP that have a queue for IPv4 and another for IPv6, each of the whole rate. */

const line = (number: number, duid?: string): LeasedLine => ({
  mac: `AA:BB:CC:00:00:0${number}`,
  ip: `10.0.0.${number}`,
  prefix: `2001:db8:${number}::/56`,
  duid: duid ?? `0x00030001aabbcc00000${number}`,
});
/** Three whose DUID is made of the MAC address of the lease, two of which it is not, and one that has no IPv6. */
const lines: LeasedLine[] = [
  ...[1, 2, 3].map((number) => line(number)),
  ...[4, 5].map((number) => line(number, `0x0002000000ab0${number}`)),
  { mac: "AA:BB:CC:00:00:06", ip: "10.0.0.6" },
];
const SHARES = "allow-dual-stack-queue";

async function start(db: Db, shares: string) {
  const router = await WatchedRouter.start(db, {
    version: "7.21 (stable)",
    have: {
      "/ip/firewall/filter": [{ chain: "input", action: "drop" }],
      "/ip/dhcp-server": [{ name: "four", interface: "bridge2", "use-radius": "true", [SHARES]: shares }],
      "/ipv6/dhcp-server": [{ name: "six", interface: "bridge2", "use-radius": "true", [SHARES]: shares }],
      // what is none of theirs
      "/queue/simple": [
        { name: "hs-<aabbcc>", target: "10.1.0.9/32", dynamic: "true" },
        { name: "dhcp-ds<<pppoe-user1>>", target: "2001:db8:9::/56", dynamic: "true" },
        { name: "office", target: "10.2.0.0/24" },
      ],
    },
  });
  const kept = router.config.rows("/queue/simple").filter(({ name }) => !name?.startsWith("dhcp-ds<A"));
  const twice = async () => {
    for (let looks = 0; looks < 2; looks++) {
      makeLeaseQueues(router.config, lines);
      router.config.rows("/queue/simple").push(...kept.filter((row) => row["dynamic"] === "true"));
      await router.look();
    }
    return router.found().map(({ kind, values, isMendable }) => ({ kind, values, isMendable }));
  };
  const servers = () =>
    ["/ip/dhcp-server", "/ipv6/dhcp-server"].map((menu) => {
      const [row] = router.config.rows(menu);
      return [row?.[SHARES], row?.["disabled"]];
    });
  const choose = (dual_stack: string) =>
    updateNas(db, by, { nasId: 1, input: { dual_stack } }, { now: router.now });
  await router.setUp();
  return { router, twice, servers, choose };
}

test("servers that keep IPv4 and IPv6 apart are let share by the button, and what still has two is counted", async () => {
  using it = await ispStore({ packages: [] });
  const { router, twice, servers } = await start(it.db, "false");
  await using _ = router;
  expect(await twice()).toEqual([
    { kind: "two_queues", values: { lines: 5, mayShare: false }, isMendable: true },
  ]);
  await router.mend(router.found());
  expect(servers()).toEqual([
    ["true", "false"],
    ["true", "false"],
  ]);
  expect(await twice()).toEqual([
    { kind: "two_queues", values: { lines: 2, mayShare: true }, isMendable: false },
  ]);
  // to share is no choice that another set-up takes back, but it was not there before
  await router.setUp();
  expect(servers()[0]).toEqual(["true", "false"]);
  await router.remove();
  expect(servers()).toEqual([
    ["false", "false"],
    ["false", "false"],
  ]);
});

test.each([
  ["half", 2, ["false", "false"], ["false", "false"]],
  ["ipv4", 1, ["true", "false"], ["true", "true"]],
])(
  "%s is made at the router by a press, and by a set-up; another choice and a removal give back",
  async (choice, count, four, six) => {
    using it = await ispStore({ packages: [] });
    const { router, twice, servers, choose } = await start(it.db, "true");
    await using _ = router;
    const before = servers();
    expect(await twice()).toMatchObject([{ kind: "two_queues", values: { lines: 2, mayShare: true } }]);
    choose(choice);
    expect(await twice()).toMatchObject([
      { kind: "dual_stack", values: { desired: choice, servers: count }, isMendable: true },
    ]);
    await router.mend(router.found());
    expect(servers()).toEqual([four, six]);
    expect(await twice()).toEqual([]);
    choose("whole");
    await router.setUp();
    expect(servers()).toEqual(before);
    choose(choice);
    await router.setUp();
    expect(servers()).toEqual([four, six]);
    await router.remove();
    expect(servers()).toEqual(before);
  },
);
