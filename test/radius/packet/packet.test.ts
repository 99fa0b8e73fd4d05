import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  Attribute,
  type AttributeType,
  Code,
  type Kind,
  Microsoft,
  Mikrotik,
  Vendor,
} from "../../../src/radius/packet/numbers.ts";
import {
  attributes,
  count,
  integer,
  ipv4,
  ipv6,
  type Malformed,
  type Packet,
  parsePacket,
  text,
  utf8,
  value,
  values,
  vendorValue,
  vendorValues,
} from "../../../src/radius/packet/packet.ts";
import { PacketWriter } from "../../../src/radius/packet/writer.ts";
import { runs } from "../../support/runs.ts";

const SECRET = Buffer.from("secret");

/** A datagram of code 1 with these attributes in hex and a length field that fits, unless one is given. */
function datagram(attributesHex: string, length?: number): Buffer {
  const attributes = Buffer.from(attributesHex.replaceAll(" ", ""), "hex");
  const bytes = Buffer.concat([Buffer.of(1, 7, 0, 0), Buffer.alloc(16, 0xaa), attributes]);
  bytes.writeUInt16BE(length ?? bytes.length, 2);
  return bytes;
}

function packet(attributesHex: string): Packet {
  const parsed = parsePacket(datagram(attributesHex));
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
}

const mac = `5012${"00".repeat(16)}`;

describe("parsePacket", () => {
  test.each<[string, Uint8Array, Malformed]>([
    ["no bytes at all", Buffer.alloc(0), "too_short"],
    ["4 bytes", Buffer.from("01070004", "hex"), "too_short"],
    ["19 bytes", datagram("").subarray(0, 19), "too_short"],
    ["length field 0", datagram("", 0), "bad_length"],
    ["length field 19", datagram("", 19), "bad_length"],
    ["length field above the datagram", datagram("", 21), "bad_length"],
    ["length field 4097", datagram("01ff".padEnd(510, "0").repeat(17), 4097), "bad_length"],
    ["length field 65535", datagram("", 65535), "bad_length"],
    ["attribute of length 0", datagram("0100"), "bad_attribute"],
    ["attribute of length 1", datagram("0101"), "bad_attribute"],
    ["attribute past the end", datagram("010461"), "bad_attribute"],
    ["a dangling byte", datagram("010361 01"), "bad_attribute"],
    [
      "attribute past the length field, though not the datagram",
      datagram("01036101046161", 25),
      "bad_attribute",
    ],
    ["Message-Authenticator of 17 bytes", datagram(`5011${"00".repeat(15)}`), "bad_message_authenticator"],
    ["Message-Authenticator of 19 bytes", datagram(`5013${"00".repeat(17)}`), "bad_message_authenticator"],
    ["empty Message-Authenticator", datagram("5002"), "bad_message_authenticator"],
    ["two Message-Authenticators", datagram(`${mac} 010361 ${mac}`), "bad_message_authenticator"],
    [
      "a second Message-Authenticator of another size",
      datagram(`${mac} 5003ff`),
      "bad_message_authenticator",
    ],
  ])("refuses %s", (_case, bytes, fault) => {
    expect(parsePacket(bytes)).toEqual(fault);
  });

  test("takes the smallest and the largest packet", () => {
    expect(parsePacket(datagram(""))).toMatchObject({ code: 1, identifier: 7, messageAuthenticatorAt: 0 });
    const largest = datagram(`${`01ff${"61".repeat(253)}`.repeat(15)}01fb${"61".repeat(249)}`);
    expect(largest).toHaveLength(4096);
    expect(parsePacket(largest)).toMatchObject({ code: 1 });
  });

  test("drops padding behind the length field", () => {
    expect(parsePacket(Buffer.concat([datagram("010361"), Buffer.alloc(5000, 0xff)]))).toMatchObject({
      bytes: datagram("010361"),
    });
  });

  test("finds the Message-Authenticator anywhere", () => {
    expect(packet(`010361 ${mac} 010362`).messageAuthenticatorAt).toBe(25);
  });

  test("never throws, whatever arrives", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        parsePacket(bytes);
      }),
    );
  });

  test("never throws, nor do the readers, when the header fits", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(255), fc.nat(255), (body, type, sub) => {
        const parsed = parsePacket(datagram(Buffer.from(body).toString("hex")));
        if (typeof parsed === "string") return;
        for (const read of [value, values, count]) read(parsed, type as AttributeType);
        integer(parsed, type as AttributeType<"integer">);
        ipv4(parsed, type as AttributeType<"ipv4">);
        ipv6(parsed, type as AttributeType<"ipv6">);
        text(parsed, type as AttributeType<"text">);
        vendorValues(parsed, Vendor.Mikrotik, sub as AttributeType<Kind, typeof Vendor.Mikrotik>);
        expect(attributes(parsed).length).toBeGreaterThanOrEqual(body.length > 0 ? 1 : 0);
      }),
      runs(500, 2000),
    );
  });
});

describe("readers", () => {
  const sample = packet(
    "010561c3a9 0103ff 1906636c6173 1904ffff 0506000004d2 1b0500012c 0806 0a010203 0805010203 5f12 20010db8000000000000000000000001",
  );

  test("read the first attribute of a type, or all of them", () => {
    expect(value(sample, Attribute.Class)).toEqual(Buffer.from("clas"));
    expect(values(sample, Attribute.Class)).toEqual([Buffer.from("clas"), Buffer.from("ffff", "hex")]);
    expect(count(sample, Attribute.Class)).toBe(2);
    expect(value(sample, Attribute.State)).toBeUndefined();
    expect(values(sample, Attribute.State)).toEqual([]);
    expect(count(sample, Attribute.State)).toBe(0);
  });

  test("read typed values, and nothing where the size is wrong", () => {
    expect(text(sample, Attribute["User-Name"])).toBe("aé");
    expect(integer(sample, Attribute["NAS-Port"])).toBe(1234);
    expect(integer(sample, Attribute["Session-Timeout"])).toBeUndefined();
    expect(integer(sample, Attribute["Idle-Timeout"])).toBeUndefined();
    expect(ipv4(sample, Attribute["Framed-IP-Address"])).toBe("10.1.2.3");
    expect(ipv4(packet("0805010203"), Attribute["Framed-IP-Address"])).toBeUndefined();
    expect(ipv4(sample, Attribute["NAS-IP-Address"])).toBeUndefined();
    expect(ipv6(sample, Attribute["NAS-IPv6-Address"])).toBe("2001:db8::1");
    expect(ipv6(packet("5f06000004d2"), Attribute["NAS-IPv6-Address"])).toBeUndefined();
  });

  test.each<[string, string]>([
    ["a lone continuation byte", "80"],
    ["Latin-1", "e9"],
    ["an overlong NUL", "c080"],
    ["a surrogate", "eda080"],
    ["a character cut short", "e282"],
  ])("take no %s for text", (_case, hex) => {
    expect(utf8(Buffer.from(hex, "hex"))).toBeUndefined();
  });

  test("keep a byte order mark, so that two names stay two", () => {
    expect(utf8(Buffer.from("efbbbf61", "hex"))).toBe("\ufeffa");
  });
});

describe("vendor attributes", () => {
  test("are found in several Vendor-Specifics, and several in one", () => {
    const mikrotik = packet("1a0c00003a8c 0803 61 0903 62 1a0900003a8c 0803 63 1a0900000137 0803 64");
    expect(vendorValues(mikrotik, Vendor.Mikrotik, Mikrotik["Mikrotik-Rate-Limit"])).toEqual([
      Buffer.from("a"),
      Buffer.from("c"),
    ]);
    expect(vendorValue(mikrotik, Vendor.Mikrotik, Mikrotik["Mikrotik-Realm"])).toEqual(Buffer.from("b"));
    expect(vendorValue(mikrotik, Vendor.Microsoft, Microsoft["MS-MPPE-Encryption-Types"])).toEqual(
      Buffer.from("d"),
    );
    expect(vendorValue(mikrotik, Vendor.Microsoft, Microsoft["MS-CHAP-Domain"])).toBeUndefined();
  });

  test.each<[string, string]>([
    ["an inner attribute past the end", "1a0900003a8c 0804 61"],
    ["an inner length of 0", "1a0900003a8c 0800 61"],
    ["an inner length of 1", "1a0900003a8c 0801 61"],
    ["a dangling byte", "1a0a00003a8c 0803 61 08"],
    ["a vendor id of 3 bytes", "1a05003a8c"],
    ["nothing behind the vendor id", "1a0600003a8c"],
  ])("with %s are none, and the packet stands", (_case, hex) => {
    expect(vendorValues(packet(hex), Vendor.Mikrotik, Mikrotik["Mikrotik-Rate-Limit"])).toEqual([]);
    expect(attributes(packet(hex))).toMatchObject([{ vendor: 0, type: 26 }]);
  });
});

test("what the writer writes, the parser reads", () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 247 });
  const attribute = fc.record({
    vendor: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 0xffffffff })),
    type: fc.nat(255).filter((type) => type !== 26 && type !== 80),
    value: bytes.map((value) => Buffer.from(value)),
  });
  fc.assert(
    fc.property(fc.nat(255), fc.array(attribute, { maxLength: 15 }), (identifier, list) => {
      const written = PacketWriter.request(Code["CoA-Request"], identifier, { messageAuthenticator: false })
        .raw(list)
        .sign(SECRET);
      const parsed = parsePacket(written);
      if (typeof parsed === "string") throw new Error(parsed);
      expect(parsed).toMatchObject({ code: 43, identifier, bytes: written });
      expect(attributes(parsed)).toEqual(list);
    }),
  );
});
