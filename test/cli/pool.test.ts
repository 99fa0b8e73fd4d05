import { expect, test } from "bun:test";
import { CommandLine, smallIsp } from "./harness.ts";

const later = "2099-01-01 00:00:00";

/** Sam has a service, Tom none. */
async function withIsp(): Promise<CommandLine> {
  const cli = new CommandLine();
  const data = smallIsp();
  const [sam, ...others] = data.subscribers;
  await cli.import({ ...data, subscribers: [{ ...sam, current_expiration_date: later }, ...others] });
  return cli;
}

test("a pool is added, named by a package, given to its holders, shown, made larger and removed", async () => {
  using cli = await withIsp();
  expect((await cli.run("pool add homes 10.20.0.0/30")).stdout).toBe("added homes: 2 addresses\n");
  expect((await cli.run("pool add prefixes 2001:db8::/48 --length 56")).stdout).toBe(
    "added prefixes: 256 prefixes\n",
  );
  await cli.json("package set 1 --address-pool homes --delegated-ipv6-from prefixes");
  expect((await cli.run("package apply 1")).code).toBe(0);
  expect(await cli.json("pool show homes")).toMatchObject({
    name: "homes",
    range: "10.20.0.1-10.20.0.2",
    size: 2,
    used: 1,
    packages: ["Home 10"],
    addresses: [{ address: "10.20.0.1", username: "sam", current_expiration_date: later }],
  });
  expect((await cli.run("pool show prefixes")).stdout).toMatch(/2001:db8::\/56 +sam +sam +2099/);
  expect((await cli.run("pool list")).stdout).toMatch(
    /homes +10\.20\.0\.1-10\.20\.0\.2 +address +1 +0 +1 +Home 10/,
  );
  expect((await cli.run("pool set homes --range 10.20.0.0/29")).stdout).toBe(
    "homes is 10.20.0.1-10.20.0.6 now, 6 in all\n",
  );
  expect((await cli.run("pool remove homes")).stderr).toContain("Home 10");
  await cli.json("package set 1 --address-pool= --delegated-ipv6-from=");
  await cli.run("package apply 1");
  expect((await cli.run("pool remove homes")).stdout).toBe("removed homes\n");
  expect((await cli.run("pool remove homes")).stderr).toContain(
    "there is no address pool homes; there are: prefixes",
  );
});

test("what is no range is refused in words", async () => {
  using cli = await withIsp();
  const refused = async (rest: string) => (await cli.run(`pool add homes ${rest}`)).stderr;
  expect(await refused("10.20.0.0")).toContain("must be addresses such as 10.0.0.2-10.0.3.254");
  expect(await refused("2001:db8::/40")).toContain("say which length each subscriber gets");
  expect(await refused("10.0.0.0/30 --length 56")).toContain("have no length");
});

test("the line of a subscriber is set, by option 82 and by an address of its own, and cleared", async () => {
  using cli = await withIsp();
  expect(
    await cli.json("subscriber set sam --circuit-id 0x000400640001 --remote-id olt-3 --static-ip 10.9.0.1"),
  ).toMatchObject({ circuit_id: "0x000400640001", remote_id: "olt-3", static_ip: "10.9.0.1" });
  expect(
    (await cli.run("subscriber set tom --circuit-id 0x000400640001 --remote-id olt-3")).stderr,
  ).toContain("is the line of another subscriber");
  expect(await cli.json("subscriber set sam --static-ip= --mac-login 1")).toMatchObject({
    static_ip: null,
    mac_login: 1,
    circuit_id: "0x000400640001",
  });
  expect((await cli.run("subscriber set sam")).stderr).toContain("say what to change");
});
