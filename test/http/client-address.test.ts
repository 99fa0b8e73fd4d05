import { expect, test } from "bun:test";
import { clientAddress, trustedProxies } from "../../src/http/client-address.ts";

const trusted = ["10.0.0.0/8", "192.0.2.1", "fd00::/8"];
const cases: [name: string, peer: string | null, forwardedFor: string | null, client: string][] = [
  ["no socket", null, "203.0.113.7", "unknown"],
  ["no header", "10.0.0.1", null, "10.0.0.1"],
  ["an untrusted peer", "203.0.113.1", "198.51.100.1", "203.0.113.1"],
  ["one hop", "10.0.0.1", "203.0.113.7", "203.0.113.7"],
  [
    "the last untrusted one counts",
    "10.0.0.1",
    "198.51.100.1, 203.0.113.7, 10.0.0.9,192.0.2.1",
    "203.0.113.7",
  ],
  ["every hop is trusted", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.1"],
  ["what is no address hides what stands before it", "10.0.0.1", "203.0.113.7, nonsense", "10.0.0.1"],
  ["an empty header", "10.0.0.1", "", "10.0.0.1"],
  ["octal tricks are no address", "10.0.0.1", "010.1.1.1", "10.0.0.1"],
  ["IPv4 in IPv6", "::ffff:10.0.0.1", "::ffff:203.0.113.7", "203.0.113.7"],
  ["IPv6 with a port", "fd00::1", "[2001:db8::7]:443", "2001:db8::7"],
  ["IPv4 with a port", "fd00::1", "203.0.113.7:5000", "203.0.113.7"],
  ["IPv6 in another writing", "2001:0DB8::0001", null, "2001:db8::1"],
];

test.each(cases)("%s", (_name, peer, forwardedFor, client) => {
  const request = new Request("http://localhost/", {
    headers: forwardedFor === null ? {} : { "x-forwarded-for": forwardedFor },
  });
  const server = peer === null ? null : { requestIP: () => ({ address: peer }) };
  expect(clientAddress(request, server, trustedProxies(trusted))).toBe(client);
});
