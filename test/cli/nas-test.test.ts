import { afterEach, beforeEach, expect, test } from "bun:test";
import { openStore } from "../../db/open.ts";
import { sessions } from "../../db/schema.ts";
import { parseClock } from "../../src/domain/goods/router-setup/clock.ts";
import { coaPatience, FakeNas } from "../support/fake-nas.ts";
import { FakeRouteros, type FakeRouterosOptions, selfSigned } from "../support/fake-routeros.ts";
import { CommandLine } from "./harness.ts";

let cli: CommandLine;
let nas: FakeNas;
beforeEach(async () => {
  cli = new CommandLine();
  nas = await FakeNas.start({ answer: "nak", errorCause: 503 });
});
afterEach(() => {
  cli[Symbol.dispose]();
  nas[Symbol.dispose]();
});

const clockNow = (offset = 0) => {
  const [date = "", time = ""] = new Date(Date.now() + offset * 1000).toISOString().split(/[T.]/);
  return { date, time, "gmt-offset": "+00:00" };
};

/** Runs the test against a fake API; what it prints without ports, and its exit code. */
async function nasTest(
  options: FakeRouterosOptions | null,
  values: object = {},
  args = "",
): Promise<string[]> {
  const { behaviour } = nas;
  if (typeof behaviour === "function") throw new Error("how long to wait is said by one behaviour");
  await using api = await FakeRouteros.start({ clock: () => clockNow(), ...options });
  const routeros = { host: "127.0.0.1", port: api.port, username: "api", password: "secret" };
  await cli.import({
    settings: { max_coa_wait: coaPatience(behaviour) },
    isps: [{ id: 1, name: "Northlink" }],
    nas: [
      {
        id: 1,
        isp_id: 1,
        name: "core",
        address: "127.0.0.1",
        secret: "testing123",
        coa_port: nas.port,
        routeros: options && { ...routeros, ...values },
        ...(!options && values),
      },
    ],
  });
  const { code, stdout } = await cli.run(`nas test core${args}`);
  const lines = stdout
    .trim()
    .replaceAll(String(nas.port), "PORT")
    .replaceAll(String(api.port), "API")
    .split("\n");
  return [...lines, `exit ${code}`];
}

const REACHED = "ok       reachable    127.0.0.1 answers";
const COA =
  "ok       coa          port PORT answers: NAK, Error-Cause 503 Session-Context-Not-Found: it knows no such session";
const SECRET = "ok       secret       its answer is signed with our secret";
const API = "ok       api          127.0.0.1:API accepts the login of api";
const PERMITTED = "ok       permissions  it may read who is online and end sessions";
const CLOCK = expect.stringMatching(/^ok {7}clock {8}it is \d s (behind|ahead of) ours$/);
const NO_API = [
  "skipped  api          the RouterOS API is not set up for this NAS",
  "skipped  permissions  needs the API",
  "skipped  clock        needs the API",
];

test("everything is right", async () => {
  expect(await nasTest({})).toEqual([REACHED, COA, SECRET, API, PERMITTED, CLOCK, "exit 0"]);
});

test("a router that is no RouterOS, as its sessions tell, gets no commands of RouterOS", async () => {
  nas.behaviour = { answer: "silence" };
  await nasTest(null); // makes the store
  const db = openStore(cli.data, { now: 1 });
  const session = { nasId: 1, nasAddress: "127.0.0.1", username: "x", startedAt: 1, updatedAt: 1 };
  db.insert(sessions)
    .values({ ...session, acctSessionId: "5C3A1B2C-00000001" })
    .run();
  const [, coa] = await nasTest(null);
  expect(coa).toBe(
    "failed   coa          port PORT does not answer; let the router take dynamic authorization (RFC 5176) from this server, at that port and through its firewall",
  );
  db.insert(sessions)
    .values({ ...session, acctSessionId: "81000001" })
    .run();
  db.$client.close();
  expect((await nasTest(null))[1]).toContain("/radius incoming set accept=yes");
});

test("without an API the rest is looked at", async () => {
  expect(await nasTest(null)).toEqual([REACHED, COA, SECRET, ...NO_API, "exit 0"]);
});

test("a router of which nas script alone set the API up fails by what disconnects need only", async () => {
  const gone = await FakeRouteros.start({ clock: clockNow() });
  const { port } = gone;
  await gone[Symbol.asyncDispose]();
  const scripted = { routeros: { host: "127.0.0.1", port, username: "gatehouse", password: "secret" } };
  const lines = await nasTest(null, scripted);
  expect(lines.slice(0, 3)).toEqual([REACHED, COA, SECRET]);
  expect(lines[3]).toMatch(/^skipped {2}api .*CoA works without it/);
  expect(lines.at(-1)).toBe("exit 0");
  // where somebody set it up, or sessions are ended by it, it is missed
  const chosen = { routeros: { ...scripted.routeros, username: "ours" } };
  expect((await nasTest(null, chosen)).at(-1)).toBe("exit 1");
  expect((await nasTest(null, { ...scripted, disconnect_method: "routeros" })).at(-1)).toBe("exit 1");
  nas.behaviour = { answer: "silence" };
  expect((await nasTest(null, { ...scripted, disconnect_method: "auto" }))[3]).toStartWith("failed   api");
});

test("CoA is silent", async () => {
  nas.behaviour = { answer: "silence" };
  const [, coa, secret, ...rest] = await nasTest({});
  expect(coa).toBe(
    "failed   coa          port PORT does not answer; remedy: /radius incoming set accept=yes port=PORT ; /ip firewall filter add chain=input action=accept protocol=udp src-address=127.0.0.1 dst-port=PORT comment=gatehouse ; :do { /ip firewall filter move [find comment=gatehouse chain=input] destination=[:pick [/ip firewall filter find chain=input dynamic=no] 0] } on-error={ }",
  );
  expect(secret).toBe("skipped  secret       unknown while CoA does not answer");
  expect(rest).toEqual([API, PERMITTED, CLOCK, "exit 1"]);
});

test("an answer that refuses all such requests is no use", async () => {
  nas.behaviour = { answer: "nak", errorCause: 501 };
  expect((await nasTest(null)).slice(1, 3)).toEqual([
    "failed   coa          port PORT answers and refuses: NAK, Error-Cause 501 Administratively-Prohibited: its configuration forbids it; remedy: /radius incoming set accept=yes port=PORT",
    SECRET,
  ]);
});

test("the usual port answers instead", async () => {
  nas.behaviour = { answer: "silence" };
  using usual = await FakeNas.start(
    { answer: "nak", errorCause: 503 },
    { address: "127.0.0.61", port: 1700 },
  );
  const lines = await nasTest(null, { address: "127.0.0.61" });
  expect(usual.requests.length).toBe(1);
  expect(lines[1]).toBe(
    "failed   coa          port PORT does not answer, port 1700 does instead; remedy: /radius incoming set accept=yes port=PORT",
  );
});

test("another secret", async () => {
  nas.behaviour = { wrongAuthenticator: true };
  const [, coa, secret] = await nasTest(null);
  expect(coa).toBe("ok       coa          port PORT answers");
  expect(secret).toBe(
    "failed   secret       its answer is signed with another secret; remedy: /radius set [find address=127.0.0.1] secret=<the secret of: gatehouse nas script>",
  );
});

test.each<[string, FakeRouterosOptions, object, string]>([
  [
    "a wrong password",
    { password: "other" },
    {},
    "failed   api          127.0.0.1:API: it refused the login of api: invalid user name or password (6); remedy: /user set api password=<the password of the NAS> disabled=no address=127.0.0.1",
  ],
  [
    "a closed port",
    {},
    { port: 1 },
    "failed   api          127.0.0.1:1: the connection was refused; remedy: /ip service set api disabled=no port=1 address=127.0.0.1",
  ],
  [
    "permissions",
    { policy: ["api", "read"] },
    {},
    "failed   permissions  /ppp/active/remove: not enough permissions (9); remedy: /user group set gatehouse policy=api,read,write",
  ],
  [
    "no permission to read",
    { policy: ["api"] },
    {},
    "failed   permissions  /ppp/active/print: not enough permissions (9); remedy: /user group set gatehouse policy=api,read,write",
  ],
])("%s", async (_, options, values, line) => {
  const lines = await nasTest(options, values);
  expect(lines).toContain(line);
  expect(lines.at(-1)).toBe("exit 1");
});

test("the clock of the router", async () => {
  const [clock, code] = (await nasTest({ clock: () => clockNow(-3600) })).slice(-2);
  expect(clock).toMatch(
    /^failed {3}clock {8}it is 3[56]\d\d s behind ours; remedy: \/system ntp client set enabled=yes/,
  );
  expect(code).toBe("exit 1");
});

test("a certificate with another fingerprint", async () => {
  const { key, cert, fingerprint } = await selfSigned();
  const good = await nasTest({ tls: { key, cert } }, { tls: true, tls_fingerprint: fingerprint });
  expect(good).toContain(API);
  const other = fingerprint.replace(/^../, (byte) => (byte === "00" ? "01" : "00"));
  const bad = await nasTest({ tls: { key, cert } }, { tls: true, tls_fingerprint: other });
  expect(bad[3]).toContain(`its certificate has the fingerprint ${fingerprint}, not the one that is stored`);
});

test("--json, and the exit code beside it", async () => {
  nas.behaviour = { answer: "silence" };
  const lines = await nasTest(null, {}, " --json");
  const findings: unknown = JSON.parse(lines.slice(0, -1).join("\n"));
  expect(findings).toMatchObject([
    { check: "reachable" },
    {
      check: "coa",
      status: "failed",
      detail: expect.any(String),
      remedy: expect.stringContaining("/radius incoming set"),
      mend: expect.stringContaining("/radius incoming set"),
    },
    { check: "secret", status: "skipped", remedy: null, mend: null },
    { check: "api", status: "skipped" },
    { check: "permissions", status: "skipped" },
    { check: "clock", status: "skipped" },
  ]);
  expect(lines.at(-1)).toBe("exit 1");
});

test("a network of routers needs an address", async () => {
  await nasTest(null, { address: "127.0.0.0/24" });
  expect(await cli.run("nas test core")).toMatchObject({
    code: 1,
    stderr: "gatehouse: core is a network, 127.0.0.0/24; name one router of it: --address ADDRESS\n",
  });
  expect(await cli.run("nas test core --address 127.0.0.1")).toMatchObject({ code: 0 });
  expect((await cli.run("nas test nobody")).code).toBe(1);
});

test.each([
  [{ date: "2030-01-15", time: "14:00:00", "gmt-offset": "+02:00" }, 1_894_708_800],
  [{ date: "jan/15/2030", time: "12:00:00", "gmt-offset": "0" }, 1_894_708_800],
  [{ date: "jan/15/2030", time: "11:00:00", "gmt-offset": "4294963696" }, 1_894_708_800],
  [{ date: "jan/15/2030", time: "11:00:00", "gmt-offset": "-01:00" }, 1_894_708_800],
  [{ date: "soon", time: "11:00:00" }, undefined],
  [{}, undefined],
])("clock %p", (row, seconds) => expect(parseClock(row)).toBe(seconds));
