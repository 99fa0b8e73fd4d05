import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";

let isp: PortalIsp;
let mine: Session;
let theirs: Session;
beforeAll(async () => {
  isp = await portalIsp();
  mine = await session(people.amara);
  theirs = await session(people.postpaid);
});
afterAll(() => isp.close());

interface Session {
  cookie: string;
  formToken: string;
}

async function session(who: number): Promise<Session> {
  const { headers } = await isp.call("GET", "/mobile-auto-login", { bearer: await isp.token(who) });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const { body } = await isp.call("GET", "/portal", { headers: { cookie } });
  return { cookie, formToken: tokenIn(body) };
}

function tokenIn(page: unknown): string {
  return /name="form_token" value="([^"]+)"/.exec(String(page))?.[1] ?? "";
}

const get = (path: string, { cookie } = mine) => isp.call("GET", path, { headers: { cookie } });
const post = (path: string, form: Record<string, unknown>, cookie = mine.cookie) =>
  isp.call("POST", path, { headers: { cookie }, form });

describe("a subscriber sees its own data only", () => {
  test.each([
    "/portal/invoices/4",
    "/portal/invoices/5",
    "/portal/invoices/99",
    "/portal/invoices/0",
    "/portal/invoices/3a",
  ])("%s is not there, whoever's it is", async (path) => {
    const { status, body } = await get(path);
    expect(status).toBe(404);
    expect(body).toContain("There is no such page");
    expect(body).not.toContain("Business 50");
  });

  test.each(["?user_id=6", "?subscriber_id=6&id=6", "?page=1&user_id=6&isp_id=2"])(
    "%s changes nothing",
    async (query) => {
      const others = ["Farah", "user6", "Business 50", "Sue South", "Southlink"];
      for (const page of ["/portal", "/portal/sessions", "/portal/invoices", "/portal/settings"]) {
        const { status, body } = await get(page + query);
        expect(status).toBe(200);
        for (const name of others) expect(body).not.toContain(name);
      }
    },
  );

  test("the other one does see its invoice", async () => {
    const { body } = await get("/portal/invoices/4", theirs);
    expect(body).toContain("Business 50");
    expect(body).toMatch(/Still to pay<\/th><td[^>]*>\$15\.00/);
    expect((await get("/portal/invoices", theirs)).body).toContain("Still to pay: $15.00");
  });

  test("a page past the last is empty, a page that is no number is the first", async () => {
    expect((await get("/portal/sessions?page=999999")).body).toContain("No sessions yet.");
    for (const page of ["-1", "0", "1e3", "x", "1;2"])
      expect((await get(`/portal/sessions?page=${page}`)).body).toContain("Page 1 of 3");
  });

  test("the password that changes is that of the session, whatever names the form carries", async () => {
    const before = isp.db.$client.query("SELECT portal_pass FROM subscribers WHERE id = 6").get();
    const form = {
      form_token: mine.formToken,
      username: "user6",
      user_id: 6,
      current: "pw-6",
      chosen: "long enough",
      again: "long enough",
    };
    const { status } = await post("/portal/settings/password", form);
    expect(status).toBe(422);
    expect(isp.db.$client.query("SELECT portal_pass FROM subscribers WHERE id = 6").get()).toEqual(before);
  });

  test("no page carries a password or its hash", async () => {
    for (const page of ["/portal", "/portal/settings"]) {
      const { body } = await get(page);
      expect(body).not.toContain("pw-1");
      expect(body).not.toContain("argon2");
    }
  });
});

describe("a form is of its session", () => {
  const forms = [
    "/portal/sign-out",
    "/portal/sign-out-everywhere",
    "/portal/settings/password",
    "/portal/settings/messages",
    "/portal/settings/push",
    "/portal/settings/push/remove",
    "/portal/renew",
    "/portal/top-up",
  ];

  test.each(forms)(
    "%s: refused without a token, with another session's, or an invented one",
    async (path) => {
      for (const token of [undefined, "", "x".repeat(43), theirs.formToken]) {
        const { status, body } = await post(path, token === undefined ? {} : { form_token: token });
        expect(status).toBe(403);
        expect(body).toContain("This form is too old");
      }
      expect((await get("/portal")).status).toBe(200);
    },
  );

  test.each(forms)("%s: to the sign-in page without a session", async (path) => {
    const answer = await post(path, { form_token: mine.formToken }, "");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/portal/sign-in"]);
  });

  test("signing in needs the form of this browser", async () => {
    const { body, headers } = await isp.call("GET", "/portal/sign-in");
    const visit = headers.get("set-cookie")?.split(";")[0] ?? "";
    const credentials = { username: "user5", password: "pw-5" };
    const refused = await post("/portal/sign-in", { ...credentials, form_token: tokenIn(body) }, "");
    expect(refused.status).toBe(403);
    const accepted = await post("/portal/sign-in", { ...credentials, form_token: tokenIn(body) }, visit);
    expect([accepted.status, accepted.headers.get("location")]).toEqual([303, "/portal"]);
    expect(accepted.headers.get("set-cookie")).toMatch(/^gatehouse_portal=[\w-]{43}; /);
  });

  test("a missing name or password counts no attempt", async () => {
    const { body, headers } = await isp.call("GET", "/portal/sign-in");
    const visit = headers.get("set-cookie")?.split(";")[0] ?? "";
    for (let i = 0; i < 7; i++)
      expect(
        (await post("/portal/sign-in", { username: "user2", form_token: tokenIn(body) }, visit)).status,
      ).toBe(422);
    const login = { username: "user2", password: "pw-2", form_token: tokenIn(body) };
    expect((await post("/portal/sign-in", login, visit)).status).toBe(303);
  });
});

test("every page has the strict headers, those that failed too", async () => {
  for (const path of ["/portal", "/portal/sign-in", "/portal/invoices/99", "/portal/nothing"]) {
    const { headers, body } = await get(path);
    if (path === "/portal/sign-in") {
      expect(headers.get("location")).toBe("/portal"); // signed in already
      continue;
    }
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toStartWith("<!doctype html>");
    expect(body).not.toMatch(/ style=| on\w+=|<style|javascript:/);
  }
});

test("data stays data in every page, and in an address for e-mail", async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
  const contact = `javascript:alert(1)|"onclick="x@y.zz`;
  const { db } = isp;
  const before = db.$client
    .query("SELECT value FROM settings WHERE key = 'portal_contact' AND isp_id = 1")
    .get();
  const setContact = (value: unknown) =>
    db.$client
      .query(
        "UPDATE settings SET value = json_extract(?, '$.value') WHERE key = 'portal_contact' AND isp_id = 1",
      )
      .run(JSON.stringify(value));
  db.$client.query("UPDATE subscribers SET name = ?, address = ? WHERE id = 6").run(hostile, hostile);
  setContact({ value: JSON.stringify(contact) });
  for (const page of ["/portal", "/portal/invoices/4", "/portal/settings"]) {
    const { body } = await get(page, theirs);
    expect(body).toContain("javascript:alert(1)</bdi></li>");
    expect(body).not.toContain("<script>alert");
    expect(body).not.toContain("<img src=x");
    expect(body).not.toContain('href="javascript:');
    expect(body).not.toContain('"onclick=');
  }
  setContact(before);
});
