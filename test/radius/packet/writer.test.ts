import { createHash, createHmac } from "node:crypto";

import { describe, expect, test } from "bun:test";

import { verifyResponse } from "../../../src/radius/packet/authenticator.ts";
import { Attribute, Code, Mikrotik, Vendor } from "../../../src/radius/packet/numbers.ts";
import { attributes, type Packet, parsePacket } from "../../../src/radius/packet/packet.ts";
import { PacketWriter } from "../../../src/radius/packet/writer.ts";

const SECRET = Buffer.from("xyzzy5461");
const LOGIN_IP_HOST = 14;
const LOGIN_SERVICE = 15;

function parse(bytes: Uint8Array): Packet {
  const parsed = parsePacket(bytes);
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
}

function request(code: number): Packet {
  const writer = PacketWriter.request(code, 9, { messageAuthenticator: true });
  return parse(
    writer
      .text(Attribute["User-Name"], "bob")
      .attribute(Attribute["Proxy-State"], Buffer.of(1))
      .attribute(Attribute["Proxy-State"], Buffer.of(2))
      .sign(SECRET),
  );
}

const types = (bytes: Buffer) => attributes(parse(bytes)).map(({ type }) => type);

describe("replies", () => {
  test.each([Code["Access-Accept"], Code["Access-Reject"], Code["Access-Challenge"]])(
    "code %d: Message-Authenticator first, Proxy-States last and in order",
    (code) => {
      const requested = request(Code["Access-Request"]);
      const reply = PacketWriter.reply(code, requested)
        .text(Attribute["Reply-Message"], "hello")
        .sign(SECRET);
      expect(types(reply)).toEqual([80, 18, 33, 33]);
      expect(attributes(parse(reply)).slice(2)).toMatchObject([
        { value: Buffer.of(1) },
        { value: Buffer.of(2) },
      ]);
      expect(
        verifyResponse(parse(reply), requested.bytes, SECRET, { requireMessageAuthenticator: true }),
      ).toBe("ok");

      // The same by hand (RFC 3579 section 3.2, RFC 2865 section 3).
      const mac = Buffer.from(reply).fill(0, 22, 38);
      mac.set(requested.bytes.subarray(4, 20), 4);
      expect(reply.subarray(22, 38)).toEqual(createHmac("md5", SECRET).update(mac).digest());
      const sum = Buffer.from(reply);
      sum.set(requested.bytes.subarray(4, 20), 4);
      expect(reply.subarray(4, 20)).toEqual(createHash("md5").update(sum).update(SECRET).digest());
    },
  );

  test("Status-Server gets a Message-Authenticator on the auth port and none on the acct port", () => {
    const requested = request(Code["Status-Server"]);
    expect(types(PacketWriter.reply(Code["Access-Accept"], requested).sign(SECRET))).toEqual([80, 33, 33]);
    expect(types(PacketWriter.reply(Code["Accounting-Response"], requested).sign(SECRET))).toEqual([33, 33]);
  });

  test("an Accounting-Response never carries a Message-Authenticator, though the request did", () => {
    const requested = request(Code["Accounting-Request"]);
    const reply = PacketWriter.reply(Code["Accounting-Response"], requested).sign(SECRET);
    expect(types(reply)).toEqual([33, 33]);
    expect(
      verifyResponse(parse(reply), requested.bytes, SECRET, { requireMessageAuthenticator: false }),
    ).toBe("ok");
  });

  test("RFC 2865 section 7.1: the attributes of the accept, behind the Message-Authenticator", () => {
    const requested = request(Code["Access-Request"]);
    const reply = PacketWriter.reply(Code["Access-Accept"], requested)
      .integer(Attribute["Service-Type"], 1)
      .raw([
        { vendor: 0, type: LOGIN_SERVICE, value: Buffer.alloc(4) },
        { vendor: 0, type: LOGIN_IP_HOST, value: Buffer.from([192, 168, 1, 3]) },
      ])
      .sign(SECRET);
    expect(reply.subarray(38, 56).toString("hex")).toBe("0606000000010f06000000000e06c0a80103");
  });

  test("finishing gives the same bytes as signing, and takes nothing after", () => {
    const requested = request(Code["Access-Request"]);
    const write = (text: string) =>
      PacketWriter.reply(Code["Access-Reject"], requested).text(Attribute["Reply-Message"], text);
    const signed = write("hello").sign(SECRET);
    const finished = write("hello");
    const packet = finished.finish(SECRET);
    expect(packet).toEqual(signed);
    expect(() => finished.text(Attribute["Reply-Message"], "more")).toThrow(RangeError);
    // in the same buffer, and two at a time in two
    const [one, other] = [write("x".repeat(250)), write("other")];
    expect(types(one.finish(SECRET))).toEqual(types(other.finish(SECRET)));
    expect(packet).toEqual(signed);
    expect(write("hello").sign(SECRET)).toEqual(signed);
  });

  test("signing twice gives the same bytes", () => {
    const writer = PacketWriter.reply(Code["Access-Accept"], request(Code["Access-Request"]));
    expect(writer.sign(SECRET)).toEqual(writer.sign(SECRET));
  });
});

describe("requests", () => {
  test("Disconnect-Request: authenticator over zeros, and the bytes in full", () => {
    const bytes = PacketWriter.request(Code["Disconnect-Request"], 7, { messageAuthenticator: false })
      .text(Attribute["User-Name"], "bob")
      .ipv4(Attribute["Framed-IP-Address"], "10.0.0.9")
      .vendorText(Vendor.Mikrotik, Mikrotik["Mikrotik-Rate-Limit"], "5M/10M")
      .vendorInteger(Vendor.Mikrotik, Mikrotik["Mikrotik-Total-Limit"], 4294967295)
      .sign(SECRET);
    const body = "0105626f6208060a0000091a0e00003a8c0808354d2f31304d1a0c00003a8c1106ffffffff";
    const zeroed = Buffer.from(`28070039${"00".repeat(16)}${body}`, "hex");
    const authenticator = createHash("md5").update(zeroed).update(SECRET).digest("hex");
    expect(bytes.toString("hex")).toBe(`28070039${authenticator}${body}`);
  });

  test("CoA-Request with a Message-Authenticator: over zeros, before the authenticator", () => {
    const bytes = PacketWriter.request(Code["CoA-Request"], 7, { messageAuthenticator: true }).sign(SECRET);
    const zeroed = Buffer.from(bytes).fill(0, 4, 20).fill(0, 22, 38);
    expect(bytes.subarray(22, 38)).toEqual(createHmac("md5", SECRET).update(zeroed).digest());
    zeroed.set(bytes.subarray(22, 38), 22);
    expect(bytes.subarray(4, 20)).toEqual(createHash("md5").update(zeroed).update(SECRET).digest());
  });

  test("Access-Request: a random authenticator, which encrypts its attributes", () => {
    const options = { messageAuthenticator: false };
    const one = PacketWriter.request(Code["Access-Request"], 7, options);
    const other = PacketWriter.request(Code["Access-Request"], 7, options);
    expect(one.authenticator).not.toEqual(other.authenticator);
    expect(one.sign(SECRET).subarray(4)).toEqual(one.authenticator);
  });
});

describe("limits", () => {
  const writer = () => PacketWriter.request(Code["CoA-Request"], 7, { messageAuthenticator: false });

  test("253 bytes of value fit, 254 do not", () => {
    expect(writer().attribute(Attribute["Reply-Message"], Buffer.alloc(253)).sign(SECRET)).toHaveLength(
      20 + 255,
    );
    expect(() => writer().attribute(Attribute["Reply-Message"], Buffer.alloc(254))).toThrow(RangeError);
    expect(() => writer().text(Attribute["Reply-Message"], "é".repeat(127))).toThrow(RangeError);
  });

  test("247 bytes of a vendor's value fit, 248 do not", () => {
    expect(
      writer().vendor(Vendor.Mikrotik, Mikrotik["Mikrotik-Rate-Limit"], Buffer.alloc(247)).sign(SECRET),
    ).toHaveLength(20 + 255);
    expect(() =>
      writer().vendor(Vendor.Mikrotik, Mikrotik["Mikrotik-Rate-Limit"], Buffer.alloc(248)),
    ).toThrow(RangeError);
  });

  test("4096 bytes of packet fit, more do not, Proxy-States included", () => {
    const full = writer();
    for (let i = 0; i < 15; i++) full.attribute(Attribute["Reply-Message"], Buffer.alloc(253));
    expect(() => full.attribute(Attribute["Reply-Message"], Buffer.alloc(250))).toThrow(RangeError);
    expect(full.attribute(Attribute["Reply-Message"], Buffer.alloc(249)).sign(SECRET)).toHaveLength(4096);

    const proxied = PacketWriter.reply(Code["Access-Accept"], request(Code["Access-Request"]));
    for (let i = 0; i < 15; i++) proxied.attribute(Attribute["Reply-Message"], Buffer.alloc(253));
    proxied.attribute(Attribute["Reply-Message"], Buffer.alloc(226));
    expect(() => proxied.sign(SECRET)).toThrow(RangeError);
  });

  test.each([-1, 1.5, 4294967296, Number.NaN])("%d is no integer", (number) => {
    expect(() => writer().integer(Attribute["Session-Timeout"], number)).toThrow(RangeError);
    expect(() => writer().vendorInteger(Vendor.Mikrotik, Mikrotik["Mikrotik-Total-Limit"], number)).toThrow(
      RangeError,
    );
  });

  test.each(["300.1.1.1", "10.0.0.x", "10.0.0", "", "::1"])("%p is no IPv4 address", (address) => {
    expect(() => writer().ipv4(Attribute["Framed-IP-Address"], address)).toThrow(RangeError);
  });

  test("an empty value is refused, as it has to be left out", () => {
    expect(() => writer().text(Attribute["Reply-Message"], "")).toThrow(RangeError);
    expect(() => writer().vendorText(Vendor.Mikrotik, Mikrotik["Mikrotik-Rate-Limit"], "")).toThrow(
      RangeError,
    );
  });

  test.each([-1, 256, 0.5])("identifier %d is refused", (identifier) => {
    expect(() => PacketWriter.request(43, identifier, { messageAuthenticator: false })).toThrow(RangeError);
  });
});
