import { describe, expect, test } from "bun:test";
import { confirmEnrolment, startEnrolment } from "../../src/domain/people/staff/enrolment.ts";
import { loadActor } from "../../src/domain/people/staff/sign-in.ts";
import { totpCode } from "../../src/domain/people/staff/totp.ts";
import { endOtherConsoleSessions } from "../../src/domain/people/staff/console-sessions.ts";
import { cli } from "../support/people.ts";
import { consoleScene } from "../support/console-scene.ts";
import { callers } from "../support/tenants.ts";
import { ConsoleBrowser, consoleSessionOf, soon } from "../support/console-browser.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const scene = consoleScene();

/** Gives an account a second factor; its secret and its recovery codes. */
function enrol(staffId: number): { secret: string; codes: string[] } {
  const { db, clock } = scene.app;
  const by = loadActor(db, staffId, "127.0.0.1");
  if (!by) throw new Error(`there is no account ${staffId}`);
  const { sealed, secret } = startEnrolment(db, by, { issuer: "N" }, { now: clock.now - 90 });
  const code = totpCode(secret, clock.now - 90);
  return { secret, codes: confirmEnrolment(db, by, { sealed, code, key: "" }, { now: clock.now - 90 }) };
}

const endAll = (staffId: number) =>
  endOtherConsoleSessions(scene.app.db, cli, { staffId }, { now: scene.app.clock.now });

describe("with a second factor", () => {
  test("the code goes on by itself at the sixth digit, to where one wanted to go", async () => {
    const { secret } = enrol(1);
    await using visitor = await ConsoleBrowser.open(scene.browser, scene.site);
    const { page } = visitor;
    await visitor.goto("/console/me?x=1");
    await visitor.signIn("ada", "secret-1");
    expect(await visitor.heading()).toBe("Your code");
    await visitor.typeInto("#code", "000000");
    await page.getByRole("alert").getByText("wrong").waitFor();
    await visitor.typeInto("#code", totpCode(secret, scene.app.clock.now));
    await page.waitForURL("**/console/me?x=1");
  });

  test("a recovery code opens without the phone", async () => {
    const { codes } = enrol(1);
    await using visitor = await ConsoleBrowser.open(scene.browser, scene.site);
    await visitor.goto("/console/me");
    await visitor.signIn("ada", "secret-1");
    await visitor.submit("text=Use a recovery code");
    await visitor.typeInto("#recovery_code", codes[0] ?? "");
    await visitor.submit("button.solid");
    expect(await visitor.text()).toContain("9 recovery codes are left");
  });

  test("whose role needs one gets it first, and sees nothing else before", async () => {
    scene.app.db.$client.run("UPDATE roles SET needs_second_factor = 1 WHERE code = 1");
    await using visitor = await ConsoleBrowser.open(scene.browser, scene.site);
    const { page } = visitor;
    await visitor.goto("/console/sign-in");
    await visitor.signIn("mia", "secret-1");
    for (const path of ["/console/me", "/console/keys", "/console/sign-in/code"]) {
      await visitor.goto(path);
      expect(page.url()).toContain("/console/me/second-factor");
    }
    const secret = (await page.locator(".secret").innerText()).replace(/\s/g, "");
    await page.fill("#code", totpCode(secret, scene.app.clock.now));
    await visitor.submit("button.solid");
    expect(await page.locator(".recovery-codes li").count()).toBe(10);
    await visitor.goto("/console/me");
    expect(await visitor.text()).toContain("10 recovery codes are left");
  });
});

describe("a session that ends in the middle of a form", () => {
  test.each([{ factor: false }, { factor: true }])(
    "is signed in to above the page, and the form is sent (second factor: $factor)",
    async ({ factor }) => {
      const secret = factor ? enrol(1).secret : "";
      await using visitor = await ConsoleBrowser.open(scene.browser, scene.site);
      visitor.expected = /^4(01|22) /; // 401 and 422 are what this is about
      const { page } = visitor;
      await visitor.goto("/console/me");
      await visitor.signIn("ada", "secret-1");
      if (factor) await visitor.typeInto("#code", totpCode(secret, scene.app.clock.now - 30));
      await page.waitForURL("**/console/me");
      await consoleSessionOf(scene.site, callers.admin); // another one, to be ended
      await visitor.goto("/console/me");
      endAll(1);
      await page.click("text=End all others");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("You were signed out").waitFor();
      expect(await dialog.getByLabel("Username").inputValue()).toBe("ada");
      await dialog.getByLabel("Username").fill("adam"); // other parts of the page learn that the session is over meanwhile
      await page.evaluate('document.body.dispatchEvent(new CustomEvent("session-ended"))');
      await page.evaluate('fetch("/console/sign-in/again?as=ada").then((answer) => answer.text())');
      expect(await dialog.getByLabel("Username").inputValue()).toBe("adam");
      await dialog.getByLabel("Username").fill("ada");
      await page.focus("dialog [name=password]");
      await visitor.typeInto("dialog [name=password]", "wrong-1");
      await page.keyboard.press("Enter");
      await dialog.getByText("Wrong username or password").waitFor();
      // empty, when the answer has taken its place: what is typed before goes with it
      const password = dialog.locator("[name=password]");
      expect(await soon(async () => (await password.inputValue()) === "")).toBe(true);
      await password.fill("secret-1");
      await password.press("Enter");
      if (factor) {
        await dialog.getByText("Six digits").waitFor();
        await visitor.typeInto("dialog [name=code]", totpCode(secret, scene.app.clock.now));
      }
      await dialog.waitFor({ state: "hidden" });
      await page.getByText("0 other sessions have ended").waitFor();
    },
  );

  test("a part of the page that comes anew at that moment does not bring the form back", async () => {
    await using visitor = await scene.signedIn();
    visitor.expected = /^401 /;
    const { page } = visitor;
    await consoleSessionOf(scene.site, callers.admin); // another one, to be ended
    await visitor.goto("/console/me");
    endAll(1);
    await page.click("text=End all others");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("You were signed out").waitFor();
    // looked at before anything else happens: the form that waited is sent, without a session here
    const isOpen = await page.evaluate(`
      document.dispatchEvent(new CustomEvent("signed-in", { detail: { account: 1, token: "t" } }));
      document.dispatchEvent(new CustomEvent("htmx:after:swap"));
      document.getElementById("sign-in").open`);
    expect(isOpen).toBe(false);
  });

  test.each([{ factor: false }, { factor: true }])(
    "without a script goes through the sign-in with what was typed, and never with a password (second factor: $factor)",
    async ({ factor }) => {
      const { secret, codes } = factor ? enrol(1) : { secret: "", codes: [] };
      await using visitor = await new PlainVisitor(scene.site);
      const { page } = visitor;
      await visitor.goto("/console/me");
      await visitor.signIn("ada", "secret-1");
      if (factor) {
        await page.fill("#code", totpCode(secret, scene.app.clock.now - 30));
        await visitor.submit("button.solid");
      }
      endAll(1);
      await page.fill("#current", "secret-1");
      await page.fill("#chosen", "secret-22");
      await visitor.submit("text=Change the password");
      expect(await visitor.text()).toContain("what you typed is kept");
      expect(await page.content()).not.toContain("secret-22");
      await visitor.signIn("ada", "secret-1");
      if (factor) {
        await visitor.submit("text=Use a recovery code"); // which loses nothing
        await page.fill("#recovery_code", codes[0] ?? "");
        await visitor.submit("button.solid");
      }
      expect(await visitor.heading()).toBe("Send it again?");
      await page.fill("#current", "secret-1");
      await page.fill("#chosen", "secret-22");
      await visitor.submit("button.solid");
      expect(await visitor.text()).toContain("The password is changed");
    },
  );

  test("is not carried on from a page of another session, nor from another site", async () => {
    const cookie = await consoleSessionOf(scene.site, callers.admin);
    const send = (headers: Record<string, string>, token: string) =>
      fetch(`${scene.site.origin}/console/me/keys`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie, "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams({ keys: "evil", form_token: token }),
      });
    const page = await fetch(`${scene.site.origin}/console/me`, { headers: { cookie } });
    const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    endAll(1);
    const kept = await send({}, token);
    expect([kept.status, (await kept.text()).includes("evil")]).toEqual([401, true]);
    const others = [
      await send(
        {},
        token.replace(/^./, (first) => (first === "_" ? "-" : "_")),
      ),
      await send({ cookie: "" }, token),
      await send({ "sec-fetch-site": "cross-site" }, token),
      await send({ origin: "https://evil.example" }, token),
    ];
    expect(others.map(({ status }) => status)).toEqual([303, 303, 403, 403]);
    for (const other of others) expect(await other.text()).not.toContain('name="kept"');
  });
});

test("somebody else who signs in above a page does not send what it holds", async () => {
  await using visitor = await scene.signedIn();
  visitor.expected = /^401 /;
  const { page } = visitor;
  await consoleSessionOf(scene.site, callers.admin);
  await visitor.goto("/console/me");
  endAll(1);
  await consoleSessionOf(scene.site, callers.branch); // mia's, which stays
  await page.click("text=End all others");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Username").fill("mia");
  await dialog.getByLabel("Password").fill("secret-1");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/console/me"));
  const left = scene.app.db.$client
    .query<{ n: number }, []>("SELECT count(*) AS n FROM staff_sessions")
    .get();
  expect(left?.n).toBe(2);
});

test("what was typed stays where a part that asks by itself was first to hear that the session has ended", async () => {
  await using visitor = await scene.signedIn();
  visitor.expected = /^401 /;
  const { page } = visitor;
  await visitor.goto("/console/sign-up");
  const looked = page.waitForResponse("**/console/sign-up/check");
  await page.fill("#address", "4 Quay Street");
  await page.selectOption("#package_id", { index: 1 });
  await looked;
  const chosen = await page.inputValue("#package_id");
  endAll(1);
  await page.evaluate("document.body.dispatchEvent(new CustomEvent('session-ended'))");
  await visitor.typeInto("dialog [name=password]", "secret-1");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.waitForLoadState("networkidle");
  expect(await page.inputValue("#address")).toBe("4 Quay Street");
  expect(await page.inputValue("#package_id")).toBe(chosen);
});
