import { describe, expect, test } from "bun:test";
import {
  ReplyAttributes,
  replyAttributesField as field,
} from "../../../../src/domain/goods/attributes/reply.ts";

const bytesOf = (text: string) =>
  ReplyAttributes.of(text, null)?.attributes.map(({ bytes }) => Buffer.from(bytes).toString("hex"));

test.each([
  ["Framed-Route=10.9.0.0/24 10.0.0.7 1", "16 18 31302e392e302e302f32342031302e302e302e372031"],
  ["Framed-MTU=1492", "0c 06 000005d4"],
  ["Service-Type=Framed-User", "06 06 00000002"],
  ["Framed-IP-Netmask=255.255.255.0", "09 06 ffffff00"],
  ["Framed-Interface-Id=0x0200000000000001", "60 0a 0200000000000001"],
  ["Route-IPv6-Information=2001:db8::/32", "aa 08 0020 20010db8"],
  ["DNS-Server-IPv6-Address=2001:db8::53", "a9 12 20010db8000000000000000000000053"],
  ["Chargeable-User-Identity=0x0a1b", "59 04 0a1b"],
  ["Tunnel-Type:1=VLAN", "40 06 01 00000d"],
  ["Tunnel-Medium-Type=IEEE-802", "41 06 00 000006"],
  ["Tunnel-Private-Group-Id:1=120", "51 06 01 313230"],
  ["Tunnel-Private-Group-Id=120", "51 05 313230"],
  ["Cisco-AVPair=ip:vrf-id=GOLD", "1a16 00000009 01 10 69703a7672662d69643d474f4c44"],
  ["Cisco-Account-Info=QU;5000000", "1a12 00000009 fa 0c 51553b35303030303030"],
  ["Huawei-Qos-Profile-Name=gold", "1a0c 000007db 1f 06 676f6c64"],
  ["ERX-Service-Activate:1=video", "1a0e 0000130a 41 08 01 766964656f"],
  ["ERX-Virtual-Router-Name=vr1", "1a0b 0000130a 01 05 767231"],
  ["Mikrotik-Group=office", "1a0e 00003a8c 03 08 6f6666696365"],
  ["MS-Primary-DNS-Server=10.0.0.53", "1a0c 00000137 1c 06 0a000035"],
  ["WISPr-Redirection-URL=http://a/", "1a11 0000372a 04 0b 687474703a2f2f612f"],
  ["Accel-VRF-Name=blue", "1a0c 0000dabf 01 06 626c7565"],
])("%s stands in a packet as its dictionary says", (line, hex) => {
  expect(field.read(line)).toBe(line);
  expect(bytesOf(line)).toEqual([hex.replaceAll(" ", "")]);
});

test("lines as other systems have them, and in another case, are written in one way", () => {
  const text =
    'framed-route := "10.9.0.0/24"\r\n\r\n  CISCO-AVPAIR += ip:vrf-id=GOLD  \nTunnel-Type:1 = VLAN\nFramed-MTU = 1492';
  expect(field.read(text)).toBe(
    "Framed-Route=10.9.0.0/24\nCisco-AVPair=ip:vrf-id=GOLD\nTunnel-Type:1=VLAN\nFramed-MTU=1492",
  );
});

describe("what is refused says what to do", () => {
  test.each([
    ["Class=0x01", "line 1: Class is the appliance's own to say; leave it out"],
    ["State=0x01", "State is the appliance's own to say; leave it out"],
    ["Message-Authenticator=0x00", "Message-Authenticator is the appliance's own to say; leave it out"],
    ["EAP-Message=0x00", "EAP-Message is the appliance's own to say"],
    ["Proxy-State=0x00", "Proxy-State is the appliance's own to say"],
    [
      "MS-MPPE-Send-Key=0x00",
      "MS-MPPE-Send-Key is a key or a proof, which follows from the login; leave it out",
    ],
    ["MS-CHAP2-Success=0x00", "is a key or a proof"],
    [
      "Tunnel-Password:1=x",
      "Tunnel-Password is encrypted on the wire, which such a line is not; leave it out",
    ],
    ["session-timeout=600", "Session-Timeout follows from the end of the service; leave it out"],
    [
      "Mikrotik-Total-Limit=1",
      "follows from the data volume that is left; leave it out, and set data_quota_bytes",
    ],
    ["Framed-IP-Address=10.0.0.7", "is an address; leave it out, and set static_ip"],
    [
      "Framed-IPv6-Prefix=2001:db8::/64",
      "is an address; leave it out, and set static_ip, framed_ipv6_prefix",
    ],
    ["Delegated-IPv6-Prefix=2001:db8::/56", "is an address"],
    ["User-Name=other", "would have the router report another name"],
    ["Cisco-AVPair=ip:addr=10.0.0.7", "Cisco-AVPair ip:addr is an address; leave it out, and set static_ip"],
    ["Cisco-AVPair=IPv6:Prefix#1*2001:db8::/64", "Cisco-AVPair ipv6:prefix is an address"],
    ["Cisco-AVPair=vpdn:l2tp-tunnel-password=x", "is a secret, which pages and the trail would show"],
    ["Cisco-Subscriber-Password=x", "is a secret"],
    ["Huawei-User-Password=x", "is a secret"],
    ["NAS-Port=1", "is what routers say, and has no place in an answer; leave it out"],
    ["User-Password=x", "is what routers say"],
    [
      "Framed-Rout=10.9.0.0/24",
      "Framed-Rout is in no dictionary of ours; write Framed-Route, if that is meant",
    ],
    ["AVPair=ip:vrf-id=1", "AVPair is in no dictionary of ours; write Cisco-AVPair, if that is meant"],
    ["FramedRoute=10.9.0.0/24", "write Framed-Route, if that is meant"],
    ["10.9.0.0/24", "is no attribute; write its name, = and its value, such as Framed-Route=10.9.0.0/24"],
    ["Framed-MTU=big", "Framed-MTU must be a whole number from 0 to 4294967295"],
    ["Framed-MTU=4294967296", "must be a whole number from 0 to 4294967295"],
    ["Service-Type=Framed", "or one of Login-User, Framed-User"],
    ["Framed-IP-Netmask=24", "must be an IPv4 address such as 10.0.0.1"],
    ["DNS-Server-IPv6-Address=10.0.0.1", "must be an IPv6 address such as 2001:db8::1"],
    ["Route-IPv6-Information=10.0.0.0/8", "must be an IPv6 prefix such as 2001:db8:1::/48"],
    ["Framed-Interface-Id=1", "must be eight bytes such as"],
    ["Chargeable-User-Identity=ab", "must be bytes such as 0x0a1b2c"],
    ["Framed-Route=", "Framed-Route needs a value"],
    ["Framed-Route:1=10.9.0.0/24", "Framed-Route takes no tag"],
    ["Tunnel-Type:32=VLAN", "takes a tag from 0 to 31"],
    ["Tunnel-Preference:1=16777216", "must be below 16777216"],
    [
      `Framed-Route=${"x".repeat(254)}`,
      "Framed-Route is 254 bytes long, and 253 is the most; write a shorter one",
    ],
    [`Cisco-AVPair=${"x".repeat(248)}`, "Cisco-AVPair is 248 bytes long, and 247 is the most"],
    [`Tunnel-Private-Group-Id:1=${"x".repeat(253)}`, "is 254 bytes long"],
    ["Framed-Route=a\tb", "Framed-Route must be without control characters"],
  ])("%s", (line, words) => {
    expect(field.read(line)).toBeUndefined();
    expect(String(field.explain?.(line))).toContain(words);
  });

  test("each line of several, and too many of them", () => {
    expect(String(field.explain?.("Framed-MTU=1492\nClass=0x01\nNoSuch=1"))).toBe(
      "line 2: Class is the appliance's own to say; leave it out; line 3: NoSuch is in no dictionary of ours; write it as its RFC or its vendor has it, such as Framed-Route or Cisco-AVPair",
    );
    expect(String(field.explain?.("Framed-MTU=1\n".repeat(33)))).toBe(
      "has 33 attributes, and 32 is the most; leave some out",
    );
    expect(String(field.explain?.(`Framed-Route=${"x".repeat(200)}\n`.repeat(6)))).toBe(
      "takes 1212 bytes in an answer, and 1024 is the most; leave some out, or write shorter ones",
    );
    expect(field.read("")).toBeUndefined();
  });

  test("as much as is taken, is", () => {
    const longest = `Framed-Route=${"x".repeat(253)}`;
    expect(field.read(longest)).toBe(longest);
    expect(field.read(`Cisco-AVPair=${"x".repeat(247)}`)).toBeDefined();
    expect(field.read("Framed-MTU=1\n".repeat(32))).toBeDefined();
  });
});

test.each(['Reply-Message=" held "', 'Reply-Message=""quoted""', 'Reply-Message=" "'])(
  "%s is stored so that it is sent as it was checked",
  (line) => {
    const stored = field.read(line) ?? "";
    expect(stored).toBe(line);
    expect(field.read(stored)).toBe(line);
    const bytes = line.slice("Reply-Message=".length + 1, -1);
    expect(bytesOf(stored)).toEqual([
      Buffer.from([0x12, bytes.length + 2, ...Buffer.from(bytes)]).toString("hex"),
    ]);
  },
);

test("a pair is one, however its name is written", () => {
  expect(ReplyAttributes.of("Cisco-AVPair=ip:vrf-id=GOLD", "Cisco-AVPair=IP:vrf-id =OFFICE")?.toJSON()).toBe(
    "Cisco-AVPair=IP:vrf-id =OFFICE",
  );
});

test("what a subscriber has stands in place of the same of its package, and pairs by their own names", () => {
  const sold =
    "Cisco-AVPair=ip:vrf-id=GOLD\nCisco-AVPair=ip:route=10.0.0.0\nFilter-Id=home\nFramed-Route=10.1.0.0/24";
  const own = "cisco-avpair=ip:vrf-id=OFFICE\nFramed-Route=10.2.0.0/24\nFramed-Route=10.3.0.0/24";
  expect(ReplyAttributes.of(sold, field.read(own) ?? null)?.toJSON()).toBe(
    [
      ...["Cisco-AVPair=ip:route=10.0.0.0", "Filter-Id=home", "Cisco-AVPair=ip:vrf-id=OFFICE"],
      ...["Framed-Route=10.2.0.0/24", "Framed-Route=10.3.0.0/24"],
    ].join("\n"),
  );
  expect(ReplyAttributes.of(null, null)).toBeUndefined();
});
