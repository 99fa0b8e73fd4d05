import { afterAll, beforeAll, expect, test } from "bun:test";
import { namesIn, runsFolder } from "../../src/domain/machine/imports/runs/run.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

const IMPORT = "/console/settings/import";
const EVIL = `"><script>alert(1)</script>`;

let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  app = await withTenants();
  site = consoleSite(app);
});
afterAll(async () => {
  await site.close();
  app[Symbol.dispose]();
});

async function get(path: string, account: string): Promise<Response> {
  const cookie = await consoleSessionOf(site, account);
  return fetch(site.origin + path, { headers: { cookie }, redirect: "manual" });
}

async function tokenOf(cookie: string): Promise<string> {
  for (const path of [`${IMPORT}/new/csv`, "/console/more"]) {
    const html = await (await fetch(site.origin + path, { headers: { cookie } })).text();
    const [, token] = /name="form_token" value="([^"]+)"/.exec(html) ?? [];
    if (token !== undefined) return token;
  }
  throw new Error("no page has a form");
}

async function post(
  path: string,
  account: string,
  fields: Record<string, string | File> = {},
  token?: string,
) {
  const cookie = await consoleSessionOf(site, account);
  const own = await tokenOf(cookie);
  const all: [string, string | File][] = [["form_token", token ?? own], ...Object.entries(fields)];
  const form = new FormData();
  const query = new URLSearchParams();
  for (const [name, value] of all) {
    form.append(name, value);
    if (typeof value === "string") query.append(name, value);
  }
  const body = all.every(([, value]) => typeof value === "string") ? query : form;
  return fetch(site.origin + path, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { cookie, origin: site.origin },
  });
}

async function uploaded(content: string, name = "list.csv"): Promise<string> {
  const answer = await post(`${IMPORT}/upload/csv`, callers.admin, { files: new File([content], name) });
  return answer.headers.get("location") ?? "";
}

async function settled(path: string): Promise<string> {
  for (;;) {
    const id = path.split("/").at(-1) ?? "";
    const { state } = await Bun.file(`${runsFolder(app.folder)}/${id}/run.json`).json();
    if (!["looking", "reading", "moving", "waiting"].includes(state)) return state;
    await Bun.sleep(20);
  }
}

const table = [
  "Login,Password,Name,Package,Expiry,City,Comment",
  `ann${EVIL.replaceAll('"', "")},,"${EVIL.replaceAll('"', '""')}","${EVIL.replaceAll('"', '""')}",2031-01-31,<b>x</b>,=1+1`,
  "bob,,Bob,Home,2031-01-31,=cmd,+1",
  `"x${"y".repeat(200)}<img src=x onerror=alert(1)>",p,N,Home,31 Foo 2031,,`,
].join("\n");

test("nobody else has a run, its files, its report, its passwords or its move, by any address, and none without its token", async () => {
  const run = await uploaded(table, `${EVIL}.csv`);
  expect(await settled(run)).toBe("columns");
  expect((await get(`${run}/told.csv`, callers.admin)).status).toBe(404);
  await post(`${run}/again`, callers.admin);
  expect(await settled(run)).toBe("columns");
  const page = await (await get(run, callers.admin)).text();
  const fields = Object.fromEntries(
    [...page.matchAll(/<select[^>]*name="([^"]+)"[\s\S]*?<\/select>/g)].map(([select, name = ""]) => [
      name,
      /<option[^>]*value="([^"]*)"[^>]*selected/.exec(select)?.[1] ?? "",
    ]),
  );
  await post(`${run}/columns`, callers.admin, fields);
  expect(await settled(run)).toBe("tried");
  const others = [callers.noFlag, callers.branch, callers.otherTenant, callers.reseller];
  const forms = ["columns", "again", "move", "stop", "discard", "passwords"];
  for (const account of others) {
    for (const path of [run, `${run}/told.csv`, `${run}/columns`, `${run}/passwords`])
      expect([path, [403, 404, 303].includes((await get(path, account)).status)]).toEqual([path, true]);
    for (const form of forms) {
      const { status } = await post(`${run}/${form}`, account, { password: "secret-1" });
      expect([account, form, [403, 404].includes(status)]).toEqual([account, form, true]);
    }
  }
  for (const form of forms)
    expect([form, (await post(`${run}/${form}`, callers.admin, {}, "forged")).status]).toEqual([form, 403]);
  expect(await settled(run)).toBe("tried");
  await post(`${run}/move`, callers.admin);
  expect(await settled(run)).toBe("moved");
  const moved = await (await get(run, callers.admin)).text();
  const move = /href="([^"]*\/moves\/\d+)/.exec(moved)?.[1] ?? "";
  const pages = [page, moved, await (await get(move, callers.admin)).text()];
  pages.push(await (await get(IMPORT, callers.admin)).text());
  for (const html of pages) expect(html).not.toMatch(/<script>alert|<img src=x|<b>x<\/b>/);
  for (const account of others) {
    expect([403, 404]).toContain((await get(move, account)).status);
    expect([403, 404]).toContain((await post(`${move}/undo`, account, { confirm: "2" })).status);
    expect([403, 404]).toContain((await post(`${run}/passwords`, account, { password: "secret-1" })).status);
  }
  expect((await post(`${move}/undo`, callers.admin, { confirm: "2" }, "forged")).status).toBe(403);
  const notices = await (await get(`${run}/told.csv`, callers.admin)).text();
  expect(notices).not.toMatch(/(^|,|")[=+@]/m);
  expect((await post(`${run}/passwords`, callers.admin, { password: "wrong" })).status).toBe(422);
  const [one, two] = await Promise.all(
    [1, 2].map(async () => post(`${run}/passwords`, callers.admin, { password: "secret-1" })),
  );
  expect([one?.status, two?.status].toSorted()).toEqual([200, 404]);
});

test("an upload that is cut off leaves nothing", async () => {
  const cookie = await consoleSessionOf(site, callers.admin);
  const token = await tokenOf(cookie);
  const before = namesIn(runsFolder(app.folder)).length;
  const part = (name: string, more = "") =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const begun = `${part("form_token")}${token}\r\n${part("files", '; filename="a.csv"')}Login\nhalf a li`;
  const answer = await fetch(`${site.origin}${IMPORT}/upload/csv`, {
    method: "POST",
    body: begun,
    redirect: "manual",
    headers: { cookie, origin: site.origin, "content-type": "multipart/form-data; boundary=x" },
  });
  expect(answer.status).toBe(422);
  expect(namesIn(runsFolder(app.folder))).toHaveLength(before);
});
