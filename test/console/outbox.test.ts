import { expect, test } from "bun:test";
import { setChannelEnabled } from "../../src/domain/around/messages/channels.ts";
import { LiveFeed } from "../../src/domain/service/live/feed.ts";
import { planMessages } from "../../src/domain/around/messages/plan.ts";
import { writeMessage } from "../../src/domain/around/messages/write.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { LiveStreams } from "../../src/http/console/live/streams.ts";
import { consoleScene } from "../support/console-scene.ts";
import { ConsoleBrowser, consoleSite, soon } from "../support/console-browser.ts";
import { temporaryApp } from "../support/http.ts";
import { by } from "../support/isp.ts";
import { addMessages, insertMessage } from "../support/messages.ts";
import { NOW, templateStore } from "../support/store.ts";
import { callers, fillTenants } from "../support/tenants.ts";

const OUTBOX = "/console/messages";

const scene = consoleScene(({ db, clock }) => {
  addMessages(db, clock.now);
  db.$client.run("DELETE FROM messages");
});

/** A message of subscriber 1 that ended now, or waits. */
function message(state: string, more = "reason = NULL"): number {
  const id = insertMessage(scene.app.db, scene.app.clock.now, state);
  scene.app.db.$client.run(`UPDATE messages SET ${more} WHERE id = ${id}`);
  return id;
}
const stateOf = (id: number) =>
  scene.app.db.$client.query<{ state: string }, [number]>("SELECT state FROM messages WHERE id = ?").get(id)
    ?.state;
const down = () =>
  scene.app.db.$client.run(
    "UPDATE channels SET down_since = ?, down_reason = 'it answered 503', try_at = ? WHERE id = 1",
    [scene.app.clock.now - 600, scene.app.clock.now + 600],
  );
const signedIn = (options = {}, caller = callers.admin) => scene.signedIn(options, caller);

test("an empty outbox says what belongs there and leads to the rules", async () => {
  await using visitor = await signedIn();
  await visitor.goto(OUTBOX);
  expect(await visitor.text()).toContain("No message yet");
  expect(await visitor.page.locator("#content .button.solid").getAttribute("href")).toBe(`${OUTBOX}/rules`);
});

test("it says what waits, what failed and why, and which channel is down with what mends it", async () => {
  message("waiting", "attempts = 2, next_at = next_at + 900, reason = 'it answered 503'");
  message("failed", "reason = 'the number is not valid'");
  message("sent", "rule_id = NULL, template = '', subject = NULL");
  down();
  await using visitor = await signedIn();
  const { page } = visitor;
  await visitor.goto(OUTBOX);
  expect(await page.locator("#outbox-says").innerText()).toBe(
    "1 message waits to be sent. 1 message failed in the last 7 days.",
  );
  const verdict = await page.locator(".verdict").innerText();
  expect(verdict).toContain("Gateway is down since");
  expect(verdict).toContain("It answered 503.");
  expect(verdict).toContain("1 message waits, and goes by itself once it works.");
  expect(await visitor.text()).toContain("The number is not valid.");
  expect(await visitor.text()).toContain("written by hand");
  await page.click("#outbox-says a >> nth=1");
  await page.waitForURL("**state=failed");
  expect(await page.locator(".outbox-table tbody tr").count()).toBe(1);
  await visitor.expectAccessible();
});

test("by state, channel, rule and subscriber", async () => {
  message("sent");
  message("failed", "rule_id = NULL");
  await using visitor = await signedIn();
  const { page } = visitor;
  const rows = async (query: string) => {
    await visitor.goto(`${OUTBOX}?${query}`);
    return page.locator(".outbox-table tbody tr").count();
  };
  expect(await rows("state=sent")).toBe(1);
  expect(await rows("channel=1")).toBe(2);
  expect(await rows("channel=2")).toBe(0);
  expect(await visitor.text()).toContain("Take a filter away");
  expect(await rows("rule=1")).toBe(1);
  expect(await rows("user=2")).toBe(0);
  expect(await rows("user=1&state=failed")).toBe(1);
  await page.click("a.chip");
  await page.waitForURL(`**${OUTBOX}?state=failed`);
  await page.selectOption("#pill-rule", "1");
  expect(await soon(async () => (await page.locator(".outbox-table tbody tr").count()) === 0)).toBe(true);
});

test("older ones are a page away", async () => {
  for (let nth = 0; nth < 51; nth++) message("sent");
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${OUTBOX}?channel=1`);
  expect(await page.locator(".outbox-table tbody tr").count()).toBe(50);
  await visitor.submit("a[rel=next]");
  expect(await page.locator(".outbox-table tbody tr").count()).toBe(1);
});

test("one that failed is tried again from its row, and the answer says that its channel is down", async () => {
  const id = message("failed", "reason = 'the number is not valid'");
  down();
  await using visitor = await signedIn();
  const { page } = visitor;
  await visitor.goto(OUTBOX);
  await page.click('.outbox-table button:has-text("Try again")');
  await page.locator("#toasts").getByText("Gateway is down. It is tried once right away").waitFor();
  expect(stateOf(id)).toBe("waiting");
  expect(
    await soon(async () => (await page.locator("#outbox-says").innerText()).includes("1 message waits")),
  ).toBe(true);
});

test("one that waits is cancelled by the keyboard alone", async () => {
  const id = message("waiting");
  await using visitor = await signedIn();
  const { page } = visitor;
  await visitor.goto(OUTBOX);
  await page.locator('.outbox-table a:has-text("Receipts")').focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("#drawer .quoted");
  expect(await page.locator("#drawer .quoted").innerText()).toBe("Thank you, User 1");
  await page.locator('#drawer button:has-text("Cancel")').focus();
  await page.keyboard.press("Enter");
  expect(await soon(async () => stateOf(id) === "cancelled")).toBe(true);
  expect(await soon(async () => (await visitor.text()).includes("Ada cancelled it"))).toBe(true);
});

test("one that perhaps arrived is explained, and goes again by a press, without a script too", async () => {
  const id = message("perhaps", "reason = 'the program ended while it was sent'");
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(OUTBOX);
  await visitor.submit('.outbox-table a.button:has-text("Open")');
  expect(await visitor.text()).toContain("nobody answered whether it arrived");
  await page.click('button:has-text("Send again")');
  await page.waitForURL(`**${OUTBOX}/${id}`);
  expect(await visitor.text()).toContain("It waits to be sent again.");
  expect(stateOf(id)).toBe("waiting");
});

test("one that was sent meanwhile is not sent twice, and that is said", async () => {
  const id = message("failed");
  await using visitor = await scene.plain();
  await visitor.goto(`${OUTBOX}/${id}`);
  scene.app.db.$client.run("UPDATE messages SET state = 'sent'");
  await visitor.submit('button:has-text("Try again")');
  expect(await visitor.text()).toContain("nobody is told twice");
  expect(stateOf(id)).toBe("sent");
});

test("a message leads to what happened, to whom it is and to what it says", async () => {
  takePayment(
    scene.app.db,
    by,
    { subscriberId: 1, amount: 500, method: "cash" },
    { now: scene.app.clock.now },
  );
  await planMessages(scene.app.db, by, { now: scene.app.clock.now });
  await using visitor = await signedIn();
  const { page } = visitor;
  await visitor.goto(OUTBOX);
  await page.click('.outbox-table a:has-text("Receipts")');
  await page.waitForSelector("#drawer .facts");
  await visitor.expectAccessible();
  const facts = page.locator("#drawer .facts");
  expect(await facts.locator('a:has-text("A payment came in")').getAttribute("href")).toMatch(
    /^\/console\/money\/payments\/\d+$/,
  );
  expect(await facts.locator('a:has-text("User 1")').getAttribute("href")).toBe("/console/subscribers/1");
  expect(await facts.innerText()).toContain("M1");
});

test("what staff wrote by hand says who, and what it says with its fields filled in", async () => {
  scene.app.db.$client.run(
    "UPDATE subscribers SET sms_status = 1, mobile_number = '+44 20 7946 0001' WHERE id = 1",
  );
  const input = { user_id: 1, channel_id: 1, body: "Hello {{name}}, works in your street" };
  const ada = { ...by, name: "ada", staffId: 1 };
  writeMessage(scene.app.db, ada, { input }, { now: scene.app.clock.now });
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(OUTBOX);
  expect(await page.locator(".outbox-table tbody").innerText()).toContain("written by hand by Ada");
  await page.click('.outbox-table a:has-text("written by hand")');
  expect(await page.locator(".quoted").innerText()).toBe("Hello User 1, works in your street");
  expect(await page.locator(".facts").innerText()).toContain("written by Ada");
});

test("all that failed by a channel is counted, and sent again", async () => {
  const ids = [message("failed"), message("failed")];
  const old = message("failed", `ended_at = ${scene.app.clock.now - 3 * 86_400}`);
  await using visitor = await signedIn();
  const { page } = visitor;
  await visitor.goto(`${OUTBOX}?state=failed`);
  await page.click('.filters a:has-text("Try again what failed")');
  await page.locator('#drawer .pay-hits a:has-text("Gateway")').click();
  await page.locator('#drawer button:has-text("Send 3 messages again")').waitFor();
  await page.click('#drawer .segments a:has-text("day") >> nth=0');
  await page.locator('#drawer button:has-text("Send 2 messages again")').click();
  await page.locator("#toasts").getByText("2 messages wait to be sent again.").waitFor();
  expect([...ids, old].map(stateOf)).toEqual(["waiting", "waiting", "failed"]);
});

test("all that waits of a rule is cancelled without a script", async () => {
  const ids = [message("waiting"), message("waiting"), message("waiting", "rule_id = NULL")];
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${OUTBOX}?state=waiting&rule=1`);
  await page.click('.filters a:has-text("Cancel what waits")');
  expect(await visitor.text()).toContain("Rule Receipts");
  await page.click('button:has-text("Cancel 2 messages")');
  await page.waitForURL(`**${OUTBOX}`);
  expect(await visitor.text()).toContain("2 messages are cancelled.");
  expect(ids.map(stateOf)).toEqual(["cancelled", "cancelled", "waiting"]);
});

test("a channel that is off says what waits for it", async () => {
  const id = message("failed");
  message("waiting");
  setChannelEnabled(scene.app.db, by, { id: 1, enabled: false }, { now: scene.app.clock.now });
  await using visitor = await scene.plain();
  await visitor.goto(OUTBOX);
  expect(await visitor.page.locator(".verdict").innerText()).toContain("1 message waits for it.");
  await visitor.goto(`${OUTBOX}/${id}`);
  expect(await visitor.page.locator('button:has-text("Try again")').isDisabled()).toBe(true);
});

test("who may only look presses nothing, and who has no right to messages sees none", async () => {
  message("failed");
  message("waiting");
  scene.app.db.$client.run(
    "UPDATE role_permissions SET value = 0 WHERE role_code = 1 AND flag = 'message_manage'",
  );
  scene.app.db.$client.run("UPDATE staff SET branch_id = NULL WHERE username = 'mia'");
  await using visitor = await scene.plain(callers.branch);
  await visitor.goto(OUTBOX);
  expect(await visitor.page.locator(".outbox-table tbody tr").count()).toBe(2);
  expect(await visitor.page.locator("#content form[method=post]").count()).toBe(0);
  await visitor.goto("/console/subscribers/1");
  expect(await visitor.page.locator("#messages").count()).toBe(1);
  scene.app.db.$client.run(
    "UPDATE role_permissions SET value = 0 WHERE role_code = 1 AND flag = 'message_view'",
  );
  await visitor.goto("/console/subscribers/1");
  expect(await visitor.page.locator("#messages").count()).toBe(0);
  expect(await visitor.page.locator('#timeline a:has-text("Messages")').count()).toBe(0);
});

test("the page of a subscriber has its messages, and the timeline too", async () => {
  message("failed", "reason = 'the number is not valid'");
  await using visitor = await signedIn();
  const { page } = visitor;
  await visitor.goto("/console/subscribers/1");
  expect(await page.locator("#messages").innerText()).toContain("; the number is not valid");
  await page.click('#timeline .segments a:has-text("Messages")');
  await page.waitForURL("**kind=messages**");
  expect(await page.locator("#timeline ol").innerText()).toContain("failed, the number is not valid");
  await page.click('#timeline ol a:has-text("Receipts")');
  await page.waitForSelector("#drawer .facts");
  await visitor.goto("/console/subscribers/1");
  await page.click('#messages a:has-text("All")');
  await page.waitForURL(`**${OUTBOX}?user=1`);
});

test("in which language, and that no message is wanted, is written on the form of a subscriber", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto("/console/subscribers/1/edit");
  await page.locator("details.edit-section:has(#language) summary").click();
  await page.selectOption("#language", "sw");
  await page.getByLabel("Wants no messages").check();
  await page.locator("#content form[method=post] .button.solid").click();
  await page.waitForURL("**/console/subscribers/1");
  expect(await page.locator("#messages").innerText()).toContain("Wants no messages.");
  expect(
    scene.app.db.$client.query("SELECT language, messages_off AS off FROM subscribers WHERE id = 1").get(),
  ).toEqual({ language: "sw", off: 1 });
});

test("what is new and what comes of it is shown by itself", async () => {
  using store = await templateStore(fillTenants)();
  addMessages(store.db, NOW);
  const feed = new LiveFeed(store.db);
  const streams = new LiveStreams(feed);
  const live = consoleSite(temporaryApp({ streams }, store));
  {
    await using visitor = await ConsoleBrowser.signedIn(scene.browser, live, callers.admin);
    const { page } = visitor;
    await visitor.goto(OUTBOX);
    await page.evaluate("document.getElementById('outbox').dataset.every = '0'");
    expect(await soon(async () => streams.count === 1)).toBe(true);
    const rows = page.locator(".outbox-table tbody tr");
    insertMessage(store.db, NOW);
    feed.flush();
    expect(await soon(async () => (await rows.count()) === 2)).toBe(true);
    await page.evaluate("document.getElementById('outbox').dataset.every = '0'");
    store.db.$client.run("UPDATE messages SET state = 'sent', ended_at = ?", [NOW]);
    feed.sent({ ispId: 1 });
    feed.flush();
    expect(
      await soon(async () => (await page.locator("#outbox-says").innerText()).startsWith("Nothing")),
    ).toBe(true);
  }
  streams.close();
  await live.close();
});
