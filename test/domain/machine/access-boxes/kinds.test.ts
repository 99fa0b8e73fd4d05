import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { loginReply } from "../../../../src/domain/service/access/login-reply.ts";
import { Replication } from "../../../support/replication.ts";
import { aPackage, aSubscriber, loadIsp, NAS_SECRET } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";

const attributes = (db: Db) => {
  const login = loginReply(db, { usernameKey: "user1", connectionTypeId: 1, nasId: 1 }, { now: NOW });
  if (!login || "rejected" in login.attributes) return login;
  return [login.router, ...login.attributes.map(({ name, value }) => `${name}=${value}`)];
};

test("a box tells a router what the books would, by its kind and with what is added, and so after each change", async () => {
  using world = new Replication(1);
  const { primary, boxes, bucket } = world;
  const [node] = boxes;
  if (!node) throw new Error("there is a box");
  await loadIsp(primary, {
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, kind: "cisco" }],
    packages: [aPackage(2, { rate_limit: "5M/20M", reply_attributes: "Cisco-AVPair=ip:vrf-id=GOLD" })],
    subscribers: [aSubscriber(1, { package_id: 2, reply_attributes: "Framed-Route=10.9.0.0/24" })],
  });
  world.begin();
  const hears = () => {
    world.publish();
    node.hear(bucket);
    expect(attributes(node.db)).toEqual(attributes(primary));
    return attributes(node.db);
  };
  expect(hears()).toEqual([
    ...["cisco", "Service-Type=2", "Framed-Protocol=1"],
    ...["Cisco-AVPair=ip:sub-qos-policy-in=up-5M", "Cisco-AVPair=ip:sub-qos-policy-out=down-20M"],
    ...["Session-Timeout=864000", "Acct-Interim-Interval=300"],
    ...["Cisco-AVPair=ip:vrf-id=GOLD", "Framed-Route=10.9.0.0/24"],
  ]);
  const change = (sql: string) => primary.$client.run(sql);
  change("UPDATE subscribers SET reply_attributes = 'Cisco-AVPair=ip:vrf-id=OFFICE' WHERE id = 1");
  expect(hears()).toEqual(expect.arrayContaining(["Cisco-AVPair=ip:vrf-id=OFFICE"]));
  change("UPDATE services SET reply_attributes = 'Filter-Id=home' WHERE subscriber_id = 1");
  expect(hears()).toEqual(expect.arrayContaining(["Filter-Id=home", "Cisco-AVPair=ip:vrf-id=OFFICE"]));
  change("UPDATE nas SET kind = 'accel-ppp' WHERE id = 1");
  expect(hears()).toEqual(expect.arrayContaining(["accel-ppp", "Filter-Id=home"]));
  expect(hears()).not.toContain("Filter-Id=20000/5000");
});
