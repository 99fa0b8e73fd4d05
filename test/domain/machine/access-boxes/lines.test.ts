import { expect, test } from "bun:test";
import { LeaseReader } from "../../../../src/domain/service/access/leases.ts";
import { AccessReader } from "../../../../src/domain/service/access/reader.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { setting } from "../../../../src/domain/core/settings/settings.ts";
import { updateSubscriber } from "../../../../src/domain/goods/subscribers/update.ts";
import { archiveOne } from "../../../../src/domain/desk/subscriber-page/archive.ts";
import { write } from "../../../../db/open.ts";
import { Replication } from "../../../support/replication.ts";
import { aPackage, aSubscriber, by, loadIsp, NAS_SECRET } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";

test("a box finds a subscriber by its line and grants the address of its pool from a store of its own", async () => {
  using world = new Replication(1);
  const { primary } = world;
  await loadIsp(primary, {
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, dhcp: true }],
    address_pools: [
      { id: 1, isp_id: 1, name: "homes", range: "10.20.0.2-10.20.0.9" },
      { id: 2, isp_id: 1, name: "prefixes", range: "2001:db8::/40", length: 56 },
    ],
    packages: [aPackage(2, { address_pool: "homes", delegated_ipv6_from: "prefixes" })],
    subscribers: [
      aSubscriber(1, { package_id: 2, circuit_id: "port 1", remote_id: "olt-3", balance: "0.00" }),
    ],
  });
  world.begin();
  world.settle();
  const [node] = world.boxes;
  if (!node) throw new Error("a box");
  const found = (circuitId: string) => new LeaseReader(node.db).ofLine({ circuitId, remoteId: "olt-3" }, 1);
  const granted = () => {
    const { poolIp, poolPrefix } = new AccessReader(node.db).candidate("user1") ?? {};
    return [poolIp, poolPrefix];
  };
  expect(found("port 1")).toEqual({ usernameKey: "user1", by: "line" });
  expect(granted()).toEqual(["10.20.0.2", "2001:db8::/56"]);
  expect(node.one("SELECT dhcp FROM nas")).toEqual({ dhcp: 1 });

  // what changes in the books is told
  updateSubscriber(
    primary,
    by,
    { username: "user1", circuit_id: "port 2", static_ip: "10.9.0.1" },
    { now: NOW, toJson: (record) => record },
  );
  changeSetting(primary, by, { key: "dhcp_lease", value: "300" }, { now: NOW });
  changeSetting(primary, by, { key: "dhcp_password", value: "leases" }, { now: NOW });
  world.settle();
  expect(found("port 1")).toBeUndefined();
  expect(found("port 2")).toEqual({ usernameKey: "user1", by: "line" });
  expect(granted()).toEqual([null, "2001:db8::/56"]);
  expect([setting(node.db, "dhcp_lease"), setting(node.db, "dhcp_password")]).toEqual([300, "leases"]);

  write(primary, (tx) => archiveOne(tx, by, { subscriberId: 1 }, { now: NOW }));
  world.settle();
  expect(found("port 2")).toBeUndefined();
});
