import { afterAll, describe, expect, test } from "bun:test";

import { type Role, verifyRequest } from "../../src/radius/packet/authenticator.ts";
import { chapChallenge, verifyChap } from "../../src/radius/auth/chap.ts";
import { NtKey } from "../../src/domain/service/access/nt-key.ts";
import { ntPasswordHash } from "../../src/domain/goods/subscribers/password.ts";
import { encryptMppeKeys, mppeKeys, msChapMppeKeys } from "../../src/radius/auth/mppe.ts";
import {
  challengeHash,
  msChap2Success,
  msChapError,
  MsChapFailure,
  parseMsChap2Response,
  parseMsChapResponse,
  verifyMsChap,
  verifyMsChap2,
} from "../../src/radius/auth/mschap.ts";
import {
  Attribute,
  type AttributeType,
  Code,
  Microsoft,
  Mikrotik,
  Vendor,
} from "../../src/radius/packet/numbers.ts";
import { type Packet, parsePacket, value, vendorValue } from "../../src/radius/packet/packet.ts";
import { decryptPassword } from "../../src/radius/auth/pap.ts";
import { PacketWriter } from "../../src/radius/packet/writer.ts";
import { radclient } from "../support/peers.ts";
import { RadiusClient } from "../support/radius-client.ts";

// The library as a server with one subscriber, judged by radclient and by our own client.

const SECRET = Buffer.from("s3cret");
const PASSWORD = "ñandú€ and some more than sixteen bytes";
const KEY = new NtKey(ntPasswordHash(PASSWORD));

function answer(datagram: Buffer, role: Role): Buffer | undefined {
  const request = parsePacket(datagram);
  if (typeof request === "string") return undefined;
  if (!verifyRequest(request, SECRET, { role, requireMessageAuthenticator: false }).ok) return undefined;
  if (role === "acct") return PacketWriter.reply(Code["Accounting-Response"], request).sign(SECRET);
  if (request.code === Code["Status-Server"])
    return PacketWriter.reply(Code["Access-Accept"], request).sign(SECRET);
  return access(request).sign(SECRET);
}

function access(request: Packet): PacketWriter {
  const accept = PacketWriter.reply(Code["Access-Accept"], request);
  accept.vendorText(Vendor.Mikrotik, Mikrotik["Mikrotik-Rate-Limit"], "5M/10M");
  const reject = PacketWriter.reply(Code["Access-Reject"], request).text(
    Attribute["Reply-Message"],
    "wrong password",
  );

  const pap = value(request, Attribute["User-Password"]);
  if (pap !== undefined) {
    const password = decryptPassword(pap, SECRET, accept.authenticator);
    return password?.equals(Buffer.from(PASSWORD)) === true ? accept : reject;
  }
  const chap = value(request, Attribute["CHAP-Password"]);
  if (chap !== undefined) {
    return verifyChap(chap, chapChallenge(request), Buffer.from(PASSWORD)) ? accept : reject;
  }
  const microsoft = (type: AttributeType<"bytes", typeof Vendor.Microsoft>) =>
    vendorValue(request, Vendor.Microsoft, type) ?? Buffer.alloc(0);
  const challenge = microsoft(Microsoft["MS-CHAP-Challenge"]);
  const v1 = parseMsChapResponse(microsoft(Microsoft["MS-CHAP-Response"]));
  if (v1 !== undefined) {
    if (!verifyMsChap(v1, challenge, KEY)) return refuse(reject, 1, v1.identifier);
    const keys = msChapMppeKeys(KEY.hashHash, SECRET, accept.authenticator);
    return accept.vendor(Vendor.Microsoft, Microsoft["MS-CHAP-MPPE-Keys"], keys);
  }
  const v2 = parseMsChap2Response(microsoft(Microsoft["MS-CHAP2-Response"]));
  if (v2 === undefined) return reject;
  const name = value(request, Attribute["User-Name"]) ?? Buffer.alloc(0);
  const hashed = challengeHash(v2.peerChallenge, challenge, name);
  if (!verifyMsChap2(v2, hashed, KEY)) return refuse(reject, 2, v2.identifier);
  const keys = encryptMppeKeys(mppeKeys(KEY.hashHash, v2.ntResponse), SECRET, accept.authenticator);
  return accept
    .vendor(Vendor.Microsoft, Microsoft["MS-CHAP2-Success"], msChap2Success(v2, hashed, KEY.hashHash))
    .vendor(Vendor.Microsoft, Microsoft["MS-MPPE-Send-Key"], keys.send)
    .vendor(Vendor.Microsoft, Microsoft["MS-MPPE-Recv-Key"], keys.recv);
}

function refuse(reject: PacketWriter, version: 1 | 2, identifier: number): PacketWriter {
  const error = msChapError(MsChapFailure.failed, { version, identifier, message: "wrong password" });
  return reject.vendor(Vendor.Microsoft, Microsoft["MS-CHAP-Error"], error);
}

function listen(role: Role) {
  return Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: {
      data(socket, datagram, port, address) {
        const reply = answer(datagram, role);
        if (reply !== undefined) socket.send(reply, port, address);
      },
      error() {},
    },
  });
}

const auth = await listen("auth");
const acct = await listen("acct");
const target = { host: "127.0.0.1", port: auth.port, acctPort: acct.port, secret: SECRET.toString() };
const client = new RadiusClient(target);

afterAll(async () => {
  await client.close();
  auth.close();
  acct.close();
});

describe.each(["pap", "chap", "mschap", "mschapv2"] as const)("our client by %s", (method) => {
  test.each(["bob", "BIGCO\\bob"])("%s is accepted, and every proof holds", async (name) => {
    const reply = await client.access({ name, password: PASSWORD, method });
    expect(reply).toMatchObject({
      code: "Access-Accept",
      faults: [],
      attributes: { "Mikrotik-Rate-Limit": ["5M/10M"] },
    });
  });

  test("a wrong password is rejected", async () => {
    const reply = await client.access({ name: "bob", password: "wrong", method });
    expect(reply).toMatchObject({ code: "Access-Reject", faults: [] });
    expect(reply?.attributes["MS-CHAP-Error"] === undefined).toBe(!method.startsWith("mschap"));
  });
});

describe("our client", () => {
  test("sends without credentials, by CHAP without CHAP-Challenge, and without Message-Authenticator", async () => {
    expect(await client.access({ name: "bob", method: "none" })).toMatchObject({
      code: "Access-Reject",
      faults: [],
    });
    const chap = { name: "bob", password: PASSWORD, method: "chap", chapByAuthenticator: true } as const;
    expect(await client.access(chap)).toMatchObject({ code: "Access-Accept", faults: [] });
    const plain = { name: "bob", password: PASSWORD, messageAuthenticator: false };
    expect(await client.access(plain)).toMatchObject({ code: "Access-Accept", faults: [] });
  });

  test("accounts, asks for the status, and checks that Proxy-State comes back", async () => {
    const attributes = [["Proxy-State", Buffer.from("x")]] as const;
    expect(await client.accounting("Start", attributes)).toMatchObject({
      code: "Accounting-Response",
      faults: [],
    });
    expect(await client.status("auth")).toMatchObject({ code: "Access-Accept", faults: [] });
    expect(await client.status("acct")).toMatchObject({ code: "Accounting-Response", faults: [] });
  });

  test("has null for silence, also when nobody listens", async () => {
    expect(await client.raw("auth", Buffer.from("hello"), 50)).toBeNull();
    const deaf = await Bun.udpSocket({ hostname: "127.0.0.1" });
    const { port } = deaf;
    deaf.close();
    const lonely = new RadiusClient({ ...target, port, timeout: 50 });
    expect(await lonely.access({ name: "bob", password: PASSWORD })).toBeNull();
    expect(await lonely.access({ name: "bob", password: PASSWORD })).toBeNull();
    await lonely.close();
  });

  test("keeps requests apart that are on their way together", async () => {
    const password = (i: number) => (i % 2 === 0 ? PASSWORD : "wrong");
    const requests = Array.from({ length: 64 }, (_, i) =>
      client.access({ name: "bob", password: password(i) }),
    );
    const replies = await Promise.all(requests);
    expect(replies.map((reply) => reply?.code)).toEqual(
      replies.map((_, i) => (i % 2 === 0 ? "Access-Accept" : "Access-Reject")),
    );
    expect(replies.flatMap((reply) => reply?.faults ?? ["silence"])).toEqual([]);
  });

  test("names what is wrong with a reply", async () => {
    const stranger = new RadiusClient({ ...target, secret: "other" });
    const request = client.prepareAccess({ name: "bob", password: PASSWORD, method: "mschapv2" });
    const foreign = { ...stranger.prepareAccess({ name: "bob" }), datagram: request.datagram };
    const reply = await stranger.exchange(foreign);
    expect(reply?.faults).toEqual(["Response Authenticator", "Message-Authenticator"]);
    await stranger.close();
  });
});

describe("radclient", () => {
  test.each<[string, Role, string, string, string]>([
    ["PAP", "auth", "auth", `User-Name = bob, User-Password = "${PASSWORD}"`, "Access-Accept"],
    ["CHAP", "auth", "auth", `User-Name = bob, CHAP-Password = "${PASSWORD}"`, "Access-Accept"],
    ["MS-CHAP", "auth", "auth", `User-Name = bob, MS-CHAP-Password = "${PASSWORD}"`, "Access-Accept"],
    [
      "a Message-Authenticator",
      "auth",
      "auth",
      `User-Name = bob, User-Password = "${PASSWORD}", Message-Authenticator = 0x00`,
      "Access-Accept",
    ],
    ["Status-Server", "auth", "status", "Message-Authenticator = 0x00", "Access-Accept"],
    [
      "Status-Server at the acct port",
      "acct",
      "status",
      "Message-Authenticator = 0x00",
      "Accounting-Response",
    ],
    ["accounting", "acct", "acct", 'Acct-Status-Type = Start, Acct-Session-Id = "1"', "Accounting-Response"],
    [
      "accounting with a Message-Authenticator",
      "acct",
      "acct",
      "Acct-Status-Type = Stop, Message-Authenticator = 0x00",
      "Accounting-Response",
    ],
    [
      "Proxy-State under a Message-Authenticator",
      "auth",
      "auth",
      `User-Name = bob, User-Password = "${PASSWORD}", Proxy-State = 0x01, Message-Authenticator = 0x00`,
      "Access-Accept",
    ],
  ])("with %s on the %s port is content", async (_case, role, command, attributes, code) => {
    const { output: text, ok } = await radclient(
      role === "auth" ? auth.port : acct.port,
      command,
      attributes,
      target,
    );
    expect(text).toContain(`Received ${code} `);
    expect(ok).toBe(true);
  });

  test("with a wrong password is told so", async () => {
    const { output: text } = await radclient(
      auth.port,
      "auth",
      "User-Name = bob, User-Password = wrong",
      target,
    );
    expect(text).toContain("Received Access-Reject ");
    expect(text).toContain('Reply-Message = "wrong password"');
  });
});
