import { expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openedBundle } from "../support/radsec-client.ts";
import { CommandLine, smallIsp } from "./harness.ts";

async function withIsp(): Promise<CommandLine> {
  const cli = new CommandLine();
  await cli.import(smallIsp());
  return cli;
}

test("a certificate is written for its owner alone, with the commands for the router and how sessions end", async () => {
  using cli = await withIsp();
  const file = join(cli.folder, "core.p12");
  const { code, stdout, stderr } = await cli.run([
    ...["nas", "radsec", "core", "--server", "203.0.113.10", "--out", file],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const password = /its password is not shown again: (\S+)/.exec(stdout)?.[1] ?? "";
  const bundle = Buffer.from(await Bun.file(file).arrayBuffer());
  expect((await openedBundle(bundle, password)).certificate).toContain("BEGIN CERTIFICATE");
  const lines = stdout.split("\n");
  expect(lines).toContain(`/certificate import file-name=gatehouse-radsec-1.p12 passphrase=${password}`);
  expect(lines).toContain(
    "/radius add service=ppp,hotspot address=203.0.113.10 protocol=radsec secret=radsec certificate=gatehouse-radsec-1.p12_0 authentication-port=2083 accounting-port=2083 timeout=3s comment=gatehouse",
  );
  expect(lines).toContain("/radius incoming set accept=no");
  expect(stdout).not.toContain("3799");
  expect(stdout).toContain("core");
});

test("its certificates are listed and revoked, and its script has them", async () => {
  using cli = await withIsp();
  const out = join(cli.folder, "a.p12");
  expect((await cli.run(["nas", "set", "core", "--radsec"])).stdout).toContain("they end by Session-Timeout");
  expect((await cli.run("nas script core --server 203.0.113.10")).stderr).toContain("has no certificate");
  writeFileSync(out, "there already", { mode: 0o644 });
  await cli.run(["nas", "radsec", "core", "--server", "203.0.113.10", "--out", out]);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  await cli.run(["nas", "radsec", "core", "--out", out]); // at the address of the last time
  expect(await cli.json("nas radsec core --list")).toMatchObject([{ id: 2, revoked_at: null }, { id: 1 }]);
  expect((await cli.run("nas script core --server 198.51.100.1")).stdout).toContain("address=203.0.113.10");
  expect((await cli.run("nas radsec core --revoke 1")).stdout).toContain("revoked certificate 1");
  expect((await cli.run("nas radsec core --revoke 1")).code).toBe(1);
  expect((await cli.run("nas radsec core --server a/b --out x")).stderr).toContain(
    "is no address of this box",
  );
});

test("a name of ours stands only where RouterOS takes one", async () => {
  using cli = new CommandLine();
  const isp = smallIsp();
  const packages = isp.packages.map((one) => Object.assign(one, { expired_address_list: "expired" }));
  await cli.import({ ...isp, packages });
  const command = [
    "nas",
    "radsec",
    "core",
    "--server",
    "radius.isp.example",
    "--out",
    join(cli.folder, "a.p12"),
  ];
  const { stdout, stderr } = await cli.run(command, { env: { GATEHOUSE_WALLED_LISTEN: "0.0.0.0:8081" } });
  expect(stderr).toBe("");
  expect(stdout).toContain("/radius add service=ppp,hotspot address=radius.isp.example protocol=radsec");
  expect(stdout).toMatch(/to-addresses=[\d.]+ to-ports=8081/);
  expect(stdout).toMatch(/name=gatehouse group=gatehouse password=\S+ address=[\d.]+\/32 /);
});
