import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { $ } from "bun";
import type { Browser } from "playwright-core";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { createCardBatch } from "../../src/domain/service/cards/batches.ts";
import { printedCode } from "../../src/domain/goods/codes/codes.ts";
import { cardsOn, type Sheet, sheets } from "../../src/domain/service/cards/sheets.ts";
import { createCardTemplate } from "../../src/domain/service/cards/templates.ts";
import type { Input } from "../../src/domain/core/fields/fields.ts";
import { changeLogo, changeSetting } from "../../src/domain/machine/settings/change.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { placePage } from "../support/placed-page.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";
import { pngOf } from "../support/png.ts";
import { cli } from "../support/people.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

const WIDE = {
  heading: "Wide Harbour Wireless Cooperative, Centre",
  line_1: "WWWWWWWWWWWWWWWWWWWW MMMMMMMMMMMMMMMMMMM",
  line_2: "Questions: the desk at the harbour, 8-22",
};

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
/** Who presses, and in whose browser it is shown. */
let clerk: PlainVisitor;
let visitor: ConsoleBrowser;
let folder: string;
let plain: number;
let long: number;
let refill: number;
/** Templates of everything that a card can have. */
let full: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-paper-"));
  const wasm = readFileSync(require.resolve("zxing-wasm/reader/zxing_reader.wasm"));
  void prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: false });
  [browser, app] = await Promise.all([startChromium(), withTenants()]);
  site = consoleSite(app);
  const settings = [
    ["hotspot_address", "login.hotspot"],
    ["wifi_name", 'Harbour; "Wi-Fi", 5\\6 for guests'],
    ["wifi_password", "pa;ss:w,ord"],
    ["portal_url", "https://my.isp.example/portal"],
  ] as const;
  for (const [key, value] of settings) set(key, value);
  plain = make({ quantity: 97, length: 8, sell_by: "2031-07-15 00:00:00" });
  long = make({
    quantity: 49,
    prefix: "HARBOUR5",
    length: 24,
    price: "123456.78",
    devices: 12,
    uptime_seconds: 999_999,
    data_quota_bytes: 5_000_000_000,
  });
  refill = make({
    kind: "refill",
    package_id: undefined,
    duration: undefined,
    duration_unit: undefined,
    price: "5",
  });
  const { id } = createCardTemplate(
    app.db,
    cli,
    { isp_id: 1, name: "Full", sheet: "a4-10", wifi_qr: 1, ...WIDE, heading: WIDE.heading.slice(0, 40) },
    { now: app.clock.now },
  );
  full = id ?? 0;
  clerk = await PlainVisitor.signedIn(site, callers.admin);
  visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  await visitor.goto("/console/cards");
});
afterAll(async () => {
  await visitor[Symbol.asyncDispose]();
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

function set(key: string, value: string): void {
  changeSetting(app.db, cli, { key, value, ispId: 1 }, app.clock);
}

function make(input: Input): number {
  const hour = { isp_id: 1, kind: "access", package_id: 1, quantity: 3, price: "1.00" };
  const span = { duration: 1, duration_unit: "hour" };
  return createCardBatch(app.db, cli, { ...hour, ...span, ...input }, { now: app.clock.now }).batch.id;
}

/** The codes of a batch in the order of its cards. */
function codesOf(batchId: number): string[] {
  return app.db.$client
    .query<{ sealed: Uint8Array }, [number]>(
      "SELECT code_sealed AS sealed FROM cards WHERE batch_id = ? AND state <> 'void' ORDER BY serial",
    )
    .all(batchId)
    .map(({ sealed }) => app.db.vault.openText(sealed));
}

const loginOf = (code: string) => `http://login.hotspot/login?username=${code}&password=${code}`;

interface Printed {
  readonly pages: number;
  /** Millimetres. */
  readonly size: readonly [number, number];
  readonly text: string;
  /** What a reader reads in the pictures of its pages. */
  readonly codes: readonly string[];
}

/** How much of the pictures is read, for it takes its time: all, the first sheet, or of an A4 the half that three cards stand on. */
const reads = {
  all: [],
  "first sheet": ["-l", "1"],
  top: "-l 1 -x 0 -y 0 -W 1679 -H 1200".split(" "),
} as const;

/** What Chromium prints of a page, read again from the pictures of its sheets, which have as many dots as a printer of receipts. */
async function printed(
  path: string,
  read: keyof typeof reads = path.includes("sheet=a4") ? "top" : "all",
): Promise<Printed> {
  await openSheets(path);
  await expectNoOverflow();
  const name = join(folder, path.replaceAll(/\W+/g, "-"));
  const pdf = `${name}.pdf`;
  await Bun.write(pdf, await visitor.page.pdf({ preferCSSPageSize: true, printBackground: true }));
  const facts = await $`pdfinfo ${pdf}`.text();
  const [, width = "0", height = "0"] = /Page size:\s+([\d.]+) x ([\d.]+) pts/.exec(facts) ?? [];
  const millimetres = (points: string) => (Number(points) / 72) * 25.4;
  await $`pdftoppm -r 203 ${reads[read]} -gray ${pdf} ${name}`.quiet();
  const codes: string[] = [];
  for (const picture of (
    await Array.fromAsync(new Bun.Glob(`${name.split("/").at(-1)}-*.pgm`).scan(folder))
  ).sort()) {
    const found = await readBarcodes(await Bun.file(join(folder, picture)).bytes(), {
      formats: ["QRCode"],
      tryHarder: true,
      maxNumberOfSymbols: 255,
      tryRotate: false,
      tryInvert: false,
      tryDownscale: false,
    });
    codes.push(...found.map(({ text }) => text));
  }
  return {
    pages: Number(/Pages:\s+(\d+)/.exec(facts)?.[1]),
    size: [millimetres(width), millimetres(height)],
    text: await $`pdftotext -layout ${pdf} -`.text(),
    codes,
  };
}

/** Chooses what an address names, presses, and shows what that is answered with; that it leads there is card-print.test.ts's. */
async function openSheets(path: string): Promise<void> {
  await clerk.goto(path);
  await clerk.submit("form.stack .button.solid");
  await placePage(visitor.page, await clerk.page.content());
  await visitor.page.evaluate("Promise.all([...document.images].map((image) => image.decode()))");
}

/** Nothing stands out of its card, and nothing of a code, a price or a number is cut. */
async function expectNoOverflow(): Promise<void> {
  const faults = await visitor.page.locator(".ticket").evaluateAll((cards) => {
    const messages: string[] = [];
    for (const card of cards) {
      const frame = card.getBoundingClientRect();
      for (const part of card.querySelectorAll(
        ".ticket-what, .ticket-code, .ticket-price, .ticket-number, .qr, footer, header, .ticket-said",
      )) {
        const box = part.getBoundingClientRect();
        if (box.width === 0) continue;
        const out = Math.max(
          frame.left - box.left,
          box.right - frame.right,
          frame.top - box.top,
          box.bottom - frame.bottom,
        );
        if (out > 0.5) messages.push(`${part.className || "qr"} stands ${out} px out of ${card.className}`);
      }
      const code = card.querySelector(".ticket-code");
      if (code && code.scrollWidth > code.clientWidth + 1)
        messages.push(`the code is cut on ${card.className}`);
      // on a roll one stands below the other, and elsewhere side by side
      for (const figure of card.querySelectorAll(".ticket-qr"))
        for (const beside of card.querySelectorAll(
          "header > *, .ticket-what, .ticket-code, .ticket-said, .ticket-price",
        )) {
          const [one, other] = [figure.getBoundingClientRect(), beside.getBoundingClientRect()];
          const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
          const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
          if (across > 1 && down > 1)
            messages.push(`${beside.className} stands ${down} px below a code on ${card.className}`);
        }
      const words = card.querySelector(".ticket-words");
      if (words && words.scrollHeight > words.clientHeight + 1)
        messages.push(
          `the words need ${words.scrollHeight} px of ${words.clientHeight} on ${card.className}`,
        );
    }
    return [...new Set(messages)];
  });
  expect(faults).toEqual([]);
}

const onSheet: Readonly<Record<Sheet, readonly [number, number]>> = {
  "a4-10": [210, 297],
  "a4-21": [210, 297],
  "a4-36": [210, 297],
  "a4-48": [210, 297],
  "roll-58": [58, 84],
  "roll-80": [80, 102],
};

describe.each([...sheets])("on %s", (sheet) => {
  test("every card of a batch is there once: its QR logs in with its code, and the code can be read", async () => {
    const to = cardsOn(sheet) + 1; // a full sheet and one that is not
    const isBothRead = sheet === "a4-10" || sheet.startsWith("roll");
    const printout = await printed(
      `/console/cards/batches/${plain}/print?sheet=${sheet}&from=1&to=${to}`,
      isBothRead ? "all" : "first sheet",
    );
    const codes = codesOf(plain).slice(0, to);
    const read = isBothRead ? codes : codes.slice(0, -1);
    expect(printout.codes.toSorted()).toEqual(read.map(loginOf).toSorted());
    for (const code of codes) expect(printout.text.split(printedCode(code)).length).toBe(2);
    for (const serial of [1, to]) expect(printout.text).toContain(`0001-${String(serial).padStart(3, "0")}`);
    expect(printout.pages).toBe(Math.ceil(to / cardsOn(sheet)));
    const [width, height] = onSheet[sheet];
    expect(Math.abs(printout.size[0] - width)).toBeLessThan(0.5);
    expect(Math.abs(printout.size[1] - height)).toBeLessThan(0.5);
    expect(printout.text).toContain("US$1.00");
    if (!sheet.startsWith("roll")) {
      expect(printout.text).toContain("sell by 15 Jul 2031");
      expect(printout.text).toMatch(/Batch 0001, Home 1, cards 001 to 0\d\d of 97/);
      expect(printout.text).toMatch(/printed 15 Jan 2030, 12:00, Ada\s+sheet 1 of/);
    }
  });

  test("the longest code, name and words fit their card, with both QRs where there is room", async () => {
    const to = 3;
    const path = `/console/cards/batches/${long}/print?sheet=${sheet}&template=${full}&from=1&to=${to}`;
    const printout = await printed(path);
    const wifi = 'WIFI:T:WPA;S:Harbour\\; \\"Wi-Fi\\"\\, 5\\\\6 for guests;P:pa\\;ss\\:w\\,ord;;';
    const logins = codesOf(long).slice(0, to).map(loginOf);
    const isRoomy = sheet === "a4-10" || sheet.startsWith("roll");
    expect(printout.codes.toSorted()).toEqual(
      [...logins, ...(isRoomy ? logins.map(() => wifi) : [])].toSorted(),
    );
    for (const code of codesOf(long).slice(0, to))
      for (const group of printedCode(code).split("-")) expect(printout.text).toContain(group);
  });
});

test.each(["roll-58", "roll-80"])("the longest code has room on a %s without own words", async (sheet) => {
  const printout = await printed(`/console/cards/batches/${long}/print?sheet=${sheet}&from=1&to=2`);
  expect(printout.codes.toSorted()).toEqual(codesOf(long).slice(0, 2).map(loginOf).toSorted());
  expect(printout.pages).toBe(2);
});

test("cards are cut to the millimetre", async () => {
  const sizes = {
    "a4-10": [95.25, 53.34],
    "a4-21": [63.5, 38.1],
    "a4-36": [47.625, 29.633],
    "a4-48": [47.625, 22.225],
  };
  for (const [sheet, [width = 0, height = 0]] of Object.entries(sizes)) {
    await openSheets(`/console/cards/batches/${plain}/print?sheet=${sheet}&from=1&to=48`);
    await visitor.page.emulateMedia({ media: "print" });
    const boxes = await visitor.page
      .locator(".ticket-sheet:first-child .ticket")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const millimetre = 96 / 25.4;
    for (const box of boxes) {
      expect(Math.abs(box.width / millimetre - width)).toBeLessThan(0.06);
      expect(Math.abs(box.height / millimetre - height)).toBeLessThan(0.06);
    }
    // over the whole block nothing adds up
    const last = boxes.at(-1);
    expect(Math.abs((last.bottom - boxes[0].top) / millimetre - 266.7)).toBeLessThan(0.1);
    expect(Math.abs((last.right - boxes[0].left) / millimetre - 190.5)).toBeLessThan(0.1);
    await visitor.page.emulateMedia({ media: null });
  }
});

/** A square of magenta, which nothing else on a card is. */
const logos = {
  svg: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#ff00ff"/></svg>',
  ),
  png: pngOf(40, [255, 0, 255]),
} as const;

/** How many pixels of a PDF's first page are magenta, at 100 dpi. */
async function magentaOf(pdf: string): Promise<number> {
  await $`pdftoppm -r 100 -f 1 -l 1 ${pdf} ${pdf}`.quiet();
  const [picture = ""] = await Array.fromAsync(new Bun.Glob(`${pdf.split("/").at(-1)}-*.ppm`).scan(folder));
  const ppm = readFileSync(join(folder, picture));
  const head = ["P6", "size", "255"].reduce((at) => ppm.indexOf("\n", at) + 1, 0);
  let count = 0;
  for (let at = head; at + 2 < ppm.length; at += 3)
    if ((ppm[at] ?? 0) > 220 && (ppm[at + 1] ?? 255) < 60 && (ppm[at + 2] ?? 0) > 220) count++;
  return count;
}

test.each([
  ["png", ["a4-21", "roll-58"]],
  ["svg", ["a4-48", "a4-10"]],
] as const)("the logo (%s) is on every card (%p), and codes are read beside it", async (kind, some) => {
  changeLogo(app.db, cli, { content: logos[kind], ispId: 1 }, app.clock);
  try {
    for (const sheet of some) {
      const path = `/console/cards/batches/${plain}/print?sheet=${sheet}&from=1&to=2`;
      const printout = await printed(path);
      expect(printout.codes.toSorted()).toEqual(codesOf(plain).slice(0, 2).map(loginOf).toSorted());
      const images = visitor.page.locator(".ticket img.logo");
      expect(
        await images.evaluateAll((all) => all.map((one) => [one.complete, one.naturalWidth > 0])),
      ).toEqual([
        [true, true],
        [true, true],
      ]);
      // the least is a square of two and a half millimetres on a card
      expect(await magentaOf(`${join(folder, path.replaceAll(/\W+/g, "-"))}.pdf`)).toBeGreaterThan(100);
    }
  } finally {
    set("portal_logo", "");
  }
});

test("a refill leads to the portal and says its code on paper alone", async () => {
  const printout = await printed(`/console/cards/batches/${refill}/print?sheet=a4-21&from=1&to=3`);
  expect(printout.codes).toEqual(Array.from({ length: 3 }, () => "https://my.isp.example/portal"));
  for (const code of codesOf(refill)) expect(printout.text).toContain(printedCode(code));
  expect(printout.text).toContain("my.isp.example/portal");
});

test("one card is printed again, and a name that is written from the right fits", async () => {
  set("portal_name", "شبكة الميناء للإنترنت اللاسلكي السريع");
  const [, second = ""] = codesOf(plain);
  const printout = await printed("/console/cards/2/print?sheet=a4-48");
  expect(printout.codes).toEqual([loginOf(second)]);
  expect(printout.pages).toBe(1);
  expect(printout.text).toContain(printedCode(second));
  set("portal_name", "");
});
