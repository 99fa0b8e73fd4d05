import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  forgetMessageAuthenticators,
  latchMessageAuthenticator,
} from "../../../src/domain/goods/nas/sources.ts";
import { ownSecret } from "../../../src/radius/server/clients.ts";
import { aSubscriber } from "../../support/isp.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import type { AccessRequest } from "../../support/radius-credentials.ts";
import { packetMac } from "../../support/radius-proofs.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

const user1: AccessRequest = { name: "user1", password: "pw-1" };
const plain: AccessRequest = { ...user1, messageAuthenticator: false };
const subscribers = [aSubscriber(1)];
const start = [
  ["User-Name", "user1"],
  ["Acct-Session-Id", "81000001"],
] as const;

/** NAS rows that share one secret, by address. */
function routers(...addresses: string[]) {
  return addresses.map((address, i) => ({
    id: i + 1,
    isp_id: 1,
    name: `nas${i}`,
    address,
    secret: "testing123",
  }));
}

function mode(require_message_authenticator: "auto" | "yes" | "no") {
  return [{ ...routers("127.0.0.1")[0], require_message_authenticator }];
}

describe("the source", () => {
  test.each([
    ["127.0.0.1", "nas0"],
    ["10.0.0.77", "nas1"],
    ["10.0.77.1", "nas2"],
    ["10.77.0.1", "nas3"],
    ["::ffff:10.0.0.77", "nas1"],
    ["2001:db8::1", "nas5"],
    ["2001:0DB8:0:0::1", "nas5"],
    ["2001:db8:7::1", "nas4"],
    ["192.168.0.1", null],
    ["2001:db9::1", null],
  ])("%s is %p: an address before a network, the longest prefix first", async (address, nas) => {
    const nets = routers(
      "127.0.0.1",
      "10.0.0.0/24",
      "10.0.0.0/16",
      "10.0.0.0/8",
      "2001:db8::/32",
      "2001:db8::1",
    );
    await using handlers = await TestHandlers.open({ nas: nets, subscribers });
    const reply = handlers.login(user1, { ...FROM, address });
    expect(reply?.code).toBe(nas === null ? undefined : "Access-Accept");
    expect(handlers.dropped).toEqual(nas === null ? ["unknown_nas"] : []);
    expect(handlers.counters.all()).toMatchObject([
      { nas, outcome: nas === null ? "unknown_nas" : "accepted" },
    ]);
  });

  test("a NAS whose stored secret was damaged is unknown, and the others are answered", async () => {
    await using handlers = await TestHandlers.open({ nas: routers("127.0.0.1", "10.0.0.77"), subscribers });
    handlers.db.$client.run("UPDATE nas SET secret_sealed = zeroblob(40) WHERE address = '10.0.0.77'");
    expect(handlers.login(user1)?.code).toBe("Access-Accept");
    expect(handlers.login(user1, { ...FROM, address: "10.0.0.77" })).toBeNull();
    expect(handlers.dropped).toEqual(["unknown_nas"]);
    expect((await handlers.account("Start", start))?.code).toBe("Accounting-Response");
  });

  test("a NAS that is added, changed or removed counts at the very next packet", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const elsewhere = { ...FROM, address: "10.1.1.1" };
    expect(handlers.login(user1, elsewhere)).toBeNull();
    handlers.db.$client.run("UPDATE nas SET address = '10.1.1.0/24' WHERE id = 1");
    expect(handlers.login(user1, elsewhere)?.code).toBe("Access-Accept");
    expect(handlers.login(user1)).toBeNull();
    handlers.db.$client.run("UPDATE subscribers SET nas_id = NULL");
    handlers.db.$client.run("DELETE FROM nas WHERE id = 1");
    expect(handlers.login(user1, elsewhere)).toBeNull();
  });

  test("an unknown source costs no look at the packet", async () => {
    await using handlers = await TestHandlers.open();
    expect(handlers.askRaw(Buffer.alloc(3), { ...FROM, address: "10.1.1.1" })).toBeUndefined();
    expect(handlers.dropped).toEqual(["unknown_nas"]);
  });
});

describe("framing", () => {
  const cut = (change: (packet: Buffer) => Buffer) => (handlers: TestHandlers) =>
    change(handlers.client.prepareAccess(plain).datagram);
  const length = (packet: Buffer, value: number) => {
    packet.writeUInt16BE(value, 2);
    return packet;
  };
  const cases: [string, (handlers: TestHandlers) => Buffer, string][] = [
    ["no byte", () => Buffer.alloc(0), "too_short"],
    ["19 bytes", cut((packet) => packet.subarray(0, 19)), "too_short"],
    ["length 19", cut((packet) => length(packet, 19)), "bad_length"],
    ["length above the datagram", cut((packet) => length(packet, packet.length + 1)), "bad_length"],
    ["length above 4096", () => length(Buffer.alloc(5000, 1), 4097), "bad_length"],
    [
      "attribute of length 0",
      cut((packet) => length(Buffer.concat([packet, Buffer.of(1, 0)]), packet.length + 2)),
      "bad_attribute",
    ],
    [
      "attribute of length 1",
      cut((packet) => length(Buffer.concat([packet, Buffer.of(1, 1)]), packet.length + 2)),
      "bad_attribute",
    ],
    [
      "attribute past the end",
      cut((packet) => length(Buffer.concat([packet, Buffer.of(1, 5, 0)]), packet.length + 3)),
      "bad_attribute",
    ],
    [
      "a dangling byte",
      cut((packet) => length(Buffer.concat([packet, Buffer.of(1)]), packet.length + 1)),
      "bad_attribute",
    ],
    [
      "Message-Authenticator of 17 bytes",
      cut((packet) =>
        length(Buffer.concat([packet, Buffer.of(80, 17), Buffer.alloc(15)]), packet.length + 17),
      ),
      "bad_message_authenticator",
    ],
    [
      "two Message-Authenticators",
      (handlers) => {
        const { datagram } = handlers.client.prepareAccess(user1);
        return length(Buffer.concat([datagram, datagram.subarray(-18)]), datagram.length + 18);
      },
      "bad_message_authenticator",
    ],
  ];
  test.each(cases)("%s is dropped on both ports", async (_, make, reason) => {
    await using handlers = await TestHandlers.open({ subscribers });
    expect(handlers.askRaw(make(handlers))).toBeUndefined();
    expect(await handlers.deliverRaw(make(handlers))).toBeUndefined();
    expect(handlers.dropped).toEqual([reason, reason]);
  });

  test("bytes after the length are padding", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const login = handlers.client.prepareAccess(user1);
    const padded = { ...login, datagram: Buffer.concat([login.datagram, randomBytes(40)]) };
    expect(handlers.login(user1)?.code).toBe("Access-Accept");
    expect(handlers.askRaw(padded.datagram)?.[0]).toBe(2);
    const { datagram } = handlers.client.prepareAccounting("Start", start);
    expect((await handlers.deliverRaw(Buffer.concat([datagram, randomBytes(40)])))?.[0]).toBe(5);
  });

  test.each([0, 2, 3, 5, 6, 11, 13, 40, 41, 43, 45, 255])("code %d is served by no port", async (code) => {
    await using handlers = await TestHandlers.open({ subscribers });
    const { datagram } = handlers.client.prepareAccess(user1);
    datagram[0] = code;
    expect(handlers.askRaw(datagram)).toBeUndefined();
    expect(await handlers.deliverRaw(datagram)).toBeUndefined();
    expect(handlers.dropped).toEqual(["code_not_served", "code_not_served"]);
  });

  test("each port serves its own code", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    expect(handlers.askRaw(handlers.client.prepareAccounting("Start", start).datagram)).toBeUndefined();
    expect(await handlers.deliverRaw(handlers.client.prepareAccess(user1).datagram)).toBeUndefined();
    expect(handlers.dropped).toEqual(["code_not_served", "code_not_served"]);
  });
});

describe("authenticators", () => {
  test("a wrong secret gets no reply where it can be recognised", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const stranger = new RadiusClient({ host: "127.0.0.1", port: 1, acctPort: 2, secret: "other" });
    expect(handlers.ask(stranger.prepareAccess(user1))).toBeNull();
    expect(await handlers.deliver(stranger.prepareAccounting("Start", start))).toBeNull();
    expect(handlers.dropped).toEqual(["bad_message_authenticator", "bad_authenticator"]);
    // without a Message-Authenticator only the garbled password can tell
    expect(
      handlers.askRaw(stranger.prepareAccess({ ...plain, password: "a long password it is" }).datagram)?.[0],
    ).toBe(3);
    expect(handlers.decided).toMatchObject([{ reason: "wrong_password", detail: "garbled" }]);
    await stranger.close();
  });

  test("every single bit of an Accounting-Request is held by its authenticator", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const { datagram } = handlers.client.prepareAccounting("Start", start);
    for (let bit = 0; bit < datagram.length * 8; bit++) {
      const forged = Buffer.from(datagram);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      handlers.accountingHandler.receive(forged, FROM, handlers.clock.uptime, () => {
        throw new Error(`bit ${bit}`);
      });
    }
    await handlers.accountingHandler.drain(60_000);
    expect(handlers.dropped.length).toBe(datagram.length * 8);
  });

  test("a Message-Authenticator may stand anywhere, and is held in Accounting-Requests too", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const { datagram } = handlers.client.prepareAccess(user1);
    const at = datagram.length - 18;
    const first = Buffer.concat([datagram.subarray(0, 20), datagram.subarray(at), datagram.subarray(20, at)]);
    first.set(packetMac(first, first.subarray(4, 20), 22, Buffer.from("testing123")), 22);
    expect(handlers.askRaw(first)?.[0]).toBe(2);
    first[30] = (first[30] ?? 0) ^ 1;
    expect(handlers.askRaw(first)).toBeUndefined();

    const signed = handlers.client.prepareAccounting("Start", start, { messageAuthenticator: true });
    expect(await handlers.deliver(signed)).toMatchObject({ code: "Accounting-Response", faults: [] });
  });

  const proxied: AccessRequest = { ...plain, attributes: [["Proxy-State", Buffer.of(1)]] };
  test.each<["auto" | "yes" | "no", AccessRequest, boolean]>([
    ["yes", user1, true],
    ["yes", plain, false],
    ["no", user1, true],
    ["no", plain, true],
    ["no", proxied, false],
    ["no", { ...proxied, messageAuthenticator: true }, true],
    ["auto", user1, true],
    ["auto", plain, true],
    ["auto", proxied, false],
  ])("require_message_authenticator %s: %o is served: %p", async (required, request, served) => {
    await using handlers = await TestHandlers.open({ nas: mode(required), subscribers });
    expect(handlers.login(request)?.code).toBe(served ? "Access-Accept" : undefined);
    expect(handlers.dropped).toEqual(served ? [] : ["message_authenticator_missing"]);
  });

  test("auto is yes ever after the first valid one", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    expect(handlers.login(plain)?.code).toBe("Access-Accept");
    const forged = handlers.client.prepareAccess(user1);
    forged.datagram[forged.datagram.length - 1] = (forged.datagram.at(-1) ?? 0) ^ 1;
    expect(handlers.ask(forged)).toBeNull();
    expect(handlers.login(plain)?.code).toBe("Access-Accept");
    expect(handlers.latched).toEqual([]);

    expect(handlers.login(user1)?.code).toBe("Access-Accept");
    expect(handlers.latched).toEqual(["1 127.0.0.1"]);
    expect(handlers.login(plain)).toBeNull();
    expect(handlers.login(user1)?.code).toBe("Access-Accept");
    expect(handlers.latched).toEqual(["1 127.0.0.1"]);
  });

  test("Status-Server latches nothing: a monitor is no router", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    handlers.askRaw(statusServer(randomBytes(16)));
    expect(handlers.latched).toEqual([]);
    expect(handlers.login(plain)?.code).toBe("Access-Accept");
  });

  test("the latch is kept in the store", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const source = { nasId: 1, address: "127.0.0.1" };
    latchMessageAuthenticator(handlers.db, source, NOW);
    expect(handlers.login(plain)).toBeNull();
    expect(forgetMessageAuthenticators(handlers.db, 1, true)).toEqual(["127.0.0.1"]);
    expect(handlers.login(plain)?.code).toBe("Access-Accept");
  });

  test("the latch holds, whatever was changed between the packet and its record", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    handlers.login(user1);
    handlers.db.$client.run("UPDATE nas SET coa_port = 1700");
    expect(handlers.login(plain)?.code).toBe("Access-Accept");
    latchMessageAuthenticator(handlers.db, { nasId: 1, address: "127.0.0.1" }, NOW);
    expect(handlers.login(plain)).toBeNull();
  });

  test("a router of a network that sends one leaves its neighbours as they are", async () => {
    await using handlers = await TestHandlers.open({ nas: routers("127.0.0.0/8"), subscribers });
    const neighbour = { ...FROM, address: "127.0.0.9" };
    expect(handlers.login(user1)?.code).toBe("Access-Accept");
    expect(handlers.login(plain)).toBeNull();
    expect(handlers.login(plain, neighbour)).not.toBeNull();
    expect(handlers.login(user1, neighbour)).not.toBeNull();
    expect(handlers.login(plain, neighbour)).toBeNull();
    expect(handlers.latched).toEqual(["1 127.0.0.1", "1 127.0.0.9"]);
  });

  test("the latches of a network are bounded, whoever has its secret", async () => {
    await using handlers = await TestHandlers.open({ nas: routers("10.0.0.0/8"), subscribers });
    const from = (i: number) => ({ ...FROM, address: `10.0.${i >> 8}.${i & 255}` });
    const { datagram } = handlers.client.prepareAccess(user1);
    for (let i = 0; i < 4097; i++) handlers.askRaw(datagram, from(i));
    expect(handlers.latched).toHaveLength(4096);
    expect(handlers.login(plain, from(4095))).toBeNull();
    expect(handlers.login(plain, from(4096))).not.toBeNull();
  });

  test.each(["yes", "no"] as const)("nothing is latched where %s is said", async (required) => {
    await using handlers = await TestHandlers.open({ nas: mode(required), subscribers });
    handlers.login(user1);
    expect(handlers.latched).toEqual([]);
  });

  test("an Access-Request without a Message-Authenticator may not carry EAP", async () => {
    await using handlers = await TestHandlers.open({ nas: mode("no"), subscribers });
    const eap: AccessRequest = {
      ...plain,
      method: "none",
      attributes: [["EAP-Message", Buffer.of(2, 0, 0, 4)]],
    };
    expect(handlers.login(eap)).toBeNull();
  });
});

describe("this appliance asking itself", () => {
  const own = (handlers: TestHandlers) =>
    new RadiusClient({ host: "127.0.0.1", port: 1, acctPort: 2, secret: ownSecret(handlers.db.vault) });
  test.each([
    ["beside a router on the same address", "127.0.0.1", "Access-Accept"],
    ["without a router there", "127.0.0.99", "Access-Accept"],
    ["over IPv6", "::1", "Access-Accept"],
    ["from elsewhere it is nobody", "10.0.0.1", undefined],
  ])("is answered by its own secret: %s", async (_, address, code) => {
    await using handlers = await TestHandlers.open({ subscribers });
    const client = own(handlers);
    const signed = client.prepareAccess(user1);
    const reply = handlers.askRaw(signed.datagram, { ...FROM, address });
    expect(reply && client.judge(reply, signed).code).toBe(code);
    if (code) expect(handlers.decided).toMatchObject([{ nasId: null, reason: "accepted" }]);
    expect(handlers.latched).toEqual([]);
    await client.close();
  });

  test("needs a Message-Authenticator, and has no accounting", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const client = own(handlers);
    const source = { ...FROM, address: "127.0.0.99" };
    expect(handlers.askRaw(client.prepareAccess(plain).datagram, source)).toBeUndefined();
    expect(
      await handlers.deliverRaw(client.prepareAccounting("Start", start).datagram, source),
    ).toBeUndefined();
    expect(handlers.dropped).toEqual(["unknown_nas", "unknown_nas"]);
    await client.close();
  });

  test("does not hide what is wrong with a router's packet", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const stranger = new RadiusClient({ host: "127.0.0.1", port: 1, acctPort: 2, secret: "other" });
    expect(handlers.askRaw(stranger.prepareAccess(user1).datagram)).toBeUndefined();
    expect(handlers.dropped).toEqual(["bad_message_authenticator"]);
    await stranger.close();
  });
});

function statusServer(authenticator: Buffer, messageAuthenticator = true): Buffer {
  const packet = Buffer.concat([Buffer.of(12, 7, 0, messageAuthenticator ? 38 : 20), authenticator]);
  if (!messageAuthenticator) return packet;
  const signed = Buffer.concat([packet, Buffer.of(80, 18), Buffer.alloc(16)]);
  signed.set(packetMac(signed, authenticator, 22, Buffer.from("testing123")), 22);
  return signed;
}

describe("Status-Server", () => {
  test("is answered by each port in its way, and only with a valid Message-Authenticator", async () => {
    await using handlers = await TestHandlers.open({ nas: mode("no") });
    const signed = statusServer(randomBytes(16));
    expect(handlers.askRaw(signed)?.[0]).toBe(2);
    expect((await handlers.deliverRaw(signed))?.[0]).toBe(5);
    const bare = statusServer(randomBytes(16), false);
    expect(handlers.askRaw(bare)).toBeUndefined();
    signed[37] = (signed[37] ?? 0) ^ 1;
    expect(handlers.askRaw(signed)).toBeUndefined();
    expect(handlers.dropped).toEqual(["message_authenticator_missing", "bad_message_authenticator"]);
  });
});

describe("Proxy-State", () => {
  const states = ["one", "two", "three"].map((text) => ["Proxy-State", Buffer.from(text)] as const);
  test("is echoed in order, in an Accept, a Reject and an Accounting-Response", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    // the client compares them; here only that it had something to compare
    const accept = handlers.login({ ...user1, attributes: states });
    const reject = handlers.login({ ...user1, password: "x", attributes: states });
    const response = await handlers.account("Start", [...start, ...states]);
    for (const reply of [accept, reject, response]) {
      expect(reply?.faults).toEqual([]);
      expect(reply?.attributes["Proxy-State"]?.map(String)).toEqual(["one", "two", "three"]);
    }
  });

  test("that leaves no room for a reply is refused and counted, and the next request is answered", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const sizes = [...Array.from({ length: 15 }, () => 248), 190];
    const many = sizes.map((size) => ["Proxy-State", Buffer.alloc(size, 7)] as const);
    const login = { ...user1, method: "mschapv2", attributes: many } as const;
    expect(handlers.login(login)).toBeNull();
    expect(handlers.dropped).toEqual(["reply_too_long"]);
    expect(handlers.counters.all()).toMatchObject([{ kind: "dropped", outcome: "reply_too_long", count: 1 }]);
    expect(handlers.login(user1)?.code).toBe("Access-Accept");
  });
});

describe("duplicates", () => {
  test("get the same bytes again for 10 s, without the work", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const login = handlers.client.prepareAccess(user1).datagram;
    const first = handlers.askRaw(login);
    handlers.clock.uptime += 9.9;
    expect(handlers.askRaw(login)).toEqual(first);
    expect(handlers.decided.length).toBe(1);
    handlers.clock.uptime += 0.2;
    const later = handlers.askRaw(login);
    expect(later?.[0]).toBe(2);
    expect(later).not.toEqual(first);
    expect(handlers.decided.length).toBe(2);
    expect(handlers.counters.all()).toContainEqual({
      nas: "core",
      kind: "Access-Request",
      outcome: "repeated",
      count: 1,
    });
  });

  test("are told apart by address, port, identifier, code and authenticator", async () => {
    await using handlers = await TestHandlers.open({ nas: routers("127.0.0.0/8"), subscribers });
    const { datagram } = handlers.client.prepareAccess(plain);
    const otherIdentifier = Buffer.from(datagram);
    otherIdentifier[1] = (otherIdentifier[1] ?? 0) ^ 1;
    const replies = [
      handlers.askRaw(datagram),
      handlers.askRaw(datagram, { ...FROM, address: "127.0.0.9" }),
      handlers.askRaw(datagram, { ...FROM, port: 4 }),
      handlers.askRaw(otherIdentifier),
      handlers.askRaw(handlers.client.prepareAccess(plain).datagram),
    ];
    expect(new Set(replies.map((reply) => reply?.toString("hex"))).size).toBe(5);
    expect(handlers.decided.length).toBe(5);
  });

  test("other bytes under the same key are dropped", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const { datagram } = handlers.client.prepareAccess(plain);
    expect(handlers.askRaw(datagram)?.[0]).toBe(2);
    const other = Buffer.from(datagram);
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
    expect(handlers.askRaw(other)).toBeUndefined();
    expect(handlers.dropped).toEqual(["duplicate_conflict"]);
  });

  test("get nothing while the first is in progress", async () => {
    await using handlers = await TestHandlers.open({ subscribers });
    const { datagram } = handlers.client.prepareAccounting("Start", start);
    const replies: Buffer[] = [];
    for (let i = 0; i < 3; i++) {
      handlers.accountingHandler.receive(datagram, FROM, handlers.clock.uptime, (reply) =>
        replies.push(reply),
      );
    }
    expect(handlers.dropped).toEqual(["duplicate_in_progress", "duplicate_in_progress"]);
    await handlers.accountingHandler.drain(60_000);
    expect(replies.length).toBe(1);
    expect(await handlers.deliverRaw(datagram)).toEqual(replies[0]);
  });

  test("the memory of them is bounded, and the oldest go first", async () => {
    const { Duplicates } = await import("../../../src/radius/server/duplicates.ts");
    const { parsePacket } = await import("../../../src/radius/packet/packet.ts");
    const duplicates = new Duplicates();
    const packet = (i: number) => {
      const bytes = Buffer.alloc(20);
      bytes.writeUInt16BE(20, 2);
      bytes.writeUInt32BE(i, 4);
      const parsed = parsePacket(bytes);
      if (typeof parsed === "string") throw new Error(parsed);
      return parsed;
    };
    for (let i = 0; i < 70_000; i++) duplicates.check(packet(i), { address: "127.0.0.1", port: 1 }, 1);
    expect(duplicates.size).toBeLessThanOrEqual(65_536);
    expect(duplicates.check(packet(69_999), { address: "127.0.0.1", port: 1 }, 2).kind).toBe("repeat");
    expect(duplicates.check(packet(0), { address: "127.0.0.1", port: 1 }, 2).kind).toBe("new");
    duplicates.check(packet(99_999), { address: "127.0.0.1", port: 1 }, 20);
    expect(duplicates.size).toBe(1);
  });
});
