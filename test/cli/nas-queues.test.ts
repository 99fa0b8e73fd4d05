import { afterEach, beforeEach, expect, test } from "bun:test";
import { FakeNas } from "../support/fake-nas.ts";
import { FakeConfig } from "../support/fake-routeros-config.ts";
import { FakeRouteros } from "../support/fake-routeros.ts";
import { CommandLine, smallIsp } from "./harness.ts";

/* Queues that keep no line waiting are made by a set-up, where lines have them, and given back. */

let cli: CommandLine;
let api: FakeRouteros | undefined;
let nas: FakeNas;
beforeEach(async () => {
  cli = new CommandLine();
  nas = await FakeNas.start({ answer: "nak", errorCause: 503 });
});
afterEach(async () => {
  cli[Symbol.dispose]();
  nas[Symbol.dispose]();
  await api?.[Symbol.asyncDispose]();
});

/** Lines dial in with the profile `lines`; nobody uses the others. */
async function router(version?: string): Promise<FakeConfig> {
  const config = new FakeConfig(version);
  config.have("/ppp/profile", { name: "lines", "queue-type": "default-small" }, { name: "office" });
  config.have("/interface/pppoe-server/server", { "service-name": "isp", "default-profile": "lines" });
  config.have("/ip/hotspot/user/profile", { name: "guests", "queue-type": "hotspot-default" });
  api = await FakeRouteros.start({ config });
  await cli.import({
    ...smallIsp(),
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "testing123", coa_port: nas.port }],
  });
  return config;
}

const setUp = async (shaper: string, more = "--yes") => {
  expect((await cli.run(`nas set core --shaper ${shaper}`)).code).toBe(0);
  return cli.run(
    `nas setup core --password-stdin --api-port ${api?.port} --server 10.0.0.254 ${more}`.trim(),
    { stdin: "secret" },
  );
};

const types = (config: FakeConfig) =>
  Object.fromEntries(
    ["/ppp/profile", "/ip/hotspot/user/profile"].flatMap((menu) =>
      config.rows(menu).map((row) => [`${menu} ${row["name"]}`, row["queue-type"]]),
    ),
  );
const kinds = (config: FakeConfig) => config.rows("/queue/type").map(({ name, kind }) => `${name} ${kind}`);

const USUAL = ["default pfifo", "default-small pfifo"];
const before = (usual = "default-small") => ({
  "/ppp/profile default": usual,
  "/ppp/profile default-encryption": usual,
  "/ppp/profile lines": usual,
  "/ppp/profile office": usual,
  "/ip/hotspot/user/profile default": usual,
  "/ip/hotspot/user/profile guests": usual.replaceAll("default-small", "hotspot-default"),
});

test.each([
  ["7.16.1 (stable)", "default-small", "gatehouse-fq-codel"],
  ["7.19.2", "default-small/default-small", "gatehouse-fq-codel/gatehouse-fq-codel"],
])(
  "with RouterOS %s lines and hotspot users have the queue, twice makes no difference, and all is given back",
  async (version, usual, made) => {
    const config = await router(version);
    const { stdout } = await setUp("fq_codel");
    expect(stdout).toContain("Added: Kind of queue (/queue/type): name gatehouse-fq-codel, kind fq-codel");
    expect(stdout).toContain("Changed: PPP profile (/ppp/profile): lines: queue-type from");
    expect(kinds(config)).toEqual([...USUAL, "gatehouse-fq-codel fq-codel"]);
    expect(types(config)).toEqual({
      ...before(usual),
      "/ppp/profile lines": made,
      "/ip/hotspot/user/profile default": made,
      "/ip/hotspot/user/profile guests": made,
    });
    expect((await setUp("fq_codel")).stdout).toContain("Nothing to change");
    expect((await setUp("fq_codel", "--remove --yes")).code).toBe(0);
    expect(kinds(config)).toEqual(USUAL);
    expect(types(config)).toEqual(before(usual));
  },
);

test("another kind takes the place of the first, and none gives back what was there", async () => {
  const config = await router();
  await setUp("fq_codel");
  await setUp("cake");
  expect(config.rows("/queue/type").at(-1)).toMatchObject({
    name: "gatehouse-cake",
    kind: "cake",
    "cake-bandwidth": "0",
    "cake-nat": "yes",
  });
  expect(kinds(config)).toHaveLength(3);
  expect(types(config)["/ip/hotspot/user/profile guests"]).toBe("gatehouse-cake");
  await setUp("none");
  expect(kinds(config)).toEqual(USUAL);
  expect(types(config)).toEqual(before());
  expect((await setUp("none")).stdout).toContain("Nothing to change");
});

test("leases of DHCP only where that is said, and given back", async () => {
  const config = await router();
  await cli.run("nas set core --shaper-leases");
  await setUp("fq_codel");
  expect(kinds(config)).toEqual(["default pfifo", "default-small fq-codel", "gatehouse-fq-codel fq-codel"]);
  await cli.run("nas set core --no-shaper-leases");
  await setUp("fq_codel");
  expect(kinds(config)).toEqual([...USUAL, "gatehouse-fq-codel fq-codel"]);
});

test.each([
  ["--no-shaper-leases", ""],
  ["--shaper-leases", "--remove"],
])("leases that had CAKE are given no property of it back: %s %s", async (leases, remove) => {
  const config = await router();
  const before = config.export();
  await cli.run("nas set core --shaper-leases");
  await setUp("cake");
  expect(kinds(config)).toContain("default-small cake");
  await cli.run(`nas set core ${leases}`);
  await setUp("none", `${remove} --yes`.trim());
  const queues = (text: string) => new Map<string, object>(JSON.parse(text)).get("/queue/type");
  expect(queues(config.export())).toEqual(queues(before));
});

test("a server of DHCP that gives a line two queues is named", async () => {
  const config = await router();
  config.have("/ip/dhcp-server", { name: "v4", interface: "ether2", "use-radius": "true" });
  const two = "The DHCP server v6 gives a line one queue for IPv4 and another for IPv6";
  expect((await setUp("cake", "")).stdout).not.toContain(two);
  config.have("/ipv6/dhcp-server", { name: "v6", interface: "ether2", "allow-dual-stack-queue": "false" });
  expect((await setUp("cake", "")).stdout).toContain(two);
});

test("RouterOS 6.49 keeps its queues, and it is said why", async () => {
  const config = await router("6.49.17 (long-term)");
  const { stdout } = await setUp("cake");
  expect(stdout).toContain(
    "RouterOS 6.49.17 has no queues that keep lines from lagging at full rate: update it to 7.1 or later.",
  );
  expect([kinds(config), types(config)]).toEqual([USUAL, before()]);
});

test("what fails half way is undone: no profile names a queue that is gone", async () => {
  const config = await router();
  if (api) api.faults["/ip/hotspot/user/profile/set"] = { kind: "trap", message: "failure: busy" };
  const { code, stderr } = await setUp("cake");
  expect(code).toBe(1);
  expect(stderr).toContain("What was done before that was undone");
  expect([kinds(config), types(config)]).toEqual([USUAL, before()]);
});
