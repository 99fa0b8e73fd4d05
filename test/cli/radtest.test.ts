import { afterAll, expect, test } from "bun:test";
import { run } from "../../src/cli/run.ts";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { makeCard } from "../support/card-codes.ts";
import { aPackage, aSubscriber, newSubscriber } from "../support/isp.ts";
import { startTestRadius } from "../support/radius-server.ts";

const later = { current_expiration_date: formatTime(systemClock() + 86_400) };
const radius = await startTestRadius({
  packages: [aPackage(2, { expired_pool: "walled" }), aPackage(9, { isp_id: 2 })],
  subscribers: [
    aSubscriber(1, later),
    aSubscriber(2, { ...later, connection_type_id: 2 }),
    newSubscriber(3),
    aSubscriber(4, { ...later, mac_lock: 1, mac_address: "02:00:00:00:00:01" }),
    aSubscriber(5, { ...later, isp_id: 2, package_id: 9, salesperson_id: null, nas_id: 2 }),
    aSubscriber(7, later),
    aSubscriber(8, later),
    aSubscriber(6, { package_id: 2, current_expiration_date: formatTime(systemClock() - 5) }),
  ],
});
afterAll(() => radius[Symbol.asyncDispose]());

async function radtest(argv: string, { stdin = "", listen = "" } = {}) {
  const output = { stdout: "", stderr: "" };
  const env = {
    GATEHOUSE_DATA_DIR: radius.store.folder,
    GATEHOUSE_RADIUS_AUTH_LISTEN: listen || `127.0.0.1:${radius.server.auth.port}`,
  };
  const code = await run(["radtest", ...argv.split(" ")], env, {
    stdin: (async function* () {
      yield Buffer.from(stdin);
    })(),
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
  });
  return { code, ...output };
}

test.each(["pap", "chap", "mschapv2"])("a subscriber by %s, with the stored password", async (method) => {
  const { code, stdout, stderr } = await radtest(`user1 --method ${method}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toStartWith(`Access-Accept (${method})\n`);
  expect(stdout).toContain("  Mikrotik-Rate-Limit = 10M/20M\n");
});

test("two at once by mschapv2 each hear the proof that is theirs", async () => {
  const both = await Promise.all(["user1", "user8"].map((name) => radtest(`${name} --method mschapv2`)));
  expect(both).toMatchObject([
    { code: 0, stderr: "" },
    { code: 0, stderr: "" },
  ]);
});

test.each<[string, string, string]>([
  ["user1 --password-stdin", "wrong", "rejected: wrong password"],
  [
    "nobody --password-stdin",
    "x",
    "rejected: there is no subscriber with this username, and no card with this code",
  ],
  ["user1 --service hotspot", "", "rejected: the connection type does not fit"],
  ["user3", "", "rejected: no package was ever activated"],
  ["user4", "", "rejected: locked to another MAC address"],
  ["user4 --mac 020000000002", "", "rejected: locked to another MAC address"],
])("%s says why, in one line", async (argv, stdin, words) => {
  const { code, stdout, stderr } = await radtest(argv, { stdin });
  expect(code).toBe(1);
  expect(stdout).toStartWith("Access-Reject (pap)\n");
  expect(stderr).toStartWith(`gatehouse: ${words}`);
  expect(stderr.split("\n")).toHaveLength(2);
});

test("the code of a card says why, too", async () => {
  const { code } = makeCard(radius.db, { needs_sale: 1 });
  expect(await radtest(`${code} --password-stdin`, { stdin: code })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("rejected: the card is not sold yet"),
  });
  expect(await radtest("ABCDEFG --password-stdin", { stdin: "x" })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no card with this code"),
  });
});

test.each([
  ["a hotspot subscriber asks as one", "user2"],
  ["the right device", "user4 --mac 02-00-00-00-00-01"],
  ["of any ISP", "user5"],
  ["the password from standard input", "user1 --password-stdin"],
])("%s is accepted", async (_, argv) => {
  expect(await radtest(argv, { stdin: "pw-1\n" })).toMatchObject({ code: 0, stderr: "" });
});

test("an Accept that is no full one says so", async () => {
  const { code, stdout } = await radtest("user6");
  expect(code).toBe(0);
  expect(stdout).toContain("accepted into the walled garden: expired; activate a package");
});

test("JSON, also of a reject", async () => {
  const accepted = await radtest("user1 --json");
  expect(JSON.parse(accepted.stdout)).toMatchObject({
    accepted: true,
    code: "Access-Accept",
    reason: "accepted",
  });
  const rejected = await radtest("user3 --json");
  expect(rejected.code).toBe(1);
  expect(JSON.parse(rejected.stdout)).toMatchObject({ accepted: false, reason: "never_activated" });
});

test("a test takes no room from the subscriber's own login, and latches nothing", async () => {
  await radtest("user7");
  const client = radius.client();
  const login = { name: "user7", password: "pw-7", messageAuthenticator: false };
  const device = { ...login, attributes: [["Calling-Station-Id", "02:00:00:00:00:09"]] as const };
  expect((await client.access(device))?.code).toBe("Access-Accept");
});

test.each([
  ["user1 --server 127.0.0.1:1", {}, /no answer from 127\.0\.0\.1:1: start the server/],
  ["user1 --server here", {}, /--server is here; it must be an address and a port/],
  ["user1", { listen: "0.0.0.0:0" }, /name it with --server 127\.0\.0\.1:PORT/],
  ["user1 --mac xyz", {}, /--mac is xyz; it must be a MAC address/],
  ["nobody", {}, /there is no subscriber with the username nobody; see: gatehouse subscriber list/],
])("%s", async (argv, options, message) => {
  const { code, stderr } = await radtest(argv, options);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
});

test("a wildcard is asked at the loopback address", async () => {
  expect(await radtest("user1", { listen: `0.0.0.0:${radius.server.auth.port}` })).toMatchObject({ code: 0 });
});
