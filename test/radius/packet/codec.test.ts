import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  type AttributeValue,
  decodeAttributes,
  encodeAttribute,
  type NamedAttribute,
} from "../../../src/radius/packet/codec.ts";
import { type Packet, parsePacket } from "../../../src/radius/packet/packet.ts";
import { PacketWriter } from "../../../src/radius/packet/writer.ts";
import { runs } from "../../support/runs.ts";

function packet(attributes: Buffer): Packet {
  const bytes = Buffer.concat([Buffer.alloc(20), attributes]);
  bytes.writeUInt16BE(bytes.length, 2);
  const parsed = parsePacket(bytes);
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
}

describe("by name", () => {
  test.each<[string, AttributeValue, number, number, string]>([
    ["User-Name", "bób", 0, 1, "62c3b362"],
    ["NAS-Port", 4294967295, 0, 5, "ffffffff"],
    ["Service-Type", "Framed-User", 0, 6, "00000002"],
    ["Acct-Status-Type", "Interim-Update", 0, 40, "00000003"],
    ["NAS-Port-Type", "Ethernet", 0, 61, "0000000f"],
    ["Error-Cause", "Session-Context-Not-Found", 0, 101, "000001f7"],
    ["Framed-IP-Address", "10.1.2.3", 0, 8, "0a010203"],
    ["Event-Timestamp", 1700000000, 0, 55, "6553f100"],
    ["NAS-IPv6-Address", "2001:db8::1", 0, 95, "20010db8000000000000000000000001"],
    ["Framed-IPv6-Address", "fe80::1", 0, 168, "fe800000000000000000000000000001"],
    ["Delegated-IPv6-Prefix", "2001:db8:1::/56", 0, 123, "003820010db8000100"],
    ["Stateful-IPv6-Address-Pool", "pool6", 0, 172, "706f6f6c36"],
    ["Class", Buffer.from("00ff", "hex"), 0, 25, "00ff"],
    ["Tunnel-Type:1", "L2TP", 0, 64, "01000003"],
    ["Tunnel-Client-Endpoint:2", "10.0.0.1", 0, 66, "0231302e302e302e31"],
    ["Mikrotik-Rate-Limit", "5M/10M", 14988, 8, "354d2f31304d"],
    ["Mikrotik-Total-Limit-Gigawords", 2, 14988, 18, "00000002"],
    ["Mikrotik-Host-IP", "10.5.50.2", 14988, 10, "0a053202"],
    ["MS-CHAP-Domain", "BIGCO", 311, 10, "424947434f"],
    ["MS-Primary-DNS-Server", "9.9.9.9", 311, 28, "09090909"],
    [
      "WISPr-Logoff-URL",
      "http://10.5.50.1/logout",
      14122,
      3,
      Buffer.from("http://10.5.50.1/logout").toString("hex"),
    ],
    ["Attr-200", Buffer.of(1, 2), 0, 200, "0102"],
    ["Attr-26.32473.1", Buffer.of(1, 2), 32473, 1, "0102"],
  ])("%s, both ways", (name, value, vendor, type, hex) => {
    const encoded = encodeAttribute(name, value);
    expect(encoded).toEqual({ vendor, type, value: Buffer.from(hex, "hex") });
    const written = PacketWriter.request(43, 1, { messageAuthenticator: false })
      .raw([encoded])
      .sign(Buffer.of(1));
    expect(decodeAttributes(packet(written.subarray(20)))).toEqual([[name, value]]);
  });

  test("a number may be given as digits, and an unnamed number stays one", () => {
    expect(encodeAttribute("Session-Timeout", "3600").value.toString("hex")).toBe("00000e10");
    expect(encodeAttribute("Service-Type", "2")).toEqual(encodeAttribute("Service-Type", "Framed-User"));
    expect(decodeAttributes(packet(Buffer.from("0606000003e7", "hex")))).toEqual([["Service-Type", 999]]);
    expect(decodeAttributes(packet(Buffer.from("0506000000001b0600000000", "hex")))).toEqual([
      ["NAS-Port", 0],
      ["Session-Timeout", 0],
    ]);
  });

  test.each<[string, AttributeValue]>([
    ["No-Such-Attribute", "x"],
    ["constructor", "x"],
    ["__proto__", "x"],
    ["", "x"],
    ["1", "x"],
    ["Vendor-Specific", Buffer.of(1)],
    ["User-Name", ""],
    ["User-Name", 5],
    ["User-Name:1", "x"],
    ["Tunnel-Type:32", "L2TP"],
    ["Tunnel-Type:x", "L2TP"],
    ["User-Password", "secret"],
    ["Tunnel-Password", "hunter2"],
    ["MS-MPPE-Send-Key", "key"],
    ["Session-Timeout", ""],
    ["Session-Timeout", -1],
    ["Session-Timeout", 1.7],
    ["Session-Timeout", 4294967296],
    ["Session-Timeout", "constructor"],
    ["Service-Type", "Framed"],
    ["Framed-IP-Address", "300.1.1.1"],
    ["Framed-IP-Address", "10.0.0.x"],
    ["Framed-IP-Address", 1],
    ["Event-Timestamp", "yesterday"],
    ["NAS-IPv6-Address", "10.0.0.1"],
    ["Delegated-IPv6-Prefix", "2001:db8::"],
    ["Delegated-IPv6-Prefix", "2001:db8::/129"],
    ["Class", "text"],
    ["Attr-256", Buffer.of(1)],
    ["Attr-200", "text"],
  ])("%s: %p is refused", (name, value) => {
    expect(() => encodeAttribute(name, value)).toThrow(TypeError);
  });
});

describe("from a packet", () => {
  const bytes = (hex: string) => Buffer.from(hex, "hex");

  test.each<[string, string, NamedAttribute[]]>([
    ["a name that is no UTF-8", "0104ff61", [["User-Name", bytes("ff61")]]],
    ["an integer of 3 bytes", "1b05000001", [["Session-Timeout", bytes("000001")]]],
    ["an integer of 5 bytes", "1b070000000001", [["Session-Timeout", bytes("0000000001")]]],
    ["an address of 3 bytes", "08050a0102", [["Framed-IP-Address", bytes("0a0102")]]],
    ["an address of 6 bytes", "08080a0102030405", [["Framed-IP-Address", bytes("0a0102030405")]]],
    ["a date of 2 bytes", "37040001", [["Event-Timestamp", bytes("0001")]]],
    ["a tagged integer without its tag", "4006ff000003", [["Tunnel-Type", bytes("ff000003")]]],
    ["an empty tagged attribute", "4202", [["Tunnel-Client-Endpoint", bytes("")]]],
    ["a prefix longer than its bytes", "7b040038", [["Delegated-IPv6-Prefix", bytes("0038")]]],
    ["an encrypted password", "02046162", [["User-Password", bytes("6162")]]],
    ["a Vendor-Specific of 3 bytes", "1a05000001", [["Attr-26", bytes("000001")]]],
    ["a Vendor-Specific of another make", "1a0a000001ad00010203", [["Attr-26", bytes("000001ad00010203")]]],
    [
      "a name twice",
      "010361010362",
      [
        ["User-Name", "a"],
        ["User-Name", "b"],
      ],
    ],
  ])("%s", (_case, hex, expected) => {
    expect(decodeAttributes(packet(bytes(hex)))).toEqual(expected);
  });

  test("two attributes in one Vendor-Specific", () => {
    const both = "1a1200003a8c0806354d2f381106000000ff";
    expect(decodeAttributes(packet(bytes(both)))).toEqual([
      ["Mikrotik-Rate-Limit", "5M/8"],
      ["Mikrotik-Total-Limit", 255],
    ]);
  });

  test("whatever arrives, every attribute is shown and nothing throws", () => {
    const attribute = fc.tuple(
      fc.nat(255).filter((type) => type !== 26 && type !== 80),
      fc.uint8Array({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(attribute, { maxLength: 20 }), (list) => {
        const all = list.map(([type, value]) => Buffer.concat([Buffer.of(type, 2 + value.length), value]));
        expect(decodeAttributes(packet(Buffer.concat(all)))).toHaveLength(list.length);
      }),
      runs(300, 1000),
    );
  });

  test("a packet without attributes", () => {
    expect(decodeAttributes(packet(Buffer.alloc(0)))).toEqual([]);
  });
});
