import { createHash, createHmac } from "node:crypto";

import { describe, expect, test } from "bun:test";

import {
  type Refusal,
  type Role,
  verifyRequest,
  verifyResponse,
} from "../../../src/radius/packet/authenticator.ts";
import { chapChallenge, verifyChap } from "../../../src/radius/auth/chap.ts";
import { Attribute, Code } from "../../../src/radius/packet/numbers.ts";
import { type Packet, parsePacket, value } from "../../../src/radius/packet/packet.ts";
import { decryptPassword } from "../../../src/radius/auth/pap.ts";
import { PacketWriter } from "../../../src/radius/packet/writer.ts";

const SECRET = Buffer.from("xyzzy5461");
const ZERO = Buffer.alloc(16);

function parse(bytes: Uint8Array): Packet {
  const parsed = parsePacket(bytes);
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
}

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(/\s/g, ""), "hex");
}

/** A packet put together by hand: the Message-Authenticator is signed over `over`, then the authenticator by MD5. */
function handmade(
  code: number,
  attributes: string,
  { authenticator, macOver }: { authenticator?: Buffer; macOver?: Buffer } = {},
): Buffer {
  const body = hex(macOver === undefined ? attributes : `${attributes} 5012 ${"00".repeat(16)}`);
  const bytes = Buffer.concat([Buffer.of(code, 1, 0, 20 + body.length), authenticator ?? ZERO, body]);
  if (macOver !== undefined) {
    const signed = Buffer.from(bytes);
    signed.set(macOver, 4);
    bytes.set(createHmac("md5", SECRET).update(signed).digest(), bytes.length - 16);
  }
  if (authenticator === undefined) bytes.set(createHash("md5").update(bytes).update(SECRET).digest(), 4);
  return bytes;
}

const RANDOM = hex("0f403f9473978057bd83d5cb98f4227a");
const NAME = "0105626f62";

describe("RFC 2865 section 7", () => {
  const examples = {
    request71: `01 00 00 38 0f 40 3f 94 73 97 80 57 bd 83 d5 cb 98 f4 22 7a 01 06 6e 65 6d 6f 02 12 0d be 70 8d
      93 d4 13 ce 31 96 e4 3f 78 2a 0a ee 04 06 c0 a8 01 10 05 06 00 00 00 03`,
    accept71: `02 00 00 26 86 fe 22 0e 76 24 ba 2a 10 05 f6 bf 9b 55 e0 b2 06 06 00 00 00 01 0f 06 00 00 00 00
      0e 06 c0 a8 01 03`,
    request72: `01 01 00 47 2a ee 86 f0 8d 0d 55 96 9c a5 97 8e 0d 33 67 a2 01 08 66 6c 6f 70 73 79 03 13 16 e9
      75 57 c3 16 18 58 95 f2 93 ff 63 44 07 72 75 04 06 c0 a8 01 10 05 06 00 00 00 14 06 06 00 00 00 02 07 06 00
      00 00 01`,
    accept72: `02 01 00 38 15 ef bc 7d ab 26 cf a3 dc 34 d9 c0 3c 86 01 a4 06 06 00 00 00 02 07 06 00 00 00 01
      08 06 ff ff ff fe 0a 06 00 00 00 02 0d 06 00 00 00 01 0c 06 00 00 05 dc`,
  };

  test("7.1: the password of the request, and the accept's authenticator", () => {
    const request = parse(hex(examples.request71));
    expect(verifyRequest(request, SECRET, { role: "auth", requireMessageAuthenticator: false })).toEqual({
      ok: true,
      messageAuthenticator: false,
    });
    const hidden = value(request, Attribute["User-Password"]) ?? ZERO;
    expect(decryptPassword(hidden, SECRET, request.bytes.subarray(4, 20))).toEqual(Buffer.from("arctangent"));
    const verdict = verifyResponse(parse(hex(examples.accept71)), request.bytes, SECRET, {
      requireMessageAuthenticator: false,
    });
    expect(verdict).toBe("ok");
  });

  test("7.2: the CHAP response of the request, and the accept's authenticator", () => {
    const request = parse(hex(examples.request72));
    const response = value(request, Attribute["CHAP-Password"]) ?? ZERO;
    expect(verifyChap(response, chapChallenge(request), Buffer.from("arctangent"))).toBe(true);
    const verdict = verifyResponse(parse(hex(examples.accept72)), request.bytes, SECRET, {
      requireMessageAuthenticator: false,
    });
    expect(verdict).toBe("ok");
  });
});

describe("verifyRequest", () => {
  const access = handmade(1, NAME, { authenticator: RANDOM });
  const accessSigned = handmade(1, NAME, { authenticator: RANDOM, macOver: RANDOM });
  const status = handmade(12, "", { authenticator: RANDOM, macOver: RANDOM });
  const accounting = handmade(4, "280600000001");
  const accountingSigned = handmade(4, "280600000001", { macOver: ZERO });

  test.each<[string, Buffer, Role, boolean, boolean]>([
    ["an Access-Request without Message-Authenticator", access, "auth", false, false],
    ["an Access-Request with one", accessSigned, "auth", false, true],
    ["an Access-Request with one where it is required", accessSigned, "auth", true, true],
    ["Status-Server on the auth port", status, "auth", false, true],
    ["Status-Server on the acct port", status, "acct", false, true],
    ["an Accounting-Request", accounting, "acct", false, false],
    [
      "an Accounting-Request where Access-Requests need a Message-Authenticator",
      accounting,
      "acct",
      true,
      false,
    ],
    ["an Accounting-Request with one over a zeroed field", accountingSigned, "acct", true, true],
  ])("takes %s", (_case, bytes, role, requireMessageAuthenticator, messageAuthenticator) => {
    const verified = verifyRequest(parse(bytes), SECRET, { role, requireMessageAuthenticator });
    expect(verified).toEqual({ ok: true, messageAuthenticator });
  });

  const withProxyState = handmade(1, `${NAME} 2103aa`, { authenticator: RANDOM });
  const withEap = handmade(1, `${NAME} 4f0602000004`, { authenticator: RANDOM });
  const badMac = "bad_message_authenticator";
  test.each<[string, Buffer, Role, boolean, Refusal]>([
    ["an Access-Request on the acct port", accessSigned, "acct", false, "code_not_served"],
    ["an Accounting-Request on the auth port", accounting, "auth", false, "code_not_served"],
    ...[0, 2, 3, 5, 6, 11, 13, 40, 43, 255].flatMap((code): [string, Buffer, Role, boolean, Refusal][] => [
      [
        `code ${code} on the auth port`,
        handmade(code, "", { macOver: ZERO }),
        "auth",
        false,
        "code_not_served",
      ],
      [
        `code ${code} on the acct port`,
        handmade(code, "", { macOver: ZERO }),
        "acct",
        false,
        "code_not_served",
      ],
    ]),
    ["no Message-Authenticator where required", access, "auth", true, "message_authenticator_missing"],
    ["EAP-Message without one", withEap, "auth", false, "message_authenticator_missing"],
    ["Proxy-State without one", withProxyState, "auth", false, "message_authenticator_missing"],
    [
      "Status-Server without one",
      handmade(12, "", { authenticator: RANDOM }),
      "auth",
      false,
      "message_authenticator_missing",
    ],
    ["Status-Server without one, acct", handmade(12, ""), "acct", false, "message_authenticator_missing"],
    [
      "one over a zeroed field in an Access-Request",
      handmade(1, NAME, { authenticator: RANDOM, macOver: ZERO }),
      "auth",
      false,
      badMac,
    ],
    [
      "one over a zeroed field in Status-Server",
      handmade(12, "", { authenticator: RANDOM, macOver: ZERO }),
      "acct",
      false,
      badMac,
    ],
    [
      "one over another field in an Accounting-Request",
      handmade(4, "", { macOver: RANDOM }),
      "acct",
      false,
      badMac,
    ],
    [
      "an Accounting-Request with a random authenticator",
      handmade(4, "", { authenticator: RANDOM }),
      "acct",
      false,
      "bad_authenticator",
    ],
  ])("refuses %s", (_case, bytes, role, requireMessageAuthenticator, reason) => {
    const verified = verifyRequest(parse(bytes), SECRET, { role, requireMessageAuthenticator });
    expect(verified).toEqual({ ok: false, reason });
  });

  test("refuses every packet in which one bit was changed", () => {
    for (const [bytes, role] of [
      [accessSigned, "auth"],
      [accounting, "acct"],
      [accountingSigned, "acct"],
    ] as const) {
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const forged = Buffer.from(bytes);
        forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const packet = parsePacket(forged);
        // A changed type may hide the Message-Authenticator; then one has to be missing.
        if (typeof packet === "string") continue;
        expect(verifyRequest(packet, SECRET, { role, requireMessageAuthenticator: true }).ok).toBe(false);
      }
    }
  });

  test("refuses what a comparison as UTF-8 text would take: 16 bytes of FF, found by varying the authenticator", () => {
    const secret = Buffer.from("testing123");
    const genuine = Buffer.concat([
      Buffer.of(1, 1, 0, 38),
      Buffer.alloc(16),
      Buffer.of(80, 18),
      Buffer.alloc(16),
    ]);
    genuine.writeUInt32BE(6077561, 16);
    const digest = createHmac("md5", secret).update(genuine).digest();
    const forged = Buffer.from(genuine).fill(0xff, 22);
    // Every byte of either one decodes to U+FFFD.
    expect(forged.toString("utf8", 22)).toBe(digest.toString("utf8"));

    const judge = (bytes: Buffer) =>
      verifyRequest(parse(bytes), secret, { role: "auth", requireMessageAuthenticator: true });
    expect(judge(forged)).toEqual({ ok: false, reason: "bad_message_authenticator" });
    genuine.set(digest, 22);
    expect(judge(genuine)).toEqual({ ok: true, messageAuthenticator: true });
  });
});

describe("verifyResponse", () => {
  const request = handmade(1, NAME, { authenticator: RANDOM, macOver: RANDOM });
  const accept = PacketWriter.reply(Code["Access-Accept"], parse(request))
    .text(Attribute["Reply-Message"], "hello")
    .sign(SECRET);
  const judge = (reply: Buffer, to = request, requireMessageAuthenticator = true) =>
    verifyResponse(parse(reply), to, SECRET, { requireMessageAuthenticator });

  test("takes a signed reply", () => {
    expect(judge(accept)).toBe("ok");
  });

  test("refuses another identifier, though all else is right", () => {
    const other = Buffer.from(request);
    other[1] = 99;
    expect(judge(accept, other)).toBe("wrong_identifier");
  });

  test("refuses a code that does not answer the request", () => {
    const response = PacketWriter.reply(Code["Accounting-Response"], parse(request)).sign(SECRET);
    expect(judge(response)).toBe("unexpected_code");
    expect(judge(request)).toBe("unexpected_code");
  });

  test("refuses another Response Authenticator, another secret and another request", () => {
    const forged = Buffer.from(accept);
    forged[4] = (forged[4] ?? 0) ^ 1;
    expect(judge(forged)).toBe("bad_authenticator");
    const foreign = PacketWriter.reply(Code["Access-Accept"], parse(request)).sign(Buffer.from("other"));
    expect(judge(foreign)).toBe("bad_authenticator");
    expect(judge(accept, handmade(1, NAME, { authenticator: ZERO }))).toBe("bad_authenticator");
  });

  test("refuses a wrong Message-Authenticator under a right Response Authenticator", () => {
    const forged = Buffer.from(accept);
    forged.fill(0xff, 22, 38);
    const over = Buffer.from(forged);
    over.set(RANDOM, 4);
    forged.set(createHash("md5").update(over).update(SECRET).digest(), 4);
    expect(judge(forged)).toBe("bad_message_authenticator");
    expect(judge(forged, request, false)).toBe("bad_message_authenticator");
  });

  test("takes a reply without Message-Authenticator only where none is required", () => {
    const bytes = Buffer.concat([Buffer.of(3, 1, 0, 20), RANDOM]);
    bytes.set(createHash("md5").update(bytes).update(SECRET).digest(), 4);
    expect(judge(bytes, request, false)).toBe("ok");
    expect(judge(bytes)).toBe("message_authenticator_missing");
  });

  test("takes a Disconnect-ACK with attributes", () => {
    const disconnect = PacketWriter.request(Code["Disconnect-Request"], 5, { messageAuthenticator: false })
      .text(Attribute["User-Name"], "bob")
      .sign(SECRET);
    const ack = PacketWriter.reply(Code["Disconnect-ACK"], parse(disconnect))
      .text(Attribute["NAS-Identifier"], "router")
      .sign(SECRET);
    expect(judge(ack, disconnect, false)).toBe("ok");
  });
});
