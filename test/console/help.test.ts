import { afterAll, beforeAll, expect, test } from "bun:test";
import { chapters, findChapter } from "../../src/http/console/chapters.ts";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { readPicture } from "../../src/handbook/files.ts";
import { pages } from "../../src/handbook/pages.ts";
import { findPages } from "../../src/handbook/search.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { KeyCalls } from "../../src/http/key-calls.ts";
import { eventually } from "../support/radius-server.ts";
import { callers, insertKey, type Tenants, withTenants } from "../support/tenants.ts";

const markdown = (slug: string) => `/console/help/${slug}.md`;
let app: Tenants;
let cookie: string;
beforeAll(async () => {
  app = await withTenants();
  cookie = await consoleSessionOf(app, callers.admin);
});
afterAll(() => app[Symbol.dispose]());

async function read(address: string, headers: Record<string, string> = { cookie }) {
  const request = new Request(`http://gate.example:8080${address}`, {
    headers: { host: "gate.example:8080", ...headers },
  });
  const answer: Response = await app.app.handle(request);
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
}

test("every page of the console opens the help of its chapter, and every chapter is a page of the handbook", async () => {
  const slugs = new Set(pages().map(({ slug }) => slug));
  expect(Object.values(chapters).filter((slug) => !slugs.has(slug))).toEqual([]);
  const addresses = new Set(consoleRoutes.flatMap(({ method, path }) => (method === "GET" ? [path] : [])));
  expect(Object.keys(chapters).filter((path) => !addresses.has(path))).toEqual([]);
  const isPart = /^\/console\/(live|sign-in|today)$/; // of pages, or before there is one
  const places = new Set(
    [...addresses].map((path) =>
      path
        .split("/")
        .slice(0, 3)
        .join("/")
        .replace(/\.csv$/, ""),
    ),
  );
  places.delete("/llms.txt");
  expect([...places].filter((path) => !isPart.test(path) && !(path in chapters))).toEqual([]);
  expect(findChapter("/console/routers/3/radsec/7/revoke")).toBe("radsec");
  expect(findChapter("/console/routers/pools/new")).toBe("address-pools");
  expect((await read("/console/routers/pools")).text).toContain('href="/console/help/address-pools"');
});

test("a page shows its picture, to who is signed in", async () => {
  const { text } = await read("/console/help/take-payments");
  const [, address = "", alt = ""] = /<img src="([^"]+)" alt="([^"]+)"/.exec(text) ?? [];
  expect([address, alt.slice(0, 12)]).toEqual([
    "/console/help/pictures/en/take-payment.webp",
    "Take payment",
  ]);
  expect(await read(address)).toMatchObject({ status: 200, type: "image/webp" });
  expect((await read(address, {})).status).toBe(303);
  expect((await read("/console/help/pictures/en/none.webp")).status).toBe(404);
  const spanish = await read("/console/help/take-payments", { cookie, "accept-language": "es" });
  expect(spanish.text).toContain('<img src="/console/help/pictures/es/take-payment.webp"');
  expect(readPicture("take-payment.webp", "es")).not.toEqual(readPicture("take-payment.webp"));
  expect(readPicture("take-payment.webp", "fr")).toEqual(readPicture("take-payment.webp"));
  expect((await read(markdown("take-payments"))).text).toContain(`](${address})`);
});

test("the index leads to every page, and every page to pages that there are", async () => {
  const { text } = await read("/console/help");
  for (const { slug, title } of pages()) {
    expect(text).toContain(`href="/console/help/${slug}"`);
    const page = await read(`/console/help/${slug}`);
    expect({ slug, status: page.status }).toEqual({ slug, status: 200 });
    expect(page.text).toContain(`<h1>${Bun.escapeHTML(title).replaceAll("&#x27;", "&#39;")}</h1>`);
    for (const [, to = ""] of page.text.matchAll(/href="\/console\/help\/([\w-]+)/g))
      expect(pages().map((one) => one.slug)).toContain(to);
    expect(page.text).not.toMatch(/href="[^"]*\.\.\//);
  }
  expect((await read("/console/help/nothing-of-it")).status).toBe(404);
});

test("commands have this box's address, the reader's name and ISP in them, and a name that is no word stays out", async () => {
  const { text } = await read(markdown("payment-providers"));
  expect(text).toContain("curl -u ada:PASSWORD http://gate.example:8080/api/v1/payment_source/create");
  const before = (await read("/console/help/no-lag")).text;
  expect(before).toContain("gatehouse nas setup core");
  app.db.$client.run("UPDATE nas SET name = 'core; reboot' WHERE isp_id = 1");
  expect((await read("/console/help/no-lag")).text).toContain("gatehouse nas setup ROUTER");
});

test("what is looked for is found with typing mistakes, without a script", async () => {
  const first = async (words: string) => (await findPages(words))[0]?.page.slug;
  expect(await first("wallde gadren")).toBe("walled-garden");
  expect(await first("how do I resotre a backup")).toBe("restore");
  expect(await first("forgoten pasword")).toBe("sign-in");
  expect(await first("comission of a card")).toBe("cards-explained");
  const { text } = await read("/console/help?q=forgoten+pasword");
  expect(text).toContain('<a href="/console/help/sign-in">');
  expect((await read("/console/help?q=xyzzyx")).text).toContain("No page has xyzzyx");
});

test("a page is in the reader's language where it is written in it, else in English, and says so", async () => {
  const as = (language: string) => ({ cookie, "accept-language": language });
  const spanish = (await read("/console/help/permissions", as("es-MX"))).text;
  expect(spanish).toContain('<div class="stack close" lang="es" dir="ltr"><h1>Permisos</h1>');
  expect(spanish).toContain('<div class="prose stack" lang="es" dir="ltr">');
  const arabic = (await read("/console/help/permissions", as("ar"))).text;
  expect(arabic).toContain('<div class="prose stack" lang="ar" dir="rtl">');
  for (const [language, inEnglish] of [
    ["ar", "هذه الصفحة بالإنجليزية فقط."],
    ["fr", "Cette page n’existe qu’en anglais."],
  ] as const) {
    const { text } = await read("/console/help/metrics", as(language));
    expect(text).toContain(`<p class="hint">${inEnglish}</p>`);
    expect(text).toContain('<div class="prose stack" lang="en" dir="ltr">');
  }
  expect(spanish + arabic).not.toContain('hint">Esta página está solo');
  const index = (await read("/console/help", as("es"))).text;
  expect(index).toContain('<a href="/console/help/permissions" lang="es" dir="ltr">Permisos</a>');
  expect(index).toContain('<a href="/console/help/metrics" lang="en" dir="ltr">Metrics</a>');
  expect(index).toContain("<h2>Tareas: Routers y líneas</h2>");
  expect((await read(markdown("permissions"), as("es"))).text).toStartWith("# Permisos\n");
  expect((await read("/llms.txt", as("es"))).text).toContain("[Permissions](");
});

test("what is looked for is found in the reader's language, without its accents and signs", async () => {
  const first = async (words: string, language: string) => (await findPages(words, language))[0]?.page.slug;
  expect(await first("que permite una función", "es")).toBe("permissions");
  expect(await first("hallasgos", "es")).toBe("findings");
  expect(await first("metrics", "es")).toBe("metrics");
  for (const words of ["الصلاحيات", "صلاحيه", "الصَّلاحِيَّة", "صلاحية الادوار"])
    expect([words, await first(words, "ar")]).toEqual([words, "permissions"]);
  for (const port of ["٨٠٨٠", "۸۰۸۰"])
    expect(await findPages(port, "ar")).toEqual(await findPages("8080", "ar"));
  expect(await first("8080", "ar")).toBeDefined();
  const { text } = await read("/console/help?q=" + encodeURIComponent("الاعدادات"), {
    cookie,
    "accept-language": "ar",
  });
  expect(text).toContain('<span class="stack close" lang="ar" dir="rtl"><a href="/console/help/settings">');
});

test("programs read the list and each page as Markdown, after signing in", async () => {
  const { type, text } = await read("/llms.txt");
  expect(type).toBe("text/plain; charset=utf-8");
  for (const { slug } of pages()) expect(text).toContain(`(/console/help/${slug}.md)`);
  const page = await read(markdown("restore"));
  expect(page.type).toBe("text/markdown; charset=utf-8");
  expect(page.text).toStartWith("# Restore a backup\n");
  for (const address of ["/llms.txt", "/console/help", markdown("restore")])
    expect((await read(address, {})).status).toBe(303);
});

test("an API key reads the same as a Bearer, with what its ISP has in it, and no page beside them", async () => {
  const heard: string[] = [];
  const keyCalls = new KeyCalls((calls) =>
    heard.push(...calls.map(({ status, path }) => `${status} ${path}`)),
  );
  using own = await withTenants({ keyCalls });
  const get = async (path: string, authorization: string) => {
    const headers = { host: "gate.example:8080", authorization, "accept-language": "es" };
    const answer: Response = await own.app.handle(
      new Request(`http://gate.example:8080${path}`, { headers }),
    );
    return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
  };
  const key = `Bearer ${insertKey(own, { branch_id: 0 })}`;
  expect(await get("/llms.txt", key)).toEqual({ ...(await read("/llms.txt")), status: 200 });
  expect(await get(markdown("no-lag"), key)).toMatchObject({
    status: 200,
    type: "text/markdown; charset=utf-8",
    text: expect.stringContaining("gatehouse nas setup core"),
  });
  const providers = await get(markdown("payment-providers"), key);
  expect(providers.text).toContain("curl -u ACCOUNT:PASSWORD http://gate.example:8080/api/v1/");
  expect((await get(markdown("permissions"), key)).text).toStartWith("# Permissions\n");
  expect((await get(markdown("nothing-of-it"), key)).status).toBe(404);
  expect((await get("/console/help/no-lag", key)).status).toBe(303);
  for (const path of ["/llms.txt", markdown("no-lag")]) expect((await get(path, `${key}x`)).status).toBe(401);
  const isHeard = () => (keyCalls.flush(), heard.includes(`200 ${markdown("no-lag")}`));
  expect(await eventually(isHeard)).toBe(true);
});
