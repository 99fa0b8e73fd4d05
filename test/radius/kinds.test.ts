import { describe, expect, test } from "bun:test";
import type { NasKind } from "../../src/domain/goods/nas/kinds.ts";
import { nasKinds } from "../../src/domain/goods/nas/kinds.ts";
import type { NamedAttribute } from "../../src/radius/packet/codec.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { radclient } from "../support/radclient.ts";
import { TestHandlers } from "../support/radius-handlers.ts";
import { NOW } from "../support/store.ts";

const router = (kind: NasKind) => ({
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, kind }],
});

const sold = aPackage(2, {
  rate_limit: "5M/20M 8M/30M 4M/15M 8/8",
  data_quota_bytes: 5_000_000_000,
  quota_exceeded: "512k/1M",
  framed_pool: "home",
  delegated_ipv6_pool: "pd",
  address_list: "paid",
  idle_timeout: 600,
});

/** Asks over UDP as FreeRADIUS's radclient does it, which prints the answer by the names of its own dictionaries. */
async function attributesOf(handlers: TestHandlers, more = ""): Promise<string[]> {
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    binaryType: "buffer",
    socket: {
      data: (own, datagram, port, address) => {
        const from = { address, port, localAddress: "127.0.0.1" };
        const reply = handlers.askRaw(Buffer.from(datagram), from);
        if (reply) own.send(reply, port, address);
      },
    },
  });
  try {
    const request = `User-Name = "user1", User-Password = "pw-1", Service-Type = Framed-User, Framed-Protocol = PPP${more}`;
    const answer = await radclient(`127.0.0.1:${socket.port}`, "auth", NAS_SECRET, request);
    return answer
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => / = /.test(line) && !/^(Message-Authenticator|Class) = /.test(line));
  } finally {
    socket.close();
  }
}

const framed = ["Service-Type = Framed-User", "Framed-Protocol = PPP"];
const timeouts = ["Session-Timeout = 864000", "Idle-Timeout = 600", "Acct-Interim-Interval = 300"];
const pool = 'Framed-Pool = "home"';

/** What each kind is told of the same package. */
const expected: Readonly<Record<NasKind, readonly string[]>> = {
  mikrotik: [
    'Mikrotik-Rate-Limit = "5M/20M 8M/30M 4M/15M 8/8"',
    pool,
    'Mikrotik-Delegated-IPv6-Pool = "pd"',
    'Mikrotik-Address-List = "paid"',
    ...timeouts,
    "Mikrotik-Total-Limit = 705032704",
    "Mikrotik-Total-Limit-Gigawords = 1",
  ],
  "accel-ppp": ['Filter-Id = "20000/5000"', pool, 'Delegated-IPv6-Prefix-Pool = "pd"', ...timeouts],
  cisco: [
    ...framed,
    'Cisco-AVPair = "ip:sub-qos-policy-in=up-5M"',
    'Cisco-AVPair = "ip:sub-qos-policy-out=down-20M"',
    pool,
    'Delegated-IPv6-Prefix-Pool = "pd"',
    'Filter-Id = "paid.in"',
    ...timeouts,
  ],
  huawei: [
    ...framed,
    "Huawei-Input-Average-Rate = 5000000",
    "Huawei-Input-Peak-Rate = 8000000",
    "Huawei-Output-Average-Rate = 20000000",
    "Huawei-Output-Peak-Rate = 30000000",
    pool,
    'Huawei-Delegated-IPv6-Prefix-Pool = "pd"',
    'Filter-Id = "paid"',
    ...timeouts,
  ],
  juniper: [
    ...framed,
    'ERX-Ingress-Policy-Name = "paid"',
    'ERX-Egress-Policy-Name = "down-20M"',
    pool,
    'ERX-IPv6-Delegated-Pool-Name = "pd"',
    ...timeouts,
  ],
  generic: [
    ...framed,
    "WISPr-Bandwidth-Max-Up = 5000000",
    "WISPr-Bandwidth-Max-Down = 20000000",
    pool,
    'Delegated-IPv6-Prefix-Pool = "pd"',
    'Filter-Id = "paid"',
    ...timeouts,
  ],
};

test.each([...nasKinds])("radclient reads from an Accept to %p what its kind is told", async (kind) => {
  await using handlers = await TestHandlers.open({
    ...router(kind),
    packages: [sold],
    subscribers: [aSubscriber(1, { package_id: 2 })],
  });
  expect(await attributesOf(handlers)).toEqual([...expected[kind]]);
});

describe("further attributes", () => {
  const lines = [
    "Framed-Route=10.9.0.0/24 10.0.0.7 1",
    "Cisco-AVPair=ip:vrf-id=GOLD",
    "Cisco-AVPair=ip:sub-qos-policy-out=gold-out",
    "Idle-Timeout=60",
    "Tunnel-Type:1=VLAN",
    "Tunnel-Medium-Type:1=IEEE-802",
    "Tunnel-Private-Group-Id:1=120",
    "DNS-Server-IPv6-Address=2001:db8::53",
    "Chargeable-User-Identity=0x0a1b",
    "ERX-Service-Activate:1=video(5m)",
    "Huawei-Qos-Profile-Name=gold",
    "MS-Primary-DNS-Server=10.0.0.53",
    "WISPr-Redirection-URL=http://isp.example/",
    "Mikrotik-Group=office",
  ];

  test("stand in place of what is ours of the same name, and radclient reads each by its name", async () => {
    await using handlers = await TestHandlers.open({
      ...router("cisco"),
      packages: [
        aPackage(2, { rate_limit: "5M/20M", idle_timeout: 600, reply_attributes: lines.join("\n") }),
      ],
      subscribers: [aSubscriber(1, { package_id: 2, reply_attributes: "cisco-avpair=ip:vrf-id=OFFICE" })],
    });
    expect(await attributesOf(handlers)).toEqual([
      ...framed,
      'Cisco-AVPair = "ip:sub-qos-policy-in=up-5M"',
      "Session-Timeout = 864000",
      "Acct-Interim-Interval = 300",
      'Framed-Route = "10.9.0.0/24 10.0.0.7 1"',
      'Cisco-AVPair = "ip:sub-qos-policy-out=gold-out"',
      "Idle-Timeout = 60",
      "Tunnel-Type:1 = VLAN",
      "Tunnel-Medium-Type:1 = IEEE-802",
      'Tunnel-Private-Group-Id:1 = "120"',
      "DNS-Server-IPv6-Address = 2001:db8::53",
      "Chargeable-User-Identity = 0x0a1b",
      'ERX-Service-Activate:1 = "video(5m)"',
      'Huawei-Qos-Profile-Name = "gold"',
      "MS-Primary-DNS-Server = 10.0.0.53",
      'WISPr-Redirection-URL = "http://isp.example/"',
      'Mikrotik-Group = "office"',
      'Cisco-AVPair = "ip:vrf-id=OFFICE"',
    ]);
  });

  const states: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
    ["a line that is paid for", {}, ["Mikrotik-Rate-Limit=100M/100M", "Mikrotik-Group=office"]],
    [
      "one that is slowed down keeps the slower rate",
      { quota_used: 1000 },
      ["Mikrotik-Rate-Limit=512k/512k", "Mikrotik-Group=office"],
    ],
    ["the walled garden has none of them", { expires_at: NOW - DAY }, ["Mikrotik-Rate-Limit=512k/512k"]],
  ];
  test.each(states)("%s", async (_, columns, expected) => {
    await using handlers = await TestHandlers.open({
      packages: [
        aPackage(2, {
          rate_limit: "5M/20M",
          data_quota_bytes: 1000,
          quota_exceeded: "512k/512k",
          expired_pool: "walled",
          reply_attributes: "Mikrotik-Rate-Limit=100M/100M\nMikrotik-Group=office",
        }),
      ],
      subscribers: [aSubscriber(1, { package_id: 2 })],
    });
    for (const [name, value] of Object.entries(columns))
      handlers.db.$client.run(`UPDATE services SET ${name} = ?`, [Number(value)]);
    const reply = handlers.login({ name: "user1", password: "pw-1" });
    const attributes = reply?.attributes ?? {};
    const names = ["Mikrotik-Rate-Limit", "Mikrotik-Group"].flatMap((name) =>
      (attributes[name] ?? []).map((value) => `${name}=${String(value)}`),
    );
    expect(names).toEqual([...expected]);
  });
});

test("whom only an address list would confine does not get in where a router knows none", async () => {
  const garden = aPackage(2, { expired_address_list: "walled" });
  for (const kind of nasKinds) {
    await using handlers = await TestHandlers.open({
      ...router(kind),
      packages: [garden],
      subscribers: [aSubscriber(1, { package_id: 2 })],
    });
    handlers.db.$client.run("UPDATE services SET expires_at = ?", [NOW - 1]);
    const reply = handlers.login({ name: "user1", password: "pw-1" });
    const isConfined = kind !== "accel-ppp";
    expect([kind, reply?.code]).toEqual([kind, isConfined ? "Access-Accept" : "Access-Reject"]);
    expect([kind, handlers.decided.at(-1)?.reason]).toEqual([
      kind,
      isConfined ? "accepted_expired" : "expired",
    ]);
  }
});

const MAC = "00:50:56:25:8B:97";
/** How each says which device it is about. */
const devices: readonly (readonly [string, readonly NamedAttribute[]])[] = [
  ["RouterOS", [["Calling-Station-Id", MAC]]],
  ["RouterOS, DHCP", [["Calling-Station-Id", "1:0:50:56:25:8b:97"]]],
  ["accel-ppp", [["Calling-Station-Id", "00:50:56:25:8b:97"]]],
  ["Cisco", [["Calling-Station-Id", "0050.5625.8b97"]]],
  ["Cisco, ietf", [["Calling-Station-Id", "00-50-56-25-8b-97"]]],
  ["Cisco, unformatted", [["Calling-Station-Id", "005056258b97"]]],
  ["Cisco, beside its port", [["Calling-Station-Id", "0050.5625.8b97 #CISCO#Gi0/1.100"]]],
  [
    "Cisco without Calling-Station-Id",
    [
      ["Cisco-AVPair", "circuit-id-tag=slot1"],
      ["Cisco-AVPair", "client-mac-address=0050.5625.8b97"],
    ],
  ],
  ["Huawei", [["Calling-Station-Id", "0050-5625-8b97"]]],
  ["Huawei, in an attribute of its own", [["Huawei-User-Mac", "0050-5625-8b97"]]],
  ["Juniper", [["Calling-Station-Id", "#0050.5625.8b97#ge-1/0/0:100"]]],
  [
    "Juniper, DHCP",
    [
      ["Calling-Station-Id", "#isp#ge-1/0/0:100"],
      ["ERX-Dhcp-Mac-Addr", "0050.5625.8b97"],
    ],
  ],
  ["Juniper, PPPoE", [["ERX-Pppoe-Description", "pppoe 00:50:56:25:8b:97"]]],
];

/** It may ask without a password. */
const unproven = [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, dhcp: true }];

describe("the MAC address", () => {
  test.each(devices)("of %s is known at the login and in accounting", async (_, attributes) => {
    await using handlers = await TestHandlers.open({
      nas: unproven,
      subscribers: [aSubscriber(1, { mac_address: MAC, mac_lock: 1, mac_login: 1 })],
    });
    handlers.login({ name: "user1", password: "", attributes });
    expect(handlers.decided).toMatchObject([{ reason: "accepted", mac: MAC, subscriberId: 1 }]);
    await handlers.account("Start", [["User-Name", "user1"], ["Acct-Session-Id", "1A2B"], ...attributes]);
    expect(handlers.db.$client.query("SELECT mac FROM sessions").all()).toEqual([{ mac: MAC }]);
  });

  test.each(["0050.5625.8b97", "0050-5625-8B97", "005056258b97", "00-50-56-25-8b-97", MAC])(
    "who logs in by it is found by %s, and its session is booked on it",
    async (name) => {
      await using handlers = await TestHandlers.open({
        nas: unproven,
        subscribers: [aSubscriber(1, { username: MAC, mac_login: 1 })],
      });
      handlers.login({ name, password: "", attributes: [["Calling-Station-Id", name]] });
      expect(handlers.decided).toMatchObject([{ reason: "accepted", subscriberId: 1 }]);
      await handlers.account("Start", [
        ["User-Name", name],
        ["Acct-Session-Id", "1A2B"],
      ]);
      const booked = handlers.db.$client.query("SELECT subscriber_id AS id FROM sessions").all();
      expect(booked).toEqual([{ id: 1 }]);
    },
  );

  test("who may not log in by it is found by its name alone", async () => {
    await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1, { username: MAC })] });
    handlers.login({ name: "0050.5625.8b97", password: "pw-1" });
    expect(handlers.decided).toMatchObject([{ reason: "unknown_user" }]);
  });
});

/** What each sends with its accounting, beside what all do. */
const dialects: readonly (readonly [NasKind, readonly NamedAttribute[]])[] = [
  [
    "mikrotik",
    [
      ["NAS-Port-Id", "ether2"],
      ["NAS-Port", 15_728_640],
      ["Acct-Session-Id", "81000001"],
    ],
  ],
  [
    "accel-ppp",
    [
      ["NAS-Port-Id", "ppp0"],
      ["NAS-Port", 0],
      ["Acct-Session-Id", "3c6b2e8a11f2a0d4"],
    ],
  ],
  [
    "cisco",
    [
      ["NAS-Port-Id", "0/0/1/100"],
      ["NAS-Port", 60_000],
      ["Acct-Session-Id", "0000001A"],
    ],
  ],
  [
    "huawei",
    [
      ["NAS-Port-Id", "slot=1;subslot=0;port=2;vlanid=100;"],
      ["Acct-Session-Id", "BRAS-0102000100f2e3c4d5e6f7a8b9c0d1e2"],
    ],
  ],
  [
    "juniper",
    [
      ["NAS-Port-Id", "ge-1/0/0.1073741824:100"],
      ["Acct-Session-Id", "48"],
    ],
  ],
  ["generic", [["Acct-Session-Id", "5F00-001"]]],
];

describe("a session", () => {
  test.each(dialects)(
    "of %p keeps its Class, and counts beyond 32 bits from and to the subscriber",
    async (kind, own) => {
      await using handlers = await TestHandlers.open({
        ...router(kind),
        subscribers: [aSubscriber(1), aSubscriber(2)],
      });
      const report = (id: number, mac: string): NamedAttribute[] => [
        ["User-Name", `user${id}`],
        ...own.map(([name, value]): NamedAttribute => [
          name,
          name === "Acct-Session-Id" ? `${String(value)}${id}` : value,
        ]),
        ["Calling-Station-Id", mac],
      ];
      const login = (id: number) => {
        const reply = handlers.login({ name: `user${id}`, password: `pw-${id}` });
        return [["Class", reply?.attributes["Class"]?.[0] as Buffer]] satisfies NamedAttribute[];
      };
      const [first, second] = [login(1), login(2)];
      await handlers.account("Start", [...report(1, MAC), ...first]);
      // many name the same NAS-Port-Id for everybody
      await handlers.account("Start", [...report(2, "00:50:56:25:8B:98"), ...second]);
      handlers.clock.now += 600;
      await handlers.account("Interim-Update", [
        ...[...report(1, MAC), ...first],
        ["Acct-Session-Time", 600],
        ["Acct-Input-Octets", 7],
        ["Acct-Input-Gigawords", 1],
        ["Acct-Output-Octets", 9],
        ["Acct-Output-Gigawords", 2],
      ]);
      const rows = handlers.db.$client
        .query(
          `SELECT subscriber_id AS id, class, input_octets AS up, output_octets AS down, stopped_at AS stopped,
           accepted_as AS acceptedAs FROM sessions ORDER BY id`,
        )
        .all();
      expect(rows).toEqual([
        {
          id: 1,
          class: new Uint8Array(first[0]?.[1] ?? []),
          stopped: null,
          acceptedAs: "accepted",
          up: 2 ** 32 + 7,
          down: 2 * 2 ** 32 + 9,
        },
        {
          id: 2,
          class: new Uint8Array(second[0]?.[1] ?? []),
          up: 0,
          down: 0,
          stopped: null,
          acceptedAs: "accepted",
        },
      ]);
    },
  );
});
