import { expect, test } from "bun:test";
import type { Client } from "../../../src/radius/server/clients.ts";
import { ArrivalTally } from "../../../src/radius/server/arrival-tally.ts";
import { AccessHandler } from "../../../src/radius/server/access-handler.ts";
import { AccountingHandler } from "../../../src/radius/server/accounting-handler.ts";
import { Counters } from "../../../src/radius/server/counters.ts";
import { openReader, openWriter } from "../../../db/open.ts";
import { aSubscriber, loadIsp, NAS_SECRET } from "../../support/isp.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import { NOW, temporaryStore } from "../../support/store.ts";

const client = (id: number | null): Client => ({
  id,
  ispId: 1,
  name: "core",
  secret: Buffer.from("x"),
  zone: null,
  requireMessageAuthenticator: "auto",
  latched: new Set(),
  swapOctets: false,
  kind: "mikrotik",
  mppe: "keys",
  dhcp: false,
  isHalfEach: false,
  gardenProfiles: null,
});

test("counts by kind and address with the first and the last time, and begins again when it is taken", () => {
  let now = NOW;
  const tally = new ArrivalTally(() => now);
  tally.add("signed", "10.0.0.1", client(1));
  now += 1;
  tally.add("signed", "10.0.0.1", client(1));
  tally.add("accounting", "10.0.0.1", client(1), 3);
  tally.add("accounting", "10.0.0.1", client(1));
  tally.add("signed", "127.0.0.1", client(null)); // this appliance itself
  const router = { address: "10.0.0.1", nasId: 1 };
  expect(tally.take()).toEqual([
    { kind: "signed", ...router, count: 2, first: NOW, last: NOW + 1, ahead: null },
    { kind: "accounting", ...router, count: 2, first: NOW + 1, last: NOW + 1, ahead: 3 },
  ]);
  expect(tally.take()).toEqual([]);
});

test("of a flood from invented addresses a few are kept, and those of routers beside them", () => {
  const tally = new ArrivalTally(() => NOW);
  for (let index = 0; index < 50_000; index++)
    tally.add("unknown", `10.${index >> 8}.${index & 255}.7`, undefined);
  tally.add("wrong_secret", "10.0.0.1", client(1));
  const drained = tally.take();
  expect(drained.filter(({ nasId }) => nasId === null)).toHaveLength(64);
  expect(drained.filter(({ nasId }) => nasId === 1)).toHaveLength(1);
});

async function handlers() {
  const store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1)] });
  const tally = new ArrivalTally(() => NOW);
  const reader = openReader(store.folder);
  const writer = openWriter(store.folder, { busyTimeout: 0 });
  const events = {
    dropped: () => {},
    authenticatorSeen: () => {},
    decided: () => {},
    guessing: () => {},
    batchLost: () => {},
    crowded: () => {},
    quotaCrossed: () => {},
    failed: () => {},
  };
  const needs = { events, counters: new Counters(), clock: () => NOW, arrivals: tally };
  const access = new AccessHandler(reader, needs);
  const accounting = new AccountingHandler(writer, needs);
  const target = { host: "127.0.0.1", port: 1, acctPort: 2 };
  const from = (address: string) => ({ address, port: 4000, localAddress: "127.0.0.1" });
  return {
    tally,
    access,
    accounting,
    from,
    right: new RadiusClient({ ...target, secret: NAS_SECRET }),
    wrong: new RadiusClient({ ...target, secret: "another" }),
    kinds: () => tally.take().map(({ kind, address, count }) => `${kind} ${address} ${count}`),
    close: () => {
      for (const db of [reader, writer]) db.$client.close();
      store[Symbol.dispose]();
    },
  };
}

test("the gate says of each datagram what it was", async () => {
  const { access, accounting, from, right, wrong, tally, kinds, close } = await handlers();
  const login = { name: "user1", method: "pap", password: "pw1" } as const;
  const ask = (datagram: Buffer, address = "127.0.0.1") => access.answer(datagram, from(address), 10);
  const signed = right.prepareAccess(login).datagram;
  ask(signed);
  ask(signed);
  ask(right.prepareAccess({ ...login, messageAuthenticator: false }).datagram);
  ask(wrong.prepareAccess(login).datagram);
  ask(signed, "192.0.2.9");
  ask(right.prepareAccounting("Start", []).datagram);
  ask(signed.subarray(0, 30));
  expect(kinds()).toEqual([
    "signed 127.0.0.1 1",
    "repeated 127.0.0.1 1",
    // its address has sent a signed one before
    "unsigned_dropped 127.0.0.1 1",
    "wrong_secret 127.0.0.1 1",
    "wrong_port 127.0.0.1 1",
    "malformed 127.0.0.1 1",
    "unknown 192.0.2.9 1",
  ]);
  const report = (ahead: number) =>
    right.prepareAccounting("Start", [
      ["Acct-Session-Id", `S${ahead}`],
      ["Event-Timestamp", NOW + ahead - 5],
      ["Acct-Delay-Time", 5],
    ]).datagram;
  accounting.receive(report(7), from("127.0.0.1"), 10, () => {});
  accounting.receive(wrong.prepareAccounting("Start", []).datagram, from("127.0.0.1"), 10, () => {});
  expect(tally.take().map(({ kind, ahead }) => [kind, ahead])).toEqual([
    ["accounting", 7],
    ["wrong_secret", null],
  ]);
  accounting.commit();
  close();
});
