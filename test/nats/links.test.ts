import { expect, test } from "bun:test";
import { type Db, write } from "../../db/open.ts";
import { Journal } from "../../src/domain/machine/access-boxes/journal.ts";
import { KeyRing } from "../../src/domain/machine/access-boxes/key-ring.ts";
import { makeKeyPair } from "../../src/domain/machine/access-boxes/key-pair.ts";
import { beginMarking } from "../../src/domain/machine/access-boxes/publishing.ts";
import { keepBoxesKey } from "../../src/domain/machine/access-boxes/state.ts";
import { AccessReader } from "../../src/domain/service/access/reader.ts";
import { AccountingWriter } from "../../src/domain/service/accounting/accounting.ts";
import type { SessionReport } from "../../src/domain/service/sessions/advance.ts";
import { PrimaryLink } from "../../src/nats/primary-link.ts";
import { NodeLink } from "../../src/nats/node-link.ts";
import { aBoxReport } from "../support/access-boxes.ts";
import { aSubscriber, loadIsp } from "../support/isp.ts";
import { NatsServer } from "../support/nats-server.ts";
import { eventually } from "../support/radius-server.ts";
import { aSession } from "../support/sessions.ts";
import { NOW, temporaryStore } from "../support/store.ts";

const KEY = KeyRing.make().bytes;
const clock = () => NOW;
const elapsed = { boot: "a", uptime: () => performance.now() };

function asPrimary(db: Db): void {
  loadIsp(db, { subscribers: [1, 2, 3].map((id) => aSubscriber(id)) });
  write(db, (tx) => {
    keepBoxesKey(tx, KEY, 1);
    tx.$client.run(
      "INSERT INTO access_boxes (name, nkey, seal_key, created_at) VALUES ('tower-1', 'U', ?, 0)",
      [makeKeyPair().publicKey],
    );
    beginMarking(tx);
  });
}

function asNode(db: Db): void {
  write(db, (tx) => {
    keepBoxesKey(tx, KEY, 1);
    tx.$client.run("UPDATE access_state SET role = 'access', box_id = 1");
  });
}

const until = async (isSo: () => boolean) => expect(await eventually(isSo), isSo.toString()).toBe(true);

const failures: string[] = [];
const failed = (what: string, error: unknown) => void failures.push(`${what}: ${String(error)}`);

function report(values: Partial<SessionReport>): SessionReport {
  const { status: _, ...session } = { ...aSession(), status: "start" };
  return {
    ...session,
    status: "start",
    at: NOW,
    sessionTime: undefined,
    inputOctets: undefined,
    outputOctets: undefined,
    octetsAre32Bit: false,
    terminateCause: undefined,
    nasId: 1,
    ...values,
  };
}

test("a box answers by what the books publish, and they book what it tells", async () => {
  await using server = await NatsServer.start();
  using primary = temporaryStore();
  using node = temporaryStore();
  asPrimary(primary.db);
  asNode(node.db);
  const options = { url: server.url, seed: null, caFile: null, name: "test" };
  const here = new PrimaryLink(primary.db, { clock, crossed: () => {}, take: () => {}, failed });
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
  await until(() => reader.candidate("user3") !== undefined && there.state.isComplete);
  expect(reader.candidate("user3")?.password.clear.toString()).toBe("pw-3");

  // a change is known at once, and what is gone too
  write(primary.db, (tx) => {
    tx.$client.run("UPDATE subscribers SET status = 0 WHERE id = 2");
    tx.$client.run("UPDATE subscribers SET archived_at = 1 WHERE id = 3");
  });
  await until(() => reader.candidate("user2")?.status === 0 && reader.candidate("user3") === undefined);

  // a router of the box is asked through it
  const request = {
    ask: "disconnect",
    session: { acctSessionId: "81000001", nasAddress: "127.0.0.1", username: "user1", class: null },
  } as const;
  expect(await here.ask("tower-1", request)).toEqual({ kind: "gone" });
  expect(here.ask("tower-2", request, 500)).rejects.toThrow();

  // the journal comes home once, and quota counts once
  const journal = new Journal(node.db, { elapsed, clock });
  const accounting = new AccountingWriter(node.db, { onBooked: (report) => journal.accounted(report) });
  const account = (one: SessionReport) =>
    write(node.db, () =>
      accounting.book({ kind: "session", report: one, login: "user1", ispId: 1, arrival: NOW }),
    );
  account(report({}));
  account(report({ status: "interim", at: NOW + 60, sessionTime: 60, inputOctets: 1000, outputOctets: 500 }));
  const home = () =>
    primary.db.$client.query<{ journal: number }, []>("SELECT journal FROM access_boxes").get();
  await until(() => home()?.journal === 2);
  expect(
    primary.db.$client
      .query("SELECT subscriber_id, via_box, input_octets, output_octets, username FROM sessions")
      .all(),
  ).toEqual([{ subscriber_id: 1, via_box: 1, input_octets: 1000, output_octets: 500, username: "user1" }]);

  // the server dies with its store: all is published anew, and nobody is forgotten
  await server.kill();
  server.loseStore();
  account(report({ status: "interim", at: NOW + 90, sessionTime: 90, inputOctets: 2000, outputOctets: 500 }));
  write(primary.db, (tx) => tx.$client.run("UPDATE subscribers SET status = 1 WHERE id = 2"));
  await server.up();
  await until(() => reader.candidate("user2")?.status === 1 && home()?.journal === 3);
  expect(reader.candidate("user1")?.password.clear.toString()).toBe("pw-1");
  await there.stop();
  await here.stop();
  expect(failures.filter((one) => !/trying again/.test(one))).toEqual([]);
});
