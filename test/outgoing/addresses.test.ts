import { expect, test } from "bun:test";
import { isPublicAddress } from "../../src/domain/core/networks/networks.ts";

test.each(["8.8.8.8", "1.1.1.1", "193.0.6.139", "2a00:1450:4001:800::200e", "2606:4700::1111"])(
  "%s is public",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  ...["127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  ...["169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1", "224.0.0.1"],
  ...["255.255.255.255", "240.0.0.1", "192.0.2.1", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"],
  ...["::ffff:8.8.8.8", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "64:ff9b::a00:1"],
  ...[
    "2002:7f00:1::",
    "2001:db8::1",
    "::7f00:1",
    "64:ff9b:1::a00:1",
    "fec0::1",
    "4000::1",
    "localhost",
    "",
    "1.2.3",
  ],
])("%s is not", (address) => expect(isPublicAddress(address)).toBe(false));
