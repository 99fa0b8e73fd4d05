import { expect, test } from "bun:test";
import { write } from "../../db/open.ts";
import { removeAccessBox } from "../../src/domain/machine/access-boxes/boxes.ts";
import { keepLinkState } from "../../src/domain/machine/access-boxes/link-state.ts";
import { promotePrimary } from "../../src/domain/machine/access-boxes/promote.ts";
import { headEpoch, readSigningKey, signHead } from "../../src/domain/machine/access-boxes/signed-head.ts";
import { accessState, nodeTrust, isOver, recordSeal } from "../../src/domain/machine/access-boxes/state.ts";
import { checkAccessBoxes } from "../../src/domain/machine/check/access-boxes.ts";
import { PrimaryLink } from "../../src/nats/primary-link.ts";
import { NodeLink } from "../../src/nats/node-link.ts";
import { connectOnce } from "../../src/nats/connection.ts";
import { askEpochs, epochInNats } from "../../src/nats/epochs.ts";
import { homeSubject, reportSubject } from "../../src/nats/subjects.ts";
import { aBoxReport, addBox, joinBox } from "../support/access-boxes.ts";
import { aSubscriber, by, loadIsp } from "../support/isp.ts";
import { NatsServer } from "../support/nats-server.ts";
import { eventually } from "../support/radius-server.ts";
import { NOW, temporaryStore, type TemporaryStore } from "../support/store.ts";

const clock = () => NOW;
const elapsed = { boot: "a", uptime: () => performance.now() };
const until = async (isSo: () => boolean) => expect(await eventually(isSo), isSo.toString()).toBe(true);

/** What the boxes say, asked again while more are silent than are to be: a busy box is too late for the patience of one question. */
async function epochBy(nc: Parameters<typeof askEpochs>[0], { db }: TemporaryStore, silent = 0) {
  for (let tries = 1; ; tries++) {
    const epoch = await askEpochs(nc, db);
    if (epoch.silent.length <= silent || tries === 10) return epoch;
  }
}

/** What the tests share: a nats-server, books with two boxes, of which tower-2 may not be what it says. */
class Scene implements AsyncDisposable {
  readonly primary = temporaryStore();
  readonly box = temporaryStore();
  readonly failures: string[] = [];
  readonly here: PrimaryLink;
  readonly there: NodeLink;
  readonly options;
  readonly #server: NatsServer;

  private constructor(server: NatsServer) {
    this.#server = server;
    this.options = { url: server.url, seed: null, caFile: null, name: "test" };
    joinBox(this.box.db, addBox(this.primary.db, by, "tower-1", { heardAt: null }));
    addBox(this.primary.db, by, "tower-2", { heardAt: null });
    this.here = this.booksOf(this.primary);
    this.there = new NodeLink(this.box.db, {
      follow: () => {}, // the clock of this thread is that of other tests too
      name: "tower-1",
      scope: null,
      clock,
      elapsed,
      changed: () => {},
      failed: this.failed,
      onRequest: async () => ({ kind: "gone" as const }),
      report: () => aBoxReport(),
    });
  }

  static async open(): Promise<Scene> {
    const scene = new Scene(await NatsServer.start());
    await loadIsp(scene.primary.db, { subscribers: [1, 2].map((id) => aSubscriber(id)) });
    return scene;
  }

  readonly failed = (what: string, error: unknown) => void this.failures.push(`${what}: ${String(error)}`);

  booksOf({ db }: TemporaryStore): PrimaryLink {
    return new PrimaryLink(db, { clock, crossed: () => {}, take: () => {}, failed: this.failed });
  }

  async start(): Promise<void> {
    await this.here.start(this.options);
    await this.there.start(this.options);
    await until(() => this.there.state.isComplete && this.there.state.heardAt !== null);
  }

  /** What the boxes' key makes of a message of tower-2 that says so high an epoch. */
  lie(subject: string, epoch: number, body: object): Buffer {
    const seal = recordSeal(this.primary.db);
    if (!seal) throw new Error("there is no key of the boxes");
    return seal.seal(subject, { epoch, number: 0, isGone: false }, JSON.stringify(body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.there.stop();
    await this.here.stop();
    this.primary[Symbol.dispose]();
    this.box[Symbol.dispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

test.concurrent(
  "a box that says a higher epoch stops no books, and is named; nobody is kept from promoting others",
  async () => {
    await using scene = await Scene.open();
    const { primary, here } = scene;
    await scene.start();
    const thief = await connectOnce(scene.options);
    const own = accessState(primary.db).epoch;
    using other = temporaryStore(); // another appliance signs its own
    const home = homeSubject("tower-2");
    for (const epoch of [own + 1, own + 5000, 2 ** 48 - 1])
      for (const proof of [undefined, "AAAA", signHead(other.db, epoch).toString("base64")]) {
        const batch = { after: 0, rows: [], proof };
        await expect(thief.request(home, scene.lie(home, epoch, batch), { timeout: 300 })).rejects.toThrow();
      }
    thief.publish(reportSubject("tower-2"), scene.lie(reportSubject("tower-2"), own + 7, aBoxReport()));
    await until(() => here.standing(NOW).claims[0]?.epoch === own + 7);
    expect(isOver(primary.db)).toBe(false);
    keepLinkState(primary.db, here.standing(NOW));
    expect(checkAccessBoxes(primary.db, NOW)).toContainEqual(
      expect.objectContaining({
        severity: "error",
        message: expect.stringMatching(/^tower-2 says .*box remove tower-2/),
      }),
    );

    // it answers the question of `box promote` too; what it says is for a person
    thief.subscribe("gatehouse.ask.tower-2", {
      callback: (_, message) => {
        const subject = `${message.subject}.answer`;
        message.respond(scene.lie(subject, 1, { epoch: 2 ** 47, proof: "AAAA" }));
      },
    });
    const epoch = await epochBy(thief, primary);
    expect(epoch).toEqual({ epoch: own, silent: [], claims: [{ who: "tower-2", epoch: 2 ** 47 }] });
    expect(promotePrimary(primary.db, by, { epoch: epoch.epoch }, { now: NOW })).toBe(own + 1);
    expect(promotePrimary(primary.db, by, { epoch: 2 ** 47 }, { now: NOW })).toBe(own + 2);
    await until(() => accessState(scene.box.db).highest === own + 2);
    expect(await epochInNats(thief, primary.db)).toEqual({ epoch: own + 2, isSigned: true, claims: [] });
    // and it is asked no more when it says what is so
    thief.publish(reportSubject("tower-2"), scene.lie(reportSubject("tower-2"), 1, aBoxReport()));
    await until(() => here.standing(NOW).claims.length === 0);
    await thief.close();
  },
);

test.concurrent(
  "a signed head stops lower books, whoever carries it, and an old one stops nobody",
  async () => {
    await using scene = await Scene.open();
    const { primary, box: node } = scene;
    using others = copyOf(primary);
    const [lower, higher] = [1, 2].map((epoch) => signHead(primary.db, epoch).toString("base64"));
    await scene.start();
    const carrier = await connectOnce(scene.options);
    const home = homeSubject("tower-1");
    const batch = (proof: string | undefined) => ({ after: 0, rows: [], proof });
    await carrier.request(home, scene.lie(home, 1, batch(lower)), { timeout: 20_000 });
    expect(isOver(primary.db)).toBe(false);
    await expect(
      carrier.request(home, scene.lie(home, 2, batch(higher)), { timeout: 300 }),
    ).rejects.toThrow();
    expect(isOver(primary.db)).toBe(true);

    // others by the same key, from its backup, count from now on; the box carries their head to whom they have not reached
    expect(promotePrimary(others.db, by, { epoch: 1 }, { now: NOW })).toBe(2);
    const counting = scene.booksOf(others);
    await counting.start(scene.options);
    await until(() => accessState(node.db).highest === 2);
    expect(headEpoch(nodeTrust(node.db).proof ?? new Uint8Array(), readSigningKey(others.db))).toBe(2);
    expect(await epochBy(carrier, others, 1)).toEqual({ epoch: 2, silent: ["tower-2"], claims: [] });

    // a box that was removed had the boxes' key; the head is believed without it
    removeAccessBox(others.db, by, { name: "tower-2" }, { now: NOW });
    write(primary.db, ({ $client }) => $client.run("UPDATE access_state SET over_since = NULL"));
    const again = scene.booksOf(primary);
    await again.start(scene.options);
    await until(() => isOver(primary.db));
    await again.stop();
    await counting.stop();
    await carrier.close();
  },
);

test.concurrent(
  "a box of before there were signatures believes its books until the first signature, and no epoch far above",
  async () => {
    await using scene = await Scene.open();
    const { primary, box: node } = scene;
    const forget = "UPDATE access_state SET books_key = NULL, proof = NULL, highest = 900";
    write(node.db, ({ $client }) => $client.run(forget)); // as somebody has told it
    expect(nodeTrust(node.db)).toEqual({ booksKey: null, proof: null });
    await scene.start();
    // the books have told it their key, and their head counts, whatever it was told before
    await until(() => accessState(node.db).highest === 1 && scene.there.state.heardAt !== null);
    expect(nodeTrust(node.db).booksKey).toBe(readSigningKey(primary.db));

    // from then on it wants a signature
    await scene.here.stop();
    const liar = await connectOnce(scene.options);
    const put = (epoch: number) =>
      liar.request("$KV.access.0.0.beat", scene.lie("0.0.beat", epoch, { time: NOW }), { timeout: 20_000 });
    await put(7);
    await until(() => scene.there.state.unsigned === 7);
    expect(accessState(node.db).highest).toBe(1);

    // one without the books' key takes what it is told, but nothing from far above
    write(node.db, ({ $client }) =>
      $client.run("UPDATE access_state SET books_key = NULL, proof = NULL, pair_sealed = NULL"),
    );
    await put(1500);
    await until(() => scene.there.state.unsigned === 1500);
    expect(accessState(node.db).highest).toBe(1);
    await put(8);
    await until(() => accessState(node.db).highest === 8);
    await liar.close();
  },
);

/** The store as a copy of it, with the same key. */
function copyOf({ db, folder }: TemporaryStore): TemporaryStore {
  db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return temporaryStore(folder);
}
