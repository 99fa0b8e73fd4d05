import { expect, test } from "bun:test";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { lastSeen } from "../../../../src/domain/goods/nas/last-seen.ts";
import { addNas, listNas, nasNamed, removeNas } from "../../../../src/domain/goods/nas/nas.ts";
import { smallIsp } from "../../../cli/harness.ts";
import { by, NOW, Store } from "../../machine/imports/data-set/store.ts";

const at = { now: NOW };
const edge = { isp_id: 1, name: "edge", address: "10.1.2.3/16", secret: "hush" };

async function withIsp(): Promise<Store> {
  const store = new Store();
  await store.import(smallIsp());
  return store;
}

function faultsOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error.fields;
    throw error;
  }
  return undefined;
}

test.each([
  ["10.1.2.3/16", "10.1.0.0/16"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:DB8:0::1", "2001:db8::1"],
  ["2001:db8:1:2::5/48", "2001:db8:1::/48"],
])("the address %s is kept as %s and is one NAS's only", async (address, canonical) => {
  using store = await withIsp();
  expect(addNas(store.db, by, { ...edge, address }, at).address).toBe(canonical);
  const again = () => addNas(store.db, by, { ...edge, name: "other", address: canonical }, at);
  expect(faultsOf(again)).toEqual({
    address: ["is taken by the NAS edge; to give that one another: gatehouse nas set edge --address ADDRESS"],
  });
});

test("the secret is sealed and stays out of the audit trail", async () => {
  using store = await withIsp();
  const { secretSealed } = addNas(store.db, by, edge, at);
  expect(store.db.vault.openText(secretSealed)).toBe("hush");
  const [entry] = store.rows("SELECT action, after FROM audit_entries WHERE entity = 'nas'");
  expect(entry).toMatchObject({ action: "nas.add" });
  expect(String(entry?.["after"])).toContain('"address":"10.1.0.0/16"');
  expect(Bun.inspect(store.dump())).not.toContain("hush");
});

test("every fault is reported at once", async () => {
  using store = await withIsp();
  const input = {
    isp_id: 9,
    name: "",
    address: "x",
    secret: "s",
    coa_port: 70_000,
    routeros: { tls: "maybe" },
  };
  expect(Object.keys(faultsOf(() => addNas(store.db, by, input, at)) ?? {}).sort()).toEqual([
    "address",
    "coa_port",
    "isp_id",
    "name",
    "routeros/host",
    "routeros/password",
    "routeros/tls",
    "routeros/username",
  ]);
  expect(listNas(store.db, by)).toHaveLength(1);
});

test("a change of the routers is news for who caches them", async () => {
  using store = await withIsp();
  const generation = () =>
    store.rows("SELECT value FROM generations WHERE name = 'configuration'")[0]?.["value"];
  const before = Number(generation());
  const { id } = addNas(store.db, by, edge, at);
  removeNas(store.db, by, { nasId: id, detach: false }, at);
  expect(Number(generation())).toBe(before + 2);
});

test("removing keeps the sessions in the books, ends what is open there, and names who would lose the router", async () => {
  using store = await withIsp();
  const { id } = nasNamed(store.db, by, "10.0.0.1");
  store.db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, started_at, updated_at, stopped_at, closed_by)
     VALUES (1, '10.0.0.1', 's', 'sam', 1, 1, NULL, NULL), (1, '10.0.0.1', 't', 'tom', 1, 1, 9, 'stop'),
       (NULL, '10.0.0.2', 'u', 'sam', 1, 1, NULL, NULL)`,
  );
  expect(() => removeNas(store.db, by, { nasId: id, detach: false }, at)).toThrow("core: sam, tom;");
  expect(removeNas(store.db, by, { nasId: id, detach: true }, at)).toMatchObject({ detached: 2, ended: 1 });
  expect(
    store.rows("SELECT nas_id, nas_address, stopped_at, closed_by, terminate_cause FROM sessions"),
  ).toEqual([
    {
      nas_id: null,
      nas_address: "10.0.0.1",
      stopped_at: at.now,
      closed_by: "hand",
      terminate_cause: "lost",
    },
    { nas_id: null, nas_address: "10.0.0.1", stopped_at: 9, closed_by: "stop", terminate_cause: null },
    { nas_id: null, nas_address: "10.0.0.2", stopped_at: null, closed_by: null, terminate_cause: null },
  ]);
  expect(() => removeNas(store.db, by, { nasId: id, detach: true }, at)).toThrow("there is no NAS 1");
});

test("what was heard of a router last is its session that began last, whatever was brought in after it", async () => {
  using store = await withIsp();
  store.db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, started_at, updated_at, moved_in)
     VALUES (1, '10.0.0.1', 'a', 'sam', 500, 2000, 0), (1, '10.0.0.1', 'b', 'tom', 400, 600, 1)`,
  );
  expect(lastSeen(store.db, 1)).toEqual({ at: 2000, nasAddress: "10.0.0.1", localAddress: null });
  expect(lastSeen(store.db, 7)).toBeUndefined();
});
