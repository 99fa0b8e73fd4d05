import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { LiveFeed } from "../../src/domain/service/live/feed.ts";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { LiveStreams } from "../../src/http/console/live/streams.ts";
import { fillCards } from "../support/cards.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { temporaryApp } from "../support/http.ts";
import { fillMoney } from "../support/money.ts";
import { eventually } from "../support/radius-server.ts";
import { NOW, templateStore } from "../support/store.ts";
import { callers, fillTenants, insertBulk, insertOutage, stateOf } from "../support/tenants.ts";

/** The tenants with money, and Mia of branch 11 managing everything that her role has. */
const store = templateStore(async (db) => {
  await fillTenants(db);
  fillMoney(db, NOW);
  fillCards(db, NOW);
  insertOutage(db, 1, 1, 1);
  db.$client.run("UPDATE subscribers SET box_number = 'B-1' WHERE id = 1");
});

class World implements AsyncDisposable {
  readonly feed: LiveFeed;
  readonly streams: LiveStreams;
  readonly app: ReturnType<typeof temporaryApp>;
  readonly site: ConsoleSite;

  constructor(filled: Awaited<ReturnType<typeof store>>) {
    this.feed = new LiveFeed(filled.db);
    this.streams = new LiveStreams(this.feed);
    this.app = temporaryApp({ streams: this.streams }, filled);
    this.site = consoleSite(this.app);
  }

  get db() {
    return this.app.db;
  }

  async [Symbol.asyncDispose]() {
    this.streams.close();
    await this.site.close();
    this.app[Symbol.dispose]();
  }
}

const world = async () => new World(await store());

/** A session of the console, by requests. */
class Session {
  readonly #here: World;
  readonly cookie: string;

  private constructor(here: World, cookie: string) {
    this.#here = here;
    this.cookie = cookie;
  }

  static async of(here: World, account: string): Promise<Session> {
    return new Session(here, await consoleSessionOf(here.site, account));
  }

  async get(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(this.#here.site.origin + path, {
      headers: { cookie: this.cookie, ...headers },
      redirect: "manual",
    });
    return { status: response.status, text: await response.text() };
  }

  async post(path: string, fields: Record<string, string>) {
    const response = await fetch(this.#here.site.origin + path, {
      method: "POST",
      headers: { cookie: this.cookie, origin: this.#here.site.origin },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
    return { status: response.status, text: await response.text(), to: response.headers.get("location") };
  }

  /** The tokens of the forms of a page, the first one first. */
  async tokens(path: string): Promise<string[]> {
    const { text } = await this.get(path);
    return [...text.matchAll(/name="form_token" value="([^"]+)"/g)].map(([, token = ""]) => token);
  }

  /** Begins to see what an account or a role sees. */
  async seeAs(what: string, token?: string) {
    const form_token = token ?? (await this.tokens("/console/me"))[0] ?? "";
    return this.post(`/console/settings/${what}/see-as`, { form_token });
  }
}

const words = (text: string) => text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
const changes = ({ db }: World) =>
  db.$client.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n ?? 0;

const pathOf = (path: string) =>
  path.replace(":kind", "city").replace(":number", "B-1").replaceAll(/:\w+/g, "1");
const gets = consoleRoutes
  .filter(({ method, path }) => method === "GET" && path !== "/console/live")
  .map(({ path }) => pathOf(path));
const posts = consoleRoutes
  .filter(({ method }) => method === "POST")
  .map(({ path }) => path)
  .filter((path) => !/^\/console\/(sign-in|sign-in\/again|sign-out|seeing\/end)$/.test(path))
  .map(pathOf);
const own = /^\/console\/(me|start|sign-in\/code)(\/|$)/;

describe("looking with somebody else's eyes", () => {
  let here: World;
  let ada: Session;
  let token: string;
  beforeEach(async () => {
    here = await world();
    ada = await Session.of(here, callers.admin);
    token = (await ada.tokens("/console/me"))[0] ?? "";
  });
  const end = () => here[Symbol.asyncDispose]();

  test("shows their pages, says so on each, and leaves an entry", async () => {
    expect(await ada.seeAs("staff/4", token)).toMatchObject({ status: 303, to: "/console" });
    const { text } = await ada.get("/console/subscribers");
    expect(words(text)).toContain("You see what Mia sees. Nothing can be changed.");
    expect(text).toContain("user1");
    expect(text).not.toContain("user2");
    expect((await ada.get("/console/subscribers/2")).status).toBe(404);
    const printout = await ada.get("/console/money/payments/1/receipt");
    if (printout.status === 200) expect(words(printout.text)).toContain("You see what Mia sees.");
    const entry = here.db.$client
      .query("SELECT actor, staff_id, entity, entity_id FROM audit_entries WHERE action = 'staff.see_as'")
      .all();
    expect(entry).toEqual([{ actor: "ada", staff_id: 1, entity: "staff", entity_id: "4" }]);
    await end();
  });

  test.each(["staff/4", "roles/1"])(
    "nothing is changed and no secret is shown by any page of %s, which are theirs otherwise",
    async (what) => {
      insertBulk(here.app);
      const mia = await Session.of(here, callers.branch);
      await ada.seeAs(what, token);
      const before = stateOf(here.app); // trials are undone
      for (const path of gets) {
        const { status, text } = await ada.get(path);
        expect(status, path).toBeLessThan(500);
        expect(text, path).not.toMatch(/pw-1|pw-portal|otpauth:|secret-1/);
        if (own.test(path)) expect([path, status]).toEqual([path, 403]);
        else if (what === "staff/4") expect([path, status]).toEqual([path, (await mia.get(path)).status]);
      }
      expect(stateOf(here.app)).toEqual(before);
      await end();
    },
  );

  test("nothing that is sent is done, with the token of one's own pages or of theirs", async () => {
    await ada.seeAs("staff/4", token);
    const theirs = (await ada.tokens("/console/subscribers/1")).filter((one) => one !== token);
    expect(theirs.length).toBeGreaterThan(0);
    const before = changes(here);
    for (const path of posts)
      for (const form_token of [token, theirs[0] ?? ""]) {
        const { status, text } = await ada.post(path, { form_token, name: "X", note: "X" });
        expect([path, status]).toEqual([path, 403]);
        expect(words(text), path).toContain("you see what");
      }
    expect(changes(here)).toBe(before);
    await end();
  });

  test("a page that was left open is worth nothing after one is oneself again", async () => {
    await ada.seeAs("staff/4", token);
    const [bar = "", theirs = ""] = await ada.tokens("/console/subscribers/1");
    expect([bar === token, theirs === token]).toEqual([true, false]);
    expect(await ada.post("/console/seeing/end", { form_token: theirs })).toMatchObject({ status: 403 });
    expect(await ada.post("/console/seeing/end", { form_token: bar })).toMatchObject({
      status: 303,
      to: "/console/settings/staff/4",
    });
    expect((await ada.get("/console/me")).status).toBe(200);
    const before = changes(here);
    const late = await ada.post("/console/subscribers/1/note", { form_token: theirs, note: "late" });
    expect(late.status).toBe(403);
    expect(changes(here)).toBe(before);
    expect(
      (await ada.post("/console/subscribers/1/note", { form_token: token, key: "k", note: "mine" })).status,
    ).toBe(303);
    await end();
  });

  test("with a role the pages are those of the role within the own scope", async () => {
    expect((await ada.seeAs("roles/2", token)).status).toBe(303);
    const { text } = await ada.get("/console");
    expect(words(text)).toContain("You see what somebody with the role Idle sees.");
    expect(text).not.toContain('href="/console/subscribers"');
    expect((await ada.get("/console/subscribers")).status).toBe(403);
    expect((await ada.get("/console/settings/staff")).status).toBe(403);
    await end();
  });

  test("one does not begin as another while one sees with somebody's eyes", async () => {
    await ada.seeAs("staff/4", token);
    expect((await ada.seeAs("staff/2", token)).status).toBe(403);
    expect(words((await ada.get("/console")).text)).toContain("You see what Mia sees.");
    await end();
  });

  test("other sessions of the account are themselves", async () => {
    const other = await Session.of(here, callers.admin);
    await ada.seeAs("staff/4", token);
    expect((await other.get("/console")).text).not.toContain("Nothing can be changed.");
    await end();
  });

  test.each([
    ["after half an hour", (at: World) => void (at.app.clock.now += 30 * 60)],
    [
      "when who looks is no Admin any more",
      (at: World) => void at.db.$client.run("UPDATE staff SET profile_type = 2, role_code = 2 WHERE id = 1"),
    ],
    [
      "when who looks is of another branch",
      (at: World) => void at.db.$client.run("UPDATE staff SET branch_id = 12 WHERE id = 1"),
    ],
    [
      "when the account is disabled",
      (at: World) => void at.db.$client.run("UPDATE staff SET status = 0 WHERE id = 4"),
    ],
  ])("it ends %s, and that is said", async (_, change) => {
    await ada.seeAs("staff/4", token);
    change(here);
    const { status, text } = await ada.get("/console");
    expect(status).toBe(200);
    expect(words(text)).toContain("You are yourself again.");
    expect(text).not.toContain("Nothing can be changed.");
    await end();
  });

  test("signing out ends it with the session", async () => {
    await ada.seeAs("staff/4", token);
    const [bar = ""] = await ada.tokens("/console/more");
    expect((await ada.post("/console/sign-out", { form_token: bar })).status).toBe(303);
    expect((await ada.get("/console")).status).toBe(303);
    const again = await Session.of(here, callers.admin);
    expect((await again.get("/console")).text).not.toContain("Nothing can be changed.");
    await end();
  });

  test("what is live is theirs, and ends with it", async () => {
    await ada.seeAs("staff/5", token); // Max of branch 12, where subscriber 2 is
    const leave = new AbortController();
    const response = await fetch(`${here.site.origin}/console/live`, {
      headers: { cookie: ada.cookie },
      signal: leave.signal,
    });
    let text = "";
    let hasEnded = false;
    const reading = (async () => {
      for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
      hasEnded = true;
    })();
    expect(await eventually(() => text.startsWith("retry"))).toBe(true);
    here.feed.decided([{ subscriberId: 1 }]);
    here.feed.flush();
    here.feed.decided([{ subscriberId: 2 }]);
    here.feed.flush();
    expect(await eventually(() => text.includes("topics"))).toBe(true);
    expect(text.match(/"logins":\d/g)).toEqual(['"logins":1']);
    here.streams.look();
    expect(await eventually(() => text.endsWith("\n\n:\n\n"))).toBe(true);
    const [bar = ""] = await ada.tokens("/console");
    await ada.post("/console/seeing/end", { form_token: bar });
    here.streams.look();
    expect(await eventually(() => hasEnded)).toBe(true);
    await reading;
    await end();
  });
});

describe("nobody sees as", () => {
  test.each([
    ["the operator of the box", callers.admin, "staff/9", 404],
    ["an Admin of another ISP", callers.admin, "staff/8", 404],
    ["a role of another ISP", callers.admin, "roles/3", 404],
    ["an Admin, who is none", callers.branch, "staff/1", 404],
    ["somebody of another branch", callers.branch, "staff/5", 404],
    ["somebody of the same ISP, as a Reseller", callers.reseller, "staff/6", 404],
    ["anybody, without the permissions", callers.noFlag, "staff/6", 403],
  ])("%s", async (_, account, what, status) => {
    await using here = await world();
    const session = await Session.of(here, account);
    expect((await session.seeAs(what)).status).toBe(status);
    expect((await session.get("/console")).text).not.toContain("Nothing can be changed.");
    expect(
      here.db.$client.query("SELECT count(*) AS n FROM audit_entries WHERE action = 'staff.see_as'").get(),
    ).toEqual({ n: 0 });
  });

  test.each([
    ["oneself", "staff/1", "That is yourself"],
    ["a disabled account", "staff/7", "Off is disabled"],
  ])("%s, and it is said why", async (_, what, why) => {
    await using here = await world();
    const session = await Session.of(here, callers.admin);
    expect(await session.seeAs(what)).toMatchObject({ status: 303, to: `/console/settings/${what}` });
    const { text } = await session.get(`/console/settings/${what}`);
    expect(words(text)).toContain(`That was not done ${why}`);
    expect(text).not.toContain("Nothing can be changed.");
  });

  test("a form of another session", async () => {
    await using here = await world();
    const ada = await Session.of(here, callers.admin);
    const other = await Session.of(here, callers.admin);
    const [token = ""] = await other.tokens("/console/me");
    expect((await ada.seeAs("staff/4", token)).status).toBe(403);
  });
});

describe("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test.each([
    ["by mouse", { viewport: { width: 1440, height: 900 } }],
    ["without a script, on a phone", { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }],
  ])("the way there, through and back %s", async (_, options) => {
    await using here = await world();
    await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, options);
    await ada.goto("/console/settings/staff/4");
    await ada.submit(".see-as button");
    expect(await ada.page.innerText(".seeing")).toContain("You see what Mia sees.");
    if (options.viewport.width > 1000) expect(await ada.page.innerText(".side .who")).toContain("Mia");
    await ada.goto("/console/subscribers/1");
    await ada.expectToFit();
    await ada.submit(".seeing button");
    expect(await ada.heading()).toBe("Mia");
    expect(await ada.page.locator(".seeing").count()).toBe(0);
  });

  test("by keyboard alone; the bar is there after a part of the page was asked for again, and axe finds nothing", async () => {
    await using here = await world();
    await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
    ada.expected = /^403 /; // the refusal, which the browser reports
    await ada.goto("/console/settings/staff/4");
    await ada.page.focus(".see-as button");
    const loaded = ada.page.waitForEvent("load");
    await ada.page.keyboard.press("Enter");
    await loaded;
    await ada.goto("/console/subscribers/1/note");
    await ada.expectAccessible({ impacts: ["minor", "moderate", "serious", "critical"] });
    await ada.page.fill("#note", "no");
    await ada.submit(".drawer-page button.solid");
    expect(await ada.page.innerText("#content")).toContain("Nothing was changed: you see what");
    await ada.page.focus(".seeing button");
    const back = ada.page.waitForEvent("load");
    await ada.page.keyboard.press("Enter");
    await back;
    expect(await ada.heading()).toBe("Mia");
  });
});
