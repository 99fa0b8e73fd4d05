import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../../support/chromium.ts";
import { hotspotSite, Phone } from "../../support/hotspot.ts";
import { aSubscriber } from "../../support/isp.ts";
import { startTestRadius, type TestRadius } from "../../support/radius-server.ts";

/** Subscribers whose names look like codes; the routers of a hotspot ask for them by PAP or CHAP. */
const CODE = "F3QH5UWT";
const hotspot = { connection_type_id: 2 };
const subscribers = [
  aSubscriber(1, { ...hotspot, username: CODE, password: CODE }),
  aSubscriber(2, { ...hotspot, username: "amara", password: "pä ss+1&" }),
  aSubscriber(3, {
    ...hotspot,
    username: "G4RJ6VXU",
    password: "G4RJ6VXU",
    current_expiration_date: "2020-01-01 00:00:00",
  }),
  aSubscriber(4, { ...hotspot, username: "H5SK7WYV", password: "H5SK7WYV", status: 0 }),
];

let browser: Browser;
let radius: TestRadius;
beforeAll(async () => {
  [browser, radius] = await Promise.all([startChromium(), startTestRadius({ subscribers })]);
});
afterAll(async () => {
  await browser.close();
  await radius[Symbol.asyncDispose]();
});

type LoginBy = Parameters<typeof hotspotSite>[1]["loginBy"];
type HotspotSite = Awaited<ReturnType<typeof hotspotSite>>;
const site = (loginBy: LoginBy, tag = "en") =>
  hotspotSite(radius.db, { radius: radius.router(), loginBy, tag });

const enterCode = async (phone: Phone, { servlet }: HotspotSite, by: "pap" | "chap") => {
  await phone.goto("/login");
  await phone.enter("f3qh-5uwt");
  expect(await phone.page.innerText("h1")).toBe("You are connected");
  expect(servlet.logins.splice(0)).toEqual([{ username: CODE, by }]);
  expect(servlet.online?.username).toBe(CODE);
  servlet.online = undefined;
};

test.each([
  ["http-pap", "pap"],
  ["http-chap", "chap"],
] as const)(
  "with %s a code logs in, a picture by itself and a wrong one once, and name and password as they are",
  async (loginBy, by) => {
    await using hotspot = await site([loginBy]);
    const { servlet } = hotspot;
    await using phone = await Phone.before(browser, hotspot);
    await enterCode(phone, hotspot, by);

    await phone.goto(`/login?username=${CODE}&password=${CODE}`);
    await phone.isLetIn();
    expect(servlet.online?.username).toBe(CODE);
    expect(servlet.logins.splice(0)).toHaveLength(1);
    servlet.online = undefined;

    await phone.goto("/login?username=ZZZZZZZZ&password=ZZZZZZZZ");
    await phone.page.getByText("Wrong code, or wrong name").waitFor();
    expect(servlet.logins.splice(0)).toHaveLength(1);
    expect(servlet.online).toBeUndefined();

    await phone.goto("/login");
    await phone.page.click("summary");
    await phone.page.fill("#username", "amara");
    await phone.page.fill("[name=password]", "pä ss+1&");
    await phone.submit("button.button");
    expect(await phone.page.innerText("h1")).toBe("You are connected");
    expect(servlet.logins).toEqual([{ username: "amara", by }]);
  },
);

test("where a router offers both, the password is not sent as it is", async () => {
  await using hotspot = await site(["http-chap", "http-pap"]);
  await using phone = await Phone.before(browser, hotspot);
  await enterCode(phone, hotspot, "chap");
});

test("with https a code logs in, and a picture by itself", async () => {
  await using hotspot = await site(["https"]);
  await using phone = await Phone.before(browser, hotspot);
  await enterCode(phone, hotspot, "pap");
  await phone.goto(`/login?username=${CODE}&password=${CODE}`);
  await phone.isLetIn();
  expect(hotspot.servlet.logins).toHaveLength(1);
});

test("case, blanks, dashes and the digits of other scripts do not count", async () => {
  await using hotspot = await site(["http-chap"]);
  await using phone = await Phone.before(browser, hotspot);
  for (const text of [CODE, " F3QH 5UWT ", "f3qh\u20135uwt", "F\u0663QH\u06f5UWT"]) {
    hotspot.servlet.online = undefined;
    await phone.goto("/login");
    await phone.enter(text);
    expect([text, hotspot.servlet.online]).toMatchObject([text, { username: CODE }]);
  }
});

test("who is refused is told why in words, at the name that was typed", async () => {
  await using hotspot = await site(["http-chap"]);
  await using phone = await Phone.before(browser, hotspot);
  for (const [code, words] of [
    ["ZZZZZZZZ", "Wrong code, or wrong name and password. Check it once more."],
    ["G4RJ6VXU", "The time of this card or account is over."],
    ["H5SK7WYV", "This account is disabled. Please contact your provider."],
  ] as const) {
    await phone.goto("/login");
    await phone.enter(code);
    await phone.page.getByText(words).waitFor();
    expect(await phone.page.inputValue("#username")).toBe(code); // to be mended, not to be typed again
    await phone.expectToFit();
  }
  await phone.expectAccessible();
});

test("a router that hears nothing of RADIUS says that the network did not answer", async () => {
  await using hotspot = await hotspotSite(radius.db, {
    radius: radius.router({ secret: "another" }),
    loginBy: ["http-chap"],
  });
  await using phone = await Phone.before(browser, hotspot, { locale: "es" });
  await phone.goto("/login");
  await phone.enter(CODE);
  await phone.page.getByText("La red no respondió.").waitFor();
});

describe("without a script", () => {
  test("a code logs in with http-pap", async () => {
    await using hotspot = await site(["http-pap"]);
    await using phone = await Phone.before(browser, hotspot, { javaScriptEnabled: false });
    await phone.goto("/login");
    await phone.page.click("summary");
    await phone.page.fill("#username", CODE);
    await phone.page.fill("[name=password]", CODE);
    await phone.submit("button.button");
    expect(await phone.page.innerText("h1")).toBe("You are connected");
  });

  test("with http-chap alone the page says in the ISP's language that it needs one", async () => {
    await using hotspot = await site(["http-chap"], "id");
    await using phone = await Phone.before(browser, hotspot, { javaScriptEnabled: false });
    await phone.goto("/login");
    const words = "Jaringan ini memeriksa kode dengan JavaScript";
    expect(await phone.page.innerText("noscript")).toContain(words);
    await phone.enter(CODE);
    expect(await phone.page.innerText("#error")).toContain(words);
    expect(hotspot.servlet.logins).toEqual([]);
  });
});

test("what a visitor puts into the address never becomes part of a page", async () => {
  await using hotspot = await site(["http-pap"]);
  await using phone = await Phone.before(browser, hotspot);
  const evil = encodeURIComponent(`"><img src=x onerror="document.title='taken'">`);
  await phone.goto(`/login?username=${evil}&password=x&dst=${evil}`);
  await phone.page.waitForSelector("html.js");
  expect(await phone.page.locator("img").count()).toBe(0);
  await phone.page.route("**/status", () => {}); // so that it stays on the page before
  await phone.goto(`/login?username=${CODE}&password=${CODE}&dst=javascript:document.title=1`);
  expect(await phone.page.getAttribute("#go-on", "href")).toBe(`${hotspot.origin}/status`);
});

test("after the login it goes on to where somebody wanted to, or to what is left", async () => {
  await using hotspot = await site(["http-chap"]);
  await using phone = await Phone.before(browser, hotspot);
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  await phone.page.route("**/api?**", async (route) => {
    await isRead;
    await route.continue();
  });
  await phone.goto(`/login?dst=${encodeURIComponent(`${hotspot.origin}/api?a=1&b=2`)}`);
  await phone.enter(CODE);
  expect(await phone.page.getAttribute("#go-on", "href")).toBe(`${hotspot.origin}/api?a=1&b=2`);
  read();
  await phone.page.waitForURL("**/api?a=1&b=2");
  hotspot.servlet.online = undefined;
  await phone.goto("/login?dst=http%3A%2F%2Fconnectivitycheck.gstatic.com%2Fgenerate_204");
  await phone.enter(CODE);
  await phone.page.waitForURL("**/status");
});

test("a router that gives trials offers them, once to a device", async () => {
  const options = { radius: radius.router(), loginBy: ["http-chap"] as const, trial: true };
  await using hotspot = await hotspotSite(radius.db, options);
  await using phone = await Phone.before(browser, hotspot, { locale: "fr" });
  await phone.goto("/login");
  const offer = phone.page.getByText("Essayer gratuitement", { exact: true });
  await offer.waitFor();
  await phone.expectAccessible();
  await offer.click();
  await phone.isLetIn();
  expect(hotspot.servlet.online?.username).toBe("T-02:AA:00:00:00:01");
  hotspot.servlet.online = undefined;
  await phone.goto("/login?username=T-02%3AAA%3A00%3A00%3A00%3A01");
  await phone.page.locator("#error").waitFor();
  expect([await offer.count(), await phone.page.inputValue("#username")]).toEqual([0, ""]);
});

test("whose name was refused finds it again beside the field for the password", async () => {
  await using hotspot = await site(["http-chap"]);
  await using phone = await Phone.before(browser, hotspot);
  await phone.goto("/login");
  await phone.page.click("summary");
  await phone.page.fill("#username", "amara");
  await phone.page.fill("[name=password]", "wrong");
  await phone.submit("button.button");
  await phone.page.locator("#more[open]").waitFor();
  expect(await phone.page.inputValue("#username")).toBe("amara");
});
