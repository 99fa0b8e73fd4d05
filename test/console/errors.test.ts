import { afterAll, beforeAll, expect, test } from "bun:test";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { flagNames } from "../../src/http/console/parts/flags.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

let app: Tenants;
beforeAll(async () => {
  app = await withTenants();
});
afterAll(() => app[Symbol.dispose]());

const cookies = new Map<string, string>();

async function ask(account: string, path: string) {
  const cookie = cookies.get(account) ?? (await consoleSessionOf(app, account));
  cookies.set(account, cookie);
  const answer = await app.app.handle(new Request(`http://localhost${path}`, { headers: { cookie } }));
  const html = await answer.text();
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  const text = main
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return { status: answer.status, html, main, text };
}

/** The sidebar, the search and the way to the foot's other pages. */
const frame = ['class="side"', 'id="drawer"', 'class="foot"'];

test("who may not do something is told what, and whom to ask, inside the frame", async () => {
  const { status, html, text } = await ask(callers.noFlag, "/console/routers");
  expect(status).toBe(403);
  for (const part of frame) expect(html).toContain(part);
  expect(text).toMatch(
    /Your role does not let you see routers\. Ask Ada( or .*)?: an Admin can let your role do it\./,
  );
  expect(text).not.toContain("nas_view");
});

test("what is not there leaves the ways to all else", async () => {
  for (const path of ["/console/subscribers/99999", "/console/nowhere", "/console/money/invoices/x"]) {
    const { status, html, text } = await ask(callers.admin, path);
    expect([path, status]).toEqual([path, 404]);
    for (const part of frame) expect(html).toContain(part);
    expect(html).toContain('id="search"');
    expect(text).toContain("There is nothing here");
  }
});

test("a filter that cannot be is named, with the list without it and with all the others", async () => {
  const { status, html, main, text } = await ask(
    callers.admin,
    "/console/subscribers?status=active&no_login_for=9999&line=online",
  );
  expect(status).toBe(400);
  for (const part of frame) expect(html).toContain(part);
  expect(text).toMatch(/Time without a login, “9999”: it must be/);
  expect(text).not.toContain("no_login_for");
  expect(main).toContain('href="/console/subscribers?status=active&amp;line=online"');
});

test("no page says the name of a permission to who lacks it", async () => {
  const output: string[] = [];
  for (const { method, path } of consoleRoutes) {
    if (method !== "GET" || path === "/console/live") continue;
    const { status, text } = await ask(callers.noFlag, path.replaceAll(/:\w+/g, "1"));
    const named = status === 403 ? flagNames.find((flag) => text.includes(flag)) : undefined;
    if (named) output.push(`${path}: ${named}`);
  }
  expect(output).toEqual([]);
});

test("a message beside a page that asked says it in the same words", async () => {
  const cookie = await consoleSessionOf(app, callers.noFlag);
  const headers = { cookie, "hx-request": "true", "hx-request-type": "partial" };
  const answer = await app.app.handle(new Request("http://localhost/console/pay", { headers }));
  expect(answer.headers.get("hx-retarget")).toBe("#toasts");
  expect(await answer.text()).toContain("Your role does not let you");
});
