import { type NatsConnection, PermissionViolationError } from "@nats-io/transport-node";
import { jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { write } from "../../db/open.ts";
import { primaryBehind } from "../../src/domain/machine/access-boxes/book-changes.ts";
import { writeBackup } from "../../src/domain/machine/backup/write-backup.ts";
import { addAccessBox, removeAccessBox } from "../../src/domain/machine/access-boxes/boxes.ts";
import type { Joining } from "../../src/domain/machine/access-boxes/boxes.ts";
import { KeyRing } from "../../src/domain/machine/access-boxes/key-ring.ts";
import { keepLinkState } from "../../src/domain/machine/access-boxes/link-state.ts";
import { parseHead, SealError } from "../../src/domain/machine/access-boxes/seal.ts";
import { standings } from "../../src/domain/service/box-standing/standing.ts";
import type { Scope } from "../../src/domain/service/box-standing/box-scope.ts";
import {
  accessState,
  keepBoxesKey,
  openKeyRing,
  recordSeal,
} from "../../src/domain/machine/access-boxes/state.ts";
import { AccessReader } from "../../src/domain/service/access/reader.ts";
import { checkAccessBoxes } from "../../src/domain/machine/check/access-boxes.ts";
import { natsTools } from "../../src/cli/nats-tools.ts";
import { storedBackups } from "../../src/nats/backup-store.ts";
import { PrimaryLink } from "../../src/nats/primary-link.ts";
import { NodeLink } from "../../src/nats/node-link.ts";
import { connectOnce } from "../../src/nats/connection.ts";
import { makeNkey } from "../../src/nats/nkeys.ts";
import { readSeed } from "../../src/domain/machine/access-boxes/boxes.ts";
import {
  backupsBucket,
  BUCKET,
  bucketStream,
  homeSubject,
  nodeInbox,
  reportSubject,
} from "../../src/nats/subjects.ts";
import { aBoxReport, joinBox } from "../support/access-boxes.ts";
import { aSubscriber, by, loadIsp, NAS_SECRET } from "../support/isp.ts";
import { NatsServer } from "../support/nats-server.ts";
import { eventually } from "../support/radius-server.ts";
import { NOW, temporaryStore, type TemporaryStore } from "../support/store.ts";

const clock = () => NOW;
const elapsed = { boot: "a", uptime: () => performance.now() };
const until = async (isSo: () => boolean) => expect(await eventually(isSo), isSo.toString()).toBe(true);
const branch: Scope = { branches: [{ isp: 1, branch: 11 }] };

/** Books with a subscriber in branch 11, one in 12, and one of ISP 2, a router of each ISP, and two boxes: tower-1 is for branch 11 alone. */
class Scene implements AsyncDisposable {
  readonly primary = temporaryStore();
  readonly stores: TemporaryStore[] = [];
  readonly joinings: Joining[] = [];
  readonly links: (PrimaryLink | NodeLink)[] = [];
  readonly failures: string[] = [];
  server!: NatsServer;

  static async open({ isShared = false } = {}): Promise<Scene> {
    const scene = new Scene();
    const { db } = scene.primary;
    const northlink = [11, 12].map((id) => ({ id, name: `Branch ${id}` }));
    await loadIsp(db, {
      isps: [
        { id: 1, name: "Northlink", branches: northlink },
        { id: 2, name: "Southlink" },
      ],
      nas: [
        { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET },
        { id: 2, isp_id: 2, name: "south", address: "127.0.0.2", secret: NAS_SECRET },
      ],
      subscribers: [aSubscriber(1, { branch_id: 11 }), aSubscriber(2, { branch_id: 12 })],
    });
    scene.#add("tower-1", branch);
    if (isShared) {
      // as 0.2.0 had it
      write(db, (tx) => keepBoxesKey(tx, KeyRing.makeShared().bytes, 1));
      db.$client.run("DELETE FROM access_boxes");
      scene.joinings.length = 0;
      scene.#add("tower-1", branch);
    }
    scene.#add("tower-2", null);
    scene.server = await NatsServer.start(await scene.configuration());
    const here = new PrimaryLink(db, { clock, crossed: () => {}, take: () => {}, failed: scene.#failed });
    scene.links.push(here);
    await here.start(scene.options(readSeed(db)));
    return scene;
  }

  #add(name: string, scope: Scope | null): void {
    this.joinings.push(addAccessBox(this.primary.db, by, { name, scope }, { now: NOW - 100, makeNkey }));
  }

  readonly #failed = (what: string, error: unknown) => void this.failures.push(`${what}: ${String(error)}`);

  configuration(): Promise<string> {
    return natsTools(this.primary.db).serverConfig(by);
  }

  options(seed: string | undefined) {
    return { url: this.server.url, seed: seed ?? null, caFile: this.server.certificate, name: "test" };
  }

  /** A box joins, and links; `isOld`: it says what 0.2.0 says. */
  async join(index: number): Promise<{ db: TemporaryStore["db"]; link: NodeLink; reader: AccessReader }> {
    const joining = this.joinings[index];
    if (!joining) throw new Error("there is no such box");
    const store = temporaryStore();
    this.stores.push(store);
    joinBox(store.db, joining);
    const { name, scope } = joining;
    const link = new NodeLink(store.db, {
      follow: () => {}, // the clock of this thread is that of other tests too
      name,
      scope,
      clock,
      elapsed,
      changed: () => {},
      failed: this.#failed,
      onRequest: async () => ({ kind: "gone" as const }),
      report: () => aBoxReport(),
    });
    this.links.push(link);
    await link.start(this.options(joining.seed));
    return { db: store.db, link, reader: new AccessReader(store.db) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const link of this.links.reverse()) await link.stop();
    for (const store of [this.primary, ...this.stores]) store[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

/** Whether nats-server refused it: what is done there, until everything before was answered. */
async function isRefused(nc: NatsConnection, act: () => void): Promise<boolean> {
  const events = nc.status();
  let refused = false;
  void (async () => {
    for await (const status of events)
      if (status.type === "error" && status.error instanceof PermissionViolationError) refused = true;
  })();
  act();
  await nc.flush();
  await Bun.sleep(20);
  return refused;
}

test("a stolen box tries every subject: it reads, asks and says what is its own, and opens nothing else", async () => {
  await using scene = await Scene.open();
  const { primary } = scene;
  const one = await scene.join(0);
  const two = await scene.join(1);
  await until(() => one.link.state.isComplete && two.link.state.isComplete);
  await until(() => two.reader.candidate("user2") !== undefined);
  // the honest have what is theirs
  expect(one.reader.candidate("user1")?.password.clear.toString()).toBe("pw-1");
  expect(one.reader.candidate("user2")).toBeUndefined();
  const routers = (db: TemporaryStore["db"]) => db.$client.query("SELECT id FROM nas ORDER BY id").values();
  await until(() => routers(one.db).length === 1 && routers(two.db).length === 2);
  expect(routers(one.db)).toEqual([[1]]);
  const request = {
    ask: "disconnect",
    session: { acctSessionId: "1", nasAddress: "127.0.0.1", username: "user1", class: null },
  } as const;
  const [here] = scene.links;
  if (!(here instanceof PrimaryLink)) throw new Error("the books link first");
  expect(await here.ask("tower-2", request)).toEqual({ kind: "gone" });
  expect(await here.ask("tower-1", request)).toEqual({ kind: "gone" });
  await until(() => standings(primary.db, NOW).every(({ isWalled }) => isWalled === true));

  const seed = scene.joinings[0]?.seed ?? "";
  const thief = await connectOnce(scene.options(seed), nodeInbox("tower-1"));
  const hears = [
    ...[">", "_INBOX.>", "_INBOX.*.*", "_INBOX.tower-2.>", "_INBOX._books.>", "_INBOX._restore.>"],
    ...["gatehouse.>", "gatehouse.home.*", "gatehouse.home.tower-1", "gatehouse.home.tower-2"],
    ...["gatehouse.state.*", "gatehouse.ask.tower-2", "gatehouse.ask.*", "gatehouse.books"],
    ...[
      "$KV.>",
      "$KV.access.>",
      "$KV.access.1.12.>",
      "$O.backups.>",
      "$JS.>",
      "$JS.EVENT.>",
      "$JS.API.>",
      "$SYS.>",
    ],
    "$JS.ACK.>",
  ];
  for (const subject of hears)
    expect([
      subject,
      await isRefused(thief, () => void thief.subscribe(subject, { callback: () => {} })),
    ]).toEqual([subject, true]);
  const calls = [
    ...[
      "STREAM.DELETE",
      "STREAM.PURGE",
      "STREAM.MSG.GET",
      "STREAM.MSG.DELETE",
      "STREAM.UPDATE",
      "STREAM.SNAPSHOT",
    ],
    ...["STREAM.INFO", "CONSUMER.NAMES", "CONSUMER.LIST", "CONSUMER.CREATE"],
  ];
  const streams = [`KV_${BUCKET}`, "OBJ_backups", "books"];
  const expected = [
    ...streams.flatMap((stream) => calls.map((call) => `$JS.API.${call}.${stream}`)),
    ...["tower-2-0", "other"].flatMap((consumer) => [
      `$JS.API.CONSUMER.CREATE.KV_access.${consumer}.$KV.access.1.11.>`,
      `$JS.API.CONSUMER.DELETE.KV_access.${consumer}`,
      `$JS.API.CONSUMER.INFO.KV_access.${consumer}`,
      `$JS.API.CONSUMER.MSG.NEXT.KV_access.${consumer}`,
      `$JS.API.CONSUMER.DURABLE.CREATE.KV_access.${consumer}`,
      `$JS.FC.KV_access.${consumer}.x`,
    ]),
    ...[">", "1.12.>", "1.>", "2.>"].map(
      (filter) => `$JS.API.CONSUMER.CREATE.KV_access.tower-1-0.$KV.access.${filter}`,
    ),
    "$JS.API.CONSUMER.CREATE.KV_access.tower-1-0",
    ...["$JS.API.DIRECT.GET.KV_access", "$JS.API.DIRECT.GET.KV_access.$KV.access.1.12.s.2"],
    ...["$JS.API.INFO", "$JS.API.STREAM.CREATE.mine", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST"],
    ...["$KV.access.0.0.beat", "$KV.access.1.11.s.1", "$O.backups.C.x", "gatehouse.books"],
    ...[
      "gatehouse.home.tower-2",
      "gatehouse.state.tower-2",
      "gatehouse.ask.tower-1",
      "gatehouse.ask.tower-2",
    ],
    ...["_INBOX.tower-2.abc.1", "_INBOX._books.abc.1", "_INBOX._books.tower-2.abc", "_INBOX.abc.1"],
  ];
  for (const subject of expected)
    expect([subject, await isRefused(thief, () => thief.publish(subject, ""))]).toEqual([subject, true]);

  // what it may answer is said beforehand: nats-server goes through what it keeps of each record that it sends a box, at each one
  expect(await isRefused(thief, () => thief.publish("_INBOX._books.tower-1.abc", ""))).toBe(false);
  expect(await scene.configuration()).not.toContain("allow_responses");

  // the filter counts that is in the subject, and what its consumer is made to say to others leaves them whole
  const create = (config: object) =>
    thief
      .request(
        "$JS.API.CONSUMER.CREATE.KV_access.tower-1-0.$KV.access.0.>",
        JSON.stringify({
          stream_name: "KV_access",
          config: { name: "tower-1-0", ack_policy: "none", deliver_policy: "all", ...config },
        }),
        { timeout: 20_000 },
      )
      .then((answer) => answer.json<{ error?: object }>());
  expect(
    (await create({ filter_subject: "$KV.access.>", deliver_subject: "_INBOX.tower-1.x" })).error,
  ).toBeDefined();
  for (const deliver_subject of [
    ...["$JS.API.STREAM.PURGE.KV_access", "$JS.API.STREAM.DELETE.KV_access", "$KV.access.0.0.beat"],
    ...["gatehouse.ask.tower-2", "gatehouse.home.tower-2", "$JS.API.CONSUMER.DELETE.KV_access.tower-2-0"],
  ]) {
    await thief.request("$JS.API.CONSUMER.DELETE.KV_access.tower-1-0", "", { timeout: 20_000 });
    await create({ filter_subject: "$KV.access.0.>", deliver_subject, headers_only: true });
    await Bun.sleep(50);
  }
  write(primary.db, (tx) => tx.$client.run("UPDATE subscribers SET status = 0"));
  await until(() => two.reader.candidate("user2")?.status === 0);
  expect(standings(primary.db, NOW).map(({ refused }) => refused)).toEqual([0, 0]);

  // were nats-server no wall at all, the keys are one
  const watcher = await connectOnce(scene.options(readSeed(primary.db)), "_INBOX._test");
  const bucket = await new Kvm(watcher).open(BUCKET);
  const seal = recordSeal(one.db);
  const opened: string[] = [];
  for await (const subject of await bucket.keys()) {
    const entry = await bucket.get(subject);
    if (!entry || subject.startsWith("0.0.key.") || parseHead(entry.value).keyNumber === 0) continue;
    try {
      seal?.open(subject, entry.value);
      opened.push(subject);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
    }
  }
  expect(opened.filter((subject) => !/^(0\.0|0\.1|1\.11)\./.test(subject))).toEqual([]);
  expect(opened).toEqual(expect.arrayContaining(["0.0.complete", "0.1.n.1", "1.11.s.1"]));
  const head = { epoch: 1, number: 0, isGone: false };
  for (const subject of [homeSubject("tower-2"), reportSubject("tower-2")])
    expect(() =>
      recordSeal(primary.db)?.open(subject, seal?.seal(subject, head, "{}") ?? (head as never)),
    ).toThrow(SealError);

  // what it knew is what it opens
  const { knows } = removeAccessBox(primary.db, by, { name: "tower-1" }, { now: NOW });
  expect(knows).toEqual({ routers: ["core"], apiAccounts: 0, subscribers: 1, cards: 0, sharedUntil: null });
  await thief.close();
  await watcher.close();
});

test("what nats-server or the books answer a stolen box, and where its consumer delivers, spoils nothing of others", async () => {
  await using scene = await Scene.open();
  const { db } = scene.primary;
  const one = await scene.join(0);
  await until(() => one.link.state.isComplete);
  const watcher = await connectOnce(scene.options(readSeed(db)), "_INBOX._test");
  const { streams } = await jetstreamManager(watcher);
  const bucket = backupsBucket(db);
  const [here] = scene.links;
  if (!(here instanceof PrimaryLink)) throw new Error("the books link first");
  await until(() => primaryBehind(db).changes === 0 && here.state.booked > 0);
  const file = join(scene.server.folder, "backup.db");
  writeBackup({ folder: scene.primary.folder, file, now: NOW, program: "1.0.0 (abc)" });
  await here.putBackup(file);
  const stored = async (stream: string) => {
    const { state } = await streams.info(stream, { subjects_filter: ">" });
    return state.subjects ?? {};
  };
  const before = { primary: await stored("books"), backups: await stored(bucketStream(bucket)) };
  const users = () => stored("KV_access").then((keys) => Object.keys(keys).sort());
  const result = await users();

  const thief = await connectOnce(scene.options(scene.joinings[0]?.seed), nodeInbox("tower-1"));
  const seal = recordSeal(one.db);
  const home = homeSubject("tower-1");
  const empty = JSON.stringify({ after: 0, rows: [] });
  const targets = [
    ...["gatehouse.books", "$O.backups.M.aG91ci0xMg==", "$O.backups.C.x", "$KV.access.1.12.s.2"],
    ...["$KV.access.2.0.x", "$KV.access.0.0.key.tower-2", "$KV.access.0.0.beat"],
  ];
  for (const reply of targets) {
    thief.publish("$JS.API.CONSUMER.INFO.KV_access.tower-1-0", "", { reply });
    const report = seal?.seal(home, { epoch: 1, number: 0, isGone: false }, empty);
    if (report) thief.publish(home, report, { reply });
  }
  for (const deliver_subject of targets) {
    await thief.request("$JS.API.CONSUMER.DELETE.KV_access.tower-1-0", "", { timeout: 20_000 });
    const config = { name: "tower-1-0", ack_policy: "none", deliver_policy: "all", deliver_subject };
    await thief.request(
      "$JS.API.CONSUMER.CREATE.KV_access.tower-1-0.$KV.access.0.>",
      JSON.stringify({ stream_name: "KV_access", config: { ...config, filter_subject: "$KV.access.0.>" } }),
      { timeout: 20_000 },
    );
  }
  await thief.flush();

  // what nobody but the books writes to has a name that no box knows
  expect({ primary: await stored("books"), backups: await stored(bucketStream(bucket)) }).toEqual(before);
  expect(await storedBackups(watcher)).toHaveLength(1);
  // what every box knows is put right, and it is said
  await until(() => here.state.spoiltAt === NOW);
  const two = await scene.join(1);
  await until(() => two.reader.candidate("user2") !== undefined);
  await until(() => two.link.state.isComplete);
  let now: readonly string[] = [];
  // the beat comes with its turn
  for (let tries = 0; tries < 900 && result.some((key) => !now.includes(key)); tries++) {
    await Bun.sleep(tries && 100);
    now = await users();
  }
  expect(now).toEqual(expect.arrayContaining(result));
  expect(now).not.toContain("$KV.access.2.0.x");
  await thief.close();
  await watcher.close();
});

test("boxes of 0.2.0 share one key until each is upgraded, then each has its own; nats-server is told last", async () => {
  await using scene = await Scene.open({ isShared: true });
  const { db } = scene.primary;
  expect(scene.joinings.map(({ key, keys }) => [typeof key, typeof keys])).toEqual([
    ["string", "undefined"],
    ["string", "undefined"],
  ]);
  // tower-1 says what 0.2.0 says; tower-2 is upgraded
  const old = await connectOnce(scene.options(scene.joinings[0]?.seed), nodeInbox("tower-1"));
  const { isWalled: _, ...report } = aBoxReport();
  const shared = recordSeal(db);
  const head = { epoch: 1, number: 0, isGone: false };
  old.publish(reportSubject("tower-1"), shared?.seal(reportSubject("tower-1"), head, JSON.stringify(report)));
  await until(() => standings(db, NOW)[0]?.state === "heard");
  const two = await scene.join(1);
  await until(() => two.link.state.isComplete && two.reader.candidate("user2") !== undefined);
  await until(() => standings(db, NOW).every(({ state }) => state === "heard"));
  keepLinkState(db, {
    at: NOW,
    isConnected: true,
    since: NOW,
    waiting: 0,
    behindSince: null,
    claims: [],
    fault: null,
    published: 1,
    lag: 1,
    rebuiltAt: null,
    spoiltAt: null,
    reached: 0,
    behind: { changes: 0, since: null },
    booked: 0,
  });
  const found = () => checkAccessBoxes(db, NOW).map(({ message }) => message);
  expect(found()).toEqual([expect.stringMatching(/^tower-1 is of 0\.2\.0: .* install this version there$/)]);
  expect(openKeyRing(db)?.isShared).toBe(true);
  const configuration = await scene.configuration();
  expect(configuration).toMatch(/of 0\.2\.0.*\n.*# tower-1\n.*"_INBOX\.>"\]/);
  expect(configuration).toMatch(
    /# tower-2\n.*subscribe: \["_INBOX\.tower-2\.>", "gatehouse\.ask\.tower-2"\]/,
  );
  await old.close();

  // with nats-server as it was: it lets both through, and says nothing of who may listen
  scene.server.reload(
    configuration.replaceAll(/subscribe: \["_INBOX\.tower-2\.>"/g, 'subscribe: ["_INBOX.>"'),
  );
  const one = await scene.join(0);
  await until(() => openKeyRing(db)?.isShared === false);
  const { keyNumber } = accessState(db);
  expect(keyNumber).toBe(2);
  await until(() => [one, two].every((node) => accessState(node.db).keyNumber === keyNumber));
  write(db, (tx) => tx.$client.run("UPDATE subscribers SET status = 0"));
  await until(
    () => one.reader.candidate("user1")?.status === 0 && two.reader.candidate("user2")?.status === 0,
  );
  await until(() => recordSeal(one.db)?.has("1.12.s.2") === false);
  await until(() => standings(db, NOW).some(({ isWalled }) => isWalled === false));
  expect(found()).toEqual([expect.stringMatching(/^nats-server lets tower-.*gatehouse box server/)]);
  expect(await scene.configuration()).not.toContain("0.2.0");
  const { knows } = removeAccessBox(db, by, { name: "tower-1" }, { now: NOW });
  expect(knows.sharedUntil).toBe(NOW);
});
