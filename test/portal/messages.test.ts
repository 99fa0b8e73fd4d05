import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { saveTemplate } from "../../src/domain/around/messages/templates.ts";
import { rendered } from "../../src/domain/around/messages/render.ts";
import { overtaken } from "../../src/domain/around/messages/still-due.ts";
import { startChromium } from "../support/chromium.ts";
import { by } from "../support/isp.ts";
import { PortalBrowser } from "../support/portal-browser.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

let browser: Browser;
let isp: PortalIsp;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  isp = await portalIsp();
});
afterEach(() => isp.close());

test.each([false, true])(
  "a subscriber chooses the language of its messages, and does without them (without a script: %p)",
  async (isPlain) => {
    const { db, clock } = isp;
    const world = { now: clock.now };
    for (const [language, body] of [
      ["en", "Hello"],
      ["ar", "\u0645\u0631\u062d\u0628\u064b\u0627"],
    ])
      saveTemplate(db, by, { isp_id: 1, name: "hello", language, body }, world);
    const message = { subscriberId: people.amara, aboutId: null, period: "event 1", isSms: 0 };
    const reader = { subscriberId: people.amara };
    const languageNow = () =>
      rendered(db, { template: "hello", about: { ispId: 1, ...reader }, reader }, clock.now)?.language;
    expect(languageNow()).toBe("en");
    expect(overtaken(db, message)).toBeUndefined();

    await using visitor = isPlain
      ? await PlainVisitor.fromApp(isp, people.amara)
      : await PortalBrowser.open(browser, isp, { viewport: { width: 320, height: 640 } });
    if (visitor instanceof PortalBrowser) await visitor.openFromApp(people.amara);
    await visitor.page.goto(`${isp.origin}/portal/settings`);
    expect(await visitor.page.isChecked("[name=wanted]")).toBe(true);
    await visitor.page.selectOption("#language", "ar");
    await visitor.submit("#messages button");
    expect(await visitor.text()).toContain("Saved.");
    expect(await visitor.page.inputValue("#language")).toBe("ar");
    expect(languageNow()).toBe("ar");
    if (visitor instanceof PortalBrowser) {
      await visitor.expectAccessible();
      await visitor.expectToFit();
    }

    await visitor.page.uncheck("[name=wanted]");
    await visitor.page.selectOption("#language", "");
    await visitor.submit("#messages button");
    expect(await visitor.page.isChecked("[name=wanted]")).toBe(false);
    expect(languageNow()).toBe("en");
    expect(String(overtaken(db, message))).toBe("the subscriber does not want messages");
    const entries = db.$client
      .query("SELECT actor, source, after FROM audit_entries WHERE action = 'subscriber.update' ORDER BY id")
      .all();
    expect(entries).toEqual([
      { actor: "subscriber user1", source: "portal", after: expect.stringContaining('"language":"ar"') },
      { actor: "subscriber user1", source: "portal", after: expect.stringContaining('"messages_off":1') },
    ]);
    const notified = db.$client.query("SELECT type FROM events WHERE type = 'subscriber.updated'").all();
    expect(notified).toHaveLength(2);
    await visitor.submit("#messages button"); // nothing is changed, so nothing is told
    expect(db.$client.query("SELECT type FROM events WHERE type = 'subscriber.updated'").all()).toEqual(
      notified,
    );
  },
);
