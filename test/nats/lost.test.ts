import { afterEach, beforeEach, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { type Db, openStore, write } from "../../db/open.ts";
import { primaryBehind } from "../../src/domain/machine/access-boxes/book-changes.ts";
import { keepLinkState } from "../../src/domain/machine/access-boxes/link-state.ts";
import { KeyRing } from "../../src/domain/machine/access-boxes/key-ring.ts";
import { makeKeyPair } from "../../src/domain/machine/access-boxes/key-pair.ts";
import { beginMarking } from "../../src/domain/machine/access-boxes/publishing.ts";
import { recoveredTo } from "../../src/domain/machine/access-boxes/recover.ts";
import type { Scope } from "../../src/domain/service/box-standing/box-scope.ts";
import { RecordSeal } from "../../src/domain/machine/access-boxes/seal.ts";
import { keepBoxesKey } from "../../src/domain/machine/access-boxes/state.ts";
import { AccessReader } from "../../src/domain/service/access/reader.ts";
import { PrimaryLink } from "../../src/nats/primary-link.ts";
import { readPrimaryStream, streamSeal } from "../../src/nats/primary-stream.ts";
import { NodeLink } from "../../src/nats/node-link.ts";
import { connectOnce } from "../../src/nats/connection.ts";
import { epochInNats } from "../../src/nats/epochs.ts";
import { Kvm } from "@nats-io/kv";
import {
  BEAT,
  BOOKS,
  PRIMARY_STREAM,
  primarySubject,
  BUCKET,
  COMPLETE,
  HEAD,
  nodeKey,
} from "../../src/nats/subjects.ts";
import { aBoxReport } from "../support/access-boxes.ts";
import { aSubscriber, loadIsp } from "../support/isp.ts";
import { NatsServer } from "../support/nats-server.ts";
import { eventually } from "../support/radius-server.ts";
import { NOW, temporaryStore, type TemporaryStore } from "../support/store.ts";

const KEY = KeyRing.make().bytes;
const clock = () => NOW;
const elapsed = { boot: "a", uptime: () => performance.now() };

let server: NatsServer;
let books: TemporaryStore;
let box: TemporaryStore;
let stops: (() => Promise<void>)[] = [];
const failures: string[] = [];
const failed = (what: string, error: unknown) => void failures.push(`${what}: ${String(error)}`);
const options = () => ({ url: server.url, seed: null, caFile: null, name: "test" });

beforeEach(async () => {
  server = await NatsServer.start();
  [books, box] = [temporaryStore(), temporaryStore()];
  failures.length = 0;
  await loadIsp(books.db, { subscribers: [1, 2, 3].map((id) => aSubscriber(id)) });
  for (const { db } of [books, box]) write(db, (tx) => keepBoxesKey(tx, KEY, 1));
  write(books.db, (tx) => {
    tx.$client.run(
      "INSERT INTO access_boxes (name, nkey, seal_key, created_at) VALUES ('tower-1', 'U', ?, 0)",
      [makeKeyPair().publicKey],
    );
    beginMarking(tx);
  });
  box.db.$client.run("UPDATE access_state SET role = 'access', box_id = 1");
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  books[Symbol.dispose]();
  box[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
  expect(failures.filter((one) => !/trying again/.test(one))).toEqual([]);
});

async function startPrimary(): Promise<PrimaryLink> {
  const link = new PrimaryLink(books.db, { clock, crossed: () => {}, take: () => {}, failed });
  await link.start(options());
  stops.push(() => link.stop());
  return link;
}

async function startNode(scope: Scope | null = null): Promise<NodeLink> {
  const link = new NodeLink(box.db, {
    follow: () => {}, // the clock of this thread is that of other tests too
    name: "tower-1",
    scope,
    clock,
    elapsed,
    failed,
    changed: () => {},
    report: () => aBoxReport(),
    onRequest: async () => ({ kind: "gone" as const }),
  });
  await link.start(options());
  stops.push(() => link.stop());
  return link;
}

async function stop(link: { stop(): Promise<void> }): Promise<void> {
  stops = stops.slice(0, -1);
  await link.stop();
}

async function loseNats(): Promise<void> {
  await server.kill();
  server.loseStore();
  await server.up();
}

const names = (db: Db) =>
  db.$client
    .query<{ name: string }, []>(
      "SELECT username_key AS name FROM subscribers WHERE status = 1 AND archived_at IS NULL ORDER BY 1",
    )
    .all()
    .map(({ name }) => name)
    .join(" ");
const passwordOf = (name: string) => new AccessReader(box.db).candidate(name)?.password.clear.toString();
const until = async (isSo: () => boolean) =>
  expect(await eventually(isSo), `${isSo.toString()} ${failures.join("; ")}`).toBe(true);

test("lost while the box is off: all is published anew, and it forgets only who is gone", async () => {
  await startPrimary();
  const first = await startNode();
  await until(() => names(box.db) === "user1 user2 user3" && first.state.isComplete);
  await stop(first);
  await loseNats();
  write(books.db, (tx) => tx.$client.run("UPDATE subscribers SET archived_at = 1 WHERE id = 3"));
  write(books.db, (tx) =>
    tx.$client.run("UPDATE subscribers SET username_key = 'ann', username = 'ann' WHERE id = 2"),
  );
  await startNode();
  await until(() => names(box.db) === "ann user1");
  expect(passwordOf("ann")).toBe("pw-2");
});

test("lost while the books are off: the box forgets nobody, and hears again when they are back", async () => {
  const here = await startPrimary();
  const there = await startNode();
  await until(() => names(box.db) === "user1 user2 user3" && there.state.isComplete);
  stops = [() => there.stop()];
  await here.stop();
  await loseNats();
  await until(() => there.state.isConnected);
  expect(names(box.db)).toBe("user1 user2 user3");
  write(books.db, (tx) => tx.$client.run("UPDATE subscribers SET archived_at = 1 WHERE id = 1"));
  await startPrimary();
  await until(() => names(box.db) === "user2 user3");
});

test.each([
  ["the books run", true],
  ["the books are off", false],
])("the last minutes lost, as after a power cut, while %s: nobody is forgotten", async (_, areRunning) => {
  const archive = (id: number, at: number | null) =>
    write(books.db, (tx) => tx.$client.run("UPDATE subscribers SET archived_at = ? WHERE id = ?", [at, id]));
  archive(3, 1);
  const here = await startPrimary();
  const there = await startNode();
  await until(() => names(box.db) === "user1 user2" && there.state.isComplete);
  await stop(there);
  await stop(here);
  await server.kill();
  const kept = mkdtempSync(join(tmpdir(), "gatehouse-nats-"));
  cpSync(server.folder, kept, { recursive: true });
  await server.up();
  const later = await startPrimary();
  const first = await startNode();
  archive(3, null);
  archive(1, 1);
  await until(() => names(box.db) === "user2 user3");
  await stop(first);
  await until(() => later.standing(NOW).waiting === 0);
  keepLinkState(books.db, later.standing(NOW)); // as its thread does
  if (!areRunning) await stop(later);
  await server.kill();
  server.loseStore();
  cpSync(kept, server.folder, { recursive: true });
  rmSync(kept, { recursive: true });
  await server.up();
  const last = areRunning ? later : await startPrimary();
  await until(() => last.state.isConnected);
  const again = await startNode();
  await until(() => again.state.isComplete);
  write(books.db, (tx) =>
    tx.$client.run("UPDATE subscribers SET username_key = 'ann', username = 'ann' WHERE id = 2"),
  );
  await until(() => names(box.db) === "ann user3");
});

test("lost with the stream of the books: who would recover from it is told", async () => {
  write(books.db, (tx) => tx.$client.run("UPDATE subscribers SET name = 'Ann' WHERE id = 2"));
  const read = async () => {
    const nc = await connectOnce(options());
    try {
      return await readPrimaryStream(nc, { db: books.db, after: recoveredTo(books.db) });
    } finally {
      await nc.close();
    }
  };
  expect(await read()).toEqual([]); // nothing has ever been put there
  const here = await startPrimary();
  await until(() => here.state.booked > 0 && primaryBehind(books.db).changes === 0);
  await stop(here);
  write(books.db, (tx) => tx.$client.run("UPDATE access_state SET highest = epoch"));
  expect(await read()).toEqual([]);
  await loseNats();
  expect(await read().catch(String)).toContain("--nothing-to-recover");
});

test("what any box wrote into the stream of 0.2.0 is left out, and from the upgrade on nothing comes in", async () => {
  const nc = await connectOnce(options());
  const { streams } = await jetstreamManager(nc);
  await streams.add({ name: PRIMARY_STREAM, subjects: [BOOKS] });
  const batch = { epoch: 0, after: 0, number: 1, lineage: [], images: [] };
  const part = JSON.stringify({ part: 0, parts: 1, text: JSON.stringify(batch) });
  const before = streamSeal(books.db).seal(BOOKS, { epoch: 0, number: 1, isGone: false }, part);
  const far = { epoch: 9, number: 2 ** 40, isGone: false };
  const foreign = new RecordSeal(randomBytes(32), 0).seal(BOOKS, far, "{}");
  for (const bytes of [before, foreign, Buffer.from("{}")]) nc.publish(BOOKS, bytes);
  await nc.flush();
  for (const name of ["Al", "Ann"])
    write(books.db, (tx) => tx.$client.run("UPDATE subscribers SET name = ? WHERE id = 2", [name]));
  const here = await startPrimary();
  await until(() => here.state.booked > 0 && primaryBehind(books.db).changes === 0);
  expect(here.state.booked).toBeLessThan(2 ** 40);
  expect((await streams.info(PRIMARY_STREAM)).config.subjects).toEqual([primarySubject(books.db)]);
  expect(await epochInNats(nc, books.db)).toMatchObject({ epoch: 0, claims: [] });
  const read = await readPrimaryStream(nc, { db: books.db, after: { epoch: 0, number: 0 } });
  expect(read[0]).toEqual(batch);
  expect(JSON.stringify(read.at(-1)?.images)).toContain('"Ann"');
  await nc.close();
});

test("what is no record in the bucket keeps nobody from publishing, nor a box from reading", async () => {
  const nc = await connectOnce(options());
  const bucket = await new Kvm(nc).create(BUCKET, { history: 1 });
  const keys = [HEAD, BEAT, `0.0.${COMPLETE}`, nodeKey("tower-1"), "1.0.s.1"];
  for (const key of keys) await bucket.put(key, '{"type":"io.nats.jetstream.api.v1.error"}');
  await startPrimary();
  const there = await startNode();
  await until(() => names(box.db) === "user1 user2 user3" && there.state.isComplete);
  await nc.close();
  failures.length = 0; // which of them were left out is said
});

test("books whose store was put back, as after a failed upgrade, are heard, and what they write is in their stream", async () => {
  const here = await startPrimary();
  const there = await startNode();
  await until(() => names(box.db) === "user1 user2 user3" && there.state.isComplete);
  stops = [() => there.stop()];
  await here.stop();
  const kept = books.db.$client.serialize();
  const failedOnes = await startPrimary();
  for (const name of ["lost1", "lost2"])
    write(books.db, (tx) =>
      tx.$client.run("UPDATE subscribers SET username = ?1, username_key = ?1 WHERE id = 1", [name]),
    );
  await until(() => names(box.db) === "lost2 user2 user3" && primaryBehind(books.db).changes === 0);
  stops = [() => there.stop()];
  await failedOnes.stop();
  books.db.$client.close();
  for (const end of ["-wal", "-shm"]) rmSync(join(books.folder, `gatehouse.db${end}`), { force: true });
  writeFileSync(join(books.folder, "gatehouse.db"), kept);
  const { db } = Object.assign(books, { db: openStore(books.folder, { create: false, now: NOW }) });
  await startPrimary();
  await until(() => names(box.db) === "user1 user2 user3");
  write(db, (tx) => tx.$client.run("UPDATE subscribers SET name = 'Ann' WHERE id = 2"));
  await until(() => primaryBehind(db).changes === 0);
  const nc = await connectOnce(options());
  const stream = await readPrimaryStream(nc, { db, after: { epoch: 0, number: 0 } });
  await nc.close();
  expect(JSON.stringify(stream.at(-1)?.images)).toContain('"Ann"');
});

test("a beat that lies in the bucket says nothing of the books", async () => {
  const here = await startPrimary();
  const first = await startNode();
  await until(() => first.state.heardAt !== null);
  await stop(first);
  stops = [];
  await here.stop();
  const second = await startNode();
  await until(() => second.state.isComplete);
  expect(second.state.heardAt).toBeNull();
  await startPrimary();
  await until(() => second.state.heardAt !== null);
});

test("of two records with one username the newer one has it, and who has changed theirs is known by that", async () => {
  await startPrimary();
  await startNode();
  await until(() => names(box.db) === "user1 user2 user3");
  write(books.db, ({ $client }) => {
    $client.run("UPDATE subscribers SET username_key = 'x', username = 'x' WHERE id = 1");
    $client.run("UPDATE subscribers SET username_key = 'user1', username = 'user1' WHERE id = 2");
    $client.run("UPDATE subscribers SET username_key = 'user2', username = 'user2' WHERE id = 1");
  });
  await until(() => passwordOf("user1") === "pw-2" && passwordOf("user2") === "pw-1");
  expect(names(box.db)).toBe("user1 user2 user3");
  write(books.db, ({ $client }) => {
    $client.run(
      "UPDATE subscribers SET archived_at = 1, username_key = 'gone', username = 'gone' WHERE id = 3",
    );
    $client.run("UPDATE subscribers SET username_key = 'user3', username = 'user3' WHERE id = 1");
  });
  await until(() => passwordOf("user3") === "pw-1" && passwordOf("user2") === undefined);
});

test("a box of one ISP forgets who has moved to another, and hears of who comes", async () => {
  books.db.$client.run("PRAGMA foreign_keys = OFF");
  const move = (id: number, isp: number) =>
    write(books.db, ({ $client }) =>
      $client.run(`UPDATE subscribers SET isp_id = ${isp}, branch_id = NULL WHERE id = ${id}`),
    );
  books.db.$client.run("UPDATE subscribers SET branch_id = NULL");
  move(3, 2);
  await startPrimary();
  const there = await startNode({ isps: [1] });
  await until(() => names(box.db) === "user1 user2");
  move(1, 2);
  await until(() => names(box.db) === "user2");
  move(3, 1);
  await until(() => names(box.db) === "user2 user3");
  // and while it is off
  await stop(there);
  move(2, 2);
  move(1, 1);
  await startNode({ isps: [1] });
  await until(() => names(box.db) === "user1 user3");
});
