import { expect, test } from "bun:test";
import { nasKinds } from "../../../../src/domain/goods/nas/kinds.ts";
import { rateAttributes } from "../../../../src/domain/goods/packages/rate.ts";

/** Each kind's attributes of 5 Mbit/s up with a burst to 8, and 20 down with one to 30, by name and by the bytes of its dictionary. */
const expected: Readonly<Record<(typeof nasKinds)[number], readonly (readonly [string, string, string])[]>> =
  {
    mikrotik: [
      [
        "Mikrotik-Rate-Limit",
        "5M/20M 8M/30M 4M/15M 8/8 8 1M/2M",
        "1a28 00003a8c 0822 354d2f32304d20384d2f33304d20344d2f31354d20382f38203820314d2f324d",
      ],
    ],
    "accel-ppp": [["Filter-Id", "20000/5000", "0b0c 32303030302f35303030"]],
    cisco: [
      [
        "Cisco-AVPair",
        "ip:sub-qos-policy-in=up-5M",
        "1a22 00000009 011c 69703a7375622d716f732d706f6c6963792d696e3d75702d354d",
      ],
      [
        "Cisco-AVPair",
        "ip:sub-qos-policy-out=down-20M",
        "1a26 00000009 0120 69703a7375622d716f732d706f6c6963792d6f75743d646f776e2d32304d",
      ],
    ],
    huawei: [
      ["Huawei-Input-Average-Rate", "5000000", "1a0c 000007db 0206 004c4b40"],
      ["Huawei-Input-Peak-Rate", "8000000", "1a0c 000007db 0306 007a1200"],
      ["Huawei-Output-Average-Rate", "20000000", "1a0c 000007db 0506 01312d00"],
      ["Huawei-Output-Peak-Rate", "30000000", "1a0c 000007db 0606 01c9c380"],
    ],
    juniper: [
      ["ERX-Ingress-Policy-Name", "up-5M", "1a0d 0000130a 0a07 75702d354d"],
      ["ERX-Egress-Policy-Name", "down-20M", "1a10 0000130a 0b0a 646f776e2d32304d"],
    ],
    generic: [
      ["WISPr-Bandwidth-Min-Up", "1000000", "1a0c 0000372a 0506 000f4240"],
      ["WISPr-Bandwidth-Max-Up", "5000000", "1a0c 0000372a 0706 004c4b40"],
      ["WISPr-Bandwidth-Min-Down", "2000000", "1a0c 0000372a 0606 001e8480"],
      ["WISPr-Bandwidth-Max-Down", "20000000", "1a0c 0000372a 0806 01312d00"],
    ],
  };

const format = (kind: (typeof nasKinds)[number], rateLimit: string) =>
  rateAttributes(kind, rateLimit).map(({ name, value }) => `${name}=${value}`);

test.each([...nasKinds])("a rate is told to %p in its own attributes, byte by byte", (kind) => {
  const written = rateAttributes(kind, "5M/20M 8M/30M 4M/15M 8/8 8 1M/2M").map(
    ({ name, value, bytes }) => [name, value, Buffer.from(bytes).toString("hex")] as const,
  );
  expect(written).toEqual(expected[kind].map(([name, value, hex]) => [name, value, hex.replaceAll(" ", "")]));
});

test("one rate for both ways, and one in bits a second", () => {
  expect(format("accel-ppp", "10M")).toEqual(["Filter-Id=10000/10000"]);
  expect(format("juniper", "512k/1500000")).toEqual([
    "ERX-Ingress-Policy-Name=up-512k",
    "ERX-Egress-Policy-Name=down-1500k",
  ]);
  expect(format("cisco", "1234567/1M")).toContain("Cisco-AVPair=ip:sub-qos-policy-in=up-1234567");
});

test("a way without a limit is told as none, and less than a kbit/s is not told as none", () => {
  expect(format("huawei", "0/20M")).toEqual([
    "Huawei-Output-Average-Rate=20000000",
    "Huawei-Output-Peak-Rate=20000000",
  ]);
  expect(format("generic", "5M/0")).toEqual(["WISPr-Bandwidth-Max-Up=5000000"]);
  expect(format("accel-ppp", "0/20M")).toEqual(["Filter-Id=20000/0"]);
  expect(format("accel-ppp", "400/0")).toEqual(["Filter-Id=0/1"]);
});

test("what 32 bits do not say is told as the most that they say", () => {
  expect(format("generic", "9999M/10000M")).toEqual([
    "WISPr-Bandwidth-Max-Up=4294967295",
    "WISPr-Bandwidth-Max-Down=4294967295",
  ]);
});

test("RouterOS is told a rate to the letter", () => {
  expect(format("mikrotik", "10240k/10M 0/0")).toEqual(["Mikrotik-Rate-Limit=10240k/10M 0/0"]);
});
