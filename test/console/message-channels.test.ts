import { expect, test } from "bun:test";
import { consoleScene } from "../support/console-scene.ts";
import { addMessages } from "../support/messages.ts";
import { mailServer } from "../support/smtp.ts";

const CHANNELS = "/console/messages/channels";
const scene = consoleScene();

test("a gateway is set up and tried, and its key is shown nowhere", async () => {
  const requests: string[] = [];
  let status = 200;
  await using gateway = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      requests.push(`${request.headers.get("authorization")} ${await request.text()}`);
      return new Response(status === 200 ? "queued" : "no credit", { status });
    },
  });
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(CHANNELS);
  expect(await visitor.text()).toContain("No channel yet");
  await page.click("#content .button.solid");
  await page.click('a:text-is("SMS gateway, POST")');
  await page.fill("#url", `http://127.0.0.1:${gateway.port}/send`);
  await page.fill("#secret_key", "k3y-of-the-gateway");
  await page.click(".folded summary");
  await page.check("[name=allow_local]");
  await page.click("#content .button.solid");
  await page.waitForSelector("#test");
  await page.fill("#to", "+441632960001");
  await page.click("#test .button.solid");
  await page.waitForSelector("text=Taken by the service after");
  expect(requests[0]).toStartWith("Bearer k3y-of-the-gateway from=SENDER&to=441632960001");
  expect(await page.content()).not.toContain("k3y-of-the-gateway");
  status = 402;
  await page.fill("#to", "+441632960001");
  await page.click("#test .button.solid");
  await page.waitForSelector("text=no credit");
  expect(await visitor.text()).toContain("402");
});

test("mail is set up and tried at a real server", async () => {
  await using server = await mailServer();
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${CHANNELS}/new/smtp`);
  await page.fill("#host", "127.0.0.1");
  await page.fill("#port", String(server.port));
  await page.selectOption("#tls", "none");
  await page.fill("#from", "Northlink <office@isp.example>");
  await page.click(".folded summary");
  await page.check("[name=allow_local]");
  await page.click("#content .button.solid");
  await page.waitForSelector("#test");
  await page.fill("#to", "ann@example.com");
  await page.click("#test .button.solid");
  await page.waitForSelector("text=Taken by the service after");
  expect((await server.took(1))[0]?.to).toEqual(["ann@example.com"]);
});

test("what a service leaves open is asked for, and put where it belongs", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${CHANNELS}/new/twilio`);
  await page.fill("#fill_NUMBER", "+15005550006");
  await page.click("#content .button.solid");
  await page.waitForSelector("#fill_ACCOUNT_SID-fault");
  await page.fill("#fill_ACCOUNT_SID", "AC123");
  await page.click("#content .button.solid");
  await page.waitForSelector("#test");
  const row = scene.app.db.$client.query<{ settings: string }, []>("SELECT settings FROM channels").get();
  expect(JSON.parse(row?.settings ?? "")).toMatchObject({
    url: "https://api.twilio.com/2010-04-01/Accounts/AC123/Messages.json",
    body: "From=+15005550006\nTo={{to}}\nBody={{body}}",
  });
  expect(await visitor.text()).toContain("A secret is missing");
});

test("one that rules use is switched off, not deleted; one that nothing uses is", async () => {
  addMessages(scene.app.db, scene.app.clock.now);
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${CHANNELS}/1/delete`);
  expect(await visitor.text()).toContain("Receipts");
  expect(await page.locator("#content form .button.danger").count()).toBe(0);
  await visitor.goto(`${CHANNELS}/1/disable`);
  await page.click("#content .button.danger");
  await page.waitForSelector("text=The channel is off.");
  await visitor.goto(`${CHANNELS}/2/delete`);
  await page.click("#content .button.danger");
  await page.waitForSelector("text=The channel is deleted.");
  expect(scene.app.db.$client.query("SELECT id FROM channels").values()).toEqual([[1]]);
});
