import { expect, test } from "bun:test";
import { AccessReader } from "../../src/domain/service/access/reader.ts";
import { PrimaryLink } from "../../src/nats/primary-link.ts";
import { NodeLink } from "../../src/nats/node-link.ts";
import { aBoxReport, addBox, joinBox } from "../support/access-boxes.ts";
import { aSubscriber, by, loadIsp } from "../support/isp.ts";
import { NatsServer } from "../support/nats-server.ts";
import { eventually } from "../support/radius-server.ts";
import { NOW, temporaryStore } from "../support/store.ts";

const elapsed = { boot: "a", uptime: () => performance.now() };
const until = async (isSo: () => boolean) => expect(await eventually(isSo), isSo.toString()).toBe(true);

test("a record that the store of a box refuses is said, and keeps nobody from the others", async () => {
  await using server = await NatsServer.start();
  using primary = temporaryStore();
  using node = temporaryStore();
  await loadIsp(primary.db, { subscribers: [1, 2, 3].map((id) => aSubscriber(id)) });
  joinBox(node.db, addBox(primary.db, by, "tower-1", { heardAt: null }));
  // as a box of an earlier version does with a value that it does not know
  node.db.$client.run(
    `CREATE TRIGGER refuses BEFORE INSERT ON subscribers WHEN NEW.id = 2
     BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed'); END`,
  );
  const failures: string[] = [];
  const failed = (what: string, error: unknown) => void failures.push(`${what}: ${String(error)}`);
  const clock = () => NOW;
  const options = { url: server.url, seed: null, caFile: null, name: "test" };
  const here = new PrimaryLink(primary.db, { clock, crossed: () => {}, take: () => {}, failed: () => {} });
  const there = new NodeLink(node.db, {
    follow: () => {}, // the clock of this thread is that of other tests too
    name: "tower-1",
    scope: null,
    clock,
    elapsed,
    changed: () => {},
    failed,
    onRequest: async () => ({ kind: "gone" as const }),
    report: () => aBoxReport(),
  });
  await here.start(options);
  await there.start(options);
  const reader = new AccessReader(node.db);
  await until(() => reader.candidate("user1") !== undefined && reader.candidate("user3") !== undefined);
  await until(() => there.state.isComplete);
  expect(reader.candidate("user2")).toBeUndefined();
  expect(failures.filter((one) => one.startsWith("1.0.s.2 in the bucket is left out"))).not.toEqual([]);
  await there.stop();
  await here.stop();
});
