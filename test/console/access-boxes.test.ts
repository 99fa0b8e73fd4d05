import { afterEach, beforeEach, expect, test } from "bun:test";
import { parseJoining } from "../../src/domain/machine/access-boxes/joining.ts";
import { addBox } from "../support/access-boxes.ts";
import { consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const BOXES = "/console/settings/access-boxes";

let app: Tenants;
let site: ConsoleSite;
beforeEach(async () => {
  app = await withTenants();
  site = consoleSite(app);
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});

const operator = () => PlainVisitor.signedIn(site, callers.operator);

test("a box is added, and its line is shown once", async () => {
  await using visitor = await operator();
  const { page } = visitor;
  await visitor.goto(BOXES);
  expect(await visitor.text()).toContain("One machine answers every router");
  await visitor.goto(`${BOXES}/new`);
  await page.fill("#name", "tower-1");
  await page.click("#content .button.solid");
  await page.waitForSelector("#join");
  const line = await page.locator("#join").innerText();
  expect(parseJoining(line)).toMatchObject({ name: "tower-1", scope: null });
  await page.click("#content .button.solid");
  await page.waitForURL(/access-boxes$/);
  expect(await page.content()).not.toContain(line);
  expect(await visitor.text()).toContain("has not joined yet");
  await visitor.goto(`${BOXES}/server`);
  expect(await visitor.text()).toContain("gatehouse.home.tower-1");
});

test("a name that is taken is refused, and what was typed stays", async () => {
  addBox(app.db, by, "tower-1");
  await using visitor = await operator();
  await visitor.goto(`${BOXES}/new`);
  await visitor.page.fill("#name", "tower-1");
  await visitor.page.click("#content .button.solid");
  await visitor.page.waitForSelector("#name-fault");
  expect(await visitor.text()).toContain("There is a box tower-1 already.");
  expect(await visitor.page.locator("#name").getAttribute("aria-invalid")).toBe("true");
  expect(await visitor.page.locator("#name").inputValue()).toBe("tower-1");
  expect(await visitor.page.inputValue("#name")).toBe("tower-1");
});

test("who removes a box reads what it knew", async () => {
  const { id } = addBox(app.db, by, "tower-1");
  await using visitor = await operator();
  await visitor.goto(`${BOXES}/${id}/remove`);
  expect(await visitor.text()).toMatch(/the secrets of \d+ routers?/);
  expect(await visitor.text()).toContain("it starts by itself after a power cut");
  await visitor.page.click(".button.danger");
  await visitor.page.waitForURL(/access-boxes$/);
  expect(await visitor.text()).toContain("tower-1 is removed; the others get another key.");
});

test("sessions through a box that is cut off are shown as last heard", async () => {
  const { db, clock } = app;
  const { id } = addBox(db, by, "tower-1", { heardAt: clock.now - 3600 });
  db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, started_at, updated_at, via_box)
     VALUES (1, '127.0.0.1', '77', 'user1', 1, ?1, ?1, ?2)`,
    [clock.now - 3600, id],
  );
  await using visitor = await operator();
  await visitor.goto("/console/online");
  expect(await visitor.text()).toContain("tower-1 is cut off: who is online there goes on");
  expect(await visitor.text()).toContain("as last heard");
  await visitor.goto("/console/subscribers/1");
  expect(await visitor.text()).toContain("the access box tower-1 is cut off");
});
