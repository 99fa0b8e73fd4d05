import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import type { WatchKind } from "../../../../src/domain/service/router-watch/found.ts";
import { makeCard } from "../../../support/card-codes.ts";
import { makeLeaseQueues } from "../../../support/fake-routeros-queues.ts";
import type { FakeRow } from "../../../support/fake-routeros.ts";
import { aPackage, aSubscriber, undoneIspStores } from "../../../support/isp.ts";
import {
  type MenuSabotage,
  menuSabotages,
  sabotage,
  sabotagedRouter,
} from "../../../support/router-sabotages.ts";
import { NOW } from "../../../support/store.ts";
import { WatchedRouter } from "../../../support/watched-router.ts";

const ispStore = undoneIspStores();

/* What somebody does to a router, each named within two looks, and mended: by its button, or at the router. */

const store = () =>
  ispStore({
    packages: [aPackage(2, { expired_address_list: "expired" })],
    subscribers: [aSubscriber(1, { mac_address: "AA:BB:CC:00:00:01" })],
  });

/** A router with all that can be spoilt. */
const have: Readonly<Record<string, readonly FakeRow[]>> = {
  ...sabotagedRouter,
  "/interface/ethernet/switch": [{ name: "switch1", "l3-hw-offloading": "false" }],
  "/interface/ethernet/switch/port": [{ name: "ether3", "l3-hw-offloading": "true" }],
  "/interface/bridge/port": [{ bridge: "bridge1", interface: "ether3" }],
  "/ip/address": [{ address: "10.0.0.1/24", interface: "ether2" }],
};

interface Sabotage {
  readonly kind: WatchKind;
  /** What it has besides, before it is set up. */
  readonly have?: Readonly<Record<string, readonly FakeRow[]>>;
  readonly spoil: (router: WatchedRouter, db: Db) => void;
  /** What somebody does at the router, where the API cannot mend it. */
  readonly byHand?: (router: WatchedRouter, db: Db) => void;
  /** Before each look from then on. */
  readonly goesOn?: (router: WatchedRouter) => void;
  /** What the router does once the button was pressed. */
  readonly thenStops?: (router: WatchedRouter) => void;
}

const set =
  (menu: string, values: FakeRow, which: (row: FakeRow) => boolean = () => true) =>
  ({ config }: WatchedRouter): void => {
    const row = config.rows(menu).find(which);
    if (!row) throw new Error(`there is no such row of ${menu}`);
    Object.assign(row, values);
  };
const own = (row: FakeRow) => row["comment"] === "gatehouse";
const add =
  (menu: string, row: FakeRow) =>
  ({ config }: WatchedRouter): void =>
    void config.have(menu, row);
const drop =
  (menu: string, which: (row: FakeRow) => boolean) =>
  ({ config }: Pick<WatchedRouter, "config">): void => {
    const rows = config.rows(menu);
    rows.splice(rows.findIndex(which), 1);
  };
/** Sessions that never reported between Start and Stop. */
function silentSessions(db: Db): void {
  const insert = db.$client.query(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, started_at, updated_at, stopped_at, session_time,
       input_octets, output_octets, rate_input, rate_output, closed_by)
     VALUES (1, '127.0.0.1', ?, 'user1', ?, ?, ?, 1000, 500, 1000, 4, 8, 'stop')`,
  );
  for (let session = 0; session < 6; session++) {
    const started = NOW - 20_000 + session;
    insert.run(`s${session}`, started, started + 1000, started + 1000);
  }
}

/** An address of the router whose prefix lines take their own of, as the router adds it. */
const advertised =
  (name: string) =>
  ({ config }: WatchedRouter): void => {
    config.have("/ipv6/address", { address: "2001:db8:1::1/64", interface: name, advertise: "true" });
    config.have("/ipv6/nd/prefix", {
      prefix: "2001:db8:1::/64",
      interface: name,
      autonomous: "true",
      dynamic: "true",
    });
  };
/** A prefix that the router added goes with what it came of. */
const withoutPrefix = ({ config }: WatchedRouter): void => {
  const isLeft = config.rows("/ipv6/address").some((row) => row["advertise"] === "true");
  if (!isLeft) drop("/ipv6/nd/prefix", () => true)({ config });
};

/** Lines by DHCP. */
const dhcp: Record<string, FakeRow[]> = {
  "/ip/dhcp-server": [{ name: "lines", interface: "bridge2", "use-radius": "true" }],
};

/** What its servers make of a line with both. */
const queuesOfLine = ({ config }: WatchedRouter): void =>
  makeLeaseQueues(config, [
    {
      mac: "AA:BB:CC:00:00:01",
      ip: "10.9.0.2",
      prefix: "2001:db8:9::/56",
      duid: "0x00030001aabbcc000001",
    },
  ]);

const radius = "/radius";
const sabotages: Readonly<Record<string, Sabotage>> = {
  ...Object.fromEntries(
    Object.entries<MenuSabotage>(menuSabotages).map(([name, { kind, have: besides, steps }]) => [
      name,
      {
        kind,
        ...(besides && { have: besides }),
        spoil: ({ config }: WatchedRouter) => sabotage(config, steps),
      },
    ]),
  ),
  "it has another secret, and does not believe our answers": {
    kind: "radius_secret",
    spoil: set(radius, { secret: "typo" }, own),
    goesOn: (router) => void (router.badReplies += 5),
  },
  "it has another secret, and its packets are dropped": {
    kind: "radius_secret",
    spoil: (router) => {
      set(radius, { secret: "typo" }, own)(router);
      const seen = { count: 3, first: router.now, last: router.now + 1 };
      router.arrivals.add([{ kind: "wrong_secret", address: "127.0.0.1", nasId: 1, ahead: null, ...seen }]);
    },
    thenStops: ({ arrivals, now }) => {
      const seen = { count: 1, first: now + 9, last: now + 9 };
      arrivals.add([{ kind: "signed", address: "127.0.0.1", nasId: 1, ahead: null, ...seen }]);
    },
  },
  "sessions never report in between": {
    kind: "interim_missing",
    spoil: (router, db) => {
      set("/ppp/aaa", { "interim-update": "0s" })(router);
      silentSessions(db);
    },
    // what lasted without a report stays in the books; newer ones report
    thenStops: () => {},
    byHand: (_router, db) => void db.$client.run("DELETE FROM sessions"),
  },
  "a secret of PPP is the code of a card": {
    kind: "ppp_name",
    spoil: (router, db) => add("/ppp/secret", { name: makeCard(db).code })(router),
  },
  "a user of a hotspot is the code of a card": {
    kind: "hotspot_name",
    spoil: (router, db) => add("/ip/hotspot/user", { name: makeCard(db).code })(router),
  },
  "User Manager, which it asks too, has the name of a subscriber": {
    kind: "user_manager_name",
    spoil: (router) => {
      add(radius, { service: "hotspot", address: "10.0.0.1", secret: "x" })(router);
      add("/user-manager/user", { name: "user1" })(router);
    },
  },
  "the garden's profile gives IPv6 again": {
    kind: "ipv6_free",
    have: {
      "/ppp/profile": [{ name: "six", "remote-ipv6-prefix-pool": "pool6" }],
      "/interface/pppoe-server/server": [
        { "service-name": "six", interface: "ether6", "default-profile": "six", "keepalive-timeout": "10" },
      ],
    },
    spoil: ({ config }) => {
      for (const row of config.rows("/ppp/profile").filter(own)) row["remote-ipv6-prefix-pool"] = "pool6";
    },
  },
  "a server of DHCPv6 does not ask us for lines": {
    kind: "ipv6_free",
    have: dhcp,
    spoil: add("/ipv6/dhcp-server", { name: "six", interface: "bridge2", "use-radius": "false" }),
  },
  "lines by DHCP take addresses of a prefix by themselves": {
    kind: "ipv6_free",
    have: dhcp,
    spoil: add("/ipv6/nd/prefix", { prefix: "2001:db8:2::/64", interface: "bridge2", autonomous: "true" }),
  },
  "lines by DHCP take addresses of a prefix that the router advertises of its own": {
    kind: "ipv6_free",
    have: dhcp,
    spoil: advertised("bridge2"),
    thenStops: withoutPrefix,
  },
  "guests take addresses of a prefix that the router advertises of its own": {
    kind: "ipv6_free",
    spoil: advertised("bridge1"),
    thenStops: withoutPrefix,
  },
  "guests take a prefix whose address the router has of somebody": {
    kind: "ipv6_free",
    spoil: ({ config }) =>
      config.have("/ipv6/nd/prefix", {
        prefix: "2001:db8:1::/64",
        interface: "bridge1",
        autonomous: "true",
        dynamic: "true",
      }),
    byHand: withoutPrefix,
  },
  "a server of DHCPv6 gives guests prefixes": {
    kind: "ipv6_free",
    spoil: add("/ipv6/dhcp-server", { name: "six", interface: "bridge1", "use-radius": "true" }),
  },
  "its DHCP servers give lines one queue for IPv4 and another for IPv6": {
    kind: "two_queues",
    have: {
      ...dhcp,
      "/ipv6/dhcp-server": [{ name: "six", interface: "bridge2", "use-radius": "true" }],
    },
    spoil: (router) => {
      set("/ipv6/dhcp-server", { "allow-dual-stack-queue": "false" })(router);
      queuesOfLine(router);
    },
    thenStops: queuesOfLine,
  },
  "its switch routes lines by itself": {
    kind: "hardware_path",
    spoil: set("/interface/ethernet/switch", { "l3-hw-offloading": "true" }),
  },
  "it may run no hotspot": {
    kind: "hotspot_forbidden",
    spoil: set("/system/device-mode", { hotspot: "false" }),
    byHand: set("/system/device-mode", { hotspot: "true" }),
  },
  "it suspects intruders": {
    kind: "flagged",
    spoil: set("/system/device-mode", { flagged: "true" }),
    byHand: set("/system/device-mode", { flagged: "false" }),
  },
  "its clock is wrong": {
    kind: "clock_off",
    spoil: (router) => void (router.ahead = -95),
    byHand: (router) => void (router.ahead = 0),
  },
  "its version is old": {
    kind: "version_old",
    spoil: set("/system/resource", { version: "7.12.1 (stable)" }),
    byHand: set("/system/resource", { version: "7.21 (stable)" }),
  },
  "its version has a hole": {
    kind: "version_hole",
    spoil: set("/system/resource", { version: "7.19 (stable)" }),
    byHand: set("/system/resource", { version: "7.21 (stable)" }),
  },
  "its configuration is not kept any more": {
    kind: "config_unkept",
    spoil: (_router, db) =>
      void db.$client
        .query(
          `INSERT INTO router_configs (nas_id, kept_at, seen_at, source, version, bytes, text_sealed)
           VALUES (1, ?1, ?1, 'menus', '7.21', 1, ?2)`,
        )
        .run(NOW - 4 * 86_400, db.vault.seal("x")),
    byHand: ({ now }, db) => void db.$client.run("UPDATE router_configs SET seen_at = ?", [now]),
  },
};

const byButton = Object.values(sabotages).filter(({ byHand }) => byHand === undefined);

test("there are as many as it takes", () => {
  expect(Object.keys(sabotages).length).toBeGreaterThanOrEqual(40);
  expect(byButton.length).toBeGreaterThanOrEqual(30);
});

test.each(Object.keys(sabotages))("%s", async (name) => {
  const spoilt = sabotages[name];
  if (!spoilt) throw new Error("there is no such sabotage");
  using it = await store();
  const besides = Object.entries(spoilt.have ?? {}).map(([menu, rows]) => [
    menu,
    [...rows, ...(have[menu] ?? [])],
  ]);
  const all = { ...have, ...Object.fromEntries(besides) };
  await using router = await WatchedRouter.start(it.db, { version: "7.21 (stable)", have: all });
  await router.setUp();
  const look = async (goesOn = spoilt.goesOn) => {
    goesOn?.(router);
    await router.look();
  };
  await look(() => {});
  expect(router.found()).toEqual([]);
  spoilt.spoil(router, it.db);
  await look();
  expect(router.found()).toEqual([]); // one look proves nothing
  await look();
  const found = router.found();
  expect(found.map(({ kind }) => kind)).toContain(spoilt.kind);
  const ours = found.filter(({ kind }) => kind === spoilt.kind);
  if (spoilt.byHand) {
    expect(ours.every(({ isMendable }) => isMendable)).toBe(spoilt.kind === "interim_missing");
    spoilt.byHand(router, it.db);
    if (spoilt.kind === "interim_missing") await router.mend(ours);
    await look();
    await look();
  } else {
    await router.mend(ours);
    if (spoilt.thenStops) {
      spoilt.thenStops(router);
      await look(() => {});
      await look(() => {});
    }
    // what stands first where it should not is found by what it stands before, too
    const rest = router.found();
    if (rest.length > 0) await router.mend(rest);
  }
  expect(router.found()).toEqual([]);
});

test("FastTrack that our list of interfaces keeps from lines goes on when a new one of them is put on it", async () => {
  const { have: besides, steps } =
    menuSabotages["a new hotspot is on an interface that a set-up kept FastTrack from others of"];
  using it = await store();
  const rules = [...Object.values(besides).flat(), ...(have["/ip/firewall/filter"] ?? [])];
  await using router = await WatchedRouter.start(it.db, {
    version: "7.21 (stable)",
    have: { ...have, "/ip/firewall/filter": rules },
  });
  await router.setUp();
  const rule = () =>
    router.config.rows("/ip/firewall/filter").find((row) => row["action"] === "fasttrack-connection");
  const before = { ...rule() };
  sabotage(router.config, steps);
  await router.look();
  await router.look();
  await router.mend(router.found().filter(({ kind }) => kind === "fasttrack"));
  expect(rule()).toEqual(before);
  const listed = router.config
    .rows("/interface/list/member")
    .filter((row) => row["list"] === "gatehouse-lines");
  expect(listed.map((row) => row["interface"])).toEqual(["bridge1", "bridge3"]);
  expect(router.found()).toEqual([]);
});
