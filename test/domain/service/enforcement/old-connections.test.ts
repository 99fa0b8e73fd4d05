import { expect, test } from "bun:test";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { verbatim } from "../../../../src/domain/core/errors/phrase.ts";
import { checkRouters } from "../../../../src/domain/machine/check/routers.ts";
import { OldConnections } from "../../../../src/domain/service/enforcement/old-connections.ts";
import { FakeConfig } from "../../../support/fake-routeros-config.ts";
import { aSubscriber, DAY, undoneIspStores } from "../../../support/isp.ts";
import { routerMenus } from "../../../support/router-menus.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW } from "../../../support/store.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";

const ispStore = undoneIspStores();

/* At a router where FastTrack was left, what lines that have run out had open goes past the walled garden until it is ended. */

const POOR = "10.50.0.9";
const PAID = "10.60.0.9";

async function scene(entries: string) {
  const store = await ispStore({
    subscribers: [aSubscriber(1, { current_expiration_date: formatTime(NOW - DAY) }), aSubscriber(2)],
  });
  const { db } = store;
  db.$client.run(
    "UPDATE nas SET fast_track_left = 1, routeros_username = 'gatehouse', routeros_password_sealed = ? WHERE id = 1",
    [db.vault.seal("pw")],
  );
  const stopped = { startedAt: NOW - 600, stoppedAt: NOW - 3, nasId: 1 };
  insertSessions(
    db,
    { ...stopped, subscriberId: 1, framedIp: POOR },
    { ...stopped, subscriberId: 2, framedIp: PAID },
  );
  const config = new FakeConfig();
  config.rows("/ip/firewall/connection/tracking").splice(0, 1, { "total-entries": entries });
  const rows = [POOR, PAID, "10.0.0.7"].map((address, index) => ({
    ".id": `*${index + 1}`,
    "src-address": `${address}:40000`,
    "dst-address": "198.51.100.7:443",
    "reply-src-address": "198.51.100.7:443",
    fasttrack: "true",
  }));
  config.rows("/ip/firewall/connection").push(...rows);
  let opened = 0;
  let isGone = false;
  const connections = new OldConnections(db, {
    clock: () => NOW,
    open: async (_router, _login, body) => {
      opened++;
      if (isGone) throw new DomainError("router_failed", verbatim("core is gone"));
      return body(routerMenus(config, ["read", "write"]));
    },
  });
  return {
    db,
    store,
    connections,
    left: () => config.rows("/ip/firewall/connection").map((row) => row[".id"]),
    opened: () => opened,
    go: (is = true) => (isGone = is),
  };
}

test("those of lines that have run out are ended, once, and nobody else's", async () => {
  const { store, connections, left, opened } = await scene("3");
  using _ = store;
  expect(await connections.run()).toEqual({ ended: 1, left: [], failures: [] });
  expect(left()).toEqual(["*2", "*3"]);
  expect(await connections.run()).toEqual({ ended: 0, left: [], failures: [] });
  expect(opened()).toBe(1);
});

test("a router where FastTrack is kept from subscribers is not asked", async () => {
  const { db, store, connections, opened } = await scene("3");
  using _ = store;
  db.$client.run("UPDATE nas SET fast_track_left = 0");
  expect(await connections.run()).toEqual({ ended: 0, left: [], failures: [] });
  expect(opened()).toBe(0);
});

test("where there are too many they live on, which the check says; a router that is gone is told of", async () => {
  const { db, store, connections, left } = await scene("20001");
  using _ = store;
  expect(await connections.run()).toEqual({ ended: 0, left: ["core"], failures: [] });
  expect(left()).toHaveLength(3);
  expect(
    checkRouters(db, NOW)
      .map(({ message }) => message)
      .join(),
  ).toContain("core: old connections of lines that have run out live on until they close");
  const other = await scene("3");
  using __ = other.store;
  other.go();
  expect(await other.connections.run()).toEqual({ ended: 0, left: [], failures: ["core is gone"] });
  other.go(false);
  expect(await other.connections.run()).toMatchObject({ ended: 1 });
});
