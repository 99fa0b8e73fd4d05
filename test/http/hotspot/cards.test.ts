import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { printedCode } from "../../../src/domain/goods/codes/codes.ts";
import type { Input } from "../../../src/domain/core/fields/fields.ts";
import { hotspotLanguage } from "../../../src/http/words/languages.ts";
import { makeCard, type MadeCard } from "../../support/card-codes.ts";
import { startChromium } from "../../support/chromium.ts";
import { hotspotSite, Phone } from "../../support/hotspot.ts";
import { aPackage } from "../../support/isp.ts";
import { startTestRadius, type TestRadius } from "../../support/radius-server.ts";

const [en, ar] = [hotspotLanguage("en").words, hotspotLanguage("ar").words];

let browser: Browser;
let radius: TestRadius;
beforeAll(async () => {
  const packages = [aPackage(9, { isp_id: 2 })];
  [browser, radius] = await Promise.all([startChromium(), startTestRadius({ packages })]);
});
afterAll(async () => {
  await browser.close();
  await radius[Symbol.asyncDispose]();
});

type LoginBy = Parameters<typeof hotspotSite>[1]["loginBy"];
const site = (loginBy: LoginBy) => hotspotSite(radius.db, { radius: radius.router(), loginBy });
/** The RADIUS threads live by the system's clock. */
const now = () => Math.floor(Date.now() / 1000);
const card = (input: Input = {}) => makeCard(radius.db, input, now());
const set = ({ id }: MadeCard, values: string) =>
  radius.db.$client.run(`UPDATE cards SET ${values} WHERE id = ${id}`);

test.each<[LoginBy[number]]>([["http-pap"], ["http-chap"], ["https"]])(
  "with %s a card logs in as it is printed, is told how long it lasts, and by its picture",
  async (way) => {
    await using hotspot = await site([way]);
    const { servlet } = hotspot;
    await using phone = await Phone.before(browser, hotspot);
    const { code } = card();
    await phone.goto("/login");
    await phone.enter(printedCode(code).toLowerCase());
    await phone.isLetIn();
    expect(servlet.online).toMatchObject({ username: code, sessionTimeout: 3600 });
    for (const written of [(one: string) => one, printedCode]) {
      const { code } = card();
      servlet.online = undefined;
      servlet.logins.splice(0);
      await phone.goto(`/login?username=${written(code)}&password=${written(code)}`);
      await phone.isLetIn();
      expect(servlet.logins).toHaveLength(1);
    }
  },
);

test.each([[["http-pap"]], [["https"]]] satisfies [LoginBy][])(
  "without a script a card logs in by %p with nothing but its code",
  async (loginBy) => {
    const { code } = card();
    await using hotspot = await site(loginBy);
    await using phone = await Phone.before(browser, hotspot, { javaScriptEnabled: false });
    await phone.goto("/login");
    await phone.enter(printedCode(code));
    expect(await phone.heading()).toBe(en.connected);
  },
);

const refused: [name: string, words: keyof typeof en, make: () => MadeCard][] = [
  ["not sold yet", "notSold", () => card({ needs_sale: 1 })],
  ["void", "void", () => changed("state = 'void'")],
  ["expired", "expired", () => changed("state = 'active', first_used_at = 1000, ends_at = 2000")],
  [
    "used up",
    "usedUp",
    () => {
      const made = card({ duration: null, duration_unit: null, uptime_seconds: 60 });
      set(made, `state = 'active', first_used_at = ${now()}, used_seconds = 60`);
      return made;
    },
  ],
  ["of another device", "otherDevice", () => locked()],
  ["of another network", "otherNetwork", () => card({ isp_id: 2, package_id: 9 })],
  [
    "that is redeemed",
    "toRedeem",
    () => card({ kind: "refill", package_id: null, duration: null, duration_unit: null }),
  ],
];

function changed(values: string): MadeCard {
  const made = card();
  set(made, values);
  return made;
}

function locked(): MadeCard {
  const made = card({ lock_first_device: 1 });
  set(made, `state = 'active', first_used_at = ${now()}, locked_mac = '02:AA:00:00:00:99'`);
  return made;
}

test("a card that is refused is so in words of the phone's language", async () => {
  await using hotspot = await site(["http-chap"]);
  await using phone = await Phone.before(browser, hotspot);
  for (const [name, key, make] of refused) {
    const made = make();
    await phone.goto("/login");
    await phone.page.selectOption("#language", "en");
    await phone.enter(made.code);
    await phone.page
      .getByText(en[key], { exact: true })
      .waitFor()
      .catch((error: unknown) => {
        throw new Error(`a card that is ${name}`, { cause: error });
      });
    await phone.page.selectOption("#language", "ar");
    await phone.page.getByText(ar[key], { exact: true }).waitFor();
  }
});
