import { expect, test } from "bun:test";
import { openStore } from "../../db/open.ts";
import { nasNamed } from "../../src/domain/goods/nas/nas.ts";
import { latchMessageAuthenticator, recordUnauthenticated } from "../../src/domain/goods/nas/sources.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { by } from "../support/isp.ts";
import { CommandLine, smallIsp } from "./harness.ts";

async function withIsp(nas: object = {}): Promise<CommandLine> {
  const cli = new CommandLine();
  const isp = smallIsp();
  await cli.import({ ...isp, nas: isp.nas.map((one) => Object.assign(one, nas)) });
  return cli;
}

function inStore<T>(cli: CommandLine, read: (db: ReturnType<typeof openStore>) => T): T {
  const db = openStore(cli.data, { now: 0 });
  try {
    return read(db);
  } finally {
    db.$client.close();
  }
}

const secretsOf = (cli: CommandLine) =>
  inStore(cli, (db) => {
    const { secretSealed, routerosPasswordSealed } = nasNamed(db, by, "1");
    return [secretSealed, routerosPasswordSealed].map((sealed) => sealed && db.vault.openText(sealed));
  });

const unchanged = {
  id: 1,
  isp_id: 1,
  name: "core",
  address: "10.0.0.1",
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
  routeros: null,
  message_authenticator_seen: [],
  requests_dropped: [],
};

test.each<[string, object]>([
  ["--require-message-authenticator yes", { require_message_authenticator: "yes" }],
  ["--swap-octets", { swap_octets: true }],
  ["--mppe required", { mppe: "required" }],
  ["--kind accel-ppp", { kind: "accel-ppp" }],
  ["--dhcp", { dhcp: true }],
  ["--shaper cake --shaper-leases", { shaper: "cake", shaper_leases: true }],
  ["--coa-port 1700", { coa_port: 1700 }],
  ["--coa-event-timestamp", { coa_event_timestamp: true }],
  ["--disconnect-method coa", { disconnect_method: "coa" }],
  ["--name middle --address ::ffff:10.0.0.9", { name: "middle", address: "10.0.0.9" }],
])("nas set core %s changes that and nothing else", async (options, changes) => {
  using cli = await withIsp();
  expect(await cli.json(`nas set core ${options}`)).toEqual({ ...unchanged, ...changes });
  expect(await cli.json("nas list")).toEqual([{ ...unchanged, ...changes }]);
  expect(secretsOf(cli)).toEqual(["testing123", null]);
});

test("its RouterOS API: given, changed in part, taken away; the usual port goes with TLS", async () => {
  using cli = await withIsp({ swap_octets: true });
  const api = { host: "10.0.0.1", port: 8728, username: "api", tls: false, tls_fingerprint: null };
  const added = await cli.json(
    "nas set core --routeros-host 10.0.0.1 --routeros-username api --routeros-password",
    "hush\n",
  );
  expect(added).toMatchObject({ routeros: api, swap_octets: true });
  expect(secretsOf(cli)).toEqual(["testing123", "hush"]);

  const fingerprint = "AB".repeat(32);
  const secured = await cli.json(`nas set core --routeros-tls --routeros-tls-fingerprint ${fingerprint}`);
  const pinned = fingerprint.replace(/..(?=.)/g, "$&:");
  expect(secured).toMatchObject({ routeros: { ...api, port: 8729, tls: true, tls_fingerprint: pinned } });
  expect(await cli.json("nas set core --no-routeros-tls-fingerprint")).toMatchObject({
    routeros: { tls: true, tls_fingerprint: null },
  });
  expect(await cli.json("nas set core --routeros-port 9000")).toMatchObject({ routeros: { port: 9000 } });
  expect(await cli.json("nas set core --no-routeros-tls --no-swap-octets")).toMatchObject({
    routeros: { port: 9000, tls: false },
    swap_octets: false,
  });
  expect(secretsOf(cli)).toEqual(["testing123", "hush"]);
  expect(await cli.json("nas set core --no-routeros")).toMatchObject({ routeros: null });
  expect(secretsOf(cli)).toEqual(["testing123", null]);
});

test("secrets come from standard input, a line each, or are asked for at a terminal", async () => {
  using cli = await withIsp({ routeros: { host: "10.0.0.1", username: "api", password: "old" } });
  expect((await cli.run("nas set core --secret --routeros-password", { stdin: "one\ntwo\n" })).code).toBe(0);
  expect(secretsOf(cli)).toEqual(["one", "two"]);
  const { code, stdout, stderr } = await cli.type("nas set core --secret", "three\r");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "changed core at 10.0.0.1\n" });
  expect(stderr).not.toContain("three");
  expect(secretsOf(cli)).toEqual(["three", "two"]);
  const short = await cli.run("nas set core --secret --routeros-password", { stdin: "four\n" });
  expect(short.stderr).toContain("2 lines are needed");
  expect(secretsOf(cli)).toEqual(["three", "two"]);
  const audited = inStore(cli, (db) =>
    db.$client.query("SELECT action, before, after FROM audit_entries WHERE entity = 'nas'").values(),
  );
  expect(audited.at(-1)?.[0]).toBe("nas.set");
  expect(JSON.stringify(audited)).not.toMatch(/"(one|two|three)"/);
});

test("the latches of Message-Authenticator are listed, and forgotten one by one or all", async () => {
  using cli = await withIsp({ address: "10.0.0.0/8" });
  const since = formatTime(1_800_000_000);
  const later = formatTime(1_800_000_060);
  expect((await cli.run("nas list")).stdout).toContain("auto: not seen yet");
  inStore(cli, (db) => {
    for (const address of ["10.0.0.1", "10.0.0.2", "10.0.0.3"])
      latchMessageAuthenticator(db, { nasId: 1, address }, 1_800_000_000);
    recordUnauthenticated(db, { nasId: 1, address: "10.0.0.2" }, 1_800_000_000);
    recordUnauthenticated(db, { nasId: 1, address: "10.0.0.2" }, 1_800_000_060);
  });
  expect((await cli.run("nas list")).stdout).toContain("auto: seen of 3");
  expect(await cli.json("nas list")).toEqual([
    {
      ...unchanged,
      address: "10.0.0.0/8",
      message_authenticator_seen: ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map((address) => ({ address, since })),
      requests_dropped: [{ address: "10.0.0.2", since, last: later }],
    },
  ]);

  const one = await cli.json("nas set core --forget-message-authenticator 10.0.0.2");
  expect(one).toMatchObject({
    message_authenticator_seen: [{ address: "10.0.0.1" }, { address: "10.0.0.3" }],
    requests_dropped: [],
  });
  const again = await cli.run("nas set core --forget-message-authenticator 10.0.0.2");
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "was seen of 10.0.0.2 that could be forgotten; see: gatehouse nas list --json",
    ),
  });
  expect(await cli.json("nas set core --forget-message-authenticator")).toMatchObject({
    message_authenticator_seen: [],
  });
  const audited = inStore(cli, (db) =>
    db.$client.query("SELECT after FROM audit_entries WHERE action = 'nas.set' ORDER BY id DESC").values(),
  );
  expect(JSON.parse(String(audited[0]?.[0]))).toMatchObject({
    message_authenticators_forgotten: ["10.0.0.1", "10.0.0.3"],
  });
});

test("another mode begins anew, and so does a return to auto", async () => {
  using cli = await withIsp();
  inStore(cli, (db) => latchMessageAuthenticator(db, { nasId: 1, address: "10.0.0.1" }, 1_800_000_000));
  expect((await cli.run("nas list")).stdout).toContain(`auto: seen ${formatTime(1_800_000_000)}`);
  expect(await cli.json("nas set core --require-message-authenticator no")).toMatchObject({
    require_message_authenticator: "no",
    message_authenticator_seen: [],
  });
  await cli.run("nas set core --require-message-authenticator auto");
  expect((await cli.run("nas list")).stdout).toContain("auto: not seen yet");
});

test.each([
  ["nas set core", "say what to change"],
  ["nas set core --json", "say what to change"],
  ["nas set nowhere --mppe keys", "there is no NAS nowhere"],
  ["nas set core --name edge", "name is taken by the NAS with the address 10.0.0.2"],
  ["nas set core --address 10.0.0.2", "address is taken by the NAS edge"],
  ["nas set core --coa-port 0", "coa_port must be a whole number from 1 to 65535"],
  ["nas set core --mppe maybe", "Allowed choices are keys, allowed, required; see --help"],
  ["nas set core --routeros-host 10.0.0.1", "routeros/username is required"],
  ["nas set core --secret", "standard input is empty"],
])("%s is refused", async (argv, message) => {
  using cli = await withIsp();
  await cli.run("nas add edge 10.0.0.2");
  const { code, stderr } = await cli.run(argv);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(message);
  expect(await cli.json("nas list")).toMatchObject([unchanged, { name: "edge" }]);
});
