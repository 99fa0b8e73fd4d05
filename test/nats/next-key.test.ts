import { expect, test } from "bun:test";
import { write } from "../../db/open.ts";
import { removeAccessBox, takeSealedKey } from "../../src/domain/machine/access-boxes/boxes.ts";
import { removedButSeen, standings } from "../../src/domain/service/box-standing/standing.ts";
import { accessState, recordSeal } from "../../src/domain/machine/access-boxes/state.ts";
import { AccessReader } from "../../src/domain/service/access/reader.ts";
import { connectOnce } from "../../src/nats/connection.ts";
import { PrimaryLink } from "../../src/nats/primary-link.ts";
import { NodeLink } from "../../src/nats/node-link.ts";
import { reportSubject } from "../../src/nats/subjects.ts";
import { aBoxReport, addBox, joinBox } from "../support/access-boxes.ts";
import { aSubscriber, by, loadIsp } from "../support/isp.ts";
import { NatsServer } from "../support/nats-server.ts";
import { eventually } from "../support/radius-server.ts";
import { NOW, temporaryStore } from "../support/store.ts";

const elapsed = { boot: "a", uptime: () => performance.now() };
const until = async (isSo: () => boolean) => expect(await eventually(isSo), isSo.toString()).toBe(true);

test("when a box is removed the others get the next key, and it does not", async () => {
  await using server = await NatsServer.start();
  using primary = temporaryStore();
  using staying = temporaryStore();
  using stolen = temporaryStore();
  loadIsp(primary.db, { subscribers: [1, 2].map((id) => aSubscriber(id)) });
  joinBox(staying.db, addBox(primary.db, by, "tower-1", { heardAt: null }));
  joinBox(stolen.db, addBox(primary.db, by, "tower-2", { heardAt: null }));
  const failures: string[] = [];
  const failed = (what: string, error: unknown) => void failures.push(`${what}: ${String(error)}`);
  let now = NOW;
  const clock = () => now;
  const options = { url: server.url, seed: null, caFile: null, name: "test" };
  const here = new PrimaryLink(primary.db, { clock, crossed: () => {}, take: () => {}, failed });
  const there = new NodeLink(staying.db, {
    follow: () => {}, // the clock of this thread is that of other tests too
    name: "tower-1",
    scope: null,
    clock,
    elapsed,
    changed: () => {},
    failed,
    onRequest: async () => ({ kind: "gone" as const }),
    report: () => aBoxReport({ sessions: 7 }),
  });
  await here.start(options);
  await there.start(options);
  const reader = new AccessReader(staying.db);
  await until(() => reader.candidate("user2") !== undefined && there.state.isComplete);
  await until(() => standings(primary.db, now)[0]?.report?.sessions === 7);
  expect(standings(primary.db, now).map(({ name, state }) => [name, state])).toEqual([
    ["tower-1", "heard"],
    ["tower-2", "new"],
  ]);

  removeAccessBox(primary.db, by, { name: "tower-2" }, { now });
  write(primary.db, (tx) => tx.$client.run("UPDATE subscribers SET status = 0 WHERE id = 2"));
  await until(() => reader.candidate("user2")?.status === 0);
  expect(accessState(staying.db).keyNumber).toBe(2);

  // the removed one goes on to sign in with what it has; it opens nothing, and it is seen
  const thief = await connectOnce(options);
  const bucket = "$KV.access.0.0.key.tower-1";
  const jetstream = await thief.request(
    "$JS.API.STREAM.MSG.GET.KV_access",
    JSON.stringify({ last_by_subj: bucket }),
    { timeout: 20_000 },
  );
  const { message } = jetstream.json<{ message: { data: string } }>();
  expect(() => takeSealedKey(stolen.db, Buffer.from(message.data, "base64"))).toThrow();
  now += 60;
  const subject = reportSubject("tower-2");
  const head = { epoch: 1, number: 0, isGone: false };
  thief.publish(
    subject,
    recordSeal(stolen.db)?.seal(subject, head, JSON.stringify(aBoxReport())) ?? new Uint8Array(),
  );
  await until(() => removedButSeen(primary.db).length === 1);
  expect(removedButSeen(primary.db)).toEqual([{ name: "tower-2", heardAt: now }]);

  // without a box nothing is published, and nothing is left of what was
  const left = async () => {
    const info = await thief.request("$JS.API.STREAM.INFO.KV_access", "", { timeout: 20_000 });
    return info.json<{ state: { messages: number } }>().state.messages;
  };
  removeAccessBox(primary.db, by, { name: "tower-1" }, { now });
  for (let tries = 0; tries < 1200 && (await left()) > 0; tries++) await Bun.sleep(50);
  expect(await left()).toBe(0);
  write(primary.db, (tx) => tx.$client.run("UPDATE subscribers SET status = 1 WHERE id = 2"));
  const kept = () =>
    primary.db.$client.query("SELECT 1 FROM access_marks UNION ALL SELECT 1 FROM book_changes").all();
  expect([accessState(primary.db).marking, kept()]).toEqual([0, []]);
  addBox(primary.db, by, "tower-3", { heardAt: null });
  expect(accessState(primary.db).marking).toBe(1);
  for (let tries = 0; tries < 1200 && (await left()) <= 2; tries++) await Bun.sleep(50);
  expect(await left()).toBeGreaterThan(2);
  await thief.close();
  await there.stop();
  await here.stop();
  expect(failures.filter((one) => !/trying again/.test(one))).toEqual([]);
});
