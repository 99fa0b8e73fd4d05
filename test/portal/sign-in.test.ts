import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { PortalBrowser } from "../support/portal-browser.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

let browser: Browser;
let isp: PortalIsp;
beforeAll(async () => {
  browser = await startChromium();
});
beforeEach(async () => {
  await isp?.close();
  isp = await portalIsp(); // attempts are counted anew
});
afterAll(async () => {
  await Promise.all([browser.close(), isp.close()]);
});

const LOGIN = "/api/v1/subscriber/login";

test("the app lands signed in, and signing out ends it", async () => {
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.openFromApp(people.amara);
  expect(visitor.page.url()).toBe(`${isp.origin}/portal`);
  await visitor.submit("header.top form button");
  expect(visitor.page.url()).toBe(`${isp.origin}/portal/sign-in?done=signed-out`);
  expect(await visitor.page.context().cookies()).toMatchObject([{ name: "gatehouse_visit" }]);
});

test("sign-in by hand: a wrong password, then the right one, without case and blanks in the name", async () => {
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.goto("/portal");
  await visitor.signIn("user1", "wrong");
  expect(await visitor.page.getByRole("alert").innerText()).toBe("Wrong username or password.");
  expect(await visitor.page.inputValue("#username")).toBe("user1");
  await visitor.signIn(" USER1 ", "pw-1");
  expect(await visitor.heading()).toBe("You are online");
  const cookie = (await visitor.page.context().cookies()).find(({ name }) => name === "gatehouse_portal");
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
});

test("what was typed can be shown", async () => {
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.goto("/portal/sign-in");
  await visitor.page.fill("#password", "pw-1");
  await visitor.page.click("[data-reveal]");
  expect(await visitor.page.getAttribute("#password", "type")).toBe("text");
  expect(await visitor.page.getAttribute("[data-reveal]", "aria-pressed")).toBe("true");
});

test("a disabled account is told so", async () => {
  await using visitor = new PlainVisitor(isp);
  await visitor.goto("/portal/sign-in");
  await visitor.signIn("user4", "pw-4");
  expect(await visitor.page.getByRole("alert").innerText()).toContain("This account is disabled.");
});

test("the limit is that of the API, and counted with it", async () => {
  const api = (password: string) =>
    fetch(isp.origin + LOGIN, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "user1", password }),
    });
  for (let i = 0; i < 3; i++) expect((await api("wrong")).status).toBe(401);
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.goto("/portal/sign-in");
  await visitor.signIn("user1", "wrong");
  await visitor.signIn("user1", "wrong");
  expect(await visitor.page.getByRole("alert").innerText()).toBe("Wrong username or password.");
  const sixth = visitor.page.waitForResponse((response) => response.request().method() === "POST");
  await visitor.signIn("user1", "pw-1");
  const response = await sixth;
  expect(response.status()).toBe(429);
  expect(Number(response.headers()["retry-after"])).toBeGreaterThan(0);
  expect(await visitor.page.getByRole("alert").innerText()).toMatch(
    /^Too many attempts\. Try again in \d+ seconds\.$/,
  );
  expect((await api("pw-1")).status).toBe(429);
  await visitor.signIn("user5", "pw-5");
  expect(await visitor.heading()).toBe("Your data is used up");
});

test("a changed password opens the portal and the app, ends every other session, and leaves the line's alone", async () => {
  const token = await isp.token(people.amara);
  await using other = await PlainVisitor.fromApp(isp, people.amara);
  await using visitor = await PlainVisitor.fromApp(isp, people.amara);
  await visitor.goto("/portal/settings");
  const change = async (current: string, chosen: string, again = chosen) => {
    await visitor.page.fill("#current", current);
    await visitor.page.fill("#chosen", chosen);
    await visitor.page.fill("#again", again);
    await visitor.submit("#password button.solid");
    return visitor.page.locator(".note").innerText();
  };
  expect(await change("pw-1", "short")).toContain("at least 8");
  expect(await change("pw-1", "long enough", "long enougj")).toContain("different");
  expect(await change("wrong", "long enough")).toContain("current password is wrong");
  expect(await change("pw-1", "long enough")).toContain("Your password is changed.");
  await other.goto("/portal");
  expect(other.page.url()).toContain("/portal/sign-in");
  expect((await isp.call("GET", "/mobile-auto-login", { bearer: token })).status).toBe(401);
  const login = async (password: string) =>
    (await isp.call("POST", LOGIN, { json: { username: "user1", password } })).status;
  expect([await login("pw-1"), await login("long enough")]).toEqual([401, 200]);
  const stored = JSON.stringify(
    isp.db.$client.query("SELECT portal_pass FROM subscribers WHERE id = 1").get(),
  );
  expect(stored).toContain("$argon2id$");
  expect(JSON.stringify(isp.db.$client.query("SELECT * FROM audit_entries").all())).toContain(
    "subscriber.change_portal_password",
  );
});

test("signing out on all devices ends the app's tokens too", async () => {
  const token = await isp.token(people.amara);
  await using visitor = await PlainVisitor.fromApp(isp, people.amara);
  await visitor.goto("/portal/settings");
  await visitor.submit("form[action$=everywhere] button");
  expect(await visitor.text()).toContain("You are signed out on all devices.");
  expect((await isp.call("GET", "/mobile-auto-login", { bearer: token })).status).toBe(401);
});
