import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Appliance, program } from "../support/appliance.ts";
import { type Arguments, AssistantClient } from "../support/assistants.ts";
import { ada, aPackage, aSubscriber } from "../support/isp.ts";

/* An assistant's program starts the executable, or calls the server: both answer the same. */

const appliance = new Appliance();
let at: Awaited<ReturnType<Appliance["serve"]>>;
let secret = "";
beforeAll(async () => {
  await appliance.load({
    isps: [{ id: 1, name: "Northlink" }],
    roles: [
      {
        code: 1,
        isp_id: 1,
        name: "Reader",
        permissions: { api_access: 1, subscriber_view: 1, payment_take: 1 },
      },
    ],
    staff: [ada],
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "hush-hush" }],
    packages: [aPackage(1)],
    subscribers: [aSubscriber(1, { name: "Joseph Mwangi" })],
  });
  at = await appliance.serve();
  const { stdout } = await appliance.run(["key", "add", "desk", "--role", "Reader", "--json"]);
  const made = JSON.parse(stdout);
  secret = `${made.key}:${made.secret}`;
});
afterAll(() => appliance[Symbol.asyncDispose]());

const started = (mode: "legacy" | "auto", key = "desk") =>
  AssistantClient.over(
    new StdioClientTransport({
      command: program,
      args: ["mcp", key],
      env: appliance.environment,
      cwd: appliance.folder,
      stderr: "pipe",
    }),
    mode,
  );

test.each(["legacy", "auto"] as const)(
  "over standard streams and over HTTP it answers the same (%s)",
  async (mode) => {
    await using local = await started(mode);
    await using remote = await AssistantClient.at(at.http, secret, mode);
    expect(await local.names()).toEqual(await remote.names());
    expect(await local.names()).toContain("why");
    const [here, there] = [
      await local.ask("subscriber", { id: 1 }),
      await remote.ask("subscriber", { id: 1 }),
    ];
    expect(here.answer).toMatchObject({ name: "«Joseph Mwangi»", balance: 100 });
    expect(there.answer).toEqual(here.answer);
    expect(await local.ask("payments")).toMatchObject({ code: "permission_missing" });
  },
);

test("what is asked for by one way waits for whoever looks by the other, and moves nothing", async () => {
  await using local = await started("auto");
  await using remote = await AssistantClient.at(at.http, secret);
  const payment = { user_id: 1, amount: 5, method: "cash" };
  expect(await local.ask("call", { call: "takePayment", arguments: payment })).toMatchObject({
    money: [{ wallet: "«Joseph Mwangi»", before: 100, after: 105 }],
  });
  expect(await remote.ask("asked")).toMatchObject({ rows: [{ call: "takePayment", state: "waits" }] });
  expect((await remote.ask("subscriber", { id: 1 })).answer).toMatchObject({ balance: 100 });
});

test("what it asks by either way stands in the key's list of calls", async () => {
  const made = await appliance.run(["key", "add", "heard", "--role", "Reader", "--json"]);
  const { key } = JSON.parse(made.stdout);
  const said = async () => {
    const { stdout } = await appliance.run(["key", "calls", key, "--json"]);
    return JSON.parse(stdout).map(({ method, path, status, address }: Arguments) => [
      `${method} ${path}`,
      status,
      address,
    ]);
  };
  {
    await using local = await started("auto", "heard");
    await local.names();
    await local.ask("payments"); // refused within the answer
    await appliance.run(["key", "revoke", key]);
    await local.ask("subscriber", { id: 1 });
  }
  while ((await said()).length < 3) await Bun.sleep(50); // written behind the answers
  expect(await said()).toEqual([
    ["POST /mcp", 401, "cli"],
    ["POST /mcp", 200, "cli"],
    ["POST /mcp", 200, "cli"],
  ]);
});

test("whoever starts it without a key that is of use is told so", async () => {
  expect(await appliance.run(["mcp", "nobody"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("there is no key nobody"),
  });
  const { stdout } = await appliance.run(["key", "add", "gone", "--role", "Reader", "--json"]);
  await using local = await started("auto", "gone");
  expect(await local.ask("subscribers")).toMatchObject({ total: 1 });
  await appliance.run(["key", "revoke", "gone"]);
  expect(await local.ask("subscribers")).toMatchObject({ code: "key_revoked" });
  const again = await appliance.run(["mcp", JSON.parse(stdout).key]);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("revoked") });
});
