import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openReader } from "../../db/open.ts";
import { nasNamed } from "../../src/domain/goods/nas/nas.ts";
import { by } from "../support/isp.ts";
import { CommandLine, smallIsp } from "./harness.ts";

async function withIsp(): Promise<CommandLine> {
  const cli = new CommandLine();
  await cli.import(smallIsp());
  return cli;
}

function secretsOf(cli: CommandLine, name: string): (string | null)[] {
  const db = openReader(cli.data);
  const { secretSealed, routerosPasswordSealed } = nasNamed(db, by, name);
  const secrets = [secretSealed, routerosPasswordSealed].map((sealed) => sealed && db.vault.openText(sealed));
  db.$client.close();
  return secrets;
}

test("a router that asks by RadSec is shown no secret of UDP, and where its certificate comes from", async () => {
  using cli = await withIsp();
  const { code, stdout } = await cli.run("nas add edge 10.0.0.77 --radsec");
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/^secret:/m);
  expect(stdout).toMatch(/its certificate and commands: gatehouse nas radsec \d+/);
  expect(await cli.json("nas add ridge 10.0.0.78 --radsec")).not.toHaveProperty("secret");
});

test("a generated secret is printed, with where it stands too", async () => {
  using cli = await withIsp();
  const { code, stdout } = await cli.run("nas add edge 10.0.0.77/24");
  expect(code).toBe(0);
  const secret = /^secret: (\S{24})$/m.exec(stdout)?.[1];
  expect(secretsOf(cli, "edge")).toEqual([secret ?? "", null]);
  expect(stdout).not.toContain("not shown again");
  const script = /gatehouse (nas script \d+)/.exec(stdout)?.[1] ?? "";
  expect((await cli.run(`${script} --server 10.0.0.1`)).stdout).toContain(`secret=${secret}`);
  expect((await cli.run("nas list")).stdout).not.toContain(secret ?? "");
  expect(await cli.json("nas list")).toMatchObject([
    { name: "core" },
    { name: "edge", address: "10.0.0.0/24" },
  ]);
});

test("the secret and the RouterOS password come from standard input, a line each", async () => {
  using cli = await withIsp();
  const api = "--routeros-host 10.0.0.9 --routeros-username api --routeros-tls";
  const added = await cli.json(`nas add edge ::ffff:10.0.0.9 --secret-stdin ${api}`, "radius\npassword\n");
  expect(added).toEqual({
    id: 2,
    isp_id: 1,
    name: "edge",
    address: "10.0.0.9",
    require_message_authenticator: "auto",
    swap_octets: false,
    coa_port: 3799,
    coa_event_timestamp: false,
    disconnect_method: "auto",
    mppe: "keys",
    kind: "mikrotik",
    radsec: false,
    dhcp: false,
    shaper: "none",
    shaper_leases: false,
    dual_stack: "whole",
    routeros: { host: "10.0.0.9", port: 8729, username: "api", tls: true, tls_fingerprint: null },
  });
  expect(secretsOf(cli, "edge")).toEqual(["radius", "password"]);
});

test("a router that requires Event-Timestamp in CoA is added as one", async () => {
  using cli = await withIsp();
  expect(await cli.json("nas add edge 10.0.0.9 --coa-event-timestamp")).toMatchObject({
    coa_event_timestamp: true,
  });
});

test("at a terminal both are asked for; an empty secret generates one", async () => {
  using cli = await withIsp();
  const api = "--routeros-host 10.0.0.9 --routeros-username api";
  const { code, stdout } = await cli.type(`nas add edge 10.0.0.9 ${api}`, "\rpassword\r");
  expect(code).toBe(0);
  const secret = /^secret: (\S+)$/m.exec(stdout)?.[1];
  expect(secretsOf(cli, "edge")).toEqual([secret ?? "", "password"]);
});

test.each([
  [
    "nas add edge 10.0.0.1",
    "address is taken by the NAS core; to give that one another: gatehouse nas set core --address ADDRESS",
  ],
  [
    "nas add core 10.0.0.2",
    "name is taken by the NAS with the address 10.0.0.1; to give that one another: gatehouse nas set 10.0.0.1 --name NAME",
  ],
  ["nas add edge 10.0.0.300", "address must be an IP address or a CIDR"],
  ["nas add edge 10.0.0.2 --isp 7", "there is no ISP 7; there are 1 (Northlink)"],
  ["nas add edge 10.0.0.2 --coa-port 0", "coa_port must be a whole number from 1 to 65535"],
  ["nas add edge 10.0.0.2 --routeros-host r", "the RouterOS API needs a password"],
  ["nas remove nowhere", "there is no NAS nowhere"],
])("%s is refused", async (argv, message) => {
  using cli = await withIsp();
  const { code, stderr } = await cli.run(argv);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr.split("\n")).toHaveLength(2);
});

test("a second ISP makes --isp necessary, and names may repeat", async () => {
  using cli = await withIsp();
  await cli.import({ isps: [{ id: 2, name: "Southlink" }] });
  expect((await cli.run("nas add core 10.0.0.2")).stderr).toContain("--isp ID");
  expect((await cli.run("nas add core 10.0.0.2 --isp 2")).code).toBe(0);
  expect((await cli.run("nas remove core")).stderr).toContain("10.0.0.1, 10.0.0.2");
  expect((await cli.run("nas remove 10.0.0.2")).stdout).toBe("removed core at 10.0.0.2\n");
});

test("a router that subscribers point at is removed with --detach only", async () => {
  using cli = await withIsp();
  const refused = await cli.run("nas remove core");
  expect(refused).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "gatehouse: subscribers point at the NAS core: sam, tom; give them another one, or detach them (--detach, detach=1), which leaves them without\n",
  });
  using db = new Database(join(cli.data, "gatehouse.db"));
  db.run(
    "INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, started_at, updated_at) VALUES (1, '10.0.0.1', 'a', 'sam', 1, 1)",
  );
  const { code, stdout } = await cli.run("nas remove core --detach");
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "removed core at 10.0.0.1; subscribers without a router now: 2; sessions ended in the books: 1\n",
  });
  expect(await cli.json("subscriber list")).toMatchObject([{ nas_id: null }, { nas_id: null }]);
});
