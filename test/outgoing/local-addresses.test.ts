import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ChannelSettings } from "../../src/domain/around/messages/channel-settings.ts";
import type { Channel } from "../../src/domain/around/messages/channels.ts";
import { NotSent, outside, type Outside, request } from "../../src/outgoing/request.ts";
import { sendMessage } from "../../src/outgoing/send-message.ts";
import { nameServer } from "../support/name-server.ts";

/** Whoever connects to this machine, at whatever address. */
let connections = 0;
const inside = createServer((socket) => {
  connections++;
  socket.on("error", () => {});
  socket.end();
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, "::", resolve));
  const address = inside.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  ({ port } = address);
});
afterAll(() => void inside.close());
beforeEach(() => void (connections = 0));

/** Of the public internet (2000::/3), and given to nobody: it leads nowhere. */
const PUBLIC = "2e00::9";
const quick: Outside = { ...outside, milliseconds: 400 };

function channelOf(settings: ChannelSettings, allowLocal: number): Channel {
  return {
    id: 1,
    ispId: 1,
    name: "Try",
    kind: settings.kind,
    address: "none",
    isSms: 0,
    perMinute: 60,
    passesId: 0,
    disabledAt: null,
    downSince: null,
    downReason: null,
    tryAt: null,
    createdAt: 0,
    allowLocal,
    settings,
    secrets: [],
    missing: [],
  };
}

const message = { id: "msg_1", to: "ann@x.example", subject: "", body: "x", language: "en", username: "" };
/** What is said to who calls a host by each of the ways in which the product calls anybody. */
const ways: Record<string, (host: string, world: Outside, allowLocal: boolean) => Promise<string>> = {
  "a webhook": async (host, world, allowLocal) => {
    try {
      const call = { method: "POST", url: `http://${host}:${port}/`, headers: {}, body: "x", allowLocal };
      return String((await request(call, world)).status);
    } catch (error) {
      if (error instanceof NotSent) return error.message;
      throw error;
    }
  },
  "an HTTP channel": (host, world, allowLocal) =>
    attempt(
      {
        kind: "http",
        method: "POST",
        url: `http://${host}:${port}/`,
        headers: "",
        bodyKind: "none",
        body: "",
        success: "2xx",
        match: "",
      },
      { world, allowLocal },
    ),
  "a mail server": (host, world, allowLocal) =>
    attempt(
      {
        kind: "smtp",
        host: host.replace(/^\[|\]$/g, ""),
        port,
        tls: "none",
        user: "",
        from: "a@x.example",
        replyTo: "",
      },
      { world, allowLocal },
    ),
};

async function attempt(
  settings: ChannelSettings,
  { world, allowLocal }: { world: Outside; allowLocal: boolean },
): Promise<string> {
  const channel = channelOf(settings, allowLocal ? 1 : 0);
  const came = await sendMessage({ channel, secrets: {} }, message, world);
  return came.kind === "sent" ? "sent" : came.reason;
}

const NOT_PUBLIC = "not an address of the public internet";

describe.each(Object.entries(ways))("%s", (_, call) => {
  test.each([
    ...[
      "127.0.0.1",
      "127.8.8.8",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0x7f.1",
      "0177.0.0.1",
      "017700000001",
    ],
    ...["localhost", "LOCALHOST", "0.0.0.0", "0", "255.255.255.255"],
    ...["[::1]", "[0:0::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::7f00:1]"],
    ...[
      "[64:ff9b::7f00:1]",
      "[64:ff9b::a9fe:a9fe]",
      "[64:ff9b:1::a00:1]",
      "[2002:7f00:1::]",
      "[2002:a00:1::1]",
    ],
    ...["[fe80::1]", "[febf::1]", "[fec0::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[2001:db8::1]"],
    ...["169.254.169.254", "100.100.100.200", "100.64.0.1", "10.0.0.1", "172.16.0.1", "172.31.255.254"],
    ...["192.168.1.1", "192.0.0.192", "198.18.0.1", "224.0.0.1", "239.255.255.250", "240.0.0.1"],
  ])("%s is not called", async (host) => {
    expect(await call(host, quick, false)).toContain(NOT_PUBLIC);
    expect(connections).toBe(0);
  });

  // which name servers may not know
  test.each(["127.0.0.1.", "localhost.", "nobody.localhost"])("%s leads nowhere", async (host) => {
    expect(await call(host, quick, false)).toMatch(
      /not an address of the public internet|could not be resolved/,
    );
    expect(connections).toBe(0);
  });

  test("no address of this machine is called, whatever it is", async () => {
    const own = Object.values(networkInterfaces()).flatMap((card) =>
      (card ?? []).map(({ address }) => address),
    );
    expect(own.length).toBeGreaterThan(0);
    for (const address of own.filter((one) => !one.includes("%")))
      expect(await call(address.includes(":") ? `[${address}]` : address, quick, false)).toContain(
        "is not an address of the public internet; where that is meant, an Admin ticks",
      );
    const words = await call(
      "site.example",
      { ...quick, resolve: async () => [PUBLIC], own: () => [PUBLIC] },
      false,
    );
    expect(words).toContain(`site.example is ${PUBLIC}, which is an address of this machine`);
    expect(connections).toBe(0);
  });

  test("a name is asked for once, by datagrams, and what it leads to is looked at whole", async () => {
    using names = await nameServer({
      "turns.example": [[PUBLIC], ["127.0.0.1", "::1"]],
      "both.example": [[PUBLIC, "192.168.0.1"]],
      "six.example": [[PUBLIC, "::1"]],
      "maps.example": [["::ffff:127.0.0.1"]],
      "inside.example": [["127.0.0.1"]],
    });
    const world = { ...quick, resolve: names.resolve };
    // connected to what was looked at, or not at all
    expect(await call("turns.example", world, false)).not.toContain(NOT_PUBLIC);
    expect(connections).toBe(0);
    expect(names.asked.toSorted()).toEqual(["A turns.example", "AAAA turns.example"]);
    // asked again it leads to us, and is refused
    expect(await call("turns.example", world, false)).toContain(NOT_PUBLIC);
    for (const host of ["both.example", "six.example", "maps.example", "inside.example"])
      expect(await call(host, world, false)).toContain(`${host} is `);
    expect(await call("nobody.example", world, false)).toContain("has no address");
    expect(connections).toBe(0);
    await call("inside.example", world, true);
    expect(connections).toBe(1);
  });
});

test("letters and digits of other scripts are the same names", async () => {
  const webhook = ways["a webhook"];
  for (const host of [
    "\uff11\uff12\uff17.0.0.1",
    "127\u30020\u30020\u30021",
    "\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3",
  ])
    expect(await webhook?.(host, quick, false)).toContain(NOT_PUBLIC);
  expect(connections).toBe(0);
});
