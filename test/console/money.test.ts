import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { sellCard } from "../../src/domain/desk/card-sales/sell.ts";
import { makeReference } from "../../src/domain/desk/incoming/reference.ts";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { adjustWallet } from "../../src/domain/money/wallets/adjust.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { fillCards } from "../support/cards.ts";
import { by } from "../support/isp.ts";
import { booked } from "../support/office.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { en } from "../support/words.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";
import { crossed } from "../support/runs.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

interface World extends Disposable {
  readonly app: Tenants;
  readonly site: ConsoleSite;
}

/** Subscriber 1 owes 6.00, and its package costs 22.00. */
async function world(): Promise<World> {
  const app = await withTenants();
  const { db, clock } = app;
  db.$client.run("UPDATE packages SET name = 'Family 30', price = 2200 WHERE id = 1");
  const at = { now: clock.now - 3000 };
  adjustWallet(db, by, { subscriberId: 1, amount: -10_600, reason: "a router" }, at);
  const site = consoleSite(app);
  return {
    app,
    site,
    [Symbol.dispose]() {
      void site.close();
      app[Symbol.dispose]();
    },
  };
}

const set = ({ db, clock }: Tenants, key: string, value: string) =>
  changeSetting(db, by, { key, value, ispId: 1 }, clock);
const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** What is pressed is the same on both, and what fits a phone fits a desk. */
const mouseOrPhone = crossed<[how: string, options: BrowserContextOptions]>(
  [["on a phone", phone]],
  [["by mouse", wide]],
);
/** As people read it. */
const textOf = async (staff: ConsoleBrowser | PlainVisitor) => (await staff.text()).replaceAll("\u00a0", " ");
const moved = ({ app }: World) => booked(app.db).slice(-2);
const renewedWith28: ReturnType<typeof booked> = [
  ["subscriber 1", "payment", 2800],
  ["subscriber 1", "activation", -2200],
];

describe("money is taken and the package renewed", () => {
  test.each(mouseOrPhone)("%s, in three actions from the ringing phone", async (_, options) => {
    using here = await world();
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, options);
    const { page } = staff;
    await staff.goto("/console/pay");
    await page.fill("#pay-q", "user1");
    await page.click(".pay-hits a");
    expect(await page.inputValue("#amount")).toBe("28.00");
    expect(await page.innerText("#pay-sums")).toContain("Paid until Monday, 25 February 2030");
    await staff.expectToFit();
    await page.click("#drawer button.solid");
    await page.waitForSelector(".steps");
    expect(await page.innerText("#drawer-title")).toBe("US$28.00 taken, renewed");
    expect(await page.innerText(".steps")).toMatch(/Receipt R-2030-000001,[^]*Balance US\$0\.00/);
    expect(moved(here)).toEqual(renewedWith28);
  });

  test("by keyboard alone, and the focus is on what comes next", async () => {
    using here = await world();
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    const { page } = staff;
    await staff.goto("/console/money");
    await page.focus(".bar .push a[href='/console/pay']");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#drawer #pay-q:focus");
    await page.keyboard.type("user1");
    await page.waitForSelector(".pay-hits a");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#amount:focus");
    await page.keyboard.type("28"); // the amount is selected, and so replaced
    await page.keyboard.press("Enter");
    await page.waitForSelector(".steps");
    expect(moved(here)).toEqual(renewedWith28);
    await page.waitForSelector("#drawer a.solid:focus");
    await page.keyboard.press("Escape");
    expect(await page.locator("#drawer").isVisible()).toBe(false);
    expect(await page.innerText("#content")).toContain("R-2030-000001");
  });

  test("a refusal and a lost connection are read in the drawer, which keeps what was typed", async () => {
    using here = await world();
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    staff.expected = /^403 |Failed to fetch|net::ERR/; // a refusal and a failed request are what this is about
    const { page } = staff;
    await staff.goto("/console/money");
    await page.click(".bar .push a[href='/console/pay']");
    await page.fill("#drawer #pay-q", "user1");
    await page.click("#drawer .pay-hits a");
    await page.fill("#drawer #amount", "30");
    const token = page.locator("#drawer [name=form_token]").first();
    const good = await token.inputValue();
    await token.evaluate((field, value) => field.setAttribute("value", value), "of another session");
    await page.click("#drawer button.solid");
    await page.getByRole("dialog").getByText("This form was open for too long").click({ trial: true });
    await page.route("**/*", (route) => route.abort());
    await page.click("#drawer button.solid");
    await page.getByRole("dialog").getByText(en.frame.lost).click({ trial: true });
    expect(await page.locator("#drawer .toast").count()).toBe(1);
    await page.unroute("**/*");
    await token.evaluate((field, value) => field.setAttribute("value", value), good);
    await page.click("#drawer button.solid");
    await page.waitForSelector(".steps");
    expect(moved(here).map(([, , amount]) => amount)).toContain(3000);
  });

  test("where it is a part of what is owed, the rest is said, and not that it is in the wallet", async () => {
    using here = await world();
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    const { page } = staff;
    await staff.goto("/console/subscribers/1");
    await page.click("main a[href='/console/subscribers/1/pay']");
    await page.fill("#drawer #amount", "2");
    await page.click("#drawer button[value=take]");
    await page.waitForSelector(".steps");
    expect(await page.innerText("#drawer")).toContain("US$4.00 stays owed");
    expect(await page.innerText("#drawer .paper")).toMatch(/Towards what was owed\s+2\.00/);
  });

  test("without a script", async () => {
    using here = await world();
    await using staff = await PlainVisitor.signedIn(here.site, callers.admin);
    await staff.goto("/console/subscribers/1/pay");
    await staff.submit("button.solid");
    expect(moved(here)).toEqual(renewedWith28);
    await staff.goto("/console/money");
    expect(await textOf(staff)).toContain("US$28.00 taken in one payment.");
  });

  test("once, however often the same form is sent", async () => {
    using here = await world();
    const cookie = await consoleSessionOf(here.site, callers.admin);
    const url = `${here.site.origin}/console/subscribers/1/pay`;
    const form = await (await fetch(url, { headers: { cookie } })).text();
    const hidden = form
      .matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)
      .map(([, name = "", value = ""]): [string, string] => [name, value]);
    const body = new URLSearchParams([
      ...hidden,
      ["amount", "28.00"],
      ["method", "cash"],
      ["package", "1"],
      ["do", "renew"],
    ]);
    const headers = { cookie, origin: here.site.origin, "hx-request": "true", "hx-request-type": "partial" };
    const answers = await Promise.all(
      [1, 2, 3].map(async () => (await fetch(url, { method: "POST", headers, body })).text()),
    );
    for (const answer of answers) expect(answer).toContain("R-2030-000001");
    expect(moved(here)).toEqual(renewedWith28);
    expect(booked(here.app.db).filter(([, kind]) => kind === "payment")).toHaveLength(1);
    body.set("amount", "29.00");
    expect(await (await fetch(url, { method: "POST", headers, body })).text()).toContain("with another body");
  });

  test("what can be pressed follows the amount: a wallet that covers it renews, money on top may be taken alone", async () => {
    using here = await world();
    takePayment(
      here.app.db,
      by,
      { subscriberId: 1, amount: 5000, method: "cash" },
      { now: here.app.clock.now },
    );
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    const { page } = staff;
    await staff.goto("/console/pay?q=user1");
    await page.click(".pay-hits a");
    const pressed = () => page.locator("#pay-presses button");
    expect(await pressed().allInnerTexts()).toEqual([expect.stringContaining("Renew")]);
    await page.fill("#amount", "50");
    await pressed().getByText("Only take the money").waitFor();
    expect(await pressed().allInnerTexts()).toEqual([
      expect.stringContaining("Pay and renew"),
      "Only take the money",
    ]);
    await page.fill("#amount", "0");
    await pressed().getByText("Only take the money").waitFor({ state: "detached" });
    await page.click("#pay-presses button.solid");
    await page.waitForSelector(".steps");
    expect(booked(here.app.db).at(-1)).toEqual(["subscriber 1", "activation", -2200]);
  });

  test("not at a price that has changed meanwhile, which is said", async () => {
    using here = await world();
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    const { page } = staff;
    await staff.goto("/console/pay?q=user1");
    await page.click(".pay-hits a");
    await page.waitForSelector("#amount");
    here.app.db.$client.run("UPDATE packages SET price = 2400 WHERE id = 1");
    const before = booked(here.app.db);
    await page.click("#drawer button.solid");
    await page.waitForSelector("#drawer .note.bad");
    expect(await page.innerText("#drawer .note.bad")).toContain("Family 30 costs 24.00 by now, it was 22.00");
    expect(await page.innerText("#pay-sums")).toContain("2.00 more");
    expect(booked(here.app.db)).toEqual(before);
  });

  test("a reference that was used is said while it is typed", async () => {
    using here = await world();
    const input = { subscriberId: 2, amount: 100, method: "mobile", reference: "RK41 7QX9 2M" };
    takePayment(here.app.db, by, input, { now: here.app.clock.now });
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    const { page } = staff;
    await staff.goto("/console/subscribers/1/pay");
    await page.check("[name=method][value=mobile]", { force: true });
    await page.fill("#reference", "rk41-7qx9-2m");
    await page.waitForSelector("#reference-use .bad-text");
    expect(await page.innerText("#reference-use")).toContain("used before: receipt R-2030-000001 of User 2");
    await page.fill("#reference", "RK41 7QX9 3M");
    await page.waitForSelector("#reference-use .good-text");
  });
});

const renewal = { subscriberId: 1, amount: 2800, method: "cash", activates: true };

describe("what was taken goes back", () => {
  test("with what it paid for, after it was said what happens", async () => {
    using here = await world();
    const { db, clock } = here.app;
    const { payment } = takePayment(db, by, renewal, { now: clock.now - 500 });
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    const { page } = staff;
    await staff.goto(`/console/money/payments/${payment.id}`);
    await page.click(".page-head a.danger");
    await page.waitForSelector("#drawer .outcomes");
    expect(await page.innerText("#drawer .outcomes")).toMatch(/−28\.00[^]*−6\.00/);
    await page.check("#drawer [name=void][value='1']");
    await page.fill("#drawer #reason", "paid for the neighbour");
    await page.click("#drawer button.danger");
    await page.waitForSelector(".toast.good");
    expect(await page.locator("#drawer").isVisible()).toBe(false);
    expect(await page.innerText("#toasts")).toContain(`${payment.number} is reversed.`);
    await page.waitForSelector("#content .chip.bad");
    expect(booked(db).slice(-2)).toEqual([
      ["subscriber 1", "void", 2200],
      ["subscriber 1", "reversal", -2800],
    ]);
  });

  test.each(["payment", "invoice"])(
    "and what became of the line is told as its reader reads, with a %s",
    async (what) => {
      using here = await world();
      const { db, clock } = here.app;
      const { payment } = takePayment(db, by, renewal, { now: clock.now - 500 });
      const newest = db.$client.query<{ id: number }, []>("SELECT max(id) AS id FROM invoices").get()?.id;
      const [path, field] =
        what === "payment"
          ? [`payments/${payment.id}/reverse`, "void"]
          : [`invoices/${newest}/void`, "end_service"];
      await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, {
        ...wide,
        locale: "es",
      });
      const { page } = staff;
      await staff.goto(`/console/money/${path}`);
      await page.check(`[name=${field}][value='1']`);
      await page.fill("#reason", "era de otra persona");
      await page.click("button.danger");
      await page.waitForSelector(".toast.good");
      expect(await page.innerText("#toasts")).toContain("El abonado está desconectado");
    },
  );

  test("not without a reason", async () => {
    using here = await world();
    const { db, clock } = here.app;
    const { payment } = takePayment(db, by, renewal, { now: clock.now - 500 });
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    await staff.goto(`/console/money/payments/${payment.id}/reverse`);
    await staff.page.click("button.danger");
    await staff.page.waitForSelector(".fault");
    expect(booked(db).at(-1)).toEqual(["subscriber 1", "activation", -2200]);
  });

  test("handed back from a wallet that holds it", async () => {
    using here = await world();
    const { db, clock } = here.app;
    takePayment(db, by, { ...renewal, activates: false }, { now: clock.now - 500 });
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    await staff.goto("/console/subscribers/1/refund");
    expect(await staff.page.inputValue("#amount")).toBe("22.00");
    await staff.page.click("button.solid");
    await staff.page.waitForSelector(".toast.good");
    expect(booked(db).at(-1)).toEqual(["subscriber 1", "refund", -2200]);
  });
});

test("a day is closed with a difference, and confirmed by somebody else", async () => {
  using here = await world();
  const { db } = here.app;
  {
    await using mia = await ConsoleBrowser.signedIn(browser, here.site, callers.branch, wide);
    await mia.goto("/console/subscribers/1/pay?package=none");
    await mia.page.fill("#amount", "6.00");
    await mia.page.click("button.solid");
    await mia.page.waitForSelector(".steps");
    await mia.goto("/console/money/closing");
    expect(await textOf(mia)).toContain("Your till should hold US$6.00 in cash.");
    await mia.page.fill("#counted", "5.50");
    expect(await mia.page.innerText("[data-difference]")).toBe("0.50 missing");
    await mia.submit('form[action="/console/money/closing"] button.solid');
    expect(await textOf(mia)).toContain("Your day is closed with a difference of −0.50.");
  }
  await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
  await ada.goto("/console/money/closing");
  await ada.page.click("form[action$='/confirm'] button");
  await ada.page.waitForSelector(".toast.good");
  await ada.page.locator("#content", { hasText: "by Ada" }).waitFor();
  expect(db.$client.query("SELECT expected, counted, confirmed_by AS who FROM closings").all()).toEqual([
    { expected: 600, counted: 550, who: 1 },
  ]);
});

test("a role that sees no money gets none of it", async () => {
  using here = await world();
  const cookie = await consoleSessionOf(here.site, callers.noFlag);
  const ask = (path: string) => fetch(here.site.origin + path, { headers: { cookie }, redirect: "manual" });
  const frame = await (await ask("/console/more")).text();
  expect(frame).not.toMatch(/console\/money|console\/pay|console\/packages/);
  for (const path of [
    "money",
    "money/invoices",
    "money/owed",
    "money/closing",
    "money/wallets",
    "money/payments.csv",
    "pay",
    "subscribers/1/pay",
    "subscribers/1/refund",
    "packages",
    "packages/1/edit",
  ])
    expect([path, (await ask(`/console/${path}`)).status]).toEqual([path, 403]);
});

/** The sheets of a page as it is printed, as widths and heights in points. */
async function printed({ page }: ConsoleBrowser): Promise<number[][]> {
  const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  return [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map((box) =>
    box.slice(1).map((side) => Math.round(Number(side))),
  );
}

const A4 = [595, 842];

test.each(["roll", "a4"])(
  "a receipt is printed on %s, marked as a copy by who did not take it",
  async (size) => {
    using here = await world();
    const { db, clock } = here.app;
    set(here.app, "isp_tax_number", "XX1");
    set(here.app, "isp_address", "3 Quay Street");
    const { payment } = takePayment(db, by, renewal, { now: clock.now - 500 });
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    await staff.goto(`/console/money/payments/${payment.id}/receipt?paper=${size}`);
    await staff.page.emulateMedia({ media: "print" });
    const text = (await staff.page.innerText("body")).replaceAll(/\s+/g, " ");
    expect(text).toContain("COPY");
    expect(text).toMatch(
      /3 Quay Street Tax no. XX1 .*Receipt R-2030-000001 .*From User 1 .*Paid US\$\d+\.00 Balance/,
    );
    expect(text).toContain(`Payment reference ${makeReference(1)}`);
    expect(text).not.toContain("Back");
    expect(await staff.page.locator(".paper thead").isVisible()).toBe(size === "a4");
    const length = await staff.page
      .locator(".paper")
      .evaluate((printout) => (printout.offsetHeight * 72) / 96);
    const sheets = await printed(staff);
    if (size === "a4") expect(sheets).toEqual([A4]);
    else {
      expect(sheets).toEqual([[227, expect.any(Number)]]);
      expect((sheets[0]?.[1] ?? 0) - length).toBeWithin(0, 10); // as long as what stands on it
    }
  },
);

test("from right to left, a receipt has the phone number in one piece, and an invoice its own comma", async () => {
  using here = await world();
  const { db, clock } = here.app;
  set(here.app, "portal_phone", "+1 555 0100");
  const { payment } = takePayment(db, by, renewal, { now: clock.now - 500 });
  const options = { ...wide, locale: "ar" };
  await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, options);
  const { page } = staff;
  await staff.goto(`/console/money/payments/${payment.id}/receipt?paper=a4`);
  expect(await page.innerText(".paper-foot")).toContain("\u2068+1 555 0100\u2069");
  const padding = "getComputedStyle(document.querySelector('.paper-table th')).paddingRight";
  expect(await page.evaluate(padding)).toBe("0px"); // words stand at the edge that lines begin at
  await staff.goto(`/console/money/invoices/${payment.invoiceId}`);
  expect(await page.innerText(".paper thead")).toContain("،");
});

test("the receipt of a card says what was bought, and no balance: its buyer has none", async () => {
  using here = await world();
  const { db, clock } = here.app;
  fillCards(db, clock.now);
  const { payment } = sellCard(
    db,
    { ...by, staffId: 1, name: "Ada" },
    { id: 1, method: "cash" },
    { now: clock.now },
  );
  await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
  await staff.goto(`/console/money/payments/${payment?.id}/receipt?paper=roll`);
  const text = (await staff.page.innerText(".paper")).replaceAll(/\s+/g, " ");
  expect(text).toContain("Family 30");
  expect(text).toContain("C-000001");
  expect(text).not.toContain("Balance");
  await staff.goto("/console/money");
  expect(await staff.page.innerText("tbody tr:first-child")).toContain("Family 30");
  await staff.submit('tbody a:has-text("C-000001")');
  expect(await staff.heading()).toContain("C-000001");
});

test("invoice and statement are the sheet that the portal has, with who writes them, heads and sums", async () => {
  using here = await world();
  const { db, clock } = here.app;
  set(here.app, "isp_address", "3 Quay Street");
  const { invoiceId = 0 } = takePayment(db, by, renewal, { now: clock.now - 500 }).payment;
  await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
  for (const [path, words] of [
    [`money/invoices/${invoiceId}/paper?paper=a4`, /Billed to.*Package Amount, US\$ .*Total US\$\d+\.00/],
    [`money/invoices/${invoiceId}`, /Billed to.*Package Amount, US\$ .*Total US\$\d+\.00/],
    [
      "subscribers/1/statement",
      /Statement Account of User 1.*When What Number Reason Amount, US\$ Balance, US\$ .*Balance US\$/,
    ],
  ] as const) {
    await staff.goto(`/console/${path}`);
    await staff.page.emulateMedia({ media: "print" });
    const text = (await staff.page.innerText("main")).replaceAll(/\s+/g, " ");
    expect(text).toMatch(words);
    expect(text).toContain("3 Quay Street");
    expect([path, await printed(staff)]).toEqual([path, [A4]]);
    await staff.page.emulateMedia({ media: "screen" });
  }
});

test("packages are made from nothing, edited, and applied to who has them", async () => {
  using here = await world();
  const { db } = here.app;
  await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
  const { page } = staff;
  db.$client.run("UPDATE packages SET isp_id = 2");
  await staff.goto("/console/packages");
  expect(await textOf(staff)).toContain("No package yet");
  await staff.submit("a[href='/console/packages/new?like=family']");
  await page.fill("[name=rate_down]", "40");
  await page.locator("#told", { hasText: "10M/40M" }).waitFor();
  await page.fill("[name=rate_up]", "fast");
  await staff.submit("#package-form button.solid");
  expect(await page.innerText(".rate-table")).toContain("must be a number of Mbit/s");
  await page.fill("[name=rate_up]", "10");
  await staff.submit("#package-form button.solid");
  expect(await staff.heading()).toBe("Family");
  expect(await textOf(staff)).toContain("Family is there.");
  const made = db.$client.query<{ id: number }, []>("SELECT max(id) AS id FROM packages").get()?.id ?? 0;
  expect(db.$client.query("SELECT rate_limit AS rate, price FROM packages WHERE id = ?").get(made)).toEqual({
    rate: "10M/40M",
    price: 2200,
  });
  db.$client.run(`UPDATE services SET package_id = ${made} WHERE subscriber_id = 1`);
  await staff.goto(`/console/packages/${made}/edit`);
  expect(await page.inputValue("[name=rate_down]")).toBe("40");
  await page.fill("[name=rate_down]", "50");
  await page
    .locator("details:has([name=reply_attributes])")
    .evaluateAll("all => all.forEach((one) => { one.open = true; })");
  await page.click(".package-part:has([name=reply_attributes]) > summary");
  await page.fill("[name=reply_attributes]", "Framed-MTU=1492\nSession-Timeout=600");
  await staff.submit("#package-form button.solid");
  expect(await page.innerText(".code-field")).toContain("line 2: Session-Timeout follows from the end");
  await page.fill("[name=reply_attributes]", "Framed-MTU=1492");
  await staff.submit("#package-form button.solid");
  expect(await textOf(staff)).toContain("One line is on old terms");
  await page.click(".verdict button.solid");
  await page.waitForSelector(".toast.good");
  expect(await page.innerText("#toasts")).toContain("One line has the new terms.");
  expect(db.$client.query("SELECT rate_limit AS rate FROM services WHERE subscriber_id = 1").get()).toEqual({
    rate: "10M/50M",
  });
});

test("the form of a new package that is sent twice makes one, and changed since another one", async () => {
  using here = await world();
  const { db } = here.app;
  await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
  await staff.goto("/console/packages/new?like=family");
  const names = () =>
    db.$client.query("SELECT name FROM packages WHERE isp_id = 1 ORDER BY id").values().flat();
  const before = names();
  const send = () =>
    staff.page.evaluate<string>(`(async () => {
      const form = document.getElementById("package-form");
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      return answer.url + " " + answer.status;
    })()`);
  const first = await send();
  expect(await send()).toBe(first);
  expect(first).toMatch(/packages\/\d+ 200$/);
  expect(names()).toEqual([...before, "Family"]);
  await staff.page.fill("[name=name]", "Family, other");
  await staff.submit("#package-form button.solid"); // refused: it was sent with other words
  await staff.submit("#package-form button.solid");
  expect(names()).toEqual([...before, "Family", "Family, other"]);
});
