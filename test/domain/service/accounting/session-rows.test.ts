import { expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { AccountingWriter } from "../../../../src/domain/service/accounting/accounting.ts";
import type { SessionReport } from "../../../../src/domain/service/sessions/advance.ts";
import { createEndpoint } from "../../../../src/domain/around/webhooks/endpoints.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

/** A Start in the same place by port, MAC address and address, and of the same subscriber. */
const start = (acctSessionId: string, at: number): SessionReport => ({
  status: "start",
  at,
  acctSessionId,
  username: "user1",
  nasAddress: "127.0.0.1",
  localAddress: null,
  nasId: 1,
  class: null,
  nasPort: 7,
  nasPortId: "ether2",
  nasPortType: null,
  nasIp: null,
  viaBox: null,
  nasIdentifier: null,
  calledStationId: null,
  mac: "02:00:00:00:00:01",
  framedIp: "100.64.0.7",
  framedIpv6Prefix: null,
  delegatedIpv6Prefix: null,
  sessionTime: 0,
  inputOctets: 0,
  outputOctets: 0,
  octetsAre32Bit: false,
  terminateCause: undefined,
});

test("a session in whose place another begins ends once, whatever they have in common", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { subscribers: [aSubscriber(1)] });
  const endpoint = { isp_id: 1, url: "https://receiver.example/hook", types: "session.stopped" };
  createEndpoint(db, by, endpoint, { now: NOW });
  for (const report of [start("1", NOW), start("2", NOW + 100)])
    write(db, (tx) => {
      const login = "user1";
      new AccountingWriter(tx).book({ kind: "session", login, report, ispId: 1, arrival: report.at });
    });
  const closed = db.$client.query("SELECT acct_session_id, stopped_at, closed_by FROM sessions ORDER BY id");
  expect(closed.values()).toEqual([
    ["1", NOW + 100, "lost_stop"],
    ["2", null, null],
  ]);
  expect(db.$client.query("SELECT type FROM events").values()).toEqual([["session.stopped"]]);
});
