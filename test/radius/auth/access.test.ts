import { describe, expect, test } from "bun:test";
import { services } from "../../../db/schema.ts";
import { termKeys } from "../../../db/service-keys.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET, newSubscriber } from "../../support/isp.ts";
import type { Reply } from "../../support/radius-client.ts";
import type { AccessRequest } from "../../support/radius-credentials.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";
import { formatTime } from "../../../src/domain/core/time/time.ts";

const MAC = "00:50:56:25:8B:97";
const OTHER_MAC = "00:50:56:25:8B:98";
const EXPIRED = formatTime(NOW - DAY);

const pppoe: NamedAttribute[] = [
  ["Service-Type", "Framed-User"],
  ["Framed-Protocol", "PPP"],
  ["NAS-Port-Type", "Ethernet"],
  ["Calling-Station-Id", MAC],
  ["Called-Station-Id", "service1"],
  ["NAS-Port-Id", "ether2"],
];
const hotspot: NamedAttribute[] = [
  ["Service-Type", "Login-User"],
  ["NAS-Port-Type", "Wireless-802.11"],
  ["Calling-Station-Id", MAC],
];
const dhcp: NamedAttribute[] = [
  ["NAS-Port-Type", "Ethernet"],
  ["Calling-Station-Id", "1:0:50:56:25:8b:97"],
];

/** What the reply says, without what is random. */
function gist(reply: Reply | null) {
  if (!reply) return null;
  const { Class: _, "Message-Authenticator": __, ...attributes } = reply.attributes;
  return { code: reply.code, attributes };
}

function user(id: number, more: Partial<AccessRequest> = {}): AccessRequest {
  return { name: `user${id}`, password: `pw-${id}`, attributes: pppoe, ...more };
}

const METHODS = ["pap", "chap", "mschap", "mschapv2"] as const;

describe("credentials", () => {
  describe.each(METHODS)("%s", (method) => {
    test("the right password is accepted, and every proof holds", async () => {
      await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
      const reply = handlers.login(user(1, { method }));
      expect(reply).toMatchObject({ code: "Access-Accept", faults: [] });
      expect(handlers.decided).toMatchObject([
        { accepted: true, reason: "accepted", method, subscriberId: 1, mac: MAC },
      ]);
      expect(reply?.attributes["Class"]).toEqual([expect.any(Buffer)]);
    });

    test("a wrong password and an unknown user get the same answer, but for the log", async () => {
      await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
      const wrong = handlers.login(user(1, { method, password: "pw-2" }));
      const unknown = handlers.login(user(9, { method }));
      for (const reply of [wrong, unknown]) {
        expect(reply).toMatchObject({ code: "Access-Reject", faults: [] });
        expect(reply?.attributes["Reply-Message"]).toEqual(["wrong username or password"]);
      }
      expect(wrong?.raw.length).toBe(unknown?.raw.length ?? 0);
      expect(handlers.decided.map(({ reason, subscriberId }) => [reason, subscriberId])).toEqual([
        ["wrong_password", 1],
        ["unknown_user", null],
      ]);
    });

    test("who does not prove the password hears no more of an account than that it is wrong; the log keeps the reason", async () => {
      await using handlers = await TestHandlers.open({
        subscribers: [
          aSubscriber(1),
          aSubscriber(2, { status: 0 }),
          newSubscriber(3),
          newSubscriber(4, { status: 0 }),
        ],
      });
      const login = (id: number, password: string) =>
        handlers.login(user(id, { method, password }))?.attributes["Reply-Message"]?.[0];
      const ids = [1, 2, 3, 4, 9];
      const lengths = ids.map((id) => handlers.login(user(id, { method, password: "x" }))?.raw.length);
      expect(new Set(lengths).size).toBe(1);
      expect(ids.map((id) => login(id, "x"))).toEqual(ids.map(() => "wrong username or password"));
      expect(ids.slice(1).map((id) => login(id, `pw-${id}`))).toEqual([
        "this account is disabled",
        "this account is not activated yet",
        "this account is disabled",
        "wrong username or password",
      ]);
      expect(handlers.decided.slice(5, 10).map(({ reason }) => reason)).toEqual([
        "wrong_password",
        "disabled",
        "never_activated",
        "disabled",
        "unknown_user",
      ]);
    });

    test("long, accented and blank-ended passwords", async () => {
      const passwords = [
        "ñandú€ and a few more than sixteen bytes",
        " blanks ",
        "x".repeat(64),
        "€".repeat(42),
      ];
      await using handlers = await TestHandlers.open({
        subscribers: passwords.map((password, i) => aSubscriber(i + 1, { password })),
      });
      for (const [i, password] of passwords.entries()) {
        expect(handlers.login(user(i + 1, { method, password }))?.code).toBe("Access-Accept");
        expect(handlers.login(user(i + 1, { method, password: password.slice(0, -1) }))?.code).toBe(
          "Access-Reject",
        );
      }
    });

    test("DOMAIN\\user is the user behind the backslash, without case", async () => {
      await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
      const reply = handlers.login(user(1, { method, name: "CORP\\USER1" }));
      expect(reply).toMatchObject({ code: "Access-Accept", faults: [] });
    });
  });

  test("CHAP without CHAP-Challenge takes the Request Authenticator", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
    const request = user(1, { method: "chap", chapByAuthenticator: true });
    expect(handlers.login(request)).toMatchObject({ code: "Access-Accept", faults: [] });
  });

  test("a name with a backslash is first looked up as sent", async () => {
    await using handlers = await TestHandlers.open({
      subscribers: [aSubscriber(1), aSubscriber(2, { username: "corp\\user1" })],
    });
    handlers.login(user(2, { name: "corp\\user1" }));
    expect(handlers.decided).toMatchObject([{ subscriberId: 2, reason: "accepted" }]);
  });

  test("trailing NULs of the padding are stripped, and nothing else", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1, { password: "pw" })] });
    expect(handlers.login(user(1, { password: "pw\0\0" }))?.code).toBe("Access-Accept");
    expect(handlers.login(user(1, { password: "pw " }))?.code).toBe("Access-Reject");
    expect(handlers.login(user(1, { password: "pw\0x" }))?.code).toBe("Access-Reject");
    expect(handlers.login(user(1, { password: "" }))?.code).toBe("Access-Reject");
  });

  test("a User-Name that is not UTF-8 matches nobody", async () => {
    await using handlers = await TestHandlers.open({
      subscribers: [aSubscriber(1, { username: "us\ufffdr" })],
    });
    const name = Buffer.from([0x75, 0x73, 0xff, 0x72]);
    expect(handlers.login(user(1, { name }))?.code).toBe("Access-Reject");
    expect(handlers.login(user(1, { name: "us\ufffdr" }))?.code).toBe("Access-Accept");
    expect(handlers.decided[0]).toMatchObject({ reason: "unknown_user", username: "us\\xffr" });
  });

  const bothKinds: NamedAttribute[] = [...pppoe, ["CHAP-Password", Buffer.alloc(17)]];
  const bothChaps: NamedAttribute[] = [
    ...pppoe,
    ["MS-CHAP-Challenge", Buffer.alloc(8)],
    ["MS-CHAP-Response", Buffer.alloc(50, 1)],
  ];
  const lmOnly: NamedAttribute[] = [
    ["MS-CHAP-Challenge", Buffer.alloc(8)],
    ["MS-CHAP-Response", Buffer.alloc(50)],
  ];
  test.each<[string, AccessRequest]>([
    ["none", user(1, { method: "none" })],
    ["PAP and CHAP", user(1, { attributes: bothKinds })],
    ["CHAP and MS-CHAP", user(1, { method: "chap", attributes: bothChaps })],
    ["PAP twice", user(1, { attributes: [["User-Password", Buffer.alloc(16)]] })],
    ["a short CHAP-Password", user(1, { method: "none", attributes: [["CHAP-Password", Buffer.alloc(16)]] })],
    [
      "a User-Password of 15 bytes",
      user(1, { method: "none", attributes: [["User-Password", Buffer.alloc(15)]] }),
    ],
    ["MS-CHAP with the LM response alone", user(1, { method: "none", attributes: lmOnly })],
    ["MS-CHAP without a challenge", user(1, { method: "none", attributes: lmOnly.slice(1) })],
    ["two User-Names", user(1, { attributes: [...pppoe, ["User-Name", "user2"]] })],
    [
      "EAP",
      user(1, {
        method: "none",
        attributes: [["EAP-Message", Buffer.from("0201000a01757365723100", "hex")]],
      }),
    ],
  ])("unusable credentials are rejected: %s", async (_, request) => {
    await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
    expect(handlers.login(request)).toMatchObject({ code: "Access-Reject", faults: [] });
    expect(handlers.decided).toMatchObject([{ reason: "no_credentials", accepted: false }]);
  });

  test("EAP is told by an EAP-Failure of its identifier, without a Reply-Message (RFC 3579 2.6.3)", async () => {
    await using handlers = await TestHandlers.open();
    const identity = Buffer.from("022a000a01757365723100", "hex");
    const reply = handlers.login(user(1, { method: "none", attributes: [["EAP-Message", identity]] }));
    expect(gist(reply)).toEqual({
      code: "Access-Reject",
      attributes: { "EAP-Message": [Buffer.from("042a0004", "hex")] },
    });
  });

  test("a garbled PAP password is noted, as from a wrong shared secret", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
    handlers.login(user(1, { password: Buffer.from("c3289f0701aa", "hex") }));
    handlers.login(user(1, { password: "a typing error" }));
    expect(handlers.decided.map(({ detail }) => detail)).toEqual(["garbled", null]);
  });
});

describe("what is said beside the MPPE keys", () => {
  // RFC 2548 sections 2.4.4 and 2.4.5: vendor 311, type 7 and 8, four bytes each
  const policy = (value: number) =>
    Buffer.concat([Buffer.from("1a0c000001370706", "hex"), Buffer.of(0, 0, 0, value)]).toString("hex");
  const types = "1a0c00000137080600000006";
  test.each<[string | undefined, number | null]>([
    [undefined, null],
    ["keys", null],
    ["allowed", 1],
    ["required", 2],
  ])("mppe %s", async (mppe, value) => {
    const nas = [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "testing123", mppe }];
    await using handlers = await TestHandlers.open({ nas, subscribers: [aSubscriber(1)] });
    for (const method of ["mschap", "mschapv2"] as const) {
      const reply = handlers.login(user(1, { method }));
      expect(reply).toMatchObject({ code: "Access-Accept", faults: [] });
      const bytes = reply?.raw.toString("hex") ?? "";
      expect(/1a0c0000013707/.test(bytes)).toBe(value !== null);
      expect(/1a0c0000013708/.test(bytes)).toBe(value !== null);
      if (value !== null) expect(bytes).toContain(`${policy(value)}${types}`);
    }
    // without MS-CHAP there are no keys to speak of
    for (const method of ["pap", "chap"] as const)
      expect(handlers.login(user(1, { method }))?.raw.toString("hex")).not.toContain("1a0c00000137");
    expect(handlers.login(user(1, { method: "mschapv2", password: "x" }))?.raw.toString("hex")).not.toContain(
      "1a0c00000137",
    );
  });
});

describe("MS-CHAP-Error", () => {
  const subscribers = [
    aSubscriber(1),
    aSubscriber(2, { status: 0 }),
    newSubscriber(3),
    aSubscriber(4, { current_expiration_date: EXPIRED }),
    aSubscriber(5, { mac_lock: 1, mac_address: OTHER_MAC }),
  ];
  test.each([
    ["unknown", 9, "pw-9", 691],
    ["wrong password", 1, "x", 691],
    ["disabled, and a wrong password", 2, "x", 691],
    ["never activated, and a wrong password", 3, "x", 691],
    ["expired, and a wrong password", 4, "x", 691],
    ["disabled", 2, "pw-2", 647],
    ["never activated", 3, "pw-3", 647],
    ["expired", 4, "pw-4", 647],
    ["everything else", 5, "pw-5", 649],
  ])("%s", async (_, id, password, code) => {
    await using handlers = await TestHandlers.open({ subscribers });
    const v2 = handlers.login(user(id, { method: "mschapv2", password }));
    const v1 = handlers.login(user(id, { method: "mschap", password }));
    const words = (reply: Reply | null) => String(reply?.attributes["MS-CHAP-Error"]?.[0]).slice(1);
    expect(words(v2)).toMatch(new RegExp(`^E=${code} R=0 C=[0-9A-F]{32} V=3 M=[a-z ]+$`));
    expect(words(v1)).toMatch(new RegExp(`^E=${code} R=0 C=[0-9A-F]{16} V=2$`));
  });
});

describe("a term of a package makes a difference to what routers are told", () => {
  const later = NOW + DAY;
  /** Paid for, some of its volume used, all of it, and expired. */
  const states = [
    [0, later],
    [600, later],
    [1000, later],
    [0, NOW - 1],
  ] as const;
  const terms = { data_quota_bytes: 1000, quota_exceeded: "1M/1M", expired_pool: "walled" };
  const elsewhere: NamedAttribute[] = [["Calling-Station-Id", OTHER_MAC]];
  /** Where the value has a form. */
  const others: Partial<Record<keyof typeof services, string>> = {
    replyAttributes: "Framed-Route=10.9.0.0/24",
    tiers: "500B 1k/1k",
    hours: "daily 00:00-24:00 64k/64k",
    fairWindow: "day",
  };

  test.each(termKeys)("%s", async (key) => {
    await using handlers = await TestHandlers.open({
      packages: [aPackage(2, terms)],
      subscribers: [aSubscriber(1, { package_id: 2 })],
    });
    const update = (columns: string, ...values: (string | number)[]) =>
      handlers.db.$client.run(`UPDATE services SET ${columns}`, values);
    const attributes = () =>
      states.map((state) => {
        update("quota_used = ?, expires_at = ?", ...state);
        return [{}, { attributes: elsewhere }].map((device) => gist(handlers.login(user(1, device))));
      });
    const before = attributes();
    expect(attributes()).toEqual(before);
    const { name, dataType } = services[key];
    update(`${name} = ?`, dataType === "number" ? 77 : (others[key] ?? "another"));
    expect(attributes()).not.toEqual(before);
  });
});

describe("the decision, in its order", () => {
  const walled = { expired_pool: "walled", rate_limit: "1M/1M" };
  const packages = [
    aPackage(2, walled),
    aPackage(3, { expired_address_list: "expired", framed_pool: "home" }),
    aPackage(4, { data_quota_bytes: 1000 }),
    aPackage(5, { data_quota_bytes: 1000, quota_exceeded: "512k/512k" }),
    aPackage(6, { data_quota_bytes: 1000, ...walled }),
    aPackage(7, { simultaneous_use: 2 }),
  ];
  const everythingWrong = {
    status: 0,
    mac_lock: 1,
    mac_address: OTHER_MAC,
    connection_type_id: 2,
    current_expiration_date: EXPIRED,
  };
  const cases: [string, Record<string, unknown>, Partial<AccessRequest>, string][] = [
    ["disabled comes before everything of the service", everythingWrong, { password: "x" }, "disabled"],
    [
      "wrong password before the rest",
      { ...everythingWrong, status: 1 },
      { password: "x" },
      "wrong_password",
    ],
    ["MAC lock", { ...everythingWrong, status: 1 }, {}, "mac_locked"],
    [
      "connection type",
      { connection_type_id: 2, current_expiration_date: EXPIRED },
      {},
      "wrong_connection_type",
    ],
    ["expired", { current_expiration_date: EXPIRED }, {}, "expired"],
    ["expires this very second", { current_expiration_date: formatTime(NOW) }, {}, "expired"],
    ["a second left", { current_expiration_date: formatTime(NOW + 1) }, {}, "accepted"],
    ["expired into its pool", { current_expiration_date: EXPIRED, package_id: 2 }, {}, "accepted_expired"],
    ["locked to this MAC", { mac_lock: 1, mac_address: MAC }, {}, "accepted"],
    ["another MAC stored, but not locked", { mac_lock: 0, mac_address: OTHER_MAC }, {}, "accepted"],
    ["locked, and no MAC in the packet", { mac_lock: 1, mac_address: MAC }, { attributes: [] }, "mac_locked"],
    ["type 1 over DHCP", {}, { attributes: dhcp }, "accepted"],
    ["type 2 over DHCP", { connection_type_id: 2 }, { attributes: dhcp }, "accepted"],
    ["type 2 by a bare packet", { connection_type_id: 2 }, { attributes: [] }, "accepted"],
    ["type 1 over a hotspot", {}, { attributes: hotspot }, "wrong_connection_type"],
    ["type 2 over a hotspot", { connection_type_id: 2 }, { attributes: hotspot }, "accepted"],
    ["unknown how, over PPPoE", { any_connection: 1 }, {}, "accepted"],
    ["unknown how, over a hotspot", { any_connection: 1 }, { attributes: hotspot }, "accepted"],
    [
      "unknown how, and a hotspot's by its type",
      { connection_type_id: 2, any_connection: 1 },
      {},
      "accepted",
    ],
    [
      "type 3, and unknown how",
      { connection_type_id: 3, any_connection: 1 },
      { attributes: [] },
      "wrong_connection_type",
    ],
    ["type 3 is never served", { connection_type_id: 3 }, { attributes: [] }, "wrong_connection_type"],
    ["type 4 is never served", { connection_type_id: 4 }, { attributes: hotspot }, "wrong_connection_type"],
    ["type 5 is never served", { connection_type_id: 5 }, { attributes: [] }, "wrong_connection_type"],
    ["the router's own login", {}, { attributes: [["Service-Type", "Login-User"]] }, "router_login"],
    ["a shell on the router", {}, { attributes: [["Service-Type", "Administrative-User"]] }, "router_login"],
  ];
  test.each(cases)("%s", async (_, values, request, reason) => {
    await using handlers = await TestHandlers.open({ packages, subscribers: [aSubscriber(1, values)] });
    const reply = handlers.login(user(1, request));
    expect(handlers.decided).toMatchObject([{ reason, accepted: reason.startsWith("accepted") }]);
    expect(reply).toMatchObject({
      faults: [],
      code: reason.startsWith("accepted") ? "Access-Accept" : "Access-Reject",
    });
    const words = reply?.attributes["Reply-Message"]?.[0];
    expect(typeof words).toBe(reason.startsWith("accepted") ? "undefined" : "string");
  });

  test("never activated", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [newSubscriber(1)] });
    expect(gist(handlers.login(user(1)))).toEqual({
      code: "Access-Reject",
      attributes: { "Reply-Message": ["this account is not activated yet"] },
    });
  });

  test("NAS of another ISP", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
    const source = { ...FROM, address: "127.0.0.2" };
    expect(handlers.login(user(1), source)?.attributes["Reply-Message"]).toEqual([
      "this account belongs to another network",
    ]);
    expect(handlers.decided).toMatchObject([{ reason: "other_isp", nasId: 2, nasAddress: "127.0.0.2" }]);
  });

  test.each([
    ["rejected", 4, 1000, "quota_used_up"],
    ["one byte left", 4, 999, "accepted"],
    ["slowed down", 5, 1000, "accepted_slowed_down"],
    ["more than used up", 5, 5000, "accepted_slowed_down"],
    ["into the walled garden", 6, 1000, "accepted_quota_used_up"],
  ])("quota: %s", async (_, package_id, used, reason) => {
    await using handlers = await TestHandlers.open({
      packages,
      subscribers: [aSubscriber(1, { package_id })],
    });
    handlers.db.$client.run("UPDATE services SET quota_used = ?, free_bytes = free_bytes", [used]);
    handlers.login(user(1));
    expect(handlers.decided).toMatchObject([{ reason }]);
  });

  test("expired comes before the quota", async () => {
    await using handlers = await TestHandlers.open({
      packages,
      subscribers: [aSubscriber(1, { package_id: 4, current_expiration_date: EXPIRED })],
    });
    handlers.db.$client.run("UPDATE services SET quota_used = 1000, free_bytes = free_bytes");
    handlers.login(user(1));
    expect(handlers.decided).toMatchObject([{ reason: "expired" }]);
  });

  test("frozen comes before the end and the quota, and lets nobody into a walled garden", async () => {
    await using handlers = await TestHandlers.open({
      packages,
      subscribers: [aSubscriber(1, { package_id: 4, current_expiration_date: EXPIRED }), aSubscriber(2)],
    });
    handlers.db.$client.run("UPDATE services SET quota_used = 1000, expired_pool = 'walled'");
    handlers.login(user(1));
    handlers.login(user(2));
    handlers.db.$client.run(`UPDATE services SET frozen_at = ${NOW}`);
    handlers.login(user(1));
    handlers.login(user(2));
    handlers.db.$client.run("UPDATE services SET frozen_at = NULL");
    handlers.login(user(2));
    expect(handlers.decided.map(({ reason }) => reason)).toEqual([
      "accepted_expired",
      "accepted",
      "frozen",
      "frozen",
      "accepted",
    ]);
  });
});

describe("what an Access-Accept carries", () => {
  const all = {
    framed_pool: "home",
    framed_ipv6_pool: "v6",
    delegated_ipv6_pool: "pd",
    address_list: "members",
    idle_timeout: 300,
    data_quota_bytes: 5 * 2 ** 32 + 7,
    expired_pool: "walled",
    expired_address_list: "expired",
  };
  const packages = [
    aPackage(2, all),
    aPackage(3, { ...all, quota_exceeded: "512k/512k" }),
    aPackage(4, { expired_address_list: "expired", framed_pool: "home" }),
  ];
  const gistOf = async (values: Record<string, unknown>, used = 0) => {
    await using handlers = await TestHandlers.open({ packages, subscribers: [aSubscriber(1, values)] });
    if (used > 0)
      handlers.db.$client.run("UPDATE services SET quota_used = ?, free_bytes = free_bytes", [used]);
    const reply = handlers.login(user(1));
    expect(reply?.faults).toEqual([]);
    return gist(reply)?.attributes;
  };
  const plain = {
    "Mikrotik-Rate-Limit": ["10M/20M"],
    "Session-Timeout": [10 * DAY],
    "Acct-Interim-Interval": [300],
  };

  test("of a plain package", async () => {
    expect(await gistOf({})).toEqual(plain);
  });

  test("of a package with everything, and the quota less what is used", async () => {
    expect(await gistOf({ package_id: 2 }, 2 ** 32 + 1)).toEqual({
      ...plain,
      "Framed-Pool": ["home"],
      "Framed-IPv6-Pool": ["v6"],
      "Mikrotik-Delegated-IPv6-Pool": ["pd"],
      "Mikrotik-Address-List": ["members"],
      "Idle-Timeout": [300],
      "Mikrotik-Total-Limit": [6],
      "Mikrotik-Total-Limit-Gigawords": [4],
    });
  });

  test("of the walled garden the PPP profile that a set-up made, where the login says which, and of the rest none", async () => {
    await using handlers = await TestHandlers.open({
      packages,
      subscribers: [
        aSubscriber(1, { package_id: 4, current_expiration_date: EXPIRED }),
        aSubscriber(2, { package_id: 4 }),
        aSubscriber(3, { package_id: 4, current_expiration_date: EXPIRED, connection_type_id: 2 }),
      ],
    });
    const groupOf = (id: number, attributes: NamedAttribute[] = pppoe) =>
      handlers.login(user(id, { attributes }))?.attributes["Mikrotik-Group"];
    expect(groupOf(1)).toBeUndefined();
    handlers.db.$client.run("UPDATE nas SET garden_profiles = ?", [
      JSON.stringify({ pppoe: { service1: "gatehouse-garden" }, tunnel: "gatehouse-garden-2" }),
    ]);
    const saying = (name: string, value: string) =>
      pppoe.map(([one, own]): NamedAttribute => [one, one === name ? value : own]);
    expect(groupOf(1)).toEqual(["gatehouse-garden"]);
    expect(groupOf(1, saying("NAS-Port-Type", "Virtual"))).toEqual(["gatehouse-garden-2"]);
    expect(groupOf(1, saying("Called-Station-Id", "another"))).toBeUndefined();
    expect(groupOf(1, saying("NAS-Port-Type", "Async"))).toBeUndefined();
    expect(groupOf(2)).toBeUndefined();
    expect(groupOf(3, hotspot)).toBeUndefined();
  });

  test("of a subscriber with addresses of its own, instead of the pools", async () => {
    const addresses = {
      static_ip: "10.9.8.7",
      framed_ipv6_prefix: "2001:db8:1::/64",
      delegated_ipv6_prefix: "2001:db8:100::/56",
    };
    expect(await gistOf({ package_id: 2, ...addresses })).toMatchObject({
      "Framed-IP-Address": ["10.9.8.7"],
      "Framed-IPv6-Prefix": ["2001:db8:1::/64"],
      "Delegated-IPv6-Prefix": ["2001:db8:100::/56"],
    });
    const names = Object.keys((await gistOf({ package_id: 2, ...addresses })) ?? {});
    expect(names.filter((name) => name.includes("Pool"))).toEqual([]);
  });

  test("of an expired subscriber: pool and list, no address, no limit, a short session", async () => {
    const values = { package_id: 2, static_ip: "10.9.8.7", current_expiration_date: EXPIRED };
    expect(await gistOf(values)).toEqual({
      ...plain,
      "Session-Timeout": [600],
      "Framed-Pool": ["walled"],
      "Mikrotik-Rate-Limit": ["512k/512k"],
      "Mikrotik-Address-List": ["expired"],
      "Idle-Timeout": [300],
    });
  });

  test("of an expired subscriber without an expired pool: its own pool, and the list", async () => {
    expect(await gistOf({ package_id: 4, current_expiration_date: EXPIRED })).toEqual({
      ...plain,
      "Session-Timeout": [600],
      "Framed-Pool": ["home"],
      "Mikrotik-Rate-Limit": ["512k/512k"],
      "Mikrotik-Address-List": ["expired"],
    });
  });

  test("of one that is slowed down: the rate, and no limit", async () => {
    const attributes = await gistOf({ package_id: 3 }, 6 * 2 ** 32);
    expect(attributes).toMatchObject({ "Mikrotik-Rate-Limit": ["512k/512k"], "Session-Timeout": [10 * DAY] });
    expect(attributes?.["Mikrotik-Total-Limit"]).toBeUndefined();
  });

  test.each([
    [30, 60],
    [61, 61],
    [400 * DAY, 21_474_720],
  ])("Session-Timeout with %d s left is %d", async (left, timeout) => {
    const attributes = await gistOf({ current_expiration_date: formatTime(NOW + left) });
    expect(attributes?.["Session-Timeout"]).toEqual([timeout]);
  });

  test("settings count at the very next login", async () => {
    await using handlers = await TestHandlers.open({
      packages,
      subscribers: [aSubscriber(1, { package_id: 4, current_expiration_date: EXPIRED })],
      settings: { acct_interim_interval: 60, expired_session_timeout: 120 },
    });
    expect(handlers.login(user(1))?.attributes).toMatchObject({
      "Acct-Interim-Interval": [60],
      "Session-Timeout": [120],
    });
    handlers.db.$client.run("UPDATE settings SET value = '90' WHERE key = 'acct_interim_interval'");
    expect(handlers.login(user(1))?.attributes).toMatchObject({ "Acct-Interim-Interval": [90] });
  });

  test("Class is new with every Accept", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
    const classes = [1, 2, 3].map(() => String(handlers.login(user(1))?.attributes["Class"]?.[0]));
    expect(new Set(classes).size).toBe(3);
  });

  test("the change of a service counts at the very next login", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
    handlers.login(user(1));
    handlers.db.$client.run("UPDATE services SET rate_limit = '1M/1M'");
    expect(handlers.login(user(1))?.attributes["Mikrotik-Rate-Limit"]).toEqual(["1M/1M"]);
  });
});

describe("a reply for which a proxy's Proxy-States leave little room", () => {
  const packages = [aPackage(2, { framed_ipv6_pool: "v6", idle_timeout: 300 })];
  /** Proxy-States of so many bytes in all. */
  const states = (bytes: number): NamedAttribute[] => {
    const count = Math.ceil(bytes / 255);
    return Array.from({ length: count }, (_, i) => {
      const length = Math.floor(bytes / count) + (i < bytes % count ? 1 : 0);
      return ["Proxy-State", Buffer.alloc(length - 2, i)];
    });
  };
  const subscribers = [aSubscriber(1, { package_id: 2 }), aSubscriber(2, { connection_type_id: 3 })];
  const login = async (bytes: number, request: Partial<AccessRequest> = {}) => {
    await using handlers = await TestHandlers.open({ packages, subscribers });
    return handlers.login({ name: "user1", password: "pw-1", attributes: states(bytes), ...request });
  };
  const names = (reply: Reply | null) =>
    Object.keys(reply?.attributes ?? {}).filter((name) => name !== "Proxy-State");

  test("an Accept leaves out what only tunes, then IPv6, and no more", async () => {
    const all = names(await login(0));
    const whole = (await login(0))?.raw.length ?? 0;
    const room = 4096 - whole;
    expect(await login(room)).toMatchObject({ code: "Access-Accept", faults: [] });
    expect(names(await login(room))).toEqual(all);
    // two integers of 6 bytes
    const without = all.filter((name) => name !== "Idle-Timeout" && name !== "Acct-Interim-Interval");
    for (const bytes of [room + 1, room + 12]) {
      const reply = await login(bytes);
      expect(reply).toMatchObject({ code: "Access-Accept", faults: [] });
      expect(names(reply)).toEqual(without);
    }
    expect(names(await login(room + 13))).toEqual(without.filter((name) => name !== "Framed-IPv6-Pool"));
    expect((await login(room + 12))?.raw.length).toBe(4096);
  });

  test("an Accept that cannot be sent stands in no other device's way", async () => {
    await using handlers = await TestHandlers.open({ packages, subscribers });
    const accept = { name: "user1", password: "pw-1", method: "mschapv2" } as const;
    const { datagram } = handlers.client.prepareAccess({
      ...accept,
      attributes: [...states(3930), ["Calling-Station-Id", MAC]],
    });
    expect(handlers.askRaw(datagram)).toBeUndefined();
    expect(handlers.dropped).toEqual(["reply_too_long"]);
    const other = handlers.login({ ...accept, attributes: [["Calling-Station-Id", OTHER_MAC]] });
    expect(other?.code).toBe("Access-Accept");
  });

  test("a Reject leaves out its words, then MS-CHAP-Error", async () => {
    const wrong = { name: "user2", password: "pw-2", method: "mschapv2" } as const;
    const whole = (await login(0, wrong))?.raw.length ?? 0;
    const text = async (bytes: number) => names(await login(bytes, wrong));
    expect(await text(4096 - whole)).toEqual(["Message-Authenticator", "Reply-Message", "MS-CHAP-Error"]);
    expect(await text(4097 - whole)).toEqual(["Message-Authenticator", "MS-CHAP-Error"]);
    expect(await text(3960)).toEqual(["Message-Authenticator"]);
    expect(await login(3960, wrong)).toMatchObject({ code: "Access-Reject", faults: [] });
  });
});

describe("login by MAC address, with an empty password", () => {
  const login = (name: string, attributes: readonly NamedAttribute[]): AccessRequest => ({
    name,
    password: "",
    attributes,
  });
  const marked = aSubscriber(1, { username: MAC, mac_login: 1 });
  const unmarked = aSubscriber(1, { username: MAC });
  const named = aSubscriber(1, { mac_login: 1, mac_address: MAC });
  test.each<[string, Record<string, unknown>, AccessRequest, string]>([
    ["DHCP", marked, login(MAC, dhcp), "accepted"],
    ["DHCP in lower case", marked, login(MAC.toLowerCase(), dhcp), "accepted"],
    ["not marked", unmarked, login(MAC, dhcp), "wrong_password"],
    [
      "another device says this name",
      marked,
      login(MAC, [["Calling-Station-Id", OTHER_MAC]]),
      "wrong_password",
    ],
    ["a stored MAC address", named, login("user1", pppoe), "accepted"],
    [
      "a stored MAC address, another device",
      named,
      login("user1", [["Calling-Station-Id", OTHER_MAC]]),
      "wrong_password",
    ],
    ["a stored MAC address, no device", named, login("user1", []), "wrong_password"],
    [
      "over a tunnel, where anybody may type the address and no device is seen",
      marked,
      login(MAC, [
        ["Service-Type", "Framed-User"],
        ["Framed-Protocol", "PPP"],
        ["NAS-Port-Type", "Virtual"],
        ["Calling-Station-Id", "203.0.113.9"],
      ]),
      "wrong_password",
    ],
    [
      "marked, but a wrong password is no empty one",
      marked,
      { ...login(MAC, dhcp), password: "x" },
      "wrong_password",
    ],
    ["marked, with its password", marked, { ...login(MAC, dhcp), password: "pw-1" }, "accepted"],
    ["CHAP with an empty password", marked, { ...login(MAC, dhcp), method: "chap" }, "accepted"],
  ])("%s", async (_, subscriber, request, reason) => {
    const nas = [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, dhcp: true }];
    await using handlers = await TestHandlers.open({ nas, subscribers: [subscriber] });
    expect(handlers.login(request)?.faults).toEqual([]);
    expect(handlers.decided).toMatchObject([{ reason }]);
  });

  test("at a hotspot, whatever its router's DHCP servers may ask", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [{ ...marked, connection_type_id: 2 }] });
    expect(handlers.login(login(MAC, hotspot))?.code).toBe("Access-Accept");
  });
});

describe("sessions at once", () => {
  const from = (mac: string): NamedAttribute[] =>
    pppoe.map(([name, value]) => [name, name === "Calling-Station-Id" ? mac : value]);
  const login = (handlers: TestHandlers, mac: string | undefined, source = FROM) => {
    const reply = handlers.login(user(1, { attributes: mac === undefined ? [] : from(mac) }), source);
    return { reason: handlers.decided.at(-1)?.reason, sessionClass: reply?.attributes["Class"]?.[0] };
  };
  const start = (handlers: TestHandlers, mac: string, id: string, sessionClass?: unknown, source = FROM) =>
    handlers.account(
      "Start",
      [
        ["User-Name", "user1"],
        ["Acct-Session-Id", id],
        ["Calling-Station-Id", mac],
        ["NAS-Port-Id", "ether2"],
        ...(Buffer.isBuffer(sessionClass) ? [["Class", sessionClass] as const] : []),
      ],
      source,
    );
  const A = "02:00:00:00:00:0A";
  const B = "02:00:00:00:00:0B";
  const C = "02:00:00:00:00:0C";
  const one = { subscribers: [aSubscriber(1)] };
  const two = {
    packages: [aPackage(2, { simultaneous_use: 2 })],
    subscribers: [aSubscriber(1, { package_id: 2 })],
  };

  test("an open session leaves no room for another device, until its Stop", async () => {
    await using handlers = await TestHandlers.open(one);
    await start(handlers, A, "1", login(handlers, A).sessionClass);
    handlers.clock.now += 3600;
    expect(login(handlers, B).reason).toBe("too_many_sessions");
    await handlers.account("Stop", [
      ["User-Name", "user1"],
      ["Acct-Session-Id", "1"],
      ["Calling-Station-Id", A],
    ]);
    // that Stop had no Class, so it was another session's
    expect(login(handlers, B).reason).toBe("too_many_sessions");
    handlers.db.$client.run("UPDATE sessions SET stopped_at = started_at, closed_by = 'stop'");
    expect(login(handlers, B).reason).toBe("accepted");
  });

  test("the same device on the same NAS may come again, and its Start closes the session before", async () => {
    await using handlers = await TestHandlers.open(one);
    await start(handlers, A, "1", login(handlers, A).sessionClass);
    handlers.clock.now += 100;
    const again = login(handlers, A);
    expect(again.reason).toBe("accepted");
    handlers.clock.now += 1;
    await start(handlers, A, "2", again.sessionClass);
    const rows = handlers.db.$client
      .query("SELECT acct_session_id, stopped_at, closed_by FROM sessions ORDER BY id")
      .values();
    expect(rows).toEqual([
      ["1", NOW + 101, "lost_stop"],
      ["2", null, null],
    ]);
  });

  test("the same device on another NAS counts", async () => {
    await using handlers = await TestHandlers.open({
      ...one,
      nas: [
        { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "testing123" },
        { id: 3, isp_id: 1, name: "edge", address: "127.0.0.3", secret: "testing123" },
      ],
    });
    await start(handlers, A, "1", login(handlers, A).sessionClass);
    expect(login(handlers, A, { ...FROM, address: "127.0.0.3" }).reason).toBe("too_many_sessions");
  });

  test("an Accept counts for 60 s without its Start", async () => {
    await using handlers = await TestHandlers.open(one);
    expect(login(handlers, A).reason).toBe("accepted");
    handlers.clock.now += 59;
    expect(login(handlers, B).reason).toBe("too_many_sessions");
    expect(login(handlers, A).reason).toBe("accepted");
    handlers.clock.now += 60;
    expect(login(handlers, B).reason).toBe("accepted");
  });

  test("an Accept and its Start count once, with Class or by MAC address", async () => {
    for (const echoes of [true, false]) {
      await using handlers = await TestHandlers.open(two);
      const { sessionClass } = login(handlers, A);
      await start(handlers, A, "1", echoes ? sessionClass : undefined);
      expect(login(handlers, B).reason).toBe("accepted");
      expect(login(handlers, C).reason).toBe("too_many_sessions");
    }
  });

  test("an Accept whose session came and went counts no more", async () => {
    await using handlers = await TestHandlers.open(one);
    const { sessionClass } = login(handlers, A);
    await start(handlers, A, "1", sessionClass);
    handlers.db.$client.run("UPDATE sessions SET stopped_at = started_at, closed_by = 'stop'");
    expect(login(handlers, B).reason).toBe("accepted");
  });

  test("logins at the same moment do not slip through together", async () => {
    await using handlers = await TestHandlers.open(two);
    const reasons = [A, B, C, A, B].map((mac) => login(handlers, mac).reason);
    expect(reasons).toEqual(["accepted", "accepted", "too_many_sessions", "accepted", "accepted"]);
  });

  test("a NAS that tells no MAC address may try again", async () => {
    await using handlers = await TestHandlers.open(one);
    expect(login(handlers, undefined).reason).toBe("accepted");
    expect(login(handlers, undefined).reason).toBe("accepted");
    expect(login(handlers, B).reason).toBe("too_many_sessions");
  });

  test("comes after expiry: the walled garden has no room for two either", async () => {
    await using handlers = await TestHandlers.open({
      packages: [aPackage(2, { expired_pool: "walled" })],
      subscribers: [aSubscriber(1, { package_id: 2, current_expiration_date: EXPIRED })],
    });
    expect(login(handlers, A).reason).toBe("accepted_expired");
    expect(login(handlers, B).reason).toBe("too_many_sessions");
  });
});
