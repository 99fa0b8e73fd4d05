import { describe, expect, test } from "bun:test";
import type { MovedPackage, MovedSubscriber } from "../../../../src/domain/machine/imports/model.ts";
import type { NoticeKind } from "../../../../src/domain/machine/imports/notices.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { aSubscriber, DAY } from "../../../support/isp.ts";
import { cli } from "../../../support/people.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, aMovedSession, edge, home, Mover, somebody, isOfNobodys } from "./mover.ts";

type Values = Record<string, unknown>;

/** One subscriber, what becomes of it (undefined: it does not come), and what is told of it. */
const cases: [string, Partial<MovedSubscriber>, Values | undefined, [NoticeKind, string][]][] = [
  ["as it is", { name: "Ann" }, { name: "Ann" }, []],
  [
    "blanks around the username",
    { username: " ann\u00A0" },
    { username: "ann" },
    [["name_changed", 'was " ann\u00A0", with blanks at its ends']],
  ],
  ["no username", { username: "  " }, undefined, [["refused", "has no username"]]],
  [
    "a username with a control character",
    { username: "an\u0007n" },
    undefined,
    [
      [
        "refused",
        "its username must be 1 to 64 characters, without blanks at the ends or control characters",
      ],
    ],
  ],
  [
    "a username of 65 characters",
    { username: "a".repeat(65) },
    undefined,
    [
      [
        "refused",
        "its username must be 1 to 64 characters, without blanks at the ends or control characters",
      ],
    ],
  ],
  [
    "a username that an encoding has lost",
    { username: "an\uFFFD" },
    undefined,
    [
      [
        "refused",
        "has characters in its username that were lost in an encoding; name the encoding of the file",
      ],
    ],
  ],
  [
    "a username with a character that nobody sees",
    { username: "an\u200Bn" },
    { username: "an\u200Bn" },
    [["note", "has characters in its username that nobody sees; routers have to send them too"]],
  ],
  ["no name", {}, { name: "ann" }, []],
  ["a name that is none", { name: "NULL" }, { name: "ann" }, [["junk", "name NULL means nothing"]]],
  ["no identity and no mobile", {}, { nic_number: null, mobile_number: null }, []],
  ...["0", "1", "-", "n/a", "N/A", "null", "0000000000", "1111111"].map(
    (phone): [string, Partial<MovedSubscriber>, Values, [NoticeKind, string][]] => [
      `the mobile ${phone}`,
      { mobile_number: phone },
      { mobile_number: null },
      [["junk", `mobile_number ${phone} means nothing`]],
    ],
  ),
  ["an empty mobile, of which nothing is said", { mobile_number: " " }, { mobile_number: null }, []],
  ["a mobile as it is written", { mobile_number: "+964 770 1" }, { mobile_number: "+964 770 1" }, []],
  ["a port of 0", { uplink_port: "0" }, { uplink_port: "0" }, []],
  [
    "a mail of a program",
    { email: "root@localhost" },
    { email: null },
    [["junk", "email root@localhost means nothing"]],
  ],
  ["no mail", { email: "ann" }, { email: null }, [["junk", "email ann must be an e-mail address"]]],
  [
    "no MAC address",
    { mac_address: "00:00:00:00:00:00", macLock: true },
    { mac_address: null, mac_lock: 0 },
    [
      ["junk", "mac_address 00:00:00:00:00:00 means nothing"],
      ["term_left", "mac_lock needs a MAC address, and there is none"],
    ],
  ],
  [
    "half a MAC address",
    { mac_address: "aa:bb:cc" },
    { mac_address: null },
    [["junk", "mac_address aa:bb:cc must be a MAC address such as AA:BB:CC:DD:EE:FF"]],
  ],
  [
    "an address that is none",
    { static_ip: "10.0.0.300" },
    { static_ip: null },
    [["junk", "static_ip 10.0.0.300 must be an IPv4 address such as 10.0.0.7"]],
  ],
  [
    "a place on no map",
    { latitude: "91.5", longitude: "12,5" },
    { latitude: null, longitude: 12.5 },
    [["junk", "latitude 91.5 must be degrees from -90 to 90, such as 51.507351"]],
  ],
  [
    "nowhere",
    { latitude: "0", longitude: "0.0" },
    { latitude: null, longitude: null },
    [["junk", "latitude and longitude 0 mean nothing"]],
  ],
  [
    "a box of more letters than fit",
    { box_number: "b".repeat(101) },
    { box_number: "b".repeat(100) },
    [["junk", "box_number is longer than 100 characters; the first ones came"]],
  ],
  ["a note of lines", { global_note: "a\r\nb\u0000" }, { global_note: "a\nb" }, []],
  ["disabled", { enabled: false }, { status: 0 }, []],
  ["over PPPoE", { connection: "ppp" }, { connection_type_id: 1, any_connection: 0 }, []],
  ["at a hotspot", { connection: "hotspot" }, { connection_type_id: 2, any_connection: 0 }, []],
  [
    "nobody knows how",
    { connection: null },
    { connection_type_id: 1, any_connection: 1 },
    [["any_connection", "logs in over PPPoE and at hotspots until staff choose"]],
  ],
  ["expired long ago", { service: { expiresAt: NOW - 90 * DAY } }, { expires_at: NOW - 90 * DAY }, []],
  [
    "never recharged",
    { service: null },
    { expires_at: null },
    [["no_service", "was never recharged there; activate it here"]],
  ],
  ["owing", { balance: "-12.5" }, { balance: -1250 }, []],
  [
    "a balance that is none",
    { balance: "1,234.567" },
    { balance: 0 },
    [
      [
        "junk",
        "the balance 1,234.567 must be an amount with at most two decimals, such as 15.00; it is 0.00 here",
      ],
    ],
  ],
  ["a package that there is none of", { package: "gone" }, { package: "No package in radius" }, []],
  ["sold by nobody that is named", {}, { salesperson_id: 1 }, []],
  ["sold by a reseller", { salesperson: "Rex" }, { salesperson_id: 2 }, []],
];

test.each(cases)("%s", async (_, values, expected, notices) => {
  using mover = await Mover.withIsp();
  const { report } = await mover.run(aMoved({ subscribers: [somebody("ann", values)] }));
  const username = expected?.["username"] ?? (expected ? "ann" : null);
  const rows = mover.notices.rows.filter(
    (row) => row.kind !== "no_price" && row.who !== "No package in radius" && !isOfNobodys(row),
  );
  expect(rows.map(({ kind, text }) => [kind, text])).toEqual(notices);
  expect(report.counts.subscribers.refused).toBe(expected ? 0 : 1);
  if (expected) expect(mover.subscriber(String(username))).toMatchObject(expected);
  else expect(mover.rows("SELECT id FROM subscribers")).toEqual([]);
});

describe("passwords", () => {
  test.each<[string, MovedSubscriber["password"], NoticeKind, string]>([
    [
      "a hash",
      { lost: "hashed" },
      "new_password",
      "its password is stored as a hash there, and CHAP and MS-CHAP need clear text",
    ],
    ["none", { lost: "none" }, "new_password", "has no password there"],
    ["empty", "", "new_password", "has no password there"],
    [
      "the NT hash",
      { lost: "nt_only" },
      "nt_only",
      "only the NT hash of its password is there, which serves MS-CHAP alone",
    ],
    [
      "too long for RADIUS",
      "x".repeat(65),
      "new_password",
      "its password must be text of 1 to 64 characters on one line, without control characters, at most 128 bytes in UTF-8",
    ],
  ])("of which the source has %s are made anew and handed out", async (_, password, kind, text) => {
    using mover = await Mover.withIsp();
    const { passwords } = await mover.run(
      aMoved({ subscribers: [somebody("ann", { password, mobile_number: "0770 12345" })] }),
    );
    expect(mover.noticesOf(kind)).toEqual([["ann", text]]);
    expect(passwords).toEqual([
      {
        username: "ann",
        name: "ann",
        phone: "0770 12345",
        password: expect.stringMatching(/^([a-z2-9]{4}-?){3}$/),
      },
    ]);
    expect(mover.kept?.passwords).toEqual([...passwords]);
    expect(mover.passwordOf("ann")).toEqual([passwords[0]?.password ?? "", passwords[0]?.password ?? ""]);
    const again = await mover.run(aMoved({ subscribers: [somebody("ann", { password })] }));
    expect([again.passwords, mover.noticesOf(kind)]).toEqual([[], []]);
  });

  test("never stand in a telling, the report or the table of what came", async () => {
    using mover = await Mover.withIsp();
    const subscribers = [
      somebody("ann", { password: "Geheim-77" }),
      somebody("bob", { password: { lost: "none" } }),
    ];
    const { passwords, report } = await mover.run(aMoved({ subscribers, routers: [edge] }));
    const text = JSON.stringify([
      mover.notices.rows,
      report,
      mover.rows("SELECT * FROM moves"),
      mover.rows("SELECT * FROM moved_rows"),
      mover.rows("SELECT * FROM audit_entries"),
    ]);
    for (const secret of ["Geheim-77", passwords[0]?.password ?? "-", "s3cret"])
      expect(text).not.toContain(secret);
  });
});

describe("doubles", () => {
  test.each<[string, Partial<MovedSubscriber>[], string]>([
    ["the first of equals", [{ username: "Ann" }, { username: "ANN" }], "Ann"],
    ["the enabled one", [{ username: "Ann", enabled: false }, { username: "ANN" }], "ANN"],
    ["the one that runs", [{ username: "Ann", service: { expiresAt: NOW - 1 } }, { username: "ANN" }], "ANN"],
    [
      "the one with a password",
      [{ username: "Ann", password: { lost: "hashed" } }, { username: "ANN" }],
      "ANN",
    ],
    ["the one with blanks, as the other", [{ username: "ann " }, { username: "ann", enabled: false }], "ann"],
  ])("by case: %s comes, and both are named", async (_, values, expected) => {
    using mover = await Mover.withIsp();
    const subscribers = values.map((value, index) =>
      somebody("x", { ...value, at: { file: "f", line: index + 1 } }),
    );
    const { report } = await mover.run(aMoved({ subscribers }));
    expect(mover.rows("SELECT username FROM subscribers")).toEqual([{ username: expected }]);
    expect(report.counts.subscribers).toMatchObject({ found: 2, new: 1, refused: 1 });
    const [[who, text] = []] = mover.noticesOf("double");
    expect(who?.toLowerCase()).toBe("ann");
    expect(text).toMatch(/^(is \S+ without case|stands there twice): the one in f:[12] came$/);
  });

  test("a name that another ISP of the box has cannot come", async () => {
    using mover = await Mover.withIsp();
    await mover.run(aMoved({ packages: [home], subscribers: [somebody("ann")] }), { ispId: 2 });
    await mover.run(aMoved({ subscribers: [somebody("ANN"), somebody("bob")] }));
    expect(mover.noticesOf("refused")).toEqual([
      ["ANN", "another ISP of this box has a subscriber of that username"],
    ]);
    expect(mover.rows("SELECT username, isp_id FROM subscribers ORDER BY id")).toEqual([
      { username: "ann", isp_id: 2 },
      { username: "bob", isp_id: 1 },
    ]);
  });
});

describe("what no two may share", () => {
  const two = (values: Partial<MovedSubscriber>) =>
    aMoved({ subscribers: [somebody("ann", values), somebody("bob", values)] });

  test.each([
    ["nic_number", "ID-1"],
    ["mobile_number", "0770 1234"],
    ["phone_number", "555-1234"],
    ["email", "us@isp.example"],
    ["static_ip", "10.1.0.7"],
    ["delegated_ipv6_prefix", "2001:db8:1::/56"],
  ])("%s: the first keeps it, the other comes without", async (field, value) => {
    using mover = await Mover.withIsp();
    await mover.run(two({ [field]: value }));
    expect([mover.subscriber("ann")?.[field], mover.subscriber("bob")?.[field]]).toEqual([value, null]);
    expect(mover.noticesOf("shared")).toEqual([["bob", `${field} ${value} is ann's: left as it was`]]);
  });

  test("with unique_contacts 0 a household shares a phone, and no address", async () => {
    using mover = await Mover.withIsp({ settings: { unique_contacts: 0 } });
    await mover.run(two({ phone_number: "555-1234", static_ip: "10.1.0.7" }));
    expect(mover.subscriber("bob")).toMatchObject({ phone_number: "555-1234", static_ip: null });
    expect(mover.noticesOf("shared")).toHaveLength(1);
  });

  test("two on one port of a box come, and are told", async () => {
    using mover = await Mover.withIsp({
      subscribers: [aSubscriber(1, { box_number: "B-1", switch_port: "3" })],
    });
    const at = (uplink_port: string) => ({ box_number: "B-1", uplink_port });
    await mover.run(
      aMoved({ subscribers: [somebody("ann", at("3")), somebody("bob", at("4")), somebody("eve", at("4"))] }),
    );
    expect(mover.noticesOf("note")).toEqual([
      ["ann", "hangs on port 3 of B-1, as user1 does"],
      ["eve", "hangs on port 4 of B-1, as bob does"],
    ]);
    expect(mover.subscriber("eve")).toMatchObject({ box_number: "B-1", uplink_port: "4" });
  });

  test("who is here keeps it", async () => {
    using mover = await Mover.withIsp({ subscribers: [aSubscriber(1, { email: "us@isp.example" })] });
    await mover.run(aMoved({ subscribers: [somebody("ann", { email: "US@isp.example" })] }));
    expect(mover.noticesOf("shared")).toEqual([["ann", "email US@isp.example is user1's: left as it was"]]);
  });

  test("numbers that two swap at the source are swapped here", async () => {
    using mover = await Mover.withIsp();
    const phones = (ann: string, bob: string) =>
      aMoved({
        subscribers: [somebody("ann", { phone_number: ann }), somebody("bob", { phone_number: bob })],
      });
    await mover.run(phones("555-1", "555-2"));
    await mover.run(phones("555-2", "555-1"));
    expect([mover.subscriber("ann")?.["phone_number"], mover.subscriber("bob")?.["phone_number"]]).toEqual([
      "555-2",
      "555-1",
    ]);
    expect(mover.noticesOf("shared")).toEqual([]);
  });
});

describe("packages", () => {
  const run = async (mover: Mover, values: Partial<MovedPackage>) =>
    mover.run(aMoved({ packages: [{ ...home, ...values }], subscribers: [somebody("ann")] }));

  test("a term that there is none of here is left, and told", async () => {
    using mover = await Mover.withIsp();
    await run(mover, { rate_limit: "fast", simultaneous_use: 0 });
    expect(mover.row("SELECT rate_limit, simultaneous_use FROM packages WHERE name = 'Home'")).toEqual({
      rate_limit: null,
      simultaneous_use: 1,
    });
    expect(mover.noticesOf("term_left").map(([, text]) => text.split(":")[0])).toEqual([
      "rate_limit fast",
      "simultaneous_use 0",
    ]);
  });

  test("one of which price and length are not known is 0.00 and a month", async () => {
    using mover = await Mover.withIsp();
    const { duration: _, ...rest } = home;
    await mover.run(aMoved({ packages: [{ ...rest, price: null }] }));
    expect(mover.row("SELECT price, duration, duration_unit FROM packages WHERE name = 'Home'")).toEqual({
      price: 0,
      duration: 1,
      duration_unit: "month",
    });
    expect(mover.noticesOf("no_price")).toEqual([["Home", "has the price 0.00 until it is set"]]);
    expect(mover.noticesOf("note")).toEqual([
      ["Home", "how long a period lasts is not known: it is a month"],
    ]);
  });

  test("two of one name are two here", async () => {
    using mover = await Mover.withIsp();
    await mover.run(aMoved({ packages: [home, { ...home, key: "b" }, { ...home, key: "c", name: "HOME" }] }));
    expect(mover.rows("SELECT name FROM packages WHERE id > 1")).toEqual([
      { name: "Home" },
      { name: "Home (2)" },
      { name: "HOME (3)" },
    ]);
  });

  test("one that is here by name is taken as it is", async () => {
    using mover = await Mover.withIsp();
    await run(mover, { name: "home 1", price: "99.00" });
    expect(mover.subscriber("ann")).toMatchObject({ package: "Home 1", rate_limit: "10M/20M" });
    expect(mover.noticesOf("kept_here")).toEqual([
      [
        "Home 1",
        "was here before: name is home 1 there, Home 1 here; price is 99.00 there, 15.00 here; rate_limit is 5M/20M there, 10M/20M here",
      ],
    ]);
  });

  test("one that is sold no more is so here", async () => {
    using mover = await Mover.withIsp();
    await run(mover, { enabled: false });
    expect(mover.row("SELECT status FROM packages WHERE name = 'Home'")).toEqual({ status: 0 });
  });
});

describe("routers", () => {
  test("one is found by its address first, then by its name", async () => {
    using mover = await Mover.withIsp();
    const routers = [
      { ...edge, key: "a", name: "other", address: "127.0.0.1", secret: "testing123" },
      { ...edge, key: "b", name: "CORE", address: "10.7.7.7" },
    ];
    const subscribers = [somebody("ann", { router: "a" }), somebody("bob", { router: "b" })];
    const { report } = await mover.run(aMoved({ routers, subscribers }));
    expect(report.counts.routers).toEqual({ found: 2, new: 0, changed: 0, same: 2, refused: 0 });
    expect([mover.subscriber("ann")?.["nas_id"], mover.subscriber("bob")?.["nas_id"]]).toEqual([1, 1]);
    expect(mover.noticesOf("kept_here")).toEqual([
      ["core", "was here before: name is other there, core here"],
      [
        "core",
        "was here before: name is CORE there, core here; address is 10.7.7.7 there, 127.0.0.1 here; secret is another one there, another one here",
      ],
    ]);
  });

  test.each([
    [null, "the source does not say its address; add it: gatehouse nas add NAME ADDRESS"],
    ["nowhere", "nowhere: must be an IP address or a CIDR such as 10.0.0.1 or 10.0.0.0/24"],
    ["127.0.0.2", "another router of this box has the address 127.0.0.2"],
  ])("one at %p cannot come, and its subscribers can", async (address, text) => {
    using mover = await Mover.withIsp();
    await mover.run(
      aMoved({ routers: [{ ...edge, address }], subscribers: [somebody("ann", { router: "edge" })] }),
    );
    expect(mover.noticesOf("refused")).toEqual([["edge", text]]);
    expect(mover.subscriber("ann")).toMatchObject({ nas_id: null });
  });

  test("one without a secret gets a new one", async () => {
    using mover = await Mover.withIsp();
    await mover.run(aMoved({ routers: [{ ...edge, secret: null }] }));
    expect(mover.noticesOf("note")).toEqual([
      ["edge", "has a new RADIUS secret; gatehouse nas script edge prints it"],
    ]);
  });
});

test("a reseller without an account is told once, with how many it sold to", async () => {
  using mover = await Mover.withIsp();
  const subscribers = [somebody("ann", { salesperson: "zed" }), somebody("bob", { salesperson: "zed" })];
  await mover.run(aMoved({ subscribers }));
  expect(mover.noticesOf("note")).toEqual([
    ["zed", expect.stringMatching(/^sold to 2 and has no account here/)],
  ]);
  expect(mover.subscriber("bob")).toMatchObject({ salesperson_id: 1 });
});

test("a session of nobody is left out", async () => {
  using mover = await Mover.withIsp();
  const { report } = await mover.run(aMoved({ sessions: [aMovedSession("zed")] }));
  expect(mover.noticesOf("left_out")).toEqual([["zed", "is online there and no subscriber here"]]);
  expect(report.counts.sessions).toMatchObject({ found: 1, refused: 1 });
});

test("whose those are that name no salesperson is told once", async () => {
  using mover = await Mover.withIsp();
  const subscribers = [somebody("ann"), somebody("bob"), somebody("cat", { salesperson: "rex" })];
  await mover.run(aMoved({ subscribers }));
  expect(mover.notices.rows.filter(isOfNobodys).map(({ who, text }) => [who, text])).toEqual([
    ["ada", "is the salesperson of 2 new subscribers that have none there, or none here"],
  ]);
});

test("those that name nobody are the operator's of the box before a reseller's, and whose the setting says before both", async () => {
  using mover = await Mover.withIsp({ isps: [{ id: 1, name: "Northlink" }], nas: [] });
  const { db } = mover;
  db.$client.run("UPDATE staff SET isp_id = NULL WHERE profile_type = 1");
  const ofNobodys = async (username: string) => {
    await mover.run(aMoved({ subscribers: [somebody(username)] }));
    return db.$client
      .query(
        "SELECT a.username FROM subscribers s JOIN staff a ON a.id = s.salesperson_id WHERE s.username = ?",
      )
      .get(username);
  };
  expect(await ofNobodys("ann")).toEqual({ username: "ada" });
  changeSetting(db, cli, { key: "sign_up_salesperson", value: "rex", ispId: 1 }, { now: NOW });
  expect(await ofNobodys("bob")).toEqual({ username: "rex" });
});
