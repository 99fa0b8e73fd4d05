import { expect, test } from "bun:test";
import { createChannel } from "../../src/domain/around/messages/channels.ts";
import { planMessages } from "../../src/domain/around/messages/plan.ts";
import { consoleScene } from "../support/console-scene.ts";
import { by } from "../support/isp.ts";
import { webChannel } from "../support/messages.ts";

const RULES = "/console/messages/rules";
const scene = consoleScene();
const count = (table: string) => scene.app.db.$client.query(`SELECT count(*) FROM ${table}`).values()[0]?.[0];

test("the usual rules are made by a press, and tell nobody what is past", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(RULES);
  expect(await visitor.text()).toContain("A rule needs a channel to send by");
  createChannel(scene.app.db, by, webChannel, { now: scene.app.clock.now });
  scene.app.clock.now += 60;
  await visitor.goto(RULES);
  await page.click("#content .button.solid");
  await page.uncheck('[value="quota_80"]');
  await page.click("#content .button.solid");
  await page
    .getByText("3 days before the end of the service: the subscriber gets “Three days before the end” by")
    .waitFor();
  expect(await visitor.text()).toContain("Not between 21:00 and 08:00.");
  // whom a rule reaches by text message is said where it is made
  scene.app.db.$client.run("UPDATE subscribers SET mobile_number = '+44 7700 900001' WHERE id IN (1, 2)");
  await visitor.goto(RULES);
  expect(await visitor.text()).toContain("2 subscribers have a mobile number and get no text messages");
  await page.getByRole("link", { name: "Switch text messages on for them" }).click();
  await page.getByText("2 will be changed").waitFor();
  await page.getByRole("button", { name: "Change 2" }).waitFor();
  scene.app.db.$client.run("UPDATE subscribers SET sms_status = 1");
  await visitor.goto(RULES);
  expect(await visitor.text()).not.toContain("get no text messages");
  expect(
    scene.app.db.$client.query("SELECT is_enabled FROM message_rules ORDER BY id").values().flat(),
  ).toEqual([1, 1, 1, 1, 0]);
  await planMessages(scene.app.db, by, { now: scene.app.clock.now });
  expect(count("messages")).toBe(0);
  await page.locator('button:has-text("Switch on")').click();
  await page.waitForSelector("text=The rule is on.");
});

test("a rule is made, refused in words, changed and deleted", async () => {
  createChannel(scene.app.db, by, webChannel, { now: scene.app.clock.now });
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${RULES}/usual`);
  await page.click("#content .button.solid");
  await page.getByText("3 days before the end of the service").waitFor(); // the form has the name of the rule too
  await visitor.goto(`${RULES}/new`);
  await page.fill("#name", "After a day");
  await page.fill("#duration", "1");
  await page.selectOption("#side", "after");
  await page.selectOption("#template", "payment_receipt");
  await page.click("#content .button.solid");
  await page.waitForSelector("#template-fault");
  await page.selectOption("#template", "expires_soon");
  await page.click("#content .button.solid");
  await page.waitForSelector("text=1 day after the end of the service");
  const last = scene.app.db.$client.query("SELECT max(id) FROM message_rules").values()[0]?.[0];
  await visitor.goto(`${RULES}/${last}/delete`);
  await page.click("#content .button.danger");
  await page.waitForSelector("text=The rule is deleted.");
  expect(count("message_rules")).toBe(5);
});
