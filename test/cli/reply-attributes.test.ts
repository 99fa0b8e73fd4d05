import { expect, test } from "bun:test";
import { CommandLine, smallIsp } from "./harness.ts";

async function withIsp(): Promise<CommandLine> {
  const cli = new CommandLine();
  await cli.import(smallIsp());
  return cli;
}

test("a package and a line are given further attributes, which an Accept says from then on", async () => {
  using cli = await withIsp();
  const twoLines = "framed-mtu = 1492\nCisco-AVPair := ip:vrf-id=GOLD";
  const set = ["package", "set", "1", "--reply-attributes", twoLines];
  expect((await cli.run([...set, "--json"])).stdout).toContain(
    "Framed-MTU=1492\\nCisco-AVPair=ip:vrf-id=GOLD",
  );
  expect(await cli.json("subscriber set sam --reply-attributes Framed-Route=10.9.0.0/24")).toMatchObject({
    reply_attributes: "Framed-Route=10.9.0.0/24",
  });
  expect(await cli.json("subscriber set sam --reply-attributes=")).toMatchObject({ reply_attributes: null });
});

test.each([
  ["Framed-Root=10.9.0.0/24", "Framed-Root is in no dictionary of ours"],
  ["Session-Timeout=600", "Session-Timeout follows from the end of the service; leave it out"],
  ["Mikrotik-Recv-Limit=1000", "Mikrotik-Recv-Limit follows from the data volume that is left"],
  ["Mikrotik-Host-IP=10.0.0.1", "Mikrotik-Host-IP is an address"],
  ["Mikrotik-Wireless-PSK=hush-hush", "Mikrotik-Wireless-PSK is a secret"],
  [`Filter-Id=${"x".repeat(254)}`, "Filter-Id is 254 bytes long, and 253 is the most"],
  ["Framed-MTU=wide", "Framed-MTU"],
])("%p is refused in words, of a package and of a line, and nothing is changed", async (line, words) => {
  using cli = await withIsp();
  for (const command of ["package set 1", "subscriber set sam"]) {
    const refused = await cli.run([...command.split(" "), "--reply-attributes", line]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(words);
    expect(refused.stderr).not.toContain("hush-hush");
  }
});
