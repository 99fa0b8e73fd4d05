import { describe, expect, test } from "bun:test";
import { rateFingerprint } from "../../../src/domain/service/access/granted.ts";
import { readGranted } from "../../../src/domain/service/sessions/session-class.ts";
import { formatTime } from "../../../src/domain/core/time/time.ts";
import { readDuid } from "../../../src/radius/auth/dhcp.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { ada, aPackage, aSubscriber, DAY, NAS_SECRET, rex } from "../../support/isp.ts";
import { TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

const MAC = "9C:D6:43:6C:A6:FD";
const OTHER = "9C:D6:43:6C:A6:02";
const STATION = "1:9c:d6:43:6c:a6:fd";
const DUID = "0x000300019cd6436ca6fd";
const CIRCUIT = Buffer.from("000400640001", "hex");
const REMOTE = Buffer.from("olt-3");
const LEASE = 1800;

/** What Redback's attributes carry of option 82: 97 the circuit, 96 the remote end. */
const redback = (type: 96 | 97, value: Buffer): NamedAttribute => [`Attr-26.2352.${type}`, value];

/** What the DHCP server of RouterOS sends, in its order; the password is empty, the name the MAC address. */
function lease(more: readonly NamedAttribute[] = [], name = MAC, password = "") {
  const attributes: NamedAttribute[] = [
    ["NAS-Port-Type", "Ethernet"],
    ["NAS-Port", 2_195_718_190],
    ["Calling-Station-Id", STATION],
    ["Called-Station-Id", "dhcp-homes"],
    ...more,
    ["NAS-Identifier", "tower"],
    ["NAS-IP-Address", "127.0.0.1"],
  ];
  return { name, password, attributes };
}

const prefixRequest = (name = DUID, called = "<pppoe-user1>") => ({
  name,
  password: "",
  attributes: [
    ["NAS-Port-Type", "Ethernet"],
    ["Calling-Station-Id", name],
    ["Called-Station-Id", called],
    ["NAS-Identifier", "tower"],
    ["NAS-IP-Address", "127.0.0.1"],
  ] as NamedAttribute[],
});

/** What the router sends back in accounting. */
const classOf = (reply: ReturnType<TestHandlers["login"]>) => reply?.attributes["Class"]?.[0] as Buffer;

const dialIn = (mac: string): NamedAttribute[] => [
  ["Service-Type", "Framed-User"],
  ["Framed-Protocol", "PPP"],
  ["NAS-Port-Type", "Ethernet"],
  ["Calling-Station-Id", mac],
  ["NAS-Port-Id", "ether2"],
];
const pppoe = dialIn(MAC);

/** What a subscriber of ISP 2 needs. */
const south = {
  staff: [ada, { ...rex, id: 3, isp_id: 2, username: "sue", email: "sue@isp.example" }],
  packages: [aPackage(2, { isp_id: 2 })],
};

const router = (dhcp: boolean) => [
  { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, dhcp },
  { id: 2, isp_id: 2, name: "south", address: "127.0.0.2", secret: NAS_SECRET, dhcp },
];
const open = (subscribers: Parameters<typeof TestHandlers.open>[0], dhcp = true) =>
  TestHandlers.open({ nas: router(dhcp), ...subscribers });

describe("IPoE by DHCP", () => {
  test("a lease is found by its MAC address, and lasts no longer than a lease lasts", async () => {
    await using handlers = await open({
      subscribers: [aSubscriber(1, { mac_address: MAC, mac_login: 1, static_ip: "10.0.0.7" })],
    });
    const reply = handlers.login(lease());
    expect(reply).toMatchObject({
      code: "Access-Accept",
      faults: [],
      attributes: {
        "Framed-IP-Address": ["10.0.0.7"],
        "Session-Timeout": [LEASE],
        "Mikrotik-Rate-Limit": ["10M/20M"],
      },
    });
    expect(handlers.decided).toMatchObject([{ subscriberId: 1, reason: "accepted", mac: MAC }]);
  });

  test("a device that has dialled in just now gets a lease, and may dial in again", async () => {
    await using handlers = await open({
      packages: [aPackage(2, { simultaneous_use: 2 })],
      subscribers: [aSubscriber(1, { mac_address: MAC, mac_login: 1, package_id: 2 })],
    });
    const dialled = { name: "user1", password: "pw-1", attributes: pppoe };
    for (const request of [dialled, lease(), dialled, lease(), dialled])
      expect(handlers.login(request)).toMatchObject({ code: "Access-Accept", faults: [] });
    expect(handlers.decided).toHaveLength(5);
  });

  test("a lease ends with the service, and into the walled garden it is as of a dial-in", async () => {
    await using handlers = await open({
      packages: [aPackage(2, { expired_pool: "expired" })],
      subscribers: [
        aSubscriber(1, {
          mac_address: MAC,
          mac_login: 1,
          static_ip: "10.0.0.7",
          package_id: 2,
          current_expiration_date: formatTime(NOW + 300),
        }),
      ],
    });
    expect(handlers.login(lease())?.attributes["Session-Timeout"]).toEqual([300]);
    handlers.clock.now += 400;
    const reply = handlers.login(lease());
    expect(reply?.attributes).toMatchObject({ "Framed-Pool": ["expired"], "Session-Timeout": [600] });
    expect(reply?.attributes["Framed-IP-Address"]).toBeUndefined();
  });

  test.each([
    ["without a password", ""],
    ["with the MAC address for one (radius-password=same-as-user)", MAC],
  ])("%s; another one is wrong", async (_, password) => {
    await using handlers = await open({ subscribers: [aSubscriber(1, { mac_address: MAC, mac_login: 1 })] });
    expect(handlers.login(lease([], MAC, password))?.code).toBe("Access-Accept");
    expect(handlers.login(lease([], MAC, "x"))?.code).toBe("Access-Reject");
  });

  test("with the one that the DHCP servers of the ISP send for everybody", async () => {
    await using handlers = await open({
      settings: { dhcp_password: "leases" },
      subscribers: [aSubscriber(1, { mac_address: MAC, mac_login: 1 })],
    });
    expect(handlers.login(lease([], MAC, "leases"))?.code).toBe("Access-Accept");
    expect(handlers.login(lease([], MAC, ""))?.code).toBe("Access-Accept");
    expect(handlers.login(lease([], MAC, "other"))?.code).toBe("Access-Reject");
    // nobody dials in by it
    expect(handlers.login({ name: "user1", password: "leases", attributes: pppoe })?.code).toBe(
      "Access-Reject",
    );
  });

  test("a router whose DHCP servers may not ask gets nobody in without a password", async () => {
    await using handlers = await open(
      {
        subscribers: [
          aSubscriber(1, { mac_address: MAC, mac_login: 1 }),
          aSubscriber(2, { username: "00:11:22:33:44:55", mac_login: 1 }),
        ],
      },
      false,
    );
    expect(handlers.login(lease())?.code).toBe("Access-Reject");
    expect(handlers.login(lease([], "00:11:22:33:44:55"))?.code).toBe("Access-Reject");
    expect(handlers.decided.map(({ reason }) => reason)).toEqual(["unknown_user", "wrong_password"]);
  });

  test("option 82: bytes that are no text, and text, name the line; whatever device is behind it", async () => {
    await using handlers = await open({
      subscribers: [
        aSubscriber(1, { circuit_id: "0x000400640001", remote_id: "olt-3" }),
        aSubscriber(2, { circuit_id: "0x000400640001", remote_id: "olt-4" }),
        aSubscriber(3, { circuit_id: "eth 0/7" }),
      ],
    });
    const by = (circuit: Buffer, remote?: Buffer) =>
      handlers.login(lease([redback(97, circuit), ...(remote ? [redback(96, remote)] : [])]))?.code;
    expect(by(CIRCUIT, REMOTE)).toBe("Access-Accept");
    expect(by(CIRCUIT, Buffer.from("olt-4"))).toBe("Access-Accept");
    expect(by(Buffer.from("eth 0/7"), Buffer.from("any"))).toBe("Access-Accept");
    expect(by(CIRCUIT)).toBe("Access-Reject");
    expect(by(CIRCUIT, Buffer.from("olt-5"))).toBe("Access-Reject");
    expect(handlers.decided.map(({ subscriberId }) => subscriberId)).toEqual([1, 2, 3, null, null]);
  });

  test("a device on another line than the subscriber's is nobody; a renewal that no switch marked goes by its device", async () => {
    await using handlers = await open({
      subscribers: [aSubscriber(1, { mac_address: MAC, mac_login: 1, circuit_id: "port 1" })],
    });
    expect(handlers.login(lease([redback(97, Buffer.from("port 2"))]))?.code).toBe("Access-Reject");
    expect(handlers.login(lease([redback(97, Buffer.from("port 1"))]))?.code).toBe("Access-Accept");
    expect(handlers.login(lease())?.code).toBe("Access-Accept");
  });

  test("a device is the ISP's own subscriber's, whoever of another ISP is named by its address", async () => {
    await using handlers = await open({
      ...south,
      subscribers: [
        aSubscriber(1, { mac_address: MAC, mac_login: 1 }),
        aSubscriber(2, { isp_id: 2, username: MAC, package_id: 2, salesperson_id: 3, nas_id: 2 }),
      ],
    });
    expect(handlers.login(lease())?.code).toBe("Access-Accept");
    expect(handlers.decided).toMatchObject([{ subscriberId: 1 }]);
    await handlers.account("Start", [
      ["User-Name", MAC],
      ["Acct-Session-Id", "83a00001"],
      ["Calling-Station-Id", STATION],
    ]);
    expect(handlers.db.$client.query("SELECT subscriber_id AS holder FROM sessions").all()).toEqual([
      { holder: 1 },
    ]);
  });

  test("the line of another ISP's subscriber is nobody's", async () => {
    await using handlers = await open({ subscribers: [aSubscriber(1, { circuit_id: "port 1" })] });
    const south = { address: "127.0.0.2", port: 40_000, localAddress: "127.0.0.1" };
    expect(handlers.login(lease([redback(97, Buffer.from("port 1"))]), south)?.code).toBe("Access-Reject");
  });

  test("accounting goes to the subscriber by the Class of the lease, and a renewal is no second session", async () => {
    await using handlers = await open({ subscribers: [aSubscriber(1, { mac_address: MAC, mac_login: 1 })] });
    const first = handlers.login(lease());
    const attributes: NamedAttribute[] = [
      ["User-Name", MAC],
      ["Acct-Session-Id", "83a00001"],
      ["Calling-Station-Id", STATION],
      ["NAS-Port-Type", "Ethernet"],
      ["Framed-IP-Address", "10.0.0.9"],
      ["Class", first?.attributes["Class"]?.[0] as Buffer],
    ];
    await handlers.account("Start", attributes);
    handlers.clock.now += 900;
    expect(handlers.login(lease())?.code).toBe("Access-Accept");
    const rows = handlers.db.$client
      .query("SELECT subscriber_id AS holder, username, accepted_as AS accepted FROM sessions")
      .all();
    expect(rows).toEqual([{ holder: 1, username: MAC, accepted: "accepted" }]);
  });

  test("a device that calls itself by no MAC address has its lease renewed", async () => {
    await using handlers = await open({ subscribers: [aSubscriber(1, { mac_address: MAC, mac_login: 1 })] });
    const station = "ff:43:6c:a6:fd:0:1:0:1:2a:bb:cc:dd:9c:d6:43:6c:a6:fd";
    const request = lease();
    const attributes = request.attributes.map(([name, value]): NamedAttribute => [
      name,
      name === "Calling-Station-Id" ? station : value,
    ]);
    const first = handlers.login({ ...request, attributes });
    await handlers.account("Start", [
      ["User-Name", MAC],
      ["Acct-Session-Id", "83a00001"],
      ["Calling-Station-Id", station],
      ["Class", classOf(first)],
    ]);
    handlers.clock.now += 900;
    expect(handlers.login({ ...request, attributes })?.code).toBe("Access-Accept");
    expect(handlers.db.$client.query("SELECT mac FROM sessions").all()).toEqual([{ mac: MAC }]);
  });

  test("a renewal gives the session the Class of its Accept, and its bytes count once", async () => {
    await using handlers = await open({ subscribers: [aSubscriber(1, { mac_address: MAC, mac_login: 1 })] });
    const attributes = (
      reply: ReturnType<typeof handlers.login>,
      [octets, seconds]: readonly [number, number],
    ): NamedAttribute[] => [
      ["User-Name", MAC],
      ["Acct-Session-Id", "83a00001"],
      ["Calling-Station-Id", STATION],
      ["NAS-Port-Type", "Ethernet"],
      ["Class", classOf(reply)],
      ["Acct-Input-Octets", octets],
      ["Acct-Session-Time", seconds],
    ];
    const first = handlers.login(lease());
    await handlers.account("Start", attributes(first, [0, 0]));
    handlers.clock.now += 600;
    await handlers.account("Interim-Update", attributes(first, [1000, 600]));
    handlers.db.$client.run("UPDATE services SET rate_limit = '1M/1M'");
    handlers.clock.now += 300;
    const second = handlers.login(lease());
    handlers.clock.now += 300;
    await handlers.account("Interim-Update", attributes(second, [1500, 1200]));
    // one of before, which was on its way, changes nothing
    await handlers.account("Interim-Update", attributes(first, [1000, 600]));
    await handlers.account("Stop", attributes(second, [1600, 1300]));
    const { $client } = handlers.db;
    expect($client.query("SELECT sum(input_octets) AS octets FROM usage_days").all()).toEqual([
      { octets: 1600 },
    ]);
    expect(
      $client.query("SELECT class, input_octets AS octets, granted_rate AS rate FROM sessions").all(),
    ).toEqual([{ class: new Uint8Array(classOf(second)), octets: 1600, rate: rateFingerprint("1M/1M") }]);
  });

  test("a router that sends no Class back: the device says whose session it is", async () => {
    await using handlers = await open({ subscribers: [aSubscriber(1, { mac_address: MAC, mac_login: 1 })] });
    await handlers.account("Start", [
      ["User-Name", MAC],
      ["Acct-Session-Id", "83a00001"],
      ["Calling-Station-Id", STATION],
    ]);
    expect(handlers.db.$client.query("SELECT subscriber_id AS holder FROM sessions").all()).toEqual([
      { holder: 1 },
    ]);
  });
});

describe("DHCPv6 that asks again", () => {
  const homes = aSubscriber(1, { delegated_ipv6_prefix: "2001:db8:1::/56" });

  /** Dials in, with the Start of the session. */
  async function dialled(handlers: TestHandlers) {
    const reply = handlers.login({ name: "user1", password: "pw-1", attributes: pppoe });
    await handlers.account("Start", [
      ["User-Name", "user1"],
      ["Acct-Session-Id", "81a00001"],
      ...pppoe,
      ["Framed-IP-Address", "10.0.0.5"],
      ["Class", reply?.attributes["Class"]?.[0] as Buffer],
    ]);
  }

  test.each([
    ["a DUID with the MAC address of the session", DUID],
    ["a DUID of a link-layer address with a time", "00:01:00:01:2a:bb:cc:dd:9c:d6:43:6c:a6:fd"],
    ["the MAC address", MAC],
    ["a DUID of another device, on the interface of the session", "0x00030001aabbccddeeff"],
  ])("%s: the prefix and the rate, beside the session that is open", async (_, name) => {
    await using handlers = await open({ subscribers: [homes] });
    await dialled(handlers);
    const reply = handlers.login(prefixRequest(name));
    expect(reply).toMatchObject({ code: "Access-Accept", faults: [] });
    const { Class: sessionClass, "Message-Authenticator": __, ...attributes } = reply?.attributes ?? {};
    expect(attributes).toEqual({
      "Mikrotik-Rate-Limit": ["10M/20M"],
      "Delegated-IPv6-Prefix": ["2001:db8:1::/56"],
      "Session-Timeout": [LEASE],
      "Acct-Interim-Interval": [300],
    });
    await handlers.account("Start", [
      ["User-Name", name],
      ["Acct-Session-Id", "83b00001"],
      ["Class", sessionClass?.[0] as Buffer],
    ]);
    expect(handlers.db.$client.query("SELECT username FROM sessions").all()).toEqual([{ username: "user1" }]);
    // and stands in nobody's way
    expect(handlers.login({ name: "user1", password: "pw-1", attributes: pppoe })?.code).toBe(
      "Access-Accept",
    );
  });

  test("a device that dials in gets no address of DHCP beside it, which nobody would count", async () => {
    await using handlers = await open({ subscribers: [homes] });
    await dialled(handlers);
    expect(handlers.login(lease())?.code).toBe("Access-Reject");
    expect(handlers.decided.at(-1)).toMatchObject({ subscriberId: null, reason: "unknown_user" });
  });

  test("beside a lease: the device is that of the line whose lease it has", async () => {
    await using handlers = await open({ subscribers: [{ ...homes, circuit_id: "port 1" }] });
    const first = handlers.login(lease([redback(97, Buffer.from("port 1"))]));
    await handlers.account("Start", [
      ["User-Name", MAC],
      ["Acct-Session-Id", "83a00001"],
      ["Calling-Station-Id", STATION],
      ["Class", first?.attributes["Class"]?.[0] as Buffer],
    ]);
    const request = { ...prefixRequest(), attributes: lease().attributes };
    expect(handlers.login(request)?.attributes["Delegated-IPv6-Prefix"]).toEqual(["2001:db8:1::/56"]);
  });

  test("a device that names itself as another's gets the prefix of its own session, and of none where that is unknown", async () => {
    const neighbour = aSubscriber(2, { delegated_ipv6_prefix: "2001:db8:2::/56" });
    const named = aSubscriber(3, { username: OTHER, mac_login: 1, delegated_ipv6_prefix: "2001:db8:3::/56" });
    await using handlers = await open({ subscribers: [homes, neighbour, named] });
    await dialled(handlers);
    const reply = handlers.login({ name: "user2", password: "pw-2", attributes: dialIn(OTHER) });
    const attributes: NamedAttribute[] = [
      ["User-Name", "user2"],
      ["Acct-Session-Id", "81a00002"],
    ];
    const request = (name: string, called: string) => handlers.login(prefixRequest(name, called));
    // before its own Start
    expect(request(DUID, "<pppoe-user2>")?.code).toBe("Access-Reject");
    expect(request(OTHER, "<pppoe-user2>")?.code).toBe("Access-Reject");
    await handlers.account("Start", [...attributes, ...dialIn(OTHER), ["Class", classOf(reply)]]);
    expect(request(DUID, "<pppoe-user2>")?.attributes["Delegated-IPv6-Prefix"]).toEqual(["2001:db8:2::/56"]);
    // the second interface of a name has a number
    expect(request(DUID, "<pppoe-user1-1>")?.attributes["Delegated-IPv6-Prefix"]).toEqual([
      "2001:db8:1::/56",
    ]);
  });

  test("a device that names itself as that of another line gets the prefix of its own, and on an unknown one nothing", async () => {
    await using handlers = await open({
      subscribers: [
        { ...homes, circuit_id: "port 1" },
        aSubscriber(2, { circuit_id: "port 2", delegated_ipv6_prefix: "2001:db8:2::/56" }),
      ],
    });
    const first = handlers.login(lease([redback(97, Buffer.from("port 1"))]));
    await handlers.account("Start", [
      ["User-Name", MAC],
      ["Acct-Session-Id", "83a00001"],
      ["Calling-Station-Id", STATION],
      ["Class", classOf(first)],
    ]);
    const from = (port: string) =>
      handlers.login({ ...prefixRequest(), attributes: lease([redback(97, Buffer.from(port))]).attributes });
    expect(from("port 1")?.attributes["Delegated-IPv6-Prefix"]).toEqual(["2001:db8:1::/56"]);
    expect(from("port 2")?.attributes["Delegated-IPv6-Prefix"]).toEqual(["2001:db8:2::/56"]);
    expect(from("port 3")?.code).toBe("Access-Reject");
  });

  test("who is not online from that device gets nothing", async () => {
    await using handlers = await open({ subscribers: [homes] });
    expect(handlers.login(prefixRequest())?.code).toBe("Access-Reject");
  });

  test("whichever asks first after a start, the dial-in is granted the same, and is not ended for it", async () => {
    const data = { subscribers: [{ ...homes, static_ip: "10.0.0.7" }] };
    const dial = { name: "user1", password: "pw-1", attributes: pppoe };
    await using first = await open(data);
    const granted = readGranted(classOf(first.login(dial)));
    await using handlers = await open(data);
    await handlers.account("Start", [["User-Name", "user1"], ["Acct-Session-Id", "81a00001"], ...pppoe]);
    expect(handlers.login(prefixRequest())?.code).toBe("Access-Accept");
    expect(readGranted(classOf(handlers.login(dial)))).toEqual(granted);
  });

  test("where IPv4 and IPv6 are two queues each has half of the rate, as long as a line has both", async () => {
    const two = aSubscriber(2, { mac_address: OTHER, mac_login: 1 });
    await using handlers = await open({
      nas: router(true).map((one) => Object.assign(one, { dual_stack: "half" })),
      subscribers: [{ ...homes, mac_address: MAC, mac_login: 1 }, two],
    });
    const rate = (request: Parameters<typeof handlers.login>[0]) =>
      handlers.login(request)?.attributes["Mikrotik-Rate-Limit"];
    const prefix = prefixRequest(DUID, "dhcp6-homes");
    expect(rate(lease())).toEqual(["10M/20M"]); // nobody knows of its prefix yet
    const reply = handlers.login(prefix);
    expect(reply?.attributes["Mikrotik-Rate-Limit"]).toEqual(["5M/10M"]);
    expect(rate(lease())).toEqual(["5M/10M"]);
    // what its session was granted is its rate, so that nobody is told of another
    expect(readGranted(classOf(reply)).grantedRate).toBe(rateFingerprint("10M/20M"));
    expect(rate(lease([], OTHER))).toEqual(["10M/20M"]);
    await dialled(handlers);
    expect(rate(prefixRequest())).toEqual(["10M/20M"]); // who dials in has the queue of its interface
    handlers.clock.now += LEASE;
    expect(rate(lease())).toEqual(["10M/20M"]);
  });

  test("in the walled garden there is no prefix", async () => {
    await using handlers = await open({
      packages: [aPackage(2, { expired_pool: "expired" })],
      subscribers: [{ ...homes, package_id: 2 }],
    });
    await dialled(handlers);
    handlers.clock.now += 11 * DAY;
    expect(handlers.login(prefixRequest())?.code).toBe("Access-Reject");
    expect(handlers.decided.at(-1)).toMatchObject({ reason: "expired" });
  });

  test("the session says which prefix was given, so that it is known who had it", async () => {
    await using handlers = await open({ subscribers: [homes] });
    await dialled(handlers);
    const rows = handlers.db.$client.query("SELECT delegated_ipv6_prefix AS prefix FROM sessions").all();
    expect(rows).toEqual([{ prefix: "2001:db8:1::/56" }]);
  });
});

test("a DUID is told from a MAC address, and has one where it is made of one", () => {
  expect(readDuid(MAC)).toBeUndefined();
  expect(readDuid("user1")).toBeUndefined();
  expect(readDuid(DUID)).toEqual({ mac: MAC });
  expect(readDuid("0x0004" + "ab".repeat(16))).toEqual({ mac: undefined });
});
