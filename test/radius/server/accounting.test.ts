import { describe, expect, test } from "bun:test";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { write } from "../../../db/open.ts";
import { unpackReports } from "../../../src/domain/service/live/reported.ts";
import { closeLostSessions } from "../../../src/domain/service/sessions/sweep.ts";
import { localDay } from "../../../src/domain/core/time/time.ts";
import { aPackage, aSubscriber, by, NAS_SECRET } from "../../support/isp.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

const subscribers = [aSubscriber(1), aSubscriber(2)];
const CLASS = Buffer.from("0102030405060708090a0b0c0d0e0f10", "hex");
const G = 2 ** 32;

type Values = Readonly<Record<string, string | number | Buffer | undefined>>;

const base: Values = {
  "User-Name": "user1",
  "Acct-Session-Id": "81000001",
  Class: CLASS,
  "NAS-Port": 7,
  "NAS-Port-Id": "ether2",
  "NAS-Port-Type": "Ethernet",
  "Calling-Station-Id": "00:50:56:25:8B:97",
  "Called-Station-Id": "service1",
  "Framed-IP-Address": "10.5.0.2",
  "NAS-Identifier": "MikroTik",
  "NAS-IP-Address": "10.0.0.1",
};

function packet(values: Values): NamedAttribute[] {
  const all: NamedAttribute[] = [];
  for (const [name, value] of Object.entries({ ...base, ...values }))
    if (value !== undefined) all.push([name, value]);
  return all;
}

/** Counters as a NAS sends them, in octets and gigawords. */
function octets(input: number, output: number): Values {
  return {
    "Acct-Input-Octets": input % G,
    "Acct-Output-Octets": output % G,
    "Acct-Input-Gigawords": Math.floor(input / G),
    "Acct-Output-Gigawords": Math.floor(output / G),
  };
}

function at(seconds: number, input: number, output: number): Values {
  return { "Acct-Session-Time": seconds, ...octets(input, output) };
}

/** Sends a packet `after` seconds from NOW and expects its acknowledgement. */
async function tell(
  handlers: TestHandlers,
  after: number,
  status: AccountingStatus,
  values: Values = {},
  source = FROM,
) {
  handlers.clock.now = NOW + after;
  handlers.clock.uptime += 20;
  const reply = await handlers.account(status, packet(values), source);
  expect(reply).toMatchObject({ code: "Accounting-Response", faults: [] });
}

/** The restart of a NAS, as RouterOS tells it. */
async function restart(
  handlers: TestHandlers,
  after: number,
  status: AccountingStatus = "Accounting-On",
  source = FROM,
) {
  handlers.clock.now = NOW + after;
  handlers.clock.uptime += 20;
  expect((await handlers.account(status, [["NAS-Identifier", "MikroTik"]], source))?.code).toBe(
    "Accounting-Response",
  );
}

type Row = Record<string, unknown>;
const rows = (handlers: TestHandlers) =>
  handlers.db.$client.query<Row, []>("SELECT * FROM sessions ORDER BY id").all();
/** What a session looks like: start, news, end, who closed it, time, octets, all relative to NOW. */
function summary(handlers: TestHandlers) {
  return rows(handlers).map((row) => ({
    start: Number(row["started_at"]) - NOW,
    news: Number(row["updated_at"]) - NOW,
    stop: row["stopped_at"] === null ? null : Number(row["stopped_at"]) - NOW,
    by: row["closed_by"],
    time: row["session_time"],
    octets: [row["input_octets"], row["output_octets"]],
  }));
}
const usage = (handlers: TestHandlers, id = 1) =>
  handlers.db.$client
    .query<{ day: number; input_octets: number; output_octets: number }, [number]>(
      "SELECT day, input_octets, output_octets FROM usage_days WHERE subscriber_id = ? ORDER BY day",
    )
    .all(id)
    .map(({ day, input_octets, output_octets }) => [day, input_octets, output_octets]);
const quotaUsed = (handlers: TestHandlers) =>
  handlers.db.$client.query("SELECT quota_used FROM services WHERE subscriber_id = 1").values()[0]?.[0];

describe("a session", () => {
  test("from Start over Interims to Stop, with all that is known about it", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    expect(rows(handlers)).toEqual([
      {
        id: 1,
        nas_id: 1,
        nas_address: "127.0.0.1",
        local_address: "127.0.0.1",
        acct_session_id: "81000001",
        username: "user1",
        via_box: null,
        rate_refused: null,
        subscriber_id: 1,
        class: new Uint8Array(CLASS),
        accepted_as: null,
        granted_terms: null,
        granted_rate: null,
        nas_port: 7,
        nas_port_id: "ether2",
        nas_port_type: 15,
        nas_ip: "10.0.0.1",
        nas_identifier: "MikroTik",
        called_station_id: "service1",
        mac: "00:50:56:25:8B:97",
        framed_ip: "10.5.0.2",
        framed_ipv6_prefix: null,
        delegated_ipv6_prefix: null,
        started_at: NOW,
        updated_at: NOW,
        stopped_at: null,
        change: 0,
        session_time: 0,
        input_octets: 0,
        output_octets: 0,
        counter_input: 0,
        counter_output: 0,
        terminate_cause: null,
        closed_by: null,
        rate_input: null,
        rate_output: null,
        moved_in: 0,
        card_id: null,
      },
    ]);
    await tell(handlers, 300, "Interim-Update", at(300, 1000, 5 * G + 1));
    await tell(handlers, 600, "Interim-Update", at(600, 2000, 6 * G));
    expect(summary(handlers)).toEqual([
      { start: 0, news: 600, stop: null, by: null, time: 600, octets: [2000, 6 * G] },
    ]);
    expect(rows(handlers)).toMatchObject([{ rate_input: 27, rate_output: Math.round(((G - 1) * 8) / 300) }]);
    await tell(handlers, 700, "Stop", {
      ...at(700, 2500, 6 * G + 9),
      "Acct-Terminate-Cause": "User-Request",
    });
    expect(summary(handlers)).toEqual([
      { start: 0, news: 700, stop: 700, by: "stop", time: 700, octets: [2500, 6 * G + 9] },
    ]);
    expect(rows(handlers)).toMatchObject([
      { terminate_cause: "User-Request", rate_input: 40, rate_output: 1 },
    ]);
    expect([...unpackReports(handlers.reports.take())]).toEqual(
      Array.from({ length: 4 }, () => ({ subscriberId: 1, cardId: null, nasId: 1 })),
    );
    expect(usage(handlers)).toEqual([[localDay(NOW), 2500, 6 * G + 9]]);
    expect(quotaUsed(handlers)).toBe(2500 + 6 * G + 9);
  });

  test("what IPv6 it was given is recorded, in one form", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start", {
      "Framed-IP-Address": undefined,
      "Framed-IPv6-Prefix": Buffer.from("004020010db80001000200000000deadbeef", "hex"),
      "Delegated-IPv6-Prefix": "2001:db8:100::/56",
    });
    await tell(handlers, 1, "Start", {
      "Acct-Session-Id": "2",
      "Calling-Station-Id": undefined,
      "Framed-IP-Address": undefined,
      "Framed-IPv6-Address": "2001:db8::5",
    });
    expect(rows(handlers)).toMatchObject([
      {
        framed_ip: null,
        framed_ipv6_prefix: "2001:db8:1:2::/64",
        delegated_ipv6_prefix: "2001:db8:100::/56",
      },
      { framed_ipv6_prefix: "2001:db8::5/128" },
    ]);
  });

  test("Input is the download where the NAS has it turned round", async () => {
    const nas = [
      { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, swap_octets: true },
    ];
    await using handlers = await TestHandlers.open({ nas, subscribers });
    await tell(handlers, 10, "Interim-Update", at(10, 1, G + 2));
    expect(summary(handlers)).toMatchObject([{ octets: [G + 2, 1] }]);
    expect(usage(handlers)).toEqual([[localDay(NOW), G + 2, 1]]);
  });

  test("its time is arrival less Acct-Delay-Time; Event-Timestamp is not trusted", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 30, "Start", { "Acct-Delay-Time": 25, "Event-Timestamp": 12 });
    await tell(handlers, 90, "Stop", { ...at(55, 1, 1), "Acct-Delay-Time": 30, "Event-Timestamp": 12 });
    expect(summary(handlers)).toMatchObject([{ start: 5, stop: 60 }]);
  });

  test("of a user that we do not know is recorded and answered too", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start", { "User-Name": "stranger" });
    await tell(handlers, 9, "Stop", { ...at(9, 5, 5), "User-Name": "stranger" });
    expect(rows(handlers)).toMatchObject([{ username: "stranger", subscriber_id: null, input_octets: 5 }]);
    expect(usage(handlers)).toEqual([]);
  });

  test.each<[string, Buffer | string, number | null]>([
    ["without case", "USER1", 1],
    ["behind a backslash", "CORP\\user1", 1],
    ["bytes that are no text name nobody", Buffer.from("CORP\\\xff", "latin1"), null],
    ["nor does the text that they are shown as", Buffer.from("us\xffr", "latin1"), null],
  ])("belongs to its subscriber: %s", async (_, name, id) => {
    const text = aSubscriber(3, { username: "us\\xffr" });
    await using handlers = await TestHandlers.open({
      subscribers: [...subscribers, text, aSubscriber(4, { username: "xffr" })],
    });
    await tell(handlers, 0, "Start", { "User-Name": name });
    expect(rows(handlers)).toMatchObject([{ subscriber_id: id }]);
  });

  test("of a subscriber of another ISP than the NAS's counts for nobody", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 9, "Stop", at(9, 5, 5), { ...FROM, address: "127.0.0.2" });
    expect(rows(handlers)).toMatchObject([{ nas_id: 2, nas_address: "127.0.0.2", subscriber_id: null }]);
    expect(usage(handlers)).toEqual([]);
  });

  test("its octets count on the day on which they are told", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 80_000, "Interim-Update", at(80_000, 10, 100));
    await tell(handlers, 90_000, "Interim-Update", { ...at(86_400, 20, 200), "Acct-Delay-Time": 3600 });
    await tell(handlers, 200_000, "Stop", at(200_000, 25, 250));
    const days = [0, 80_000, 86_400, 200_000].map((after) => localDay(NOW + after));
    expect(usage(handlers)).toEqual([
      [days[1] ?? 0, 20, 200],
      [days[3] ?? 0, 5, 50],
    ]);
  });

  test("records that book nothing are answered", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start", { "Acct-Session-Id": undefined });
    const failed = handlers.client.prepareAccounting("Start", packet({}), {});
    expect((await handlers.deliver(failed))?.code).toBe("Accounting-Response");
    const odd = handlers.client.prepareAccounting("Start", [
      ["Acct-Status-Type", "Interim-Update"],
      ...packet({}),
    ]);
    expect((await handlers.deliver(odd))?.code).toBe("Accounting-Response");
    expect(rows(handlers).length).toBe(1);
  });
});

describe("the key of a session", () => {
  const distinct: [string, Values, string][] = [
    ["Acct-Session-Id", { "Acct-Session-Id": "81000002" }, "127.0.0.1"],
    ["User-Name", { "User-Name": "user2" }, "127.0.0.1"],
    ["Class", { Class: Buffer.from("other") }, "127.0.0.1"],
    ["the absence of a Class", { Class: undefined }, "127.0.0.1"],
    ["the NAS's source address", {}, "127.0.0.2"],
  ];
  // no address, no MAC and no port, so that none closes the other
  const bare: Values = {
    "Calling-Station-Id": undefined,
    "Framed-IP-Address": undefined,
    "NAS-Port": undefined,
    "NAS-Port-Id": undefined,
  };
  test.each(distinct)("%s tells sessions apart", async (_, values, address) => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start", bare);
    await tell(handlers, 1, "Start", { ...bare, ...values }, { ...FROM, address });
    expect(summary(handlers).map(({ stop }) => stop)).toEqual([null, null]);
  });

  test("has the NAS-Port in place of a Class, and no NAS-Port beside one", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start", { ...bare, Class: undefined, "NAS-Port": 7 });
    await tell(handlers, 1, "Start", { ...bare, Class: undefined, "NAS-Port": 8 });
    await tell(handlers, 2, "Start", bare);
    await tell(handlers, 3, "Interim-Update", { ...bare, "NAS-Port": 8 });
    expect(rows(handlers).map((row) => [row["class"] === null, row["nas_port"]])).toEqual([
      [true, 7],
      [true, 8],
      [false, 8],
    ]);
  });

  test("a source port does not count", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 9, "Stop", at(9, 1, 1), { ...FROM, port: 50_000 });
    expect(summary(handlers)).toMatchObject([{ stop: 9 }]);
  });

  test.each([
    [300, 1],
    [301, 2],
  ])("a Start %d s after the Stop: %d sessions", async (pause, sessions) => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 100, "Stop", at(100, 1, 1));
    await tell(handlers, 100 + pause, "Start");
    expect(rows(handlers).length).toBe(sessions);
    expect(summary(handlers)[0]).toMatchObject({ start: 0, stop: 100 });
  });

  test("a Start after Accounting-On is a new session at once", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await restart(handlers, 50);
    await tell(handlers, 51, "Start");
    await tell(handlers, 111, "Interim-Update", at(60, 7, 7));
    expect(summary(handlers)).toMatchObject([
      { start: 0, stop: 50, by: "accounting_on", octets: [0, 0] },
      { start: 51, stop: null, octets: [7, 7] },
    ]);
  });

  test("an Interim of a new session whose Start was lost is not booked on the one before", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 100, "Stop", at(100, 50, 50));
    await tell(handlers, 1000, "Interim-Update", at(300, 7, 7));
    expect(summary(handlers)).toMatchObject([
      { stop: 100, octets: [50, 50] },
      { start: 700, stop: null, octets: [7, 7] },
    ]);
  });
});

describe("an id that is given out again, the Start lost", () => {
  test.each(["lost", "disconnect", "lost_stop", "hand"])(
    "after a session that was closed by %s: its usage is not held against that one",
    async (by) => {
      await using handlers = await TestHandlers.open({ subscribers });
      await tell(handlers, 0, "Start");
      await tell(handlers, 3000, "Interim-Update", at(3000, 50, 50));
      handlers.db.$client.run("UPDATE sessions SET stopped_at = updated_at, closed_by = ?", [by]);
      await tell(handlers, 9000, "Interim-Update", at(300, 7, 7));
      await tell(handlers, 9300, "Stop", at(600, 9, 9));
      expect(summary(handlers)).toMatchObject([
        { start: 0, stop: 3000, by, octets: [50, 50] },
        { start: 8700, stop: 9300, by: "stop", octets: [9, 9] },
      ]);
      expect(usage(handlers)).toEqual([[localDay(NOW), 59, 59]]);
    },
  );
});

describe("the bytes of a router", () => {
  test("are those that sessions grew by, of names that we do not know too, each told once", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 300, "Interim-Update", at(300, 10, 20));
    expect(handlers.carried.take()).toEqual([{ nasId: 1, input: 10, output: 20 }]);
    await tell(handlers, 310, "Interim-Update", at(300, 10, 20));
    await tell(handlers, 600, "Stop", at(600, 30, 40));
    await tell(handlers, 600, "Stop", { "User-Name": "x", "Acct-Session-Id": "X", ...at(600, 1, 2) });
    expect(handlers.carried.take()).toEqual([{ nasId: 1, input: 21, output: 22 }]);
    expect(handlers.carried.take()).toEqual([]);
  });

  test("of a record that cannot be stored are not among them, and of those beside it are", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    handlers.db.$client.run(
      `CREATE TRIGGER broken BEFORE INSERT ON sessions WHEN NEW.acct_session_id = 'B'
       BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    );
    for (const id of ["A", "B", "C"]) {
      const values = {
        "Acct-Session-Id": id,
        "Calling-Station-Id": undefined,
        "Framed-IP-Address": undefined,
      };
      const sent = handlers.client.prepareAccounting(
        "Interim-Update",
        packet({ ...values, ...at(300, 10, 20) }),
      );
      handlers.accountingHandler.receive(sent.datagram, FROM, handlers.clock.uptime, () => {});
    }
    await handlers.accountingHandler.drain(60_000);
    expect(rows(handlers)).toHaveLength(2);
    expect(handlers.carried.take()).toEqual([{ nasId: 1, input: 20, output: 40 }]);
  });
});

describe("repeats and reordering", () => {
  test("a packet that comes again, also after ten seconds, changes nothing", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const story: [number, AccountingStatus, Values][] = [
      [0, "Start", {}],
      [300, "Interim-Update", at(300, 10, 20)],
      [600, "Stop", at(600, 30, 40)],
    ];
    for (const [after, status, values] of story) {
      const prepared = handlers.client.prepareAccounting(status, packet(values));
      handlers.clock.now = NOW + after;
      await handlers.deliver(prepared);
      const before = rows(handlers);
      handlers.clock.uptime += 60;
      expect((await handlers.deliver(prepared))?.code).toBe("Accounting-Response");
      expect(rows(handlers)).toEqual(before);
    }
    expect(usage(handlers)).toEqual([[localDay(NOW), 30, 40]]);
  });

  test("a repeat of the Start from later does not move the start", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 15, "Start");
    expect(summary(handlers)).toMatchObject([{ start: 0 }]);
  });

  test("a Start that comes again under a new identifier is answered without the books, once it is in them", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const { accountingHandler } = handlers;
    const answered: string[] = [];
    const receive = (name: string, values: Values, source = FROM) => {
      const { datagram } = handlers.client.prepareAccounting("Start", packet(values));
      accountingHandler.receive(datagram, source, handlers.clock.uptime, () => answered.push(name));
    };
    receive("first", {});
    receive("beside it", { "Acct-Delay-Time": 1 });
    expect(answered).toEqual([]);
    await accountingHandler.drain(60_000);
    const before = rows(handlers);
    expect(before).toHaveLength(1);
    handlers.db.$client.run("BEGIN IMMEDIATE"); // nobody can write
    receive("again", { "Acct-Delay-Time": 3, "Event-Timestamp": NOW });
    expect(answered).toEqual(["first", "beside it", "again"]);
    expect(accountingHandler.isWaiting).toBe(false);
    receive("of another device", { "Calling-Station-Id": "00:50:56:25:8B:98" });
    receive("of another login", { Class: Buffer.from("another") });
    receive("without a Class", { Class: undefined });
    handlers.clock.uptime += 20;
    receive("much later", {});
    expect(answered).toHaveLength(3);
    handlers.db.$client.run("COMMIT");
    await accountingHandler.drain(60_000);
    expect(answered).toHaveLength(7);
    expect(handlers.counters.all()).toContainEqual({
      nas: "core",
      kind: "Accounting-Request",
      outcome: "repeated",
      count: 1,
    });
  });

  test("what a router starts anew after it restarted is another session, however alike", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    for (const status of ["Start", "Accounting-On", "Start"] as const)
      expect(await handlers.account(status, packet({}))).not.toBeNull();
    expect(summary(handlers)).toMatchObject([{ by: "accounting_on" }, { by: null }]);
  });

  test("an Interim or a Stop of an unknown session creates it", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 1000, "Interim-Update", { ...at(300, 10, 20), "Acct-Delay-Time": 100 });
    await tell(handlers, 1000, "Stop", {
      ...at(200, 1, 2),
      Class: undefined,
      "Framed-IP-Address": "10.5.0.3",
      "Calling-Station-Id": undefined,
    });
    expect(summary(handlers)).toMatchObject([
      { start: 600, news: 900, stop: null, octets: [10, 20] },
      { start: 800, stop: 1000, by: "stop", octets: [1, 2] },
    ]);
    expect(usage(handlers)).toEqual([[localDay(NOW), 11, 22]]);
  });

  test("a late Start fills in what is missing", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 300, "Interim-Update", { ...at(299, 10, 20), "Called-Station-Id": undefined });
    await tell(handlers, 301, "Start", { "Acct-Delay-Time": 301, "Framed-IP-Address": "10.9.9.9" });
    expect(rows(handlers)).toMatchObject([
      {
        started_at: NOW,
        called_station_id: "service1",
        framed_ip: "10.5.0.2",
        session_time: 299,
        input_octets: 10,
      },
    ]);
  });

  test("a late Interim changes nothing", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 600, "Interim-Update", at(600, 100, 100));
    const before = rows(handlers);
    await tell(handlers, 601, "Interim-Update", at(300, 50, 50));
    expect(rows(handlers)).toEqual(before);
  });

  test.each<AccountingStatus>(["Start", "Interim-Update"])(
    "%s after Stop does not reopen",
    async (status) => {
      await using handlers = await TestHandlers.open({ subscribers });
      await tell(handlers, 0, "Start");
      await tell(handlers, 100, "Stop", at(100, 50, 50));
      const before = rows(handlers);
      await tell(handlers, 105, status, at(90, 40, 40));
      await tell(handlers, 110, status, at(100, 60, 60));
      expect(rows(handlers)).toEqual(before);
    },
  );

  test("smaller counters at a larger Acct-Session-Time are a reset and add on", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 300, "Interim-Update", at(300, 1000, 2 * G));
    await tell(handlers, 600, "Interim-Update", at(600, 10, 20));
    await tell(handlers, 900, "Stop", at(900, 15, 40));
    expect(summary(handlers)).toMatchObject([{ octets: [1015, 2 * G + 40] }]);
    expect(usage(handlers)).toEqual([[localDay(NOW), 1015, 2 * G + 40]]);
  });

  describe("of a NAS that sends no Gigawords", () => {
    /** What the NAS counted, of which it tells the lower 32 bits. */
    const low = (seconds: number, input: number, output: number): Values => ({
      "Acct-Session-Time": seconds,
      "Acct-Input-Octets": input % G,
      "Acct-Output-Octets": output % G,
    });
    /** The books after these looks at the counters, 300 s apart. */
    const after = async (looks: readonly [number, number][], rateLimit: string | null = "10M/20M") => {
      await using handlers = await TestHandlers.open({
        packages: [aPackage(2, { rate_limit: rateLimit })],
        subscribers: [aSubscriber(1, { package_id: 2 })],
      });
      for (const [i, [input, output]] of looks.entries())
        await tell(handlers, 300 * (i + 1), "Interim-Update", low(300 * (i + 1), input, output));
      const [session] = summary(handlers);
      expect(usage(handlers)).toEqual([
        [localDay(NOW), Number(session?.octets[0]), Number(session?.octets[1])],
      ]);
      return session?.octets;
    };
    const M = 1e6;

    test("a counter that falls from the upper half went past 2^32, as often as it does", async () => {
      const looks = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i): [number, number] => [
        i * 300 * M,
        4100 * M + i * 700 * M,
      ]);
      expect(await after(looks)).toEqual(looks.at(-1) ?? []);
    });

    test.each<[string, [number, number], [number, number], string | null, [number, number]]>([
      ["more than the line carries", [0, 3500 * M], [0, 300 * M], "10M/20M", [0, 3800 * M]],
      ["as much as its burst carries", [0, 3500 * M], [0, 300 * M], "10M/20M 20M/40M", [0, G + 300 * M]],
      ["as much as a line without a limit carries", [0, 3500 * M], [0, 300 * M], null, [0, G + 300 * M]],
      [
        "each direction by its own rate",
        [4000 * M, 4000 * M],
        [300 * M, 300 * M],
        "10M/20M",
        [4300 * M, G + 300 * M],
      ],
      ["from the lower half", [0, 2100 * M], [0, 10 * M], "100M", [0, 2110 * M]],
    ])("that is a reset beyond what the line carries: %s", async (_, first, second, rateLimit, expected) => {
      expect(await after([first, second], rateLimit)).toEqual(expected);
    });

    test("the Stop brings what went past 2^32 too; Gigawords of 0 say that nothing did", async () => {
      for (const [gigawords, total] of [
        [undefined, G + 5],
        [0, G],
      ] as const) {
        await using handlers = await TestHandlers.open({ subscribers });
        await tell(handlers, 300, "Interim-Update", low(300, 0, G - 5));
        await tell(handlers, 400, "Stop", { ...low(400, 0, 5), "Acct-Output-Gigawords": gigawords });
        expect(summary(handlers)).toMatchObject([{ stop: 400, octets: [0, total] }]);
      }
    });

    test("at the same Acct-Session-Time, or a smaller one, it is an older report", async () => {
      await using handlers = await TestHandlers.open({ subscribers });
      await tell(handlers, 300, "Interim-Update", low(300, 0, G - 5));
      await tell(handlers, 301, "Interim-Update", low(300, 0, 5));
      await tell(handlers, 302, "Interim-Update", low(299, 0, 5));
      expect(summary(handlers)).toMatchObject([{ octets: [0, G - 5] }]);
    });
  });

  test("without an Acct-Session-Time smaller counters are late, never a reset", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 300, "Interim-Update", octets(100, 200));
    await tell(handlers, 310, "Interim-Update", octets(50, 100));
    await tell(handlers, 320, "Interim-Update", octets(120, 210));
    expect(summary(handlers)).toMatchObject([{ octets: [120, 210] }]);
  });

  test("a Stop without octets keeps the last ones", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 300, "Interim-Update", at(300, 100, 200));
    await tell(handlers, 400, "Stop", { "Acct-Session-Time": 400 });
    expect(summary(handlers)).toMatchObject([{ stop: 400, time: 400, octets: [100, 200] }]);
  });

  test("a counter past 2^53 is nonsense and not counted", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 300, "Interim-Update", { ...at(300, 100, 200), "Acct-Input-Gigawords": 0xffffffff });
    expect(summary(handlers)).toMatchObject([{ octets: [0, 200] }]);
  });
});

describe("sessions whose Stop never came", () => {
  test.each<AccountingStatus>(["Accounting-On", "Accounting-Off"])(
    "%s closes those of its source address",
    async (status) => {
      await using handlers = await TestHandlers.open({ subscribers });
      await tell(handlers, 0, "Start");
      await tell(handlers, 300, "Interim-Update", at(300, 10, 20));
      const elsewhere = { ...FROM, address: "127.0.0.2" };
      await tell(handlers, 310, "Start", {}, elsewhere);
      await restart(handlers, 400, status);
      expect(summary(handlers)).toMatchObject([
        { stop: 400, by: "accounting_on", octets: [10, 20] },
        { stop: null },
      ]);
      expect(rows(handlers)).toMatchObject([{ terminate_cause: "NAS-Reboot" }, {}]);
    },
  );

  test("a late Accounting-On spares what began after it", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 100, "Start");
    handlers.clock.now = NOW + 110;
    await handlers.account("Accounting-On", [["Acct-Delay-Time", 30]]);
    expect(summary(handlers)).toMatchObject([{ start: 100, stop: null }]);
  });

  test.each<[string, Values, boolean]>([
    ["the same NAS-Port-Id and MAC", { "Framed-IP-Address": "10.5.0.9" }, true],
    ["the same address", { "NAS-Port-Id": "ether9", "Calling-Station-Id": "02:00:00:00:00:01" }, true],
    ["the same subscriber and MAC", { "NAS-Port-Id": "ether9", "Framed-IP-Address": "10.5.0.9" }, true],
    [
      "another subscriber, the same MAC",
      { "User-Name": "user2", "NAS-Port-Id": "ether9", "Framed-IP-Address": "10.5.0.9" },
      false,
    ],
    [
      "the same NAS-Port-Id, another MAC",
      { "Calling-Station-Id": "02:00:00:00:00:01", "Framed-IP-Address": "10.5.0.9" },
      false,
    ],
  ])("a Start with %s", async (_, values, closes) => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 100, "Start", { "Acct-Session-Id": "2", Class: Buffer.from("2"), ...values });
    expect(summary(handlers)).toMatchObject([
      { stop: closes ? 100 : null, by: closes ? "lost_stop" : null },
      { stop: null },
    ]);
    expect(rows(handlers)[0]).toMatchObject({ terminate_cause: closes ? "lost" : null });
  });

  test("on another NAS the same address is another one", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 100, "Start", { "Acct-Session-Id": "2" }, { ...FROM, address: "127.0.0.2" });
    expect(summary(handlers)).toMatchObject([{ stop: null }, { stop: null }]);
  });

  const later = { "Acct-Session-Id": "2", Class: Buffer.from("2") };
  test("the older session is the closed one, whichever is told first", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 100, "Start", later);
    await tell(handlers, 102, "Start", { "Acct-Delay-Time": 102 });
    expect(summary(handlers)).toMatchObject([
      { start: 100, stop: null },
      { start: 0, stop: 100, by: "lost_stop" },
    ]);
  });

  test("a new session whose Stop is told first closes the older one too", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 200, "Stop", { ...later, ...at(100, 1, 1) });
    await tell(handlers, 201, "Start", { ...later, "Acct-Delay-Time": 101 });
    expect(summary(handlers)).toMatchObject([
      { stop: 100, by: "lost_stop" },
      { start: 100, stop: 200 },
    ]);
  });

  test("no news for three interim intervals", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    await tell(handlers, 300, "Interim-Update", at(300, 10, 20));
    const sweep = async (after: number) =>
      closeLostSessions(handlers.db, by, { since: NOW - 10_000 }, { now: NOW + after });
    expect(await sweep(1200)).toBe(0);
    expect(await sweep(1201)).toBe(1);
    expect(summary(handlers)).toMatchObject([{ stop: 300, by: "lost", octets: [10, 20] }]);
    expect(rows(handlers)).toMatchObject([{ terminate_cause: "lost" }]);
    await tell(handlers, 1500, "Interim-Update", at(1500, 30, 50));
    expect(summary(handlers)).toMatchObject([{ stop: null, by: null, octets: [30, 50] }]);
    expect(usage(handlers)).toEqual([[localDay(NOW), 30, 50]]);
  });

  test.each([
    ["lost", 1],
    ["disconnect", 6],
    ["accounting_on", 61],
    ["lost_stop", 61],
    ["hand", 61],
  ])(
    "closed by %s: an Interim reopens it after %d s, with its counters intact, not before",
    async (by, after) => {
      await using handlers = await TestHandlers.open({ subscribers });
      await tell(handlers, 0, "Start");
      await tell(handlers, 300, "Interim-Update", at(300, 10, 20));
      handlers.db.$client.run("UPDATE sessions SET stopped_at = ?, closed_by = ?, terminate_cause = 'x'", [
        NOW + 300,
        by,
      ]);
      await tell(handlers, 299 + after, "Interim-Update", at(299 + after, 20, 30));
      expect(summary(handlers)).toMatchObject([{ stop: 300, by, octets: [20, 30] }]);
      await tell(handlers, 300 + after, "Interim-Update", at(300 + after, 30, 40));
      expect(summary(handlers)).toMatchObject([{ stop: null, by: null, octets: [30, 40] }]);
      expect(rows(handlers)).toMatchObject([{ terminate_cause: null }]);
    },
  );

  test.each(["lost", "disconnect", "accounting_on", "lost_stop", "hand"])(
    "closed by %s: the Stop brings its final counters",
    async (by) => {
      await using handlers = await TestHandlers.open({ subscribers });
      await tell(handlers, 0, "Start");
      handlers.db.$client.run("UPDATE sessions SET stopped_at = ?, closed_by = ?, terminate_cause = 'x'", [
        NOW + 10,
        by,
      ]);
      await tell(handlers, 12, "Stop", { ...at(12, 5, 6), "Acct-Terminate-Cause": "Admin-Reset" });
      expect(summary(handlers)).toMatchObject([{ stop: 12, by: "stop", octets: [5, 6] }]);
      expect(rows(handlers)).toMatchObject([{ terminate_cause: "Admin-Reset" }]);
    },
  );
});

describe("quota", () => {
  const open = (values = {}) =>
    TestHandlers.open({
      packages: [aPackage(2, { data_quota_bytes: 100, ...values })],
      subscribers: [aSubscriber(1, { package_id: 2 })],
    });

  test("crossing it during a session is told once", async () => {
    await using handlers = await open();
    await tell(handlers, 300, "Interim-Update", at(300, 40, 59));
    expect(handlers.crossed).toEqual([]);
    await tell(handlers, 600, "Interim-Update", at(600, 41, 59));
    expect(handlers.crossed).toEqual([{ subscriberId: 1 }]);
    await tell(handlers, 900, "Interim-Update", at(900, 100, 100));
    await tell(handlers, 990, "Stop", at(990, 100, 200));
    expect(handlers.crossed.length).toBe(1);
  });

  test("after the counter is reset by an activation it is told again", async () => {
    await using handlers = await open();
    await tell(handlers, 300, "Interim-Update", at(300, 100, 0));
    handlers.db.$client.run("UPDATE services SET quota_used = 0, quota_crossed_at = NULL");
    await tell(handlers, 600, "Interim-Update", at(600, 199, 0));
    expect(handlers.crossed.length).toBe(1);
    expect(quotaUsed(handlers)).toBe(99);
    await tell(handlers, 900, "Interim-Update", at(900, 200, 0));
    expect(handlers.crossed.length).toBe(2);
  });

  test("there is nothing to cross without one", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 300, "Interim-Update", at(300, 2 ** 50, 0));
    expect(handlers.crossed).toEqual([]);
  });
});

describe("durability", () => {
  test("requests that arrive together are stored and answered together, after the commit", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const replies: number[] = [];
    for (let i = 0; i < 50; i++) {
      const values = {
        "Acct-Session-Id": String(i),
        "Framed-IP-Address": `10.6.0.${i}`,
        "Calling-Station-Id": undefined,
      };
      const { datagram } = handlers.client.prepareAccounting("Start", packet(values));
      handlers.accountingHandler.receive(datagram, FROM, handlers.clock.uptime, () => {
        replies.push(rows(handlers).length);
      });
    }
    expect(replies).toEqual([]);
    expect(rows(handlers)).toEqual([]);
    let commits = 0;
    for (; handlers.accountingHandler.isWaiting; commits++) handlers.accountingHandler.commit();
    expect(replies.length).toBe(50);
    // a machine that stands still for a tenth of a second parts them, and none is answered before it is stored then either
    expect(commits).toBeLessThan(25);
    expect(replies.filter((stored, before) => stored <= before)).toEqual([]);
    expect(new Set(replies).size).toBe(commits);
  });

  test("another writer's lock is waited for, without an answer before", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    let answered = false;
    handlers.db.$client.run("BEGIN IMMEDIATE");
    const { datagram } = handlers.client.prepareAccounting("Start", packet({}));
    handlers.accountingHandler.receive(datagram, FROM, handlers.clock.uptime, () => {
      answered = true;
    });
    handlers.accountingHandler.commit();
    expect(handlers.accountingHandler.isWaiting).toBe(true);
    expect(answered).toBe(false);
    handlers.db.$client.run("COMMIT");
    handlers.accountingHandler.commit();
    expect(handlers.accountingHandler.isWaiting).toBe(false);
    expect(answered).toBe(true);
    expect(rows(handlers).length).toBe(1);
    expect(handlers.failures).toEqual([]);
  });

  test("a record that cannot be stored gets silence, takes no other with it, and may come again", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    handlers.db.$client.run(
      "CREATE TRIGGER bad BEFORE INSERT ON sessions WHEN NEW.username = 'user2' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    const bad = handlers.client.prepareAccounting(
      "Start",
      packet({ "User-Name": "user2", "Acct-Session-Id": "2" }),
    );
    const good = handlers.client.prepareAccounting("Start", packet({}));
    const answered: string[] = [];
    for (const [name, { datagram }] of Object.entries({ bad, good }))
      handlers.accountingHandler.receive(datagram, FROM, handlers.clock.uptime, () => answered.push(name));
    await handlers.accountingHandler.drain(60_000);
    expect(answered).toEqual(["good"]);
    expect(handlers.failures.length).toBe(1);
    expect(handlers.counters.all()).toContainEqual({
      nas: "core",
      kind: "Accounting-Request",
      outcome: "failed",
      count: 1,
    });
    const again = handlers.client.prepareAccounting(
      "Start",
      packet({ "User-Name": "user2", "Acct-Session-Id": "2", "Acct-Delay-Time": 1 }),
    );
    expect(await handlers.deliver(again)).toBeNull();
    handlers.db.$client.run("DROP TRIGGER bad");
    expect((await handlers.deliver(bad))?.code).toBe("Accounting-Response");
    expect(rows(handlers).length).toBe(2);
  });

  test("a store that fails as a whole gets silence for all, and nothing half done", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    handlers.db.$client.run("ALTER TABLE usage_days RENAME TO gone");
    expect(await handlers.account("Stop", packet(at(10, 5, 5)))).toBeNull();
    expect(rows(handlers)).toEqual([]);
    expect(quotaUsed(handlers)).toBe(0);
    handlers.db.$client.run("ALTER TABLE gone RENAME TO usage_days");
    expect((await handlers.account("Stop", packet(at(10, 5, 5))))?.code).toBe("Accounting-Response");
    expect(quotaUsed(handlers)).toBe(10);
  });

  test("a write of somebody else in between is kept", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    await tell(handlers, 0, "Start");
    write(handlers.db, (tx) => tx.$client.run("UPDATE services SET quota_used = 0"));
    await tell(handlers, 300, "Interim-Update", at(300, 7, 0));
    expect(quotaUsed(handlers)).toBe(7);
  });
});
