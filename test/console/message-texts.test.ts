import { expect, test } from "bun:test";
import { createChannel } from "../../src/domain/around/messages/channels.ts";
import { consoleScene } from "../support/console-scene.ts";
import { by } from "../support/isp.ts";
import { webChannel } from "../support/messages.ts";

const TEXTS = "/console/messages/texts";
const scene = consoleScene();

test("ready texts are added, shown with a subscriber and changed", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${TEXTS}/ready`);
  await page.uncheck('[name=language][value="ru"]');
  await page.click("#content .button.solid");
  await page.waitForSelector("text=Ready texts added: 100");
  await page.click('#content bdi:text-is("Welcome")');
  await page.fill("#body", "Welcome, {{username}}“");
  await page.click("[formaction]");
  await page.waitForSelector("text=Longer because of “");
  expect(await page.locator(".quoted").innerText()).toMatch(/^Welcome, \w+“$/);
  await page.fill("#body", "Welcome, {{nobody}}");
  await page.click("#content .button.solid");
  await page.waitForSelector("#body-fault");
  await page.fill("#body", "Welcome, {{name}}");
  await page.click("#content .button.solid");
  await page.waitForSelector("text=The text is saved.");
  await page.click('#content bdi:text-is("العربية")');
  await page.locator("#text-preview [dir=rtl]").waitFor();
});

test("a text is sent to oneself as it is typed, by a channel, and the page says what came of it", async () => {
  const requests: string[] = [];
  await using gateway = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      requests.push(await request.text());
      return new Response("queued", { status: requests.length === 1 ? 200 : 500 });
    },
  });
  const url = `http://127.0.0.1:${gateway.port}/send`;
  createChannel(scene.app.db, by, { ...webChannel, url, allow_local: 1 }, { now: scene.app.clock.now });
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${TEXTS}/new`);
  await page.fill("#name", "hello");
  await page.fill("#body", "Hello {{username}}");
  await page.fill("#who", "user1");
  const send = async (to: string) => {
    await page.fill("#to", to);
    await page.click('[formaction$="/try"]');
    return page.locator("#text-try").innerText();
  };
  expect(await send("")).toContain("required");
  expect(await send("+44 20 7946 0000")).toContain("Taken by the service");
  expect(JSON.parse(requests[0] ?? "")).toMatchObject({ to: "442079460000", text: "Hello user1" });
  expect(await send("+44 20 7946 0000")).toContain("500");
  expect(await page.inputValue("#body")).toBe("Hello {{username}}"); // nothing is lost, and nothing saved
  await visitor.goto(TEXTS);
  expect(await visitor.text()).toContain("No text yet");
});
