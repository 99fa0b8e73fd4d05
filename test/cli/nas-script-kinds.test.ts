import { expect, test } from "bun:test";
import { CommandLine, smallIsp } from "./harness.ts";

/** `nas script` of a router of a kind, at an ISP whose packages have two rates, one of them for who has used up its data. */
async function scriptOf(kind: string, more: object = {}, server = "10.0.0.254"): Promise<string[]> {
  using cli = new CommandLine();
  const isp = smallIsp();
  const [sold] = isp.packages;
  await cli.import({
    ...isp,
    nas: isp.nas.map((one) => Object.assign(one, { kind, ...more })),
    packages: [
      { ...sold, rate_limit: "5M/20M", quota_exceeded: "512k/1M", expired_address_list: "expired" },
      {
        ...sold,
        id: 99,
        name: "Other",
        rate_limit: "5M/0",
        expired_pool: kind === "accel-ppp" ? "garden" : null,
      },
    ],
  });
  const { code, stdout, stderr } = await cli.run(`nas script core --server ${server}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.trimEnd().split("\n");
}

test("accel-ppp is given the sections of its file, and where we may tell it", async () => {
  expect(await scriptOf("accel-ppp")).toEqual([
    ...["[modules]", "radius", "shaper", "[radius]"],
    "server=10.0.0.254,testing123,auth-port=1812,acct-port=1813,req-limit=50,fail-timeout=0,max-fail=10",
    "dae-server=10.0.0.1:3799,testing123",
    "acct-interim-interval=300",
    ...["[shaper]", "attr=Filter-Id"],
    "# who is expired (pool garden) may reach this and nothing else:",
    "# no resolver: name those that they may ask with: gatehouse settings set garden_dns ADDRESS",
    "# port 53 of any other address is a way out for nothing; their rate is at most 512k/512k, up/down",
  ]);
});

test("a network of routers listens everywhere, and asks the second box after the first", async () => {
  const lines = await scriptOf("accel-ppp", { address: "10.0.0.0/24" }, "10.0.0.254:1822,10.0.0.253");
  expect(lines.filter((line) => /^(server|dae-server)=/.test(line))).toEqual([
    "server=10.0.0.254,testing123,auth-port=1822,acct-port=1823,req-limit=50,fail-timeout=0,max-fail=10",
    "server=10.0.0.253,testing123,auth-port=1812,acct-port=1813,req-limit=50,fail-timeout=0,max-fail=10",
    "dae-server=0.0.0.0:3799,testing123",
  ]);
});

test("IOS gets a policy map for each speed that a package or its end of data names", async () => {
  const lines = await scriptOf("cisco", { coa_port: 1700 });
  expect(lines).toContain(" address ipv4 10.0.0.254 auth-port 1812 acct-port 1813");
  expect(lines).toContain(" client 10.0.0.254 server-key testing123");
  expect(lines).toContain(" port 1700");
  expect(lines).toContain("aaa accounting update periodic 5");
  expect(lines.filter((line) => line.startsWith("policy-map") || line.includes("police"))).toEqual([
    ...["policy-map up-512k", "  police cir 512000", "policy-map down-1M", "  police cir 1000000"],
    ...["policy-map down-512k", "  police cir 512000"],
    ...["policy-map up-5M", "  police cir 5000000", "policy-map down-20M", "  police cir 20000000"],
  ]);
  expect(lines.at(-1)).toMatch(/^! port 53 of any other address is a way out for nothing/);
});

test("Junos gets a filter for each of them", async () => {
  const lines = await scriptOf("juniper");
  expect(lines).toContain('set access radius-server 10.0.0.254 secret "testing123"');
  expect(lines).toContain("set access radius-server 10.0.0.254 dynamic-request-port 3799");
  expect(lines).toContain(
    "set firewall policer down-20M if-exceeding bandwidth-limit 20000000 burst-size-limit 625000",
  );
  expect(lines.filter((line) => line.includes("interface-specific"))).toHaveLength(5);
});

test.each(["huawei", "generic"])("%s is told what to set", async (kind) => {
  expect(await scriptOf(kind)).toEqual([
    "RADIUS server 10.0.0.254, authentication port 1812, accounting port 1813",
    "shared secret testing123",
    "dynamic authorization (RFC 5176) from 10.0.0.254 at UDP port 3799, same secret",
    "authentication, authorization and accounting of subscribers by RADIUS",
    "interim accounting every 300 seconds",
    "who is expired (list expired) may reach this and nothing else:",
    "no resolver: name those that they may ask with: gatehouse settings set garden_dns ADDRESS",
    "port 53 of any other address is a way out for nothing; their rate is at most 512k/512k, up/down",
  ]);
});

test("a router of another kind is told the resolvers and the portal that who has expired may reach", async () => {
  using cli = new CommandLine();
  const isp = smallIsp();
  await cli.import({
    ...isp,
    settings: { garden_dns: "10.0.0.53,10.0.0.54" },
    nas: isp.nas.map((one) => Object.assign(one, { kind: "cisco" })),
    packages: isp.packages.map((one) => Object.assign(one, { expired_address_list: "expired" })),
  });
  const env = { GATEHOUSE_WALLED_LISTEN: "0.0.0.0:8081", GATEHOUSE_PUBLIC_LISTEN: "0.0.0.0:8443" };
  const { stdout } = await cli.run("nas script core --server 10.0.0.254", { env });
  expect(stdout).toContain(
    "! who is expired (list expired) may reach this and nothing else:\n! UDP and TCP port 53 of 10.0.0.53 and 10.0.0.54\n! TCP port 8081 and 8443 of 10.0.0.254\n",
  );
});
