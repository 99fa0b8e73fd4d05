import { expect, test } from "bun:test";
import { consoleScene } from "../support/console-scene.ts";
import { soon } from "../support/console-browser.ts";
import { callers, insertWebhook } from "../support/tenants.ts";

const WEBHOOKS = "/console/settings/webhooks";
const HOOK = `${WEBHOOKS}/1`;

const scene = consoleScene(insertWebhook);

const admin = (options = {}) => scene.signedIn(options);
const count = () => scene.app.db.$client.query("SELECT id FROM webhook_endpoints").all().length;
const hook = (id: number) =>
  scene.app.db.$client
    .query<{ url: string; types: string; disabled_at: number | null; former_until: number | null }, [number]>(
      "SELECT url, types, disabled_at, former_until FROM webhook_endpoints WHERE id = ?",
    )
    .get(id);

test("a webhook is made, its secret is shown once, and a reload of its page has it no more", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${WEBHOOKS}/new`);
  await page.fill("#url", "https://books.example/hook?key=7");
  await page.check('[value="payment.received"]');
  await page.check('[value="invoice.paid"]');
  await page.click("#content .button.solid");
  await page.waitForSelector("#secret");
  const secret = await page.locator("#secret").innerText();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/);
  expect(await visitor.text()).toContain("HMAC-SHA256");
  const made = count();
  await page.reload();
  expect(await page.locator("#secret").innerText()).toBe(secret);
  expect(count()).toBe(made);
  await page.click("#content .button.solid");
  await page.waitForURL(/webhooks\/\d+$/);
  expect(await page.content()).not.toContain(secret);
  expect(await visitor.text()).toContain("Nothing has been sent yet");
  const id = Number(page.url().split("/").at(-1));
  expect(JSON.parse(hook(id)?.types ?? "")).toEqual(["payment.received", "invoice.paid"]);
  await visitor.goto(WEBHOOKS);
  expect(await visitor.text()).toContain("books.example");
  expect(await page.content()).not.toContain("key=7");
});

test("a reload of a new secret makes no other, and the former one stays good", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  const secrets = () =>
    scene.app.db.$client
      .query("SELECT secret_sealed, former_sealed FROM webhook_endpoints WHERE id = 1")
      .get();
  await visitor.goto(`${HOOK}/rotate`);
  await page.click("#content form:not(.action) .button.large >> nth=0");
  await page.waitForSelector("#secret");
  const secret = await page.locator("#secret").innerText();
  const stored = secrets();
  await page.reload();
  expect(await page.locator("#secret").innerText()).toBe(secret);
  expect(secrets()).toEqual(stored);
});

test("with everything ticked only sessions are named beside, and what is wrong stands at its field", async () => {
  await using visitor = await admin();
  const { page } = visitor;
  await visitor.goto(`${WEBHOOKS}/new`);
  await page.check('[value="card.first_used"]');
  await page.check('[value="session.started"]');
  await page.check('[value="*"]');
  expect(await page.locator('[value="card.first_used"]').isVisible()).toBe(false);
  await page.fill("#url", "ftp://books.example");
  await page.click("#content .button.solid");
  await page.waitForSelector("#url-fault");
  await page.fill("#url", "https://all.example/");
  await page.click("#content .button.solid");
  await page.waitForSelector("#secret");
  const row = scene.app.db.$client
    .query<{ types: string }, []>("SELECT types FROM webhook_endpoints WHERE url = 'https://all.example/'")
    .get();
  expect(JSON.parse(row?.types ?? "").toSorted()).toEqual(["*", "session.started"]);
});

test("what failed says why, and a delivery shows what was sent and is sent again", async () => {
  await using visitor = await admin();
  const { page } = visitor;
  await visitor.goto(HOOK);
  expect(await visitor.text()).toContain("1 event did not get through yet");
  expect(await visitor.text()).toContain("The receiver answered 500.");
  await page.click('a:text-is("webhook.test")');
  await page.waitForSelector("#drawer #sent");
  expect(await page.locator("#drawer").innerText()).toContain("answered 500 after 20 ms");
  expect(JSON.parse(await page.locator("#sent").innerText())).toMatchObject({
    type: "webhook.test",
    data: { webhook_id: 1 },
  });
  await visitor.expectAccessible();
  await page.click('#drawer button:has-text("Send again")');
  await page.waitForSelector("text=It is on its way again.");
  await visitor.goto(`${HOOK}?state=failed`);
  expect(await visitor.text()).toContain("Nothing here");
});

test("a test is sent, off and on, a new secret asked for and shown", async () => {
  await using visitor = await admin();
  const { page } = visitor;
  await visitor.goto(HOOK);
  await page.click('button:has-text("Send a test")');
  await page.waitForSelector("text=A test is on its way.");
  await page.click('a:has-text("Switch off")');
  await page.waitForSelector("#drawer .button.danger");
  await page.click("#drawer .button.danger");
  expect(
    await soon(async () => (await visitor.text()).includes("what happens is kept for thirty days")),
  ).toBe(true);
  expect(hook(1)?.disabled_at).toBe(scene.app.clock.now);
  await page.click('button:has-text("Switch on")');
  await page.waitForSelector("text=The webhook is on.");
  expect(hook(1)?.disabled_at).toBeNull();
  await page.click('a:has-text("New secret")');
  await page.click("#drawer .button.solid");
  await page.waitForSelector("#secret");
  const secret = await page.locator("#secret").innerText();
  expect(hook(1)?.former_until).toBe(scene.app.clock.now + 86_400);
  await visitor.goto(HOOK);
  await page.click('button:has-text("Show the secret")');
  await page.waitForSelector("#secret");
  expect(await page.locator("#secret").innerText()).toBe(secret);
});

test("only an Admin is offered addresses of the own network", async () => {
  await using visitor = await scene.plain();
  await visitor.goto(`${WEBHOOKS}/new`);
  expect(await visitor.page.locator("[name=allow_local]").count()).toBe(1);
  await using other = await scene.plain(callers.branch);
  await other.goto("/console/settings");
  expect(await other.page.locator(`a[href="${WEBHOOKS}"]`).count()).toBe(0);
});
