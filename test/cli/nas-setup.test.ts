import { Glob } from "bun";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../db/open.ts";
import { nasNamed } from "../../src/domain/goods/nas/nas.ts";
import { FakeNas } from "../support/fake-nas.ts";
import { FakeConfig } from "../support/fake-routeros-config.ts";
import { FakeRouteros } from "../support/fake-routeros.ts";
import { by } from "../support/isp.ts";
import { CommandLine, smallIsp } from "./harness.ts";

/* A router is set up by its API, which keeps what RouterOS keeps. */

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

const walledEnv = { GATEHOUSE_WALLED_LISTEN: "0.0.0.0:8081" };

async function withRouter(
  config: FakeConfig,
  terms: object = { expired_address_list: "expired" },
): Promise<FakeRouteros> {
  const clock = new Date().toISOString();
  const api = await FakeRouteros.start({
    config,
    clock: { date: clock.slice(0, 10), time: clock.slice(11, 19), "gmt-offset": "+00:00" },
  });
  const isp = smallIsp();
  const { code, stderr } = await cli.import({
    ...isp,
    settings: { max_coa_wait: 10 },
    packages: isp.packages.map((one) => Object.assign(one, terms)),
    nas: [
      {
        id: 1,
        isp_id: 1,
        name: "core",
        address: "127.0.0.1",
        secret: "testing123",
        coa_port: nas.port,
      },
    ],
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return api;
}

const setup = (api: FakeRouteros, args = "--yes", password = "secret") =>
  cli.run(`nas setup core --password-stdin --api-port ${api.port} --server 10.0.0.254 ${args}`.trim(), {
    stdin: password,
    env: walledEnv,
  });

const comments = (config: FakeConfig, menu: string) => config.rows(menu).map((row) => row["comment"] ?? "");

/** A router as an ISP has one: rules, another RADIUS server, users, a hotspot with a guest. */
function inhabited(version?: string): FakeConfig {
  const config = new FakeConfig(version);
  config.have("/radius", { service: "login", address: "10.9.9.9", secret: "other", comment: "old" });
  config.have(
    "/ip/firewall/filter",
    { chain: "input", action: "accept", "connection-state": "established,related" },
    { chain: "input", action: "drop", "in-interface-list": "!LAN" },
    { chain: "forward", action: "accept", "connection-state": "established,related" },
    { chain: "forward", action: "drop", "connection-state": "invalid" },
  );
  config.have("/ip/firewall/nat", { chain: "srcnat", action: "masquerade" });
  config.have("/ip/firewall/address-list", { list: "banned", address: "192.0.2.1" });
  config.have("/user", { name: "tech", group: "read", password: "x" });
  config.have("/ip/hotspot", { name: "hs1", interface: "ether2", profile: "hsprof1" });
  config.have("/ip/hotspot/profile", { name: "hsprof1", "dns-name": "old.example", "use-radius": "no" });
  return config;
}

test.each(["7.16.1 (stable)", "7.8", "6.49.17 (long-term)"])(
  "a fresh router with RouterOS %s",
  async (version) => {
    const config = new FakeConfig(version);
    await using api = await withRouter(config);
    const fresh = config.export();
    const looked = await setup(api, "");
    expect(looked.code).toBe(1);
    expect(looked.stderr).toContain("nothing was changed; add --yes");
    expect(config.export()).toBe(fresh);

    const { code, stdout, stderr } = await setup(api);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`core runs RouterOS ${version.split(" ")[0]}.`);
    expect(stdout).toContain("  Changed: Lines ask us and report (/ppp/aaa): use-radius from no to yes");
    expect(stdout).toContain("core is set up");
    expect(stdout).not.toContain("testing123");
    const [radius] = config.rows("/radius");
    expect(radius).toMatchObject({ service: "ppp,hotspot", address: "10.0.0.254", secret: "testing123" });
    expect(radius?.["require-message-auth"]).toBe(
      version.startsWith("7.16") ? "yes-for-request-resp" : undefined,
    );
    expect(stdout.includes("Its version does not know require-message-auth")).toBe(
      !version.startsWith("7.16"),
    );
    expect(config.rows("/radius/incoming")).toMatchObject([{ accept: "true", port: String(nas.port) }]);
    const servers = version.startsWith("6") ? "server-dns-names" : "servers";
    expect(config.rows("/system/ntp/client")).toMatchObject([{ enabled: "true", [servers]: "pool.ntp.org" }]);
    expect(config.rows("/ip/hotspot/profile")[0]?.["use-radius"]).toBe("false"); // no hotspot runs there

    const made = config.export();
    const again = await setup(api);
    expect(again.stdout).toContain("Nothing to change. All that is wanted is there already.");
    expect(again.code).toBe(0);
    expect(config.export()).toBe(made);

    const removed = await setup(api, "--remove --yes");
    expect(removed.stdout).toContain("Our settings are off core");
    expect(config.export()).toBe(fresh);
  },
);

test("what others have set stays, and our rules stand before theirs", async () => {
  const config = inhabited();
  await using api = await withRouter(config);
  const before = config.export();
  const { code, stdout } = await setup(api, "--yes --hotspot-name login.example.net");
  expect(code).toBe(0);
  expect(comments(config, "/radius")).toEqual(["old", "gatehouse"]);
  const rules = config
    .rows("/ip/firewall/filter")
    .map((row) => `${row["chain"]} ${row["action"]} ${row["comment"] ?? ""}`.trim());
  expect(rules.filter((rule) => /^(?:input|forward)/.test(rule))).toEqual([
    // the address that the router asks, ours towards it, and the garden
    "input accept gatehouse",
    "input accept gatehouse",
    "input jump gatehouse",
    "input accept",
    "input drop",
    "forward jump gatehouse",
    "forward jump gatehouse",
    "forward accept",
    "forward drop",
  ]);
  expect(config.rows("/ip/firewall/nat").map((row) => row["action"])).toEqual([
    "masquerade",
    "dst-nat",
    "redirect",
    "redirect",
  ]);
  expect(config.rows("/ip/hotspot/profile").map((row) => row["dns-name"])).toEqual([
    "login.example.net",
    "login.example.net",
  ]);
  expect(stdout).toContain(
    "hsprof1: use-radius from no to yes, dns-name from old.example to login.example.net",
  );
  const group = config.rows("/user/group").find((row) => row["name"] === "gatehouse");
  expect(group?.["policy"]?.split(",").filter((one) => !one.startsWith("!"))).toEqual([
    "read",
    "write",
    "api",
  ]);

  // the account that stays is kept as the router's, and is the least one
  const db = openStore(cli.data, { now: 0 });
  const stored = nasNamed(db, by, "core");
  const password = stored.routerosPasswordSealed && db.vault.openText(stored.routerosPasswordSealed);
  const auditLog = JSON.stringify(db.$client.query("SELECT * FROM audit_entries").values());
  db.$client.close();
  expect([stored.routerosUsername, stored.routerosPort]).toEqual(["gatehouse", api.port]);
  expect(config.signIn("gatehouse", password ?? "", undefined)).toContain("api");
  expect(auditLog).toContain("nas.setup");
  for (const secret of ["testing123", password ?? ""]) expect(auditLog).not.toContain(secret);

  const made = config.export();
  expect((await setup(api)).stdout).toContain("Nothing to change.");
  expect(config.export()).toBe(made);
  expect((await setup(api, "--remove --yes")).code).toBe(0);
  expect(config.export()).toBe(before);
});

test("of a router that is half configured only the rest is made, in its place", async () => {
  const config = inhabited();
  await using api = await withRouter(config);
  // pasted by hand, without the comment, and with another secret; a rule of ours that stands too low
  config.have("/radius", {
    service: "ppp",
    address: "10.0.0.254",
    secret: "typo",
    "authentication-port": "1812",
  });
  config.have("/ip/firewall/filter", {
    chain: "input",
    action: "accept",
    protocol: "udp",
    "src-address": "10.0.0.254",
    "dst-port": String(nas.port),
    comment: "gatehouse",
  });
  config.answer(["/ppp/aaa/set", "=use-radius=yes"], ["write"]);
  const before = config.export();
  const { code, stdout } = await setup(api);
  expect(code).toBe(0);
  expect(stdout).toContain("Taken away: Firewall rule");
  expect(config.rows("/radius")).toHaveLength(2);
  expect(config.rows("/radius")[1]).toMatchObject({
    secret: "testing123",
    service: "ppp,hotspot",
    comment: "gatehouse",
  });
  const input = config.rows("/ip/firewall/filter").filter((row) => row["chain"] === "input");
  expect(input.map((row) => row["action"])).toEqual([...["accept", "accept", "jump"], ...["accept", "drop"]]);
  expect((await setup(api)).stdout).toContain("Nothing to change.");
  expect((await setup(api, "--remove --yes")).code).toBe(0);
  // the entry that was there is as it was; the rule of ours that stood too low is gone
  expect(config.rows("/radius")[1]).toEqual(JSON.parse(before)[0][1][1]);
  expect(comments(config, "/ip/firewall/filter")).not.toContain("gatehouse");
});

/** What our rules let of the garden's questions for names through, and where they are sent. */
function namesOf(config: FakeConfig) {
  const ours = (menu: string, chain: string) =>
    config
      .rows(menu)
      .filter((row) => row["comment"] === "gatehouse" && row["chain"] === chain && row["dst-port"] === "53")
      .map((row) =>
        [row["action"], row["protocol"], row["dst-address-list"] ?? "", row["to-addresses"] ?? ""]
          .join(" ")
          .trim(),
      );
  const list = config.rows("/ip/firewall/address-list").filter((row) => row["list"] === "gatehouse-dns");
  return {
    sent: ours("/ip/firewall/nat", "dstnat"),
    passed: ours("/ip/firewall/filter", "gatehouse-garden"),
    answered: ours("/ip/firewall/filter", "gatehouse-garden-router"),
    list: list.map((row) => row["address"]),
  };
}

const byRouter = {
  sent: ["redirect udp", "redirect tcp"],
  passed: [],
  answered: ["accept udp", "drop udp", "accept tcp", "drop tcp"],
  list: [],
};
const by53 = (first: string, list: string[]) => ({
  sent: ["udp", "tcp"].map((protocol) => `dst-nat ${protocol} !gatehouse-dns ${first}`),
  passed: ["udp", "tcp"].flatMap((protocol) =>
    ["accept", "drop"].map((action) => `${action} ${protocol} gatehouse-dns`),
  ),
  answered: byRouter.answered,
  list,
});

test("who has expired asks the router for names, or those that are named, and nobody else", async () => {
  const config = inhabited();
  config.have("/ip/firewall/filter", {
    chain: "forward",
    action: "accept",
    protocol: "udp",
    "dst-port": "53",
    "src-address-list": "expired",
    comment: "gatehouse",
  });
  await using api = await withRouter(config);
  const isSaved = async () =>
    (await cli.run("check", { env: walledEnv })).stdout.includes(
      "core: was not told yet whom lines in the walled garden",
    );
  expect(await isSaved()).toBe(true);
  expect((await setup(api)).code).toBe(0);
  expect(namesOf(config)).toEqual(byRouter);
  expect(await isSaved()).toBe(false);

  // the router answers nobody: whom it asks itself
  config.answer(
    ["/ip/dns/set", "=allow-remote-requests=no", "=servers=10.0.0.5,10.0.0.6,10.0.0.7"],
    ["write"],
  );
  expect((await setup(api)).code).toBe(0);
  expect(namesOf(config)).toEqual(by53("10.0.0.5", ["10.0.0.5", "10.0.0.6"]));

  expect((await cli.run("settings set garden_dns 10.0.0.53,10.0.0.54")).code).toBe(0);
  expect(await isSaved()).toBe(true);
  expect((await setup(api)).code).toBe(0);
  expect(namesOf(config)).toEqual(by53("10.0.0.53", ["10.0.0.53", "10.0.0.54"]));
  expect((await setup(api)).stdout).toContain("Nothing to change.");
  expect(await isSaved()).toBe(false);
  expect((await setup(api, "--remove --yes")).code).toBe(0);
  expect(namesOf(config)).toEqual({ sent: [], passed: [], answered: [], list: [] });
});

test("a router that knows no resolver at all is not set up before one is named", async () => {
  const config = inhabited();
  await using api = await withRouter(config);
  config.rows("/ip/dns")[0] = { servers: "", "allow-remote-requests": "false" };
  const before = config.export();
  const { code, stderr } = await setup(api);
  expect(code).toBe(1);
  expect(stderr).toContain("gatehouse settings set garden_dns ADDRESS");
  expect(config.export()).toBe(before);
});

test("who may not do it is refused before anything is changed", async () => {
  const config = inhabited();
  config.have("/user", { name: "limited", group: "read", password: "secret" });
  await using api = await withRouter(config);
  const before = config.export();
  const { code, stderr } = await setup(api, "--yes --user limited");
  expect(code).toBe(1);
  expect(stderr).toContain("not enough permissions");
  expect(config.export()).toBe(before);
  const wrong = await setup(api, "--yes", "guess");
  expect(wrong.stderr).toContain("it refused the login of admin");
  expect(wrong.stderr).not.toContain("guess");
  api.options.policy = ["api", "read", "write", "policy"];
  config.answer(["/user/group/set", "=.id=*3", "=policy=api,read,policy"], ["write", "policy"]);
  expect((await setup(api)).stderr).toContain(
    "its group full lacks write, sensitive. Sign in as somebody of the group full",
  );
});

test("what the router refuses half way is undone, and said", async () => {
  const config = inhabited();
  await using api = await withRouter(config);
  const before = config.export();
  api.faults["/user/add"] = { kind: "trap", message: "failure: the password is too short" };
  const { code, stderr } = await setup(api);
  expect(code).toBe(1);
  expect(stderr).toContain("Our account failed: core at /user/add: failure: the password is too short");
  expect(stderr).toContain("What was done before that was undone: the router is as it was.");
  expect(config.export()).toBe(before);
});

test.each(["close", "reset"] as const)(
  "a connection that is lost in the middle (%s) is opened again, and all undone",
  async (kind) => {
    const config = inhabited();
    await using api = await withRouter(config);
    const before = config.export();
    // the command arrives, its answer does not
    api.faults["/user/add"] = { kind, after: 0 };
    const { code, stderr } = await setup(api);
    expect(code).toBe(1);
    expect(stderr).toContain("the router is as it was");
    expect(config.export()).toBe(before);
  },
);

test("what cannot be undone is said, and the next time goes on from there", async () => {
  const config = inhabited();
  await using api = await withRouter(config);
  const before = config.export();
  api.faults["/ip/firewall/nat/add"] = { kind: "close", after: 0 };
  api.faults["/ip/firewall/nat/remove"] = { kind: "close", after: 0 };
  const { code, stderr } = await setup(api);
  expect(code).toBe(1);
  expect(stderr).toContain("Not all of it could be undone");
  expect(stderr).toContain("What stays, or may: Redirect of who has expired.");
  expect(comments(config, "/radius")).toEqual(["old"]);
  api.faults = {};
  expect((await setup(api)).code).toBe(0);
  expect((await setup(api)).stdout).toContain("Nothing to change.");
  expect((await setup(api, "--remove --yes")).code).toBe(0);
  expect(config.export()).toBe(before);
});

test("a router that is gone for good keeps what it has, which is said", async () => {
  const config = inhabited();
  await using api = await withRouter(config);
  const before = config.export();
  config.commands["/ip/firewall/nat/add"] = () => {
    api.faults["connect"] = { kind: "close", after: 0 };
    api.drop();
    return [["!done"]];
  };
  const { code, stderr } = await setup(api);
  expect(code).toBe(1);
  expect(stderr).toContain("Redirect of who has expired failed");
  expect(stderr).toContain(
    "What stays, or may: Where it asks, Listening to us, Lines ask us and report, Firewall rule",
  );
  expect(comments(config, "/radius")).toEqual(["old", "gatehouse"]);
  api.faults = {};
  delete config.commands["/ip/firewall/nat/add"];
  expect((await setup(api)).code).toBe(0);
  expect((await setup(api, "--remove --yes")).code).toBe(0);
  expect(config.export()).toBe(before);
});

test("several boxes are asked in their order, and another order is made so", async () => {
  const config = new FakeConfig();
  await using api = await withRouter(config);
  const at = (servers: string) =>
    cli.run(`nas setup core --password-stdin --api-port ${api.port} --yes --server ${servers}`, {
      stdin: "secret",
      env: walledEnv,
    });
  expect((await at("10.0.0.2,10.0.0.3:1822")).code).toBe(0);
  const requests = () =>
    config.rows("/radius").map((row) => `${row["address"]}:${row["authentication-port"]} ${row["timeout"]}`);
  expect(requests()).toEqual(["10.0.0.2:1812 1s", "10.0.0.3:1822 1s"]);
  expect((await at("10.0.0.3:1822,10.0.0.2")).code).toBe(0);
  expect(requests()).toEqual(["10.0.0.3:1822 1s", "10.0.0.2:1812 1s"]);
  expect((await at("10.0.0.3:1822,10.0.0.2")).stdout).toContain("Nothing to change.");
  expect((await at("10.0.0.3:1822")).code).toBe(0);
  expect(requests()).toEqual(["10.0.0.3:1822 3s"]);
});

test("a router by RadSec asks inside TLS, and lets nobody in under the secret that everybody knows", async () => {
  const config = inhabited();
  await using api = await withRouter(config);
  const before = config.export();
  expect((await setup(api)).code).toBe(0);
  expect((await cli.run("nas set core --radsec")).code).toBe(0);
  expect((await setup(api)).stderr).toContain("has no certificate; make one with: gatehouse nas radsec");
  const made = await cli.run(`nas radsec core --server 10.0.0.254 --out ${join(cli.folder, "core.p12")}`, {
    env: walledEnv,
  });
  expect(made.stderr).toBe("");
  expect((await setup(api)).code).toBe(0);
  expect(config.rows("/radius").filter((row) => row["comment"] === "gatehouse")).toMatchObject([
    {
      protocol: "radsec",
      address: "10.0.0.254",
      secret: "radsec",
      "authentication-port": "2083",
      certificate: "gatehouse-radsec-1.p12_0",
    },
  ]);
  expect(config.rows("/radius/incoming")).toMatchObject([{ accept: "false" }]);
  const input = config.rows("/ip/firewall/filter").filter((row) => row["chain"] === "input");
  expect(input.filter((row) => row["comment"] === "gatehouse").map((row) => row["action"])).toEqual(["jump"]);
  expect((await setup(api)).stdout).toContain("Nothing to change.");

  // back to UDP fails half way: it asks by RadSec again, with its certificate
  const asking = () =>
    config.rows("/radius").map((row) => [row["protocol"], row["secret"], row["certificate"], row["timeout"]]);
  const requests = asking();
  expect((await cli.run("nas set core --no-radsec")).code).toBe(0);
  api.faults["/ip/firewall/filter/add"] = { kind: "trap", message: "failure: no" };
  expect((await setup(api)).stderr).toContain("the router is as it was");
  expect(asking()).toEqual(requests);
  api.faults = {};
  expect((await setup(api)).code).toBe(0);
  expect((await setup(api, "--remove --yes")).code).toBe(0);
  expect(config.export()).toBe(before);
});

test("who signs in to set it up is kept nowhere, and the account that ends sessions is not taken away", async () => {
  const config = new FakeConfig();
  config.have("/user", { name: "owner", group: "full", password: "Tall-Ships-77-Admin" });
  await using api = await withRouter(config);
  const { code, stdout, stderr } = await setup(api, "--yes --user owner", "Tall-Ships-77-Admin");
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("Tall-Ships-77");
  for (const name of new Glob("**/*").scanSync({ cwd: cli.folder, onlyFiles: true, dot: true })) {
    const bytes = await Bun.file(join(cli.folder, name)).bytes();
    expect([name, Buffer.from(bytes).includes("Tall-Ships-77")]).toEqual([name, false]);
  }
  expect((await cli.run("nas set core --disconnect-method routeros")).code).toBe(0);
  const made = config.export();
  const refused = await setup(api, "--remove --yes --user owner", "Tall-Ships-77-Admin");
  expect(refused.stderr).toContain("set its disconnect_method to auto or coa first");
  expect(config.export()).toBe(made);
});

test("a router of another kind has no RouterOS to set up", async () => {
  await using api = await withRouter(new FakeConfig());
  expect((await cli.run("nas set core --kind cisco")).code).toBe(0);
  const { code, stderr } = await setup(api);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "gatehouse: core is of kind cisco and has no RouterOS API; configure it by what gatehouse nas script prints\n",
  });
});

test("what was changed by somebody since stays when ours is taken away", async () => {
  const config = inhabited();
  await using api = await withRouter(config);
  await setup(api);
  config.answer(["/ppp/aaa/set", "=interim-update=10m"], ["write"]);
  const { stdout } = await setup(api, "--remove --yes");
  expect(stdout).toContain("/ppp/aaa interim-update was changed by somebody since, and stays.");
  expect(config.rows("/ppp/aaa")).toMatchObject([{ "use-radius": "false", "interim-update": "10m" }]);
});

test("the password is asked for without echo, and anything but yes changes nothing", async () => {
  const config = new FakeConfig();
  await using api = await withRouter(config, { expired_address_list: null });
  const before = config.export();
  const line = `nas setup core --api-port ${api.port} --server 10.0.0.254`;
  const no = await cli.type(line, "secret\rno\r");
  expect({ code: no.code, rawModes: no.rawModes }).toEqual({ code: 1, rawModes: [true, false] });
  expect(no.stderr).toContain("Password of admin on the router (not kept): \nMake it so? Type yes: no\n");
  expect(no.stderr + no.stdout).not.toContain("secret\n");
  expect(config.export()).toBe(before);
  const yes = await cli.type(line, "secret\ryes\r");
  expect(yes.code).toBe(0);
  expect(config.rows("/radius")).toHaveLength(1);
});

test("a hotspot's guest lets the router try a login by itself", async () => {
  const config = inhabited();
  config.have("/ip/hotspot/host", {
    "mac-address": "00:50:56:25:8B:97",
    address: "10.5.0.9",
    authorized: "false",
  });
  await using api = await withRouter(config);
  const tried: string[][] = [];
  config.commands["/ip/hotspot/active/login"] = (words) => {
    tried.push([...words]);
    return [["!trap", "=message=invalid username or password"], ["!done"]];
  };
  const { stdout } = await setup(api);
  expect(tried).toHaveLength(1);
  expect(stdout).toMatch(
    /ok +A login from its side: it asked for a login of nobody, and heard our refusal: invalid username/,
  );
  expect(stdout).toMatch(/ok +Disconnect-Requests, there and back: port \d+ answers/);
  expect(stdout).toMatch(/ok +Our account: 127.0.0.1:\d+ accepts the login of gatehouse/);
  config.commands["/ip/hotspot/active/login"] = () => [
    ["!trap", "=message=RADIUS server is not responding"],
    ["!done"],
  ];
  const silent = await setup(api);
  expect(silent.code).toBe(1);
  expect(silent.stdout).toMatch(/failed +A login from its side: .*RADIUS server is not responding/);
});

test("without a guest the router's counters say what it made of our answers", async () => {
  const config = new FakeConfig();
  await using api = await withRouter(config);
  const counters = { requests: "9", accepts: "4", rejects: "3", timeouts: "2", "bad-replies": "0" };
  config.commands["/radius/monitor"] = () => [
    ["!re"].concat(Object.entries(counters).map(([name, value]) => `=${name}=${value}`)),
    ["!done"],
  ];
  expect((await setup(api)).stdout).toContain("it asked 9 times, 7 were answered, 2 timed out");
  counters["bad-replies"] = "2";
  expect((await setup(api)).stdout).toContain("2 answers were not signed with the secret that it has");
});

test.each([
  ["nas setup nowhere --password-stdin", "there is no NAS nowhere"],
  ["nas setup core --password-stdin --api-port x", "--api-port is x; it must be a port"],
  ["nas setup core", "standard input is not a terminal to ask at"],
])("%s is refused", async (argv, message) => {
  await using _ = await withRouter(new FakeConfig());
  const { code, stderr } = await cli.run(argv, { stdin: "secret" });
  expect({ code, said: stderr.includes(message) ? message : stderr }).toEqual({ code: 1, said: message });
});

test("a row of RadSec that is taken away comes back whole when what follows fails", async () => {
  const config = inhabited();
  await using api = await withRouter(config);
  const out = join(cli.folder, "core.p12");
  await cli.run(`nas radsec core --server 10.0.0.254 --out ${out}`, { env: walledEnv });
  expect((await setup(api)).code).toBe(0);
  const requests = () =>
    config.rows("/radius").map((row) => Object.entries(row).filter(([name]) => name !== ".id"));
  const before = requests();
  expect((await cli.run("nas set core --no-radsec")).code).toBe(0);
  api.faults["/radius/incoming/set"] = { kind: "trap", message: "failure: no room" };
  expect((await setup(api)).stderr).toContain("the router is as it was");
  expect(before[1]).toContainEqual(["certificate", "gatehouse-radsec-1.p12_0"]);
  expect(requests().map((row) => row.toSorted())).toEqual(before.map((row) => row.toSorted()));
});

test("an address that somebody put on our list stays there", async () => {
  const config = inhabited();
  config.have("/ip/firewall/address-list", {
    list: "gatehouse-portal",
    address: "203.0.113.80",
    comment: "bank",
  });
  await using api = await withRouter(config);
  const before = config.export();
  expect((await setup(api)).code).toBe(0);
  const portal = config.rows("/ip/firewall/address-list").filter((row) => row["list"] === "gatehouse-portal");
  expect(portal).toMatchObject([{ comment: "bank" }, { comment: "gatehouse" }]);
  expect((await setup(api)).stdout).toContain("Nothing to change.");
  expect((await setup(api, "--remove --yes")).code).toBe(0);
  expect(config.export()).toBe(before);
});

test("an entry of somebody that was taken over is given back when we ask elsewhere", async () => {
  const config = inhabited();
  const theirs = { service: "ppp", address: "10.0.0.254", secret: "theirs", "authentication-port": "1812" };
  config.have("/radius", { ...theirs, comment: "by hand" });
  await using api = await withRouter(config);
  const before = config.export();
  expect((await setup(api)).code).toBe(0);
  expect(comments(config, "/radius")).toEqual(["old", "gatehouse"]);
  const elsewhere = "nas setup core --password-stdin --yes --server 10.0.0.253";
  const moved = await cli.run(`${elsewhere} --api-port ${api.port}`, { stdin: "secret", env: walledEnv });
  expect(moved.stderr).toBe("");
  expect(comments(config, "/radius")).toEqual(["old", "by hand", "gatehouse"]);
  expect(config.rows("/radius")[1]).toMatchObject(theirs);
  expect((await setup(api, "--remove --yes")).code).toBe(0);
  expect(config.export()).toBe(before);
});
