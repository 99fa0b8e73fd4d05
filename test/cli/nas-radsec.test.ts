import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "../support/appliance.ts";
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

test("who is expired has nothing to do with a certificate: the walled garden may be off", async () => {
  using cli = new CommandLine();
  const isp = smallIsp();
  const packages = isp.packages.map((one) => Object.assign(one, { expired_address_list: "expired" }));
  await cli.import({ ...isp, packages });
  const { code, stdout, stderr } = await cli.run(
    `nas radsec core --server 203.0.113.10 --out ${join(cli.folder, "a.p12")}`,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("protocol=radsec");
  expect(stdout).not.toContain("src-address-list=expired");
});

test("a file that cannot be written is said before a certificate is made", async () => {
  using cli = await withIsp();
  const { code, stderr } = await cli.run("nas radsec core --server 203.0.113.10 --out /nowhere/core.p12");
  expect(code).toBe(1);
  expect(stderr).toContain("No certificate was made");
  expect(stderr).not.toContain("revoke");
  expect(await cli.json("nas radsec core --list")).toEqual([]);
});

test("in a folder of root's, as which the command came, the file goes where the service may write", async () => {
  using cli = await withIsp();
  const home = join(cli.folder, "root");
  mkdirSync(home, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(cli.folder, 0o755);
    await Bun.$`chown -R nobody ${cli.data}`.quiet();
  } else chmodSync(home, 0o500);
  const child = Bun.spawn(
    [
      ...(isRoot ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []),
      ...[program, "nas", "radsec", "core", "--server", "203.0.113.10"],
    ],
    { cwd: home, env: { GATEHOUSE_DATA_DIR: cli.data }, stdout: "pipe", stderr: "pipe" },
  );
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const file = join(cli.data, "gatehouse-radsec-1.p12");
  expect(stdout).toContain(`wrote ${file}`);
  expect(stdout).toContain(
    `copy gatehouse-radsec-1.p12 to the router's files and remove it from ${cli.data}`,
  );
  expect([existsSync(file), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
});
