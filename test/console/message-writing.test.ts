import { describe, expect, test } from "bun:test";
import type { BrowserContextOptions } from "playwright-core";
import { runBulk } from "../../src/domain/around/bulk/run.ts";
import { listMessages } from "../../src/domain/around/messages/outbox.ts";
import { saveTemplate } from "../../src/domain/around/messages/templates.ts";
import { ConsoleBrowser } from "../support/console-browser.ts";
import { consoleScene } from "../support/console-scene.ts";
import { by } from "../support/isp.ts";
import { addMessages } from "../support/messages.ts";
import { callers, insertOutage } from "../support/tenants.ts";

const PERSON = "/console/subscribers/1";

const scene = consoleScene(({ db, clock }) => {
  addMessages(db, clock.now);
  saveTemplate(db, by, { isp_id: 1, name: "visit", language: "en", body: "We visit {{name}}" }, clock);
  db.$client.run("UPDATE subscribers SET mobile_number = '+44 7700 90000' || id WHERE isp_id = 1");
});

const visit = (options: BrowserContextOptions = {}, as: string = callers.admin) =>
  scene.signedIn(options, as);
/** Those that staff wrote, the oldest first. */
const written = () =>
  listMessages(scene.app.db, by, {}, { before: 9999, limit: 99 })
    .filter(({ writtenBy }) => writtenBy !== null)
    .map(({ subscriberId, template, channel }) => `${subscriberId} ${template || "own words"} ${channel}`)
    .toReversed();

test("by keys alone: chosen, typed, seen as it will be read, and put in the outbox", async () => {
  scene.app.db.$client.run("UPDATE subscribers SET sms_status = 1");
  await using visitor = await visit();
  const { page } = visitor;
  await visitor.goto(PERSON);
  await page.locator(".person-actions > .wide-only a", { hasText: "Message" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("#drawer #channel_id").focus();
  await page.keyboard.type("Gateway");
  expect(await page.locator("#subject").isVisible()).toBe(false); // text messages have none
  await page.locator("#body").focus();
  await page.keyboard.type("Hello {{name}}, the line is mended.");
  await page.getByText("Hello User 1, the line is mended.").waitFor();
  expect(await page.locator("#letter-preview").innerText()).toContain("1 text message");
  await page.locator("#template").focus();
  await page.keyboard.type("visit");
  await page.getByText("We visit User 1").waitFor();
  expect(await page.locator("#body").isVisible()).toBe(false);
  await page.locator("#drawer button.solid").focus();
  await page.keyboard.press("Enter");
  const toast = page.locator(".toast");
  await toast.waitFor();
  expect(await toast.innerText()).toContain("One other waits before it by Gateway, at 1 a second.");
  expect(await toast.locator("a").getAttribute("href")).toMatch(/^\/console\/messages\/\d+$/);
  expect(written()).toEqual(["1 visit Gateway"]);
});

describe.each([
  ["with a script", false],
  ["without one", true],
])("%s", (_, isPlain) => {
  const visit = () => (isPlain ? scene.plain() : scene.signedIn());

  test("who wants none gets what has to be read, once it is said", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto(`${PERSON}/message`);
    await page.selectOption("#channel_id", { label: "Gateway" });
    await page.fill("#body", "Your cable burns, {{name}}");
    if (isPlain) await visitor.submit("button[formaction]");
    await page.getByText("This subscriber gets no text messages.").waitFor();
    await page.check("[name=anyway]");
    await page.click("button.solid");
    await page.getByText("It is in the outbox.").waitFor();
    expect(written()).toEqual(["1 own words Gateway"]);
  });

  test("what is wrong is said beside its field, and what was typed stays", async () => {
    await using visitor = await visit();
    if (visitor instanceof ConsoleBrowser) visitor.expected = /^422 /; // the browser's own word about what was refused
    const { page } = visitor;
    await visitor.goto(`${PERSON}/message`);
    await page.selectOption("#channel_id", { label: "Mail" });
    await page.fill("#body", "Hello {{nmae}}");
    await page.click("button.solid");
    await page.locator("#body[aria-invalid]").waitFor();
    expect(await page.locator("#body-fault").innerText()).toContain("{{nmae}} is no field");
    expect(await page.inputValue("#body")).toBe("Hello {{nmae}}");
    expect(written()).toEqual([]);
  });

  test("many are written to: who gets it, who not and why, and what came of each", async () => {
    scene.app.db.$client.run("UPDATE subscribers SET sms_status = 1 WHERE id = 1");
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto("/console/subscribers");
    for (const box of await page.locator("#people tbody input").all()) await box.check();
    await page.click(".bulk-bar button[value=message]");
    await page.selectOption("#channel_id", { label: "Gateway" });
    await page.fill("#body", "Hello {{name}}");
    if (isPlain) await visitor.submit("button[formaction]");
    await page.getByText("1 will get it", { exact: false }).first().waitFor();
    const trial = await page.locator("#trial").innerText();
    expect(trial).toContain("User 1, +44 7700 900001");
    expect(trial).toContain("the subscriber gets no text messages");
    expect(trial).toContain("Hello User 1");
    await visitor.submit("#trial .button.solid");
    await runBulk(scene.app.db, by, { clock: () => scene.app.clock.now });
    await page.reload();
    expect(await page.locator("#job").innerText()).toContain("in the outbox");
    expect(written()).toEqual(["1 own words Gateway"]);
  });

  test("the lines of an outage are written to, and nobody else", async () => {
    insertOutage(scene.app.db, 1, 1, 1);
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto("/console/outages/1");
    await page.click("a:has-text('Message the one that is dark')");
    await page.selectOption("#channel_id", { label: "Mail" });
    await page.fill("#body", "The cable in your street is cut.");
    await visitor.submit("#trial .button.solid");
    await runBulk(scene.app.db, by, { clock: () => scene.app.clock.now });
    expect(written()).toEqual(["1 own words Mail"]);
  });
});

test("where a message by SMS reaches nobody, a press switches text messages on for them", async () => {
  insertOutage(scene.app.db, 1, 1, 1);
  await using visitor = await visit();
  const { page } = visitor;
  await visitor.goto("/console/outages/1");
  await page.click("a:has-text('Message the one that is dark')");
  await page.selectOption("#channel_id", { label: "Gateway" });
  await page.fill("#body", "The cable in your street is cut.");
  await page.getByRole("link", { name: "Switch text messages on for this one" }).click();
  await page.getByText("1 will be changed").waitFor();
  await visitor.submit("#trial .button.solid");
  await runBulk(scene.app.db, by, { clock: () => scene.app.clock.now });
  const { $client } = scene.app.db;
  expect($client.query("SELECT sms_status AS sms FROM subscribers WHERE id = 1").get()).toEqual({ sms: 1 });
});

test.each([`${PERSON}/message`, "/console/subscribers/bulk?operation=message&id=1"])(
  "%s shows what was chosen last, however long what came before takes",
  async (path) => {
    scene.app.db.$client.run("UPDATE subscribers SET sms_status = 1");
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto(path);
    const held: (() => Promise<void>)[] = [];
    await page.route("**/preview", (route) =>
      held.push(() => route.continue()) === 1 ? undefined : route.continue(),
    );
    await page.selectOption("#channel_id", { label: "Gateway" });
    await page.selectOption("#template", "visit");
    await page.getByText("We visit User 1").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  },
);

test("a form that is sent twice writes one message", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  for (let again = 0; again < 2; again++) {
    await visitor.goto(`${PERSON}/message`);
    await page.fill("[name=key]", "one-key");
    await page.selectOption("#channel_id", { label: "Mail" });
    await page.fill("#body", "Hello");
    await visitor.submit("button.solid");
    expect(await visitor.text()).toContain("It is in the outbox.");
  }
  expect(written()).toEqual(["1 own words Mail"]);
});

test("a Reseller writes to its own subscribers, and is not led to an outbox that it does not see", async () => {
  await using visitor = await scene.plain(callers.reseller);
  const { page } = visitor;
  await visitor.goto(`${PERSON}/message`);
  await page.selectOption("#channel_id", { label: "Mail" });
  await page.selectOption("#template", "visit");
  await visitor.submit("button.solid");
  expect(await visitor.text()).toContain("It leaves by Mail next.");
  expect(await page.locator(".toast a").count()).toBe(0);
  expect(written()).toEqual(["1 visit Mail"]);
  expect((await page.goto(`${scene.site.origin}/console/subscribers/2/message`))?.status()).toBe(404);
});

test("where there is no channel it says who adds one", async () => {
  scene.app.db.$client.run("UPDATE channels SET disabled_at = 1");
  await using visitor = await scene.plain();
  await visitor.goto(`${PERSON}/message`);
  expect(await visitor.text()).toContain("There is no channel to write by.");
});
