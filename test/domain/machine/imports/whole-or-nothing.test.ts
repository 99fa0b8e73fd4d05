import { expect, test } from "bun:test";
import { openStore, openWriter } from "../../../../db/open.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { moveIn } from "../../../../src/domain/machine/imports/move-in.ts";
import { updateSubscriber } from "../../../../src/domain/goods/subscribers/update.ts";
import { Notices } from "../../../../src/domain/machine/imports/notices.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, edge, Mover, somebody } from "./mover.ts";
import { by } from "../../../support/isp.ts";

const many = aMoved({
  routers: [edge],
  subscribers: Array.from({ length: 300 }, (_, index) =>
    somebody(`user-${index}`, { balance: "1.00", city: `City ${index}` }),
  ),
});

test("where what is to be handed out cannot be kept, nothing comes", async () => {
  using mover = await Mover.withIsp();
  const before = mover.dump();
  const full = new Error("the disk is full");
  const keep = () => {
    throw full;
  };
  expect(mover.run(many, { keep })).rejects.toBe(full);
  expect(mover.dump()).toEqual(before);
  expect(mover.rows("SELECT * FROM moves")).toEqual([]);
});

test("where somebody takes a username meanwhile, nothing comes, and another try does", async () => {
  using mover = await Mover.withIsp();
  const other = openWriter(mover.store.folder, { busyTimeout: 1000 });
  const take = () =>
    void other.$client.run(
      `INSERT INTO subscribers (isp_id, name, username, username_key, password_sealed, package_id, connection_type_id, created_at, updated_at)
       VALUES (1, 'x', 'user-7', 'user-7', x'00', 1, 1, ${NOW}, ${NOW})`,
    );
  const run = mover.run(many, { keep: take });
  expect(await run.catch((error: unknown) => error)).toBeInstanceOf(DomainError);
  expect(mover.rows("SELECT username FROM subscribers")).toEqual([{ username: "user-7" }]);
  expect(mover.rows("SELECT * FROM moved_rows")).toEqual([]);
  other.$client.run("UPDATE subscribers SET password_sealed = ?", [other.vault.seal("x")]);
  other.$client.close();
  const { report } = await mover.run(many);
  expect(report.counts.subscribers).toMatchObject({ new: 299 });
});

test("where staff change somebody meanwhile whom the run changes too, nothing comes, and theirs stays", async () => {
  using mover = await Mover.withIsp();
  const first = aMoved({
    subscribers: [somebody("ann", { address: "a" }), somebody("bob", { address: "a" })],
  });
  const second = aMoved({
    subscribers: [somebody("ann", { address: "b" }), somebody("bob", { address: "a" })],
  });
  const edit = (username: string) => () =>
    void updateSubscriber(mover.db, by, { username, address: "ours" }, { now: NOW, toJson: (one) => one });
  await mover.run(first);
  expect(await mover.run(second, { keep: edit("ann") }).catch((error: unknown) => error)).toMatchObject({
    kind: "refused",
  });
  expect(mover.subscriber("ann")).toMatchObject({ address: "ours" });
  expect(mover.rows("SELECT id FROM moves")).toHaveLength(1);
  await mover.run(first, { keep: edit("bob") });
  expect(mover.subscriber("bob")).toMatchObject({ address: "ours" });
});

test("of a process that is killed in the middle nothing is left", async () => {
  using mover = await Mover.withIsp();
  const before = mover.dump();
  // the trigger stands for the moment at which the power fails: most of the rows are written, none is committed
  const script = `
    import { openStore } from ${JSON.stringify(import.meta.resolve("../../../../db/open.ts"))};
    import { moveIn } from ${JSON.stringify(import.meta.resolve("../../../../src/domain/machine/imports/move-in.ts"))};
    import { Notices } from ${JSON.stringify(import.meta.resolve("../../../../src/domain/machine/imports/notices.ts"))};
    import { operator } from ${JSON.stringify(import.meta.resolve("../../../../src/domain/core/actor/operator.ts"))};
    import { ImportedRows } from ${JSON.stringify(import.meta.resolve("../../../../src/domain/machine/imports/imported-rows.ts"))};
    const db = openStore(process.argv[1], { now: ${NOW} });
    ImportedRows.prototype.write = () => process.kill(process.pid, "SIGKILL");
    await moveIn(db, operator("root", "cli"), JSON.parse(await Bun.stdin.text()), {
      ispId: 1, source: "radius", files: [], now: ${NOW}, notices: new Notices(), zone: "UTC",
    });`;
  const child = Bun.spawn([process.execPath, "-e", script, mover.store.folder], {
    stdin: new Blob([JSON.stringify(many)]),
    stdout: "ignore",
    stderr: "inherit",
  });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  const db = openStore(mover.store.folder, { now: NOW });
  db.$client.close();
  expect(mover.dump()).toEqual(before);
  const notices = new Notices();
  const { report } = await moveIn(mover.db, by, many, {
    ispId: 1,
    source: "radius",
    files: [],
    now: NOW,
    notices,
    zone: "UTC",
  });
  expect(report.counts.subscribers).toMatchObject({ new: 300 });
});
