import { describe, expect, test } from "bun:test";
import type { DumpRow } from "../../../../../../src/domain/machine/imports/dump/row.ts";
import { toMoved } from "../../../../../../src/domain/machine/imports/sources/freeradius/moved.ts";
import { Tables } from "../../../../../../src/domain/machine/imports/sources/freeradius/tables.ts";
import { inMemory, NOW, options, rowsOf, noticesOf } from "../rows.ts";

type Cell = readonly [owner: string, attribute: string, op: string, value: string];

const check = (...rows: Cell[]) => rowsOf("radcheck", "username attribute op value", ...rows);
const reply = (...rows: Cell[]) => rowsOf("radreply", "username attribute op value", ...rows);
const groupCheck = (...rows: Cell[]) => rowsOf("radgroupcheck", "groupname attribute op value", ...rows);
const groupReply = (...rows: Cell[]) => rowsOf("radgroupreply", "groupname attribute op value", ...rows);
const member = (...rows: [string, string, string][]) =>
  rowsOf("radusergroup", "username groupname priority", ...rows);
const password: Cell = ["ali", "Cleartext-Password", ":=", "pw-ali"];

function moved(rows: readonly DumpRow[], zone?: string) {
  const cell = options(zone);
  const tables = new Tables(cell);
  for (const row of rows) tables.add(row, "radius.sql");
  return { ...inMemory(toMoved(tables, cell)), notices: cell.notices.rows };
}

/** The only subscriber, with the package that it has. */
function one(rows: readonly DumpRow[], zone?: string) {
  const { subscribers, packages, notices } = moved(rows, zone);
  const [subscriber] = subscribers;
  if (!subscriber || subscribers.length > 1) throw new Error(`there are ${subscribers.length}`);
  return { subscriber, notices, sold: packages.find(({ key }) => key === subscriber.package) };
}

describe("passwords", () => {
  const cases: [name: string, rows: Cell[], expected: unknown][] = [
    ["clear", [["ali", "Cleartext-Password", ":=", "p w"]], "p w"],
    ["by its old name and operator", [["ali", "User-Password", "==", "old"]], "old"],
    ["by a name in other letters", [["ali", "cleartext-password", "=", "x"]], "x"],
    ["Password", [["ali", "Password", ":=", "x"]], "x"],
    ["blanks are part of it", [["ali", "Cleartext-Password", ":=", " x "]], " x "],
    ["quotes around it are not", [["ali", "Cleartext-Password", ":=", '"x"']], "x"],
    ["with its kind before it", [["ali", "Password-With-Header", ":=", "{clear}x"]], "x"],
    ["braces in clear text", [["ali", "Cleartext-Password", ":=", "{MD5}x"]], "{MD5}x"],
    ["a hash with its kind", [["ali", "User-Password", ":=", "{SSHA}abc"]], { lost: "hashed" }],
    ["Crypt", [["ali", "Crypt-Password", ":=", "$1$x"]], { lost: "hashed" }],
    ["MD5", [["ali", "MD5-Password", ":=", "00"]], { lost: "hashed" }],
    ["SMD5", [["ali", "SMD5-Password", ":=", "00"]], { lost: "hashed" }],
    ["SHA", [["ali", "SHA-Password", ":=", "00"]], { lost: "hashed" }],
    ["SHA1", [["ali", "SHA1-Password", ":=", "00"]], { lost: "hashed" }],
    ["SHA2", [["ali", "SHA2-Password", ":=", "00"]], { lost: "hashed" }],
    ["SSHA", [["ali", "SSHA-Password", ":=", "00"]], { lost: "hashed" }],
    ["SSHA2-512", [["ali", "SSHA2-512-Password", ":=", "00"]], { lost: "hashed" }],
    ["the NT hash alone", [["ali", "NT-Password", ":=", "00"]], { lost: "nt_only" }],
    ["the NT hash beside clear text", [["ali", "NT-Password", ":=", "00"], password], "pw-ali"],
    ["none", [["ali", "Simultaneous-Use", ":=", "1"]], { lost: "none" }],
    ["an empty one", [["ali", "Cleartext-Password", ":=", ""]], { lost: "none" }],
  ];
  test.each(cases)("%s", (_, rows, expected) => {
    expect(one(check(...rows)).subscriber.password).toEqual(expected as string);
  });

  test("of several the first is taken and told, without any of them", () => {
    const { subscriber, notices } = one(check(password, ["ali", "Cleartext-Password", ":=", "second"]));
    expect(subscriber.password).toBe("pw-ali");
    expect(noticesOf(notices, "double")).toEqual([
      "ali: has 2 different passwords there; the first one is taken",
    ]);
    expect(JSON.stringify(notices)).not.toMatch(/pw-ali|second/);
  });

  test("Auth-Type := Accept is told, and lets nobody in without one", () => {
    const { subscriber, notices } = one(check(["ali", "Auth-Type", ":=", "Accept"]));
    expect(subscriber).toMatchObject({ password: { lost: "none" }, enabled: true });
    expect(noticesOf(notices, "no_password_login")).toEqual([
      "ali: Auth-Type := Accept let it in with any password; here it needs its password",
    ]);
  });
});

describe("the end", () => {
  const at = (text: string) => Date.parse(`${text}Z`) / 1000;
  const cases: [value: string, zone: string, expected: number | null][] = [
    ["25 Dec 2026", "UTC", at("2026-12-25T23:59:59")],
    ["25 Dec 2026 10:30", "UTC", at("2026-12-25T10:30:00")],
    ["25 Dec 2026 10:30:15", "Asia/Baghdad", at("2026-12-25T07:30:15")],
    ["December 25 2026 10:30:15", "UTC", at("2026-12-25T10:30:15")],
    ["2026-12-25", "UTC", at("2026-12-25T23:59:59")],
    ["2026-12-25T10:30:00+02:00", "UTC", at("2026-12-25T08:30:00")],
    ["1798184000", "UTC", 1_798_184_000],
    ["Never", "UTC", null],
    ["soon", "UTC", null],
  ];
  test.each(cases)("%s in %s", (value, zone, expected) => {
    expect(one(check(password, ["ali", "Expiration", ":=", value]), zone).subscriber.service).toEqual({
      expiresAt: expected,
    });
  });

  test("what is no time is told", () => {
    const { notices } = one(check(password, ["ali", "Expiration", ":=", "soon"]));
    expect(noticesOf(notices, "junk")).toEqual(['ali: Expiration is "soon", which is no time']);
  });

  test("a group's is its users', unless they have their own", () => {
    const group = [
      ...groupCheck(["gold", "Expiration", "=", "1 Jan 2027 00:00:00"]),
      ...member(["ali", "gold", "1"]),
    ];
    expect(one([...check(password), ...group]).subscriber.service?.expiresAt).toBe(at("2027-01-01T00:00:00"));
    const own = check(password, ["ali", "Expiration", "==", "1 Feb 2027 00:00:00"]);
    expect(one([...own, ...group]).subscriber.service?.expiresAt).toBe(at("2027-02-01T00:00:00"));
  });

  test("Access-Period runs from the first session, and is how long the group's package is", () => {
    const rows = [
      ...check(password),
      ...groupCheck(["card", "Access-Period", ":=", "2592000"]),
      ...member(["ali", "card", "1"]),
      ...acct(["ali", "s1", "2026-11-02 08:00:00", "2026-11-02 09:00:00", "2026-11-02 09:00:00", "1", "1"]),
      ...acct(["ali", "s0", "2026-11-01 08:00:00", "2026-11-01 09:00:00", "2026-11-01 09:00:00", "1", "1"]),
    ];
    const { subscriber, sold } = one(rows);
    expect(subscriber.service?.expiresAt).toBe(at("2026-12-01T08:00:00"));
    expect(sold).toMatchObject({ key: "card", duration: { count: 30, unit: "day" } });
  });

  test("else it is the day of a next bill that is to come", () => {
    const bill = (next: string) => [
      ...check(password),
      ...rowsOf("userbillinfo", "username planname nextbill", ["ali", "", next]),
    ];
    expect(one(bill("2026-12-10")).subscriber.service?.expiresAt).toBe(at("2026-12-10T23:59:59"));
    expect(one(bill("2026-11-10")).subscriber.service?.expiresAt).toBeNull();
    expect(one(bill("0000-00-00")).subscriber.service?.expiresAt).toBeNull();
  });
});

describe("terms", () => {
  const cases: [name: string, control: Cell[], replies: Cell[], expected: object][] = [
    ["a rate", [], [["g", "Mikrotik-Rate-Limit", "=", "5M/10M"]], { rate_limit: "5M/10M" }],
    [
      "a rate in other writing",
      [],
      [["g", "MIKROTIK-RATE-LIMIT", ":=", "512K/2m 1M/4M 256k/1M 8s/8s"]],
      { rate_limit: "512k/2M 1M/4M 256k/1M 8/8" },
    ],
    [
      "WISPr",
      [],
      [
        ["g", "WISPr-Bandwidth-Max-Down", ":=", "10000000"],
        ["g", "WISPr-Bandwidth-Max-Up", ":=", "512000"],
      ],
      { rate_limit: "512k/10M" },
    ],
    ["WISPr one way", [], [["g", "WISPr-Bandwidth-Max-Down", ":=", "10000000"]], { rate_limit: "0/10M" }],
    [
      "ChilliSpot",
      [],
      [
        ["g", "ChilliSpot-Bandwidth-Max-Down", ":=", "2048"],
        ["g", "ChilliSpot-Bandwidth-Max-Up", ":=", "1000"],
      ],
      { rate_limit: "1M/2048k" },
    ],
    [
      "Ascend",
      [],
      [
        ["g", "Ascend-Data-Rate", ":=", "1000000"],
        ["g", "Ascend-Xmit-Rate", ":=", "4000000"],
      ],
      { rate_limit: "1M/4M" },
    ],
    [
      "RouterOS before WISPr",
      [],
      [
        ["g", "WISPr-Bandwidth-Max-Down", ":=", "1"],
        ["g", "Mikrotik-Rate-Limit", ":=", "9M"],
      ],
      { rate_limit: "9M" },
    ],
    ["no rate", [], [["g", "Mikrotik-Rate-Limit", ":=", "0/0"]], {}],
    ["sessions", [["g", "Simultaneous-Use", ":=", "2"]], [], { simultaneous_use: 2 }],
    ["sessions of a hotspot", [], [["g", "Port-Limit", ":=", "3"]], { simultaneous_use: 3 }],
    [
      "bytes of a month",
      [["g", "Max-Monthly-Octets", ":=", "5000000000"]],
      [],
      { data_quota_bytes: 5_000_000_000 },
    ],
    ["bytes for good", [["g", "Max-Data", ":=", "1000000"]], [], { data_quota_bytes: 1_000_000 }],
    [
      "bytes of a session",
      [],
      [
        ["g", "Mikrotik-Total-Limit", ":=", "1024"],
        ["g", "Mikrotik-Total-Limit-Gigawords", ":=", "2"],
      ],
      { data_quota_bytes: 2 ** 33 + 1024 },
    ],
    [
      "ChilliSpot's bytes",
      [],
      [
        ["g", "ChilliSpot-Max-Total-Octets", ":=", "1024"],
        ["g", "ChilliSpot-Max-Total-Gigawords", ":=", "1"],
      ],
      { data_quota_bytes: 2 ** 32 + 1024 },
    ],
    ["idle", [], [["g", "Idle-Timeout", ":=", "600"]], { idle_timeout: 600 }],
    ["no idle", [], [["g", "Idle-Timeout", ":=", "0"]], {}],
    [
      "pools and lists",
      [],
      [
        ["g", "Framed-Pool", ":=", "dsl"],
        ["g", "Framed-IPv6-Pool", ":=", "six"],
        ["g", "Mikrotik-Delegated-IPv6-Pool", ":=", "pd"],
        ["g", "Mikrotik-Address-List", ":=", "ok"],
      ],
      { framed_pool: "dsl", framed_ipv6_pool: "six", delegated_ipv6_pool: "pd", address_list: "ok" },
    ],
  ];
  test.each(cases)("%s", (_, control, replies, expected) => {
    const { sold } = one([
      ...check(password),
      ...groupCheck(...control),
      ...groupReply(...replies),
      ...member(["ali", "g", "1"]),
    ]);
    const { at: _at, ...terms } = sold ?? { at: 0 };
    expect(terms as object).toEqual({
      key: "g",
      name: "g",
      price: null,
      simultaneous_use: 1000,
      ...expected,
    });
  });

  const left: [attribute: string, value: string, why: RegExp][] = [
    ["Session-Timeout", "3600", /ends here with the subscriber's time/],
    ["Mikrotik-Recv-Limit", "1000", /both directions/],
    ["ChilliSpot-Max-Input-Octets", "1000", /both directions/],
    ["Mikrotik-Group", "full", /profile is not chosen/],
    ["Cisco-AVPair", "ip:inacl=1", /nothing like it/],
    ["Huawei-Input-Average-Rate", "1000", /nothing like it/],
    ["Mikrotik-Rate-Limit", "fast", /no rate that RouterOS knows/],
    ["Simultaneous-Use", "1", /reply, where FreeRADIUS does not look/],
    ["Framed-IP-Address", "10.0.0.9", /of one subscriber alone/],
  ];
  test.each(left)("of a group, %s is told once, not for each user", (attribute, value, why) => {
    const others = check(password, ["bob", "Cleartext-Password", ":=", "b"]);
    const rows = [
      ...others,
      ...groupReply(["g", attribute, ":=", value]),
      ...member(["ali", "g", "1"], ["bob", "g", "1"]),
    ];
    const notices = noticesOf(moved(rows).notices, "term_left");
    expect(notices).toHaveLength(1);
    expect(notices[0]).toStartWith(`g: ${attribute} := ${value}: `);
    expect(notices[0]).toMatch(why);
  });

  test.each([
    ["Max-Daily-Session", "3600", /time online/],
    ["Max-Monthly-Session", "3600", /time online/],
    ["Max-All-Session", "3600", /time online/],
    ["Max-Daily-Octets", "3600", /whole period/],
    ["Login-Time", "Wk0800-1800", /hours of login/],
    ["Pool-Name", "main", /make a pool of that name/],
  ])("%s of a user is told", (attribute, value, why) => {
    const [notices, ...more] = noticesOf(
      one(check(password, ["ali", attribute, ":=", value])).notices,
      "term_left",
    );
    expect(more).toEqual([]);
    expect(notices).toMatch(why);
  });

  test("what stands in the wrong table is told", () => {
    const { notices, subscriber } = one([
      ...check(password, ["ali", "Framed-Pool", ":=", "x"]),
      ...reply(["ali", "Expiration", ":=", "1 Jan 2027"], ["ali", "Auth-Type", ":=", "Reject"]),
    ]);
    expect(subscriber).toMatchObject({ enabled: true, service: { expiresAt: null } });
    expect(noticesOf(notices, "term_left")).toEqual([
      "ali: Framed-Pool := x: it stands among the checks, of which FreeRADIUS sends none",
      "ali: Expiration := 1 Jan 2027: it stands in the reply, where FreeRADIUS does not look for it",
      "ali: Auth-Type := Reject: it stands in the reply, where FreeRADIUS does not look for it",
    ]);
  });

  test("what may be a secret is told without its value", () => {
    const notices = one([
      ...check(password),
      ...reply(["ali", "Tunnel-Password", ":=", "hush"], ["ali", "Mikrotik-Wireless-PSK", ":=", "hush"]),
    ]).notices;
    expect(JSON.stringify(notices)).not.toContain("hush");
    expect(noticesOf(notices, "term_left")).toHaveLength(2);
  });
});

describe("addresses", () => {
  const cases: [attribute: string, value: string, expected: object][] = [
    ["Framed-IP-Address", "10.0.0.7", { static_ip: "10.0.0.7" }],
    ["Framed-IP-Address", "255.255.255.254", { static_ip: null }],
    ["Framed-IP-Address", "255.255.255.255", { static_ip: null }],
    ["Framed-IP-Address", "0.0.0.0", { static_ip: null }],
    ["Framed-IPv6-Prefix", "2001:db8:1::/64", { framed_ipv6_prefix: "2001:db8:1::/64" }],
    ["Delegated-IPv6-Prefix", "2001:db8:2::/56", { delegated_ipv6_prefix: "2001:db8:2::/56" }],
  ];
  test.each(cases)("%s %s", (attribute, value, expected) => {
    expect(one([...check(password), ...reply(["ali", attribute, "=", value])]).subscriber).toMatchObject(
      expected,
    );
  });
});

describe("devices", () => {
  const mac = "AA:BB:CC:DD:EE:FF";
  const cases: [name: string, rows: Cell[], address: string | null, isLocked: boolean, told: number][] = [
    ["==", [["ali", "Calling-Station-Id", "==", "aa-bb-cc-dd-ee-ff"]], mac, true, 0],
    ["=", [["ali", "Calling-Station-Id", "=", "aabb.ccdd.eeff"]], mac, true, 0],
    [":= locks nobody", [["ali", "Calling-Station-Id", ":=", mac]], mac, false, 1],
    ["=~ of one", [["ali", "Calling-Station-Id", "=~", `^${mac}$`]], mac, true, 0],
    [
      "=~ of one with any sign between",
      [["ali", "Calling-Station-Id", "=~", "(?i)aa[:-]bb[:-]cc[:-]dd[:-]ee[:-]ff"]],
      mac,
      true,
      0,
    ],
    ["=~ of several", [["ali", "Calling-Station-Id", "=~", `(${mac}|11:22:33:44:55:66)`]], mac, false, 1],
    ["several with |", [["ali", "Calling-Station-Id", "==", `${mac}|11:22:33:44:55:66`]], mac, false, 1],
    [
      "several rows",
      [
        ["ali", "Calling-Station-Id", "==", mac],
        ["ali", "Calling-Station-Id", "==", "11:22:33:44:55:66"],
      ],
      mac,
      false,
      2,
    ],
    ["!=", [["ali", "Calling-Station-Id", "!=", mac]], null, false, 1],
    ["a telephone", [["ali", "Calling-Station-Id", "==", "0770123"]], null, false, 1],
  ];
  test.each(cases)("%s", (_, rows, address, isLocked, count) => {
    const { subscriber, notices } = one(check(password, ...rows));
    expect(subscriber).toMatchObject({ mac_address: address, macLock: isLocked, macLogin: false });
    expect(noticesOf(notices, "term_left")).toHaveLength(count);
  });

  test("a name that is a MAC address logs in with it; twelve digits do not", () => {
    const device = one(check(["aa:bb:cc:dd:ee:ff", "Auth-Type", ":=", "Accept"])).subscriber;
    expect(device).toMatchObject({
      username: "aa:bb:cc:dd:ee:ff",
      mac_address: mac,
      macLogin: true,
      connection: "hotspot",
    });
    expect(one(check(["964770123456", "Cleartext-Password", ":=", "x"])).subscriber).toMatchObject({
      mac_address: null,
      macLogin: false,
    });
  });
});

describe("who may not", () => {
  test("daloRADIUS-Disabled-Users disables, and sells nothing", () => {
    const rows = [
      ...check(password),
      ...groupCheck(["daloRADIUS-Disabled-Users", "Auth-Type", ":=", "Reject"]),
      ...groupReply(["gold", "Mikrotik-Rate-Limit", ":=", "9M/9M"]),
      ...member(["ali", "gold", "1"], ["ali", "daloRADIUS-Disabled-Users", "-1"]),
    ];
    const { subscribers, packages } = moved(rows);
    expect(subscribers[0]).toMatchObject({ enabled: false, package: "gold" });
    expect(packages.map(({ key }) => key)).toEqual(["gold"]);
  });

  test("Auth-Type := Reject disables, of a user and of a group", () => {
    expect(one(check(password, ["ali", "Auth-Type", ":=", "Reject"])).subscriber.enabled).toBe(false);
    const group = [
      ...groupCheck(["late", "Auth-Type", ":=", "reject"]),
      ...groupReply(["gold", "Mikrotik-Rate-Limit", ":=", "9M"]),
    ];
    const { subscriber } = one([
      ...check(password),
      ...group,
      ...member(["ali", "late", "0"], ["ali", "gold", "1"]),
    ]);
    expect(subscriber).toMatchObject({ enabled: false, package: "gold" });
  });

  test("groups that are only called so do not", () => {
    expect(one([...check(password), ...member(["ali", "disabled", "1"])]).subscriber).toMatchObject({
      enabled: true,
      package: "disabled",
    });
  });
});

describe("groups", () => {
  const gold: Cell = ["gold", "Mikrotik-Rate-Limit", ":=", "10M/10M"];
  const night: Cell = ["night", "Mikrotik-Rate-Limit", ":=", "20M/20M"];

  test("the lowest priority wins, and the next is not reached without Fall-Through", () => {
    const { subscriber, sold, notices } = one([
      ...check(password),
      ...groupReply(gold, night, ["night", "Framed-Pool", "=", "n"]),
      ...member(["ali", "night", "5"], ["ali", "gold", "2"]),
    ]);
    expect(subscriber.package).toBe("gold");
    expect(sold).toMatchObject({ rate_limit: "10M/10M" });
    expect(noticesOf(notices, "note")).toContain(
      "gold, night: of the groups of ali, gold counts, by priority and Fall-Through; night is never reached there",
    );
  });

  test("Fall-Through goes on: := replaces, = only adds", () => {
    const { sold, notices, subscriber } = one([
      ...check(password),
      ...groupReply(
        gold,
        ["gold", "Fall-Through", "=", "Yes"],
        ["night", "Mikrotik-Rate-Limit", "=", "20M/20M"],
        ["night", "Framed-Pool", "=", "n"],
      ),
      ...member(["ali", "gold", "1"], ["ali", "night", "2"]),
    ]);
    expect(sold).toMatchObject({ name: "gold + night, pool n", rate_limit: "10M/10M", framed_pool: "n" });
    expect(noticesOf(notices, "package_made")).toEqual([
      'ali: is not quite as gold is alone: its package is "gold + night, pool n"',
    ]);
    expect(subscriber.package).toBe("gold + night, pool n");
    const replaced = one([
      ...check(password),
      ...groupReply(gold, ["gold", "Fall-Through", "=", "1"], night),
      ...member(["ali", "gold", "1"], ["ali", "night", "2"]),
    ]);
    expect(replaced.sold).toMatchObject({ rate_limit: "20M/20M" });
  });

  test("a user's own Fall-Through = No keeps its groups away", () => {
    const { sold } = one([
      ...check(password),
      ...reply(["ali", "Mikrotik-Rate-Limit", "=", "1M/1M"], ["ali", "Fall-Through", "=", "No"]),
      ...groupReply(gold, ["gold", "Framed-Pool", ":=", "g"]),
      ...member(["ali", "gold", "1"]),
    ]);
    expect(sold).toMatchObject({ name: "1M/1M", rate_limit: "1M/1M" });
    expect(sold).not.toHaveProperty("framed_pool");
  });

  test("in a reply == is never sent, -= takes away, += adds beside", () => {
    const group = groupReply(gold, ["gold", "Framed-Pool", ":=", "g"], ["gold", "Fall-Through", "=", "Yes"]);
    const both = member(["ali", "gold", "1"], ["ali", "more", "2"]);
    const having = (...rows: Cell[]) =>
      one([...check(password), ...group, ...groupReply(...rows), ...both]).sold;
    expect(having(["more", "Mikrotik-Address-List", "==", "x"])).not.toHaveProperty("address_list");
    expect(having(["more", "Framed-Pool", "-=", "g"])).not.toHaveProperty("framed_pool");
    expect(having(["more", "Mikrotik-Rate-Limit", "+=", "1M"])).toMatchObject({ rate_limit: "10M/10M" });
  });

  test("what never reaches the router is told", () => {
    const { notices } = one([
      ...check(password),
      ...reply(["ali", "Mikrotik-Rate-Limit", ":=", "30M/30M"], ["ali", "Framed-Pool", "==", "x"]),
      ...groupReply(gold, ["gold", "Framed-Pool", "==", "x"]),
      ...member(["ali", "gold", "1"]),
    ]);
    expect(noticesOf(notices, "term_left")).toEqual([
      "ali: Mikrotik-Rate-Limit := 30M/30M: a group's value takes its place, there as here",
      "ali: Framed-Pool == x: with == FreeRADIUS never sends it",
      "gold: Framed-Pool == x: with == FreeRADIUS never sends it",
    ]);
  });

  test("equal terms of its own share a package, which names what differs", () => {
    const users = ["ali", "bob", "cem"];
    const { packages, subscribers } = moved([
      ...check(...users.map((user): Cell => [user, "Cleartext-Password", ":=", "x"])),
      ...reply(
        ["ali", "Mikrotik-Rate-Limit", ":=", "30M/30M"],
        ["bob", "Mikrotik-Rate-Limit", ":=", "30M/30M"],
      ),
      ...groupReply(gold),
      ...groupCheck(["gold", "Simultaneous-Use", ":=", "1"]),
      ...member(...users.map((user): [string, string, string] => [user, "gold", "1"])),
    ]);
    // the user's own is replaced by the group's := as it is there
    expect(subscribers.map((subscriber) => subscriber.package)).toEqual(["gold", "gold", "gold"]);
    const own = moved([
      ...check(...users.map((user): Cell => [user, "Cleartext-Password", ":=", "x"])),
      ...reply(
        ["ali", "Mikrotik-Rate-Limit", ":=", "30M/30M"],
        ["bob", "Mikrotik-Rate-Limit", ":=", "30M/30M"],
      ),
      ...groupReply(["gold", "Mikrotik-Rate-Limit", "=", "10M/10M"]),
      ...groupCheck(["gold", "Simultaneous-Use", ":=", "1"]),
      ...member(...users.map((user): [string, string, string] => [user, "gold", "1"])),
    ]);
    expect(own.subscribers.map((subscriber) => subscriber.package)).toEqual([
      "gold, 30M/30M",
      "gold, 30M/30M",
      "gold",
    ]);
    expect(own.packages).toHaveLength(2);
    expect(packages).toHaveLength(1);
  });

  test("a number of sessions that most users of a group have is the group's, where it has none", () => {
    const users = ["ali", "bob", "cem"];
    const { packages, subscribers, notices } = moved([
      ...check(
        ...users.map((user): Cell => [user, "Cleartext-Password", ":=", "x"]),
        ["ali", "Simultaneous-Use", ":=", "1"],
        ["bob", "Simultaneous-Use", ":=", "1"],
        ["cem", "Simultaneous-Use", ":=", "2"],
      ),
      ...groupReply(gold),
      ...member(...users.map((user): [string, string, string] => [user, "gold", "1"])),
    ]);
    expect(subscribers.map((subscriber) => subscriber.package)).toEqual(["gold", "gold", "gold, 2 online"]);
    expect(packages.map((sold) => sold.simultaneous_use)).toEqual([1, 2]);
    expect(noticesOf(notices, "note")[0]).toBe(
      "gold: has no Simultaneous-Use there, but 2 of its 3 users have 1: so has the package",
    );
  });

  test("who is in no group has a package of what it has, or none but itself", () => {
    expect(one(check(password, ["ali", "Simultaneous-Use", ":=", "1"])).sold?.name).toBe("1 online");
    expect(one(check(password)).sold?.name).toBe("No group");
  });

  test("a condition is told, and its group counts", () => {
    const { subscriber, notices } = one([
      ...check(password, ["ali", "NAS-IP-Address", "==", "10.0.0.1"]),
      ...rowsOf("nas", "nasname shortname secret", ["10.0.0.1", "tower", "s3cret"]),
      ...groupCheck(["gold", "NAS-Port-Type", "==", "Virtual"]),
      ...groupReply(gold),
      ...member(["ali", "gold", "1"]),
    ]);
    expect(subscriber).toMatchObject({ package: "gold", router: "10.0.0.1" });
    expect(noticesOf(notices, "term_left").map((text) => text.slice(0, 40))).toEqual([
      "ali: NAS-IP-Address == 10.0.0.1: it is c",
      "gold: NAS-Port-Type == Virtual: it is co",
    ]);
  });

  test("names are found as MySQL finds them, and a user without rows comes by its group", () => {
    const { subscribers } = moved([
      ...check(["Ali", "Cleartext-Password", ":=", "x"]),
      ...groupReply(gold),
      ...member(["ALI", "GOLD", "1"], ["ghost", "gold", "1"], ["DEFAULT", "gold", "1"]),
    ]);
    expect(subscribers.map((subscriber) => [subscriber.username, subscriber.package])).toEqual([
      ["Ali", "gold"],
      ["ghost", "gold"],
    ]);
  });
});

describe("prices", () => {
  const plans = rowsOf(
    "billing_plans",
    "planname plantype plancost plancurrency planrecurring planrecurringperiod planactive plangroup",
    ["gold", "Prepaid", "15", "USD", "yes", "Monthly", "yes", ""],
    ["half year", "Postpaid", "1,080.50", "USD", "yes", "Semi-Yearly", "no", ""],
  );
  const gives = rowsOf("billing_plans_profiles", "plan_name profile_name", ["half year", "silver"]);
  const users: Cell[] = ["ali", "bob", "cem"].map((user) => [user, "Cleartext-Password", ":=", "x"]);
  const rows = [
    ...plans,
    ...gives,
    ...check(...users),
    ...groupReply(["gold", "Mikrotik-Rate-Limit", "=", "10M"], ["silver", "Mikrotik-Rate-Limit", "=", "5M"]),
    ...member(["ali", "gold", "1"], ["bob", "silver", "1"], ["cem", "gold", "1"]),
    ...rowsOf("userbillinfo", "username planname creditcardnumber nextbill", [
      "cem",
      "Half Year",
      "4111111111111111",
      "0000-00-00",
    ]),
  ];

  test("are those of the plan of the group's name, of the plan that gives it, or the user's", () => {
    const { packages, subscribers } = moved(rows);
    expect(subscribers.map((subscriber) => subscriber.package)).toEqual([
      "gold",
      "silver",
      "gold, half year",
    ]);
    expect(packages).toMatchObject([
      {
        key: "gold",
        price: "15.00",
        billing_type: "prepaid",
        duration: { count: 1, unit: "month" },
        enabled: true,
      },
      {
        key: "silver",
        price: "1080.50",
        billing_type: "postpaid",
        duration: { count: 6, unit: "month" },
        enabled: false,
      },
      { key: "gold, half year", price: "1080.50", rate_limit: "10M" },
    ]);
  });

  test("cards are counted and never read", () => {
    const { notices, ...rest } = moved(rows);
    expect(noticesOf(notices, "left_out")).toEqual([
      "userbillinfo: rows with something of a card in them: 1; numbers of cards are never read",
    ]);
    expect(JSON.stringify({ notices, ...rest })).not.toContain("4111");
  });
});

describe("people", () => {
  test("come with what daloRADIUS knows of them", () => {
    const { subscriber, notices } = one([
      ...check(password),
      ...rowsOf(
        "userinfo",
        "username firstname lastname email company workphone homephone mobilephone address city zip notes creationdate portalloginpassword",
        [
          "ali",
          "Ali",
          "Hasan",
          "ali@isp.example",
          "Shop",
          "1",
          "22",
          "0770",
          "Street 4",
          "Basra",
          "61001",
          "late payer",
          "2025-01-02 03:04:05",
          "p",
        ],
      ),
      ...rowsOf("userbillinfo", "username batch_id notes", ["ali", "7", "pays cash"]),
      ...rowsOf("batch_history", "id batch_name", ["7", "Summer"]),
      ...rowsOf("operators", "username password", ["administrator", "radius"]),
    ]);
    expect(subscriber).toMatchObject({
      name: "Ali Hasan",
      email: "ali@isp.example",
      mobile_number: "0770",
      phone_number: "22",
      address: "Street 4, 61001",
      city: "Basra",
      global_note: "Shop; late payer; pays cash; Batch Summer",
      createdAt: Date.UTC(2025, 0, 2, 3, 4, 5) / 1000,
    });
    expect(noticesOf(notices, "left_out")).toEqual([
      "userinfo: passwords of daloRADIUS's portal: 1; the portal here takes the line's own",
      "operators: accounts of staff: 1; add those who need one here",
    ]);
  });

  test("who has an address alone is refused", () => {
    const { subscribers, notices } = moved([
      ...check(password),
      ...rowsOf("userinfo", "username firstname", ["gone", "Gone"]),
    ]);
    expect(subscribers).toHaveLength(1);
    expect(noticesOf(notices, "refused")).toHaveLength(1);
  });
});

const port = ["10.0.0.1", "PPP", "Ethernet", "10.9.0.1", "AA:BB:CC:DD:EE:FF", "pppoe-1", "0", "isp"];

/** Rows of radacct: user, session, start, update, stop, bytes in and out; all over PPPoE at one router. */
function acct(...rows: readonly (readonly (string | null)[])[]): DumpRow[] {
  return rowsOf(
    "radacct",
    "username acctsessionid acctstarttime acctupdatetime acctstoptime acctinputoctets acctoutputoctets nasipaddress framedprotocol nasporttype framedipaddress callingstationid nasportid acctsessiontime calledstationid",
    ...rows.map((row) => row.concat(port)),
  );
}

describe("accounting", () => {
  test("of the present month is added up, a session of two months divided by time", () => {
    const { subscriber, notices } = one([
      ...check(password),
      ...acct(
        ["ali", "s1", "2026-11-02 08:00:00", "2026-11-02 09:00:00", "2026-11-02 09:00:00", "100", "1000"],
        ["ali", "s2", "2026-10-31 00:00:00", "2026-11-02 00:00:00", "2026-11-02 00:00:00", "200", "400"],
        ["ali", "s3", "2026-10-01 00:00:00", "2026-10-02 00:00:00", "2026-10-02 00:00:00", "7", "7"],
      ),
    ]);
    expect(subscriber.usage).toEqual([{ month: "2026-11", up: 200, down: 1200 }]);
    expect(subscriber.connection).toBe("ppp");
    expect(noticesOf(notices, "note")).toContain(
      "radacct: sessions that began before this month: 1; their bytes are divided by time",
    );
  });

  test("open sessions come, lost ones do not", () => {
    const { sessions, notices } = moved([
      ...check(["Ali", "Cleartext-Password", ":=", "x"]),
      ...acct(
        ["ali", "s1", "2026-11-20 08:00:00", "2026-11-22 11:55:00", null, "5", "6"],
        ["ali", "s2", "2026-11-01 08:00:00", "2026-11-02 09:00:00", "0000-00-00 00:00:00", "1", "1"],
        ["nobody", "s3", "2026-11-22 08:00:00", "2026-11-22 11:55:00", null, "1", "1"],
      ),
    ]);
    expect(sessions).toMatchObject([
      {
        username: "Ali",
        nasAddress: "10.0.0.1",
        acctSessionId: "s1",
        startedAt: NOW - 2 * 86_400 - 4 * 3600,
        updatedAt: NOW - 300,
        inputOctets: 5,
        outputOctets: 6,
        framedIp: "10.9.0.1",
        mac: "AA:BB:CC:DD:EE:FF",
        nasPortId: "pppoe-1",
        calledStationId: "isp",
      },
    ]);
    expect(noticesOf(notices, "note").filter((text) => text.startsWith("radacct"))).toHaveLength(2);
  });

  test("one router whose clock is ahead neither loses the open sessions of others nor takes long", () => {
    const row = ["ali", "s2", "2026-11-22 08:00:00", "9999-12-31 00:00:00", "9999-12-31 00:00:00", "1", "1"];
    const begun = performance.now();
    const { sessions } = moved([
      ...check(["Ali", "Cleartext-Password", ":=", "x"]),
      ...acct(
        ["ali", "s1", "2026-11-20 08:00:00", "2026-11-22 11:55:00", null, "5", "6"],
        ...Array.from({ length: 2000 }, () => row),
        ["ali", "s3", "9999-11-20 08:00:00", "9999-11-22 11:55:00", "9999-12-31 00:00:00", "5", "6"],
      ),
    ]);
    expect(sessions.map(({ acctSessionId }) => acctSessionId)).toEqual(["s1"]);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  test("what was used of a quota counts from the start of its period, or for good", () => {
    const quota = (limit: readonly DumpRow[]) =>
      one([
        ...check(password, ["ali", "Expiration", ":=", "10 Dec 2026 00:00:00"]),
        ...limit,
        ...acct(
          ["ali", "s1", "2026-11-02 08:00:00", "2026-11-02 09:00:00", "2026-11-02 09:00:00", "100", "1000"],
          ["ali", "s2", "2026-11-12 08:00:00", "2026-11-12 09:00:00", "2026-11-12 09:00:00", "10", "20"],
        ),
      ]).subscriber.service?.quotaUsed;
    expect(quota(check(["ali", "Max-All-Octets", ":=", "999999"]))).toBe(1130);
    expect(quota(reply(["ali", "Mikrotik-Total-Limit", ":=", "999999"]))).toBe(30);
  });

  test("a counter past what is exact is clipped and told, times of PostgreSQL are read", () => {
    const { subscriber, notices } = one([
      ...check(password),
      ...acct([
        "ali",
        "s1",
        "2026-11-02 08:00:00.123+03",
        "2026-11-02 09:00:00+03",
        "2026-11-02 09:00:00+03",
        "18446744073709551615",
        "1",
      ]),
    ]);
    expect(subscriber.usage?.[0]?.up).toBe(Number.MAX_SAFE_INTEGER);
    expect(noticesOf(notices, "note").join()).toContain("counters past 9007199254740991 bytes: 1");
  });

  test.each([
    ["PPP", "Virtual", "ppp"],
    [null, "Wireless-802.11", "hotspot"],
    [null, "Ethernet", "hotspot"],
    [null, "Async", null],
  ])("Framed-Protocol %s at a port of %s", (protocol, port, expected) => {
    const rows = rowsOf("radacct", "username acctstarttime acctstoptime framedprotocol nasporttype", [
      "ali",
      "2026-11-02 08:00:00",
      "2026-11-02 09:00:00",
      protocol,
      port,
    ]);
    expect(one([...check(password), ...rows]).subscriber.connection).toBe(expected as null);
  });
});

test("a copy without users is refused", () => {
  expect(() => moved(rowsOf("nas", "nasname", ["10.0.0.1"]))).toThrow("no radcheck in this copy");
});

test("routers come with their secrets, doubles are told", () => {
  const { routers, notices } = moved([
    ...check(password),
    ...rowsOf(
      "nas",
      "nasname shortname secret type",
      ["10.0.0.1", "tower", "s3cret", "Cisco"],
      ["10.0.0.1", "again", "x", "other"],
      ["10.1.0.0/16", "", "y", "other"],
    ),
  ]);
  expect(routers).toMatchObject([
    { key: "10.0.0.1", name: "tower", address: "10.0.0.1", secret: "s3cret", kind: "cisco" },
    { key: "10.1.0.0/16", name: "10.1.0.0/16", secret: "y", kind: undefined },
  ]);
  expect(noticesOf(notices, "double")).toHaveLength(1);
});

test("somebody with more attributes than anybody has is refused before they are put beside each other", () => {
  const rows = Array.from({ length: 1001 }, (_, n): Cell => ["ali", `Attribute-${n}`, ":=", "x"]);
  expect(() => moved(check(...rows))).toThrow("ali has more than 1000 attributes");
  const shared = rows.map((row): Cell => ["gold", row[1], row[2], row[3]]);
  expect(() => moved(groupReply(...shared))).toThrow("gold has more than 1000 attributes");
});
