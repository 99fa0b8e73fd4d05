import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeReference } from "../../src/domain/desk/incoming/reference.ts";
import type { Browser } from "playwright-core";
import { makeRouters } from "../../src/domain/service/control/routers.ts";
import { everything } from "../../src/domain/core/actor/operator.ts";
import { subscriberById } from "../../src/domain/goods/subscribers/find.ts";
import { CoaClient } from "../../src/radius/client/coa.ts";
import { coaRequests } from "../../src/radius/client/coa-requests.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite } from "../support/console-browser.ts";
import { FakeNas, type FakeNasBehaviour } from "../support/fake-nas.ts";
import { temporaryApp } from "../support/http.ts";
import { people, personIsp, staff, TPLINK } from "../support/person-isp.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

const screens = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** The ISP with its router, and somebody before the page of one of its people. */
async function scene(
  {
    who,
    as = "admin",
    screen = "desk",
    router = {},
    script = true,
  }: {
    who: keyof typeof people;
    as?: keyof typeof staff;
    screen?: keyof typeof screens;
    router?: FakeNasBehaviour;
    script?: boolean;
  },
  work: (visitor: ConsoleBrowser, app: ReturnType<typeof temporaryApp>) => Promise<void>,
): Promise<void> {
  const store = await personIsp();
  using nas = await FakeNas.start(router);
  const client = new CoaClient();
  store.db.$client.query("UPDATE nas SET coa_port = ? WHERE id = 1").run(nas.port);
  const api = {
    disconnect: async () => ({ kind: "gone" }) as const,
    find: async () => ({ kind: "unknown", reason: "no API" }) as const,
  };
  using app = temporaryApp({ routers: makeRouters(store.db, { coa: coaRequests(client), api }) }, store);
  const site = consoleSite(app);
  try {
    await using visitor = await ConsoleBrowser.signedIn(browser, site, staff[as], {
      viewport: screens[screen],
      javaScriptEnabled: script,
    });
    await visitor.goto(`/console/subscribers/${people[who]}`);
    await work(visitor, app);
  } finally {
    client.close();
    await site.close();
  }
}

const verdict = ({ page }: ConsoleBrowser) => page.locator(".verdict h2").innerText();
const toast = async ({ page }: ConsoleBrowser) =>
  (await page.locator("[data-toast]").last().innerText()).replaceAll(/\s+/g, " ");
const shows = async (visitor: ConsoleBrowser, words: string) =>
  visitor.page.locator(".verdict h2", { hasText: words }).waitFor();
const solid = ({ page }: ConsoleBrowser) => page.locator("#content .button.solid");

type Screen = keyof typeof screens;
const both: [screen: Screen, how: "mouse" | "keyboard"][] = [
  ["desk", "keyboard"],
  ["phone", "mouse"],
];

/** Presses the one solid button of the page. */
async function mend(visitor: ConsoleBrowser, how: "mouse" | "keyboard"): Promise<void> {
  expect(await solid(visitor).count()).toBe(1);
  if (how === "mouse") await solid(visitor).click();
  else await visitor.page.keyboard.press("u");
}

test.each(both)("a new device at the line, on a %s by %s: one press lets it in", async (screen, how) => {
  await scene({ who: "newDevice", screen }, async (visitor, app) => {
    expect(await verdict(visitor)).toBe("Refused: there is a new router at this line");
    expect(await visitor.page.locator(".verdict").innerText()).toContain("TP-Link");
    await mend(visitor, how);
    await shows(visitor, "In order again");
    expect(await toast(visitor)).toContain(TPLINK);
    expect(subscriberById(app.db, everything, people.newDevice)).toMatchObject({
      macAddress: TPLINK,
      macLock: 1,
    });
    await visitor.expectToFit();
  });
});

test.each(both)(
  "an expired package, on a %s by %s: what is missing stands on the button",
  async (screen, how) => {
    await scene({ who: "expired", screen }, async (visitor) => {
      expect(await verdict(visitor)).toBe("The package ended 3 days ago");
      const href = await solid(visitor).getAttribute("href");
      expect(href).toBe(`/console/subscribers/${people.expired}/pay?amount=22.00`);
      const trust = visitor.page.getByRole("button", { name: "One day on trust" });
      if (how === "mouse") await trust.click();
      else await trust.press("Enter");
      await shows(visitor, "In order again");
      expect(await toast(visitor)).toMatch(/Extended until .* The next renewal takes it off\./s);
      expect(await visitor.page.locator(".person-name").innerText()).toContain("Active");
    });
  },
);

test.each(both)("a wrong password, on a %s by %s: a new one is shown once", async (screen, how) => {
  await scene({ who: "wrongPassword", screen }, async (visitor) => {
    expect(await verdict(visitor)).toBe("Refused: the password is wrong");
    await mend(visitor, how);
    await visitor.page.locator("#drawer #password:focus").waitFor();
    if (how === "mouse") await visitor.page.locator("#drawer .button.solid").click();
    else await visitor.page.keyboard.press("Enter");
    const text = await visitor.page.locator(".once").innerText();
    expect(text).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
    await visitor.page.locator("#drawer .button.solid").click();
    await shows(visitor, "In order again");
    expect(await visitor.text()).not.toContain(text);
  });
});

test("on a phone what can be done is one row, and the rest of it in its menu", async () => {
  await scene({ who: "expired", screen: "phone" }, async ({ page }) => {
    const row = page.locator(".person-actions > :is(.button, form, .menu):visible");
    const tops = await row.evaluateAll((all) =>
      all.map((one) => Math.round(one.getBoundingClientRect().top)),
    );
    expect(tops.length).toBe(3);
    expect(new Set(tops).size).toBe(1);
    await page.locator(".person-actions summary").click();
    for (const name of ["Package", "Disconnect"])
      await page.locator(".person-actions .menu-panel").getByText(name, { exact: true }).waitFor();
  });
});

test("a router that is away: nothing is wrong with this line, and all that went with it are a press away", async () => {
  await scene({ who: "routerAway" }, async (visitor) => {
    expect(await verdict(visitor)).toBe("core is silent");
    expect(await visitor.page.locator(".verdict").innerText()).toContain("122 lines went with it");
    await visitor.page.keyboard.press("u");
    await visitor.page.waitForURL("**/console/outages/1");
  });
});

test("the data is used up: a payment or another package", async () => {
  await scene({ who: "overQuota", screen: "phone" }, async (visitor) => {
    expect(await verdict(visitor)).toBe("The data is used up");
    expect(await solid(visitor).innerText()).toContain("Take US$22.00 and renew");
    expect(await visitor.page.locator(".verdict .actions .button").count()).toBe(2);
  });
});

const kicks: [string, FakeNasBehaviour, RegExp, string][] = [
  ["acknowledges", { late: 20 }, /core ended the session\. Answered after \d+ ms\. Offline now/, "Offline"],
  [
    "refuses",
    { answer: "nak", errorCause: 504 },
    /core did not end it\..*it cannot end the session\. The session is still open here/s,
    "Online",
  ],
  [
    "is silent",
    { answer: "silence" },
    /core did not answer\. Waited \d+\.\d s\..*still open here/s,
    "Online",
  ],
];
test.each(kicks)("disconnect, and the router %s", async (_, router, words, state) => {
  await scene({ who: "online", router }, async (visitor) => {
    expect(await verdict(visitor)).toBe("Online");
    await visitor.page.getByRole("button", { name: "Disconnect" }).click();
    await visitor.page.locator("[data-toast]").waitFor();
    expect(await toast(visitor)).toMatch(words);
    await visitor.page.locator(".person-name .chip", { hasText: state }).waitFor();
    const stays = state === "Online" ? "bad" : "good";
    expect(await visitor.page.locator("[data-toast]").getAttribute("data-toast")).toBe(stays);
  });
});

test("without a script the same is said on the page that follows", async () => {
  await scene({ who: "online", script: false }, async (visitor) => {
    await visitor.page.getByRole("button", { name: "Disconnect" }).click();
    expect(await toast(visitor)).toContain("core ended the session.");
    expect(new URL(visitor.page.url()).pathname).toBe(`/console/subscribers/${people.online}`);
    await visitor.page.getByRole("link", { name: "Renew", exact: true }).click();
    await visitor.page.getByText("This cannot be done now").first().waitFor();
  });
});

test("two staff at one subscriber: who saves second is told, and may send it again", async () => {
  await scene({ who: "newDevice" }, async (visitor, app) => {
    const { page } = visitor;
    const edit = page.locator("#drawer form");
    await page.getByRole("link", { name: "Edit" }).last().click();
    await edit.waitFor();
    app.db.$client.query("UPDATE subscribers SET mobile_number = '0777' WHERE id = 1").run();
    await page.fill("#drawer #mobile_number", "0888");
    await page.fill("#drawer #name", "Joe Mwangi");
    await page.keyboard.press("Enter");
    await edit.getByText("was changed to 0777 meanwhile").waitFor();
    expect(visitor.complaints.splice(0)).toEqual([`422 ${page.url()}/edit`]);
    expect(subscriberById(app.db, everything, 1)).toMatchObject({
      mobileNumber: "0777",
      name: "Joseph Mwangi",
    });
    expect(await page.inputValue("#drawer #mobile_number")).toBe("0888");
    await edit.getByRole("button", { name: "Save" }).click();
    await page.locator("[data-toast]", { hasText: "Saved" }).waitFor();
    expect(subscriberById(app.db, everything, 1)).toMatchObject({ mobileNumber: "0888", name: "Joe Mwangi" });
    expect(await page.locator("dialog[open]").count()).toBe(0);
    await page.locator("h1", { hasText: "Joe Mwangi" }).waitFor();
  });
});

test("a technician sees no money, takes the new device, and edits the line alone", async () => {
  await scene({ who: "newDevice", as: "technician", screen: "phone" }, async (visitor) => {
    const { page } = visitor;
    expect(await visitor.text()).not.toMatch(/US\$|22\.00|Balance|Money|Renew|payment/);
    await page.goto(`${page.url()}/edit`);
    expect(await page.locator("fieldset").count()).toBe(1);
    const answers = ["money", "renew", "password", "changes"].map(async (path) => {
      const answer = await page.request.get(`${new URL(page.url()).origin}/console/subscribers/1/${path}`);
      return answer.status();
    });
    expect(await Promise.all(answers)).toEqual([403, 403, 403, 403]);
  });
});

test("a note is added, a kind of the timeline is chosen, and the statement is printed", async () => {
  await scene({ who: "newDevice" }, async (visitor) => {
    const { page } = visitor;
    await page.getByRole("link", { name: "Add", exact: true }).click();
    await page.fill("#drawer #note", "<b>Dog</b>");
    await page.locator("#drawer .button.solid").click();
    await page.locator("#timeline", { hasText: "<b>Dog</b>" }).waitFor();
    await page.getByRole("link", { name: "Changes", exact: true }).click();
    await page.locator("#timeline", { hasText: "0139 to 0142" }).waitFor();
    expect(await page.locator("#timeline").innerText()).not.toContain("Dog");
    await page.getByRole("link", { name: "Statement" }).first().click();
    expect(await visitor.heading()).toBe("Statement of Joseph Mwangi");
    expect(await visitor.text()).toContain("R-2030-000001");
    const [, id = ""] = /subscribers\/(\d+)/.exec(page.url()) ?? [];
    expect(await visitor.text()).toMatch(new RegExp(`Payment reference\\s+${makeReference(Number(id))}`));
  });
});

test("j and k lead to the next and the previous person of the last list", async () => {
  await scene({ who: "expired" }, async (visitor) => {
    const { page } = visitor;
    const kept = {
      list: "/console/subscribers?q=x",
      people: [1, 2, 3].map((id) => `/console/subscribers/${id}`),
    };
    await page.evaluate(`sessionStorage.setItem("people", ${JSON.stringify(JSON.stringify(kept))})`);
    await page.reload();
    expect(await page.locator("[data-way]").innerText()).toContain("2 / 3");
    expect(await page.locator("[data-way] .way-back").getAttribute("href")).toBe("/console/subscribers?q=x");
    await page.keyboard.press("j");
    await page.locator("h1", { hasText: "Omar Diallo" }).waitFor();
    await page.locator('[data-key="k"]').waitFor(); // its script is there
    expect(await page.locator('[data-key="j"]').isVisible()).toBe(false);
    await page.keyboard.press("k");
    await page.locator("h1", { hasText: "Leila Haddad" }).waitFor();
  });
});

test("on a phone each value says what it is, the evidence is whole, and a run of the same refusals is one row", () =>
  scene({ who: "online", screen: "phone" }, async (visitor, { db, clock }) => {
    const { page } = visitor;
    const id = people.online;
    await visitor.expectAccessible({ rules: ["scrollable-region-focusable"] });
    for (let at = 1; at <= 45; at += 1)
      db.$client
        .query(
          `INSERT INTO auth_log (at, username, subscriber_id, nas_id, nas_address, accepted, reason, mac)
           SELECT ?1, username, id, 1, '127.0.0.1', 0, 'wrong_password', 'AA:BB:CC:DD:EE:FF' FROM subscribers WHERE id = ?2`,
        )
        .run(clock.now - 60 + at, id);
    await visitor.goto(`/console/subscribers/${id}/logins`);
    const first = page.locator(".labelled tbody tr").first();
    expect((await first.innerText()).replaceAll(/\s+/g, " ")).toContain("45×");
    expect(await page.locator(".labelled tbody tr", { hasText: "AA:BB:CC:DD:EE:FF" }).count()).toBe(1);
    for (const tab of ["sessions", "money"]) {
      await visitor.goto(`/console/subscribers/${id}/${tab}`);
      const labels = await page
        .locator(".labelled tbody td")
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-label") ?? ""));
      expect(labels.length).toBeGreaterThan(0);
      expect(labels).not.toContain("");
    }
  }));

test("the head goes by the session that ended last, not by the one begun last", () =>
  scene({ who: "online" }, async (visitor, { db, clock }) => {
    const id = people.online;
    const insert = db.$client.query<unknown, [string, number, number]>(
      `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, started_at, updated_at, stopped_at, framed_ip)
       SELECT 1, '127.0.0.1', ?1, username, id, ?2, ?3, ?3, ?1 FROM subscribers WHERE id = ${id}`,
    );
    db.$client.run(`UPDATE sessions SET stopped_at = started_at + 1 WHERE subscriber_id = ${id}`);
    insert.run("10.9.9.1", clock.now - 7200, clock.now - 60);
    insert.run("10.9.9.2", clock.now - 3600, clock.now - 3000);
    await visitor.goto(`/console/subscribers/${id}`);
    expect(await visitor.page.locator(".person > header dl").innerText()).toContain("10.9.9.1");
  }));
