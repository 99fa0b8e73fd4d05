import { expect, test } from "bun:test";
import { checkRouters } from "../../../src/domain/check/routers.ts";
import { aPackage, loadIsp, NAS_SECRET } from "../../support/isp.ts";
import { insertSessions } from "../../support/sessions.ts";
import { NOW, temporaryStore } from "../../support/store.ts";

const router = (kind: string) => ({
  nas: [{ id: 1, isp_id: 1, name: "bras", address: "10.0.0.9", secret: NAS_SECRET, kind }],
});
const told = (db: Parameters<typeof checkRouters>[0]) => checkRouters(db, NOW).map(({ message }) => message);

test("a router that reports like none of RouterOS, and is told as one, is to be given its kind", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, router("mikrotik"));
  insertSessions(store.db, {
    subscriberId: null,
    acctSessionId: "3c6b2e8a11f2a0d4",
    nasIdentifier: "accel-ppp",
  });
  expect(told(store.db)).toEqual([
    "bras: its reports are not those of RouterOS, so it may not understand the rates that it is told; say what it is: gatehouse nas set bras --kind KIND",
  ]);
  store.db.$client.run("UPDATE nas SET kind = 'accel-ppp'");
  expect(told(store.db)).toEqual(["1 may ask"]);
});

test("a package that confines by a list alone is named where a router knows none", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, {
    ...router("accel-ppp"),
    packages: [
      aPackage(2, { expired_address_list: "walled", expired_pool: "garden" }),
      aPackage(3, { expired_address_list: "walled" }),
    ],
  });
  expect(told(store.db)).toEqual([
    "bras: accel-ppp knows no address lists, so who is expired is refused there; give the package Home 3 an expired_pool",
  ]);
  store.db.$client.run("UPDATE nas SET kind = 'cisco'");
  expect(told(store.db)).toEqual(["1 may ask"]);
});
