import { expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { checkRouters } from "../../../../src/domain/machine/check/routers.ts";
import { nasById } from "../../../../src/domain/goods/nas/find.ts";
import { noteGarden } from "../../../../src/domain/goods/router-setup/garden.ts";
import { storeSetting } from "../../../../src/domain/core/settings/settings.ts";
import { aPackage, by, loadIsp, NAS_SECRET } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const router = (kind: string) => ({
  nas: [{ id: 1, isp_id: 1, name: "bras", address: "10.0.0.9", secret: NAS_SECRET, kind }],
});
const messages = (db: Parameters<typeof checkRouters>[0]) =>
  checkRouters(db, NOW).map(({ message }) => message);

test("a router that reports like none of RouterOS, and is told as one, is to be given its kind", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, router("mikrotik"));
  insertSessions(store.db, {
    subscriberId: null,
    acctSessionId: "3c6b2e8a11f2a0d4",
    nasIdentifier: "accel-ppp",
  });
  expect(messages(store.db)).toEqual([
    "bras: its reports are not those of RouterOS, so it may not understand the rates that it is told; say what it is: gatehouse nas set bras --kind KIND",
  ]);
  store.db.$client.run("UPDATE nas SET kind = 'accel-ppp'");
  expect(messages(store.db)).toEqual(["1 may ask"]);
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
  expect(messages(store.db)).toEqual([
    "bras: accel-ppp knows no address lists, so who is expired is refused there; give the package Home 3 an expired_pool",
    "bras: was not told yet whom lines in the walled garden may ask for names and how fast they are, so who is expired may have a way out for nothing there; see what this prints: gatehouse nas script bras",
  ]);
  store.db.$client.run("UPDATE nas SET kind = 'cisco'");
  write(store.db, (tx) => noteGarden(tx, nasById(tx, by.scope, 1)));
  expect(messages(store.db)).toEqual(["1 may ask"]);
});

test("a router that was told of the walled garden before its rules were shut is named until it is told anew", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { ...router("mikrotik"), packages: [aPackage(2, { expired_address_list: "walled" })] });
  const anew = [
    "bras: was not told yet whom lines in the walled garden may ask for names and how fast they are, so who is expired may have a way out for nothing there; paste anew what this prints: gatehouse nas script bras, or have it done by: gatehouse nas setup bras",
  ];
  const tell = () => write(db, (tx) => noteGarden(tx, nasById(tx, by.scope, 1)));
  expect(messages(db)).toEqual(anew);
  tell();
  expect(messages(db)).toEqual(["1 may ask"]);
  write(db, (tx) => storeSetting(tx, "garden_dns", "10.0.0.53"));
  expect(messages(db)).toEqual(anew);
  tell();
  // a router that is told rates in numbers has the garden's with each login; one that goes by names has to know it
  write(db, (tx) => storeSetting(tx, "garden_rate", "1M/1M"));
  expect(messages(db)).toEqual(["1 may ask"]);
  db.$client.run("UPDATE nas SET kind = 'juniper'");
  tell();
  write(db, (tx) => storeSetting(tx, "garden_rate", "2M/2M"));
  expect(messages(db)).toHaveLength(1);
  expect(messages(db)).not.toEqual(["1 may ask"]);
});
