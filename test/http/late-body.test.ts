import { afterEach, expect, spyOn, test } from "bun:test";
import { consoleSessionOf } from "../support/console-browser.ts";
import { repeated, StatementRuns } from "../support/statement-runs.ts";
import { people, portalIsp } from "../support/portal-isp.ts";
import { callers, stateOf, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

/* A client begins a request while it may, and ends its body when it may no more. */
const headers = { "content-type": "application/x-www-form-urlencoded" };

/** A body of which the end waits for `finish`. */
function lateBody(text: string) {
  const { promise: ending, resolve: finish } = Promise.withResolvers<void>();
  const { promise: requests, resolve: ask } = Promise.withResolvers<void>();
  const source = {
    async pull(controller: ReadableStreamDefaultController) {
      ask();
      await ending;
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  };
  const body = new ReadableStream(source, { highWaterMark: 0 }); // pulled by who reads it, not before
  return { body, asked: requests, finish };
}

/** More milliseconds than what is known of who sends a body stands for. */
const LATE = 1001;
const clock = performance.now.bind(performance);
/** Bodies that are on their way take so much longer from now on. */
const takes = (milliseconds: number) =>
  spyOn(performance, "now").mockImplementation(() => clock() + milliseconds);
afterEach(() => takes(0).mockRestore());

const other = Bun.password.hashSync("secret-2", { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
const notes = { path: "/api/v1/subscriber/note", form: "user_id=1&note=late" };
test.each([
  ["the account is disabled", "UPDATE staff SET status = 0 WHERE username = 'mia'", 403],
  ["its permission is taken", "UPDATE role_permissions SET value = 0 WHERE flag = 'subscriber_note'", 403],
  ["it is moved to another branch", "UPDATE staff SET branch_id = 12 WHERE username = 'mia'", 404],
  ["its password is changed", `UPDATE staff SET password_hash = '${other}' WHERE username = 'mia'`, 401],
  ["nothing changes", "SELECT 1", 200],
])("a call of staff, when %s before the body has arrived", async (_, sql, status) => {
  using app = await withTenants();
  const { body, asked: requests, finish } = lateBody(notes.form);
  const calling = app.call("POST", notes.path, { basic: callers.branch, headers, body });
  await requests;
  app.db.$client.run(sql);
  const before = stateOf(app);
  takes(LATE);
  finish();
  expect(await calling).toMatchObject({ status });
  if (status !== 200) expect(stateOf(app)).toEqual(before);
});

test.each([
  ["at once", 0, false],
  ["late", LATE, true],
])(
  "of a call whose body is there %s the account is asked for again only then",
  async (_, milliseconds, isAgain) => {
    using app = await withTenants();
    await app.call("POST", notes.path, { basic: callers.branch, headers, body: notes.form }); // its password is known then
    const { body, asked: requests, finish } = lateBody(notes.form);
    using watched = new StatementRuns(app.db);
    const calling = app.call("POST", notes.path, { basic: callers.branch, headers, body });
    await requests;
    takes(milliseconds);
    finish();
    expect(await calling).toMatchObject({ status: 200 });
    const again = repeated(watched.take()).filter((text) => /FROM (staff a|role_permissions)/.test(text));
    expect(again.length > 0).toBe(isAgain);
  },
);

test.each([
  ["the account is disabled", "UPDATE staff SET status = 0 WHERE username = 'mia'", 303],
  ["its permission is taken", "UPDATE role_permissions SET value = 0 WHERE flag = 'subscriber_note'", 403],
  ["its session is ended", "DELETE FROM staff_sessions", 303],
  ["it is moved to another branch", "UPDATE staff SET branch_id = 12 WHERE username = 'mia'", 404],
  ["nothing changes", "SELECT 1", 303],
])("a form of the console, when %s before the body has arrived", async (name, sql, status) => {
  using app = await withTenants();
  const cookie = await consoleSessionOf(app, callers.branch);
  const path = "/console/subscribers/1/note";
  const send = (init: RequestInit) =>
    app.app.handle(
      new Request(`http://localhost${path}`, { ...init, headers: { ...headers, cookie, host: "localhost" } }),
    );
  const page = await (await send({})).text();
  const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(page) ?? [];
  const { body, asked: requests, finish } = lateBody(`form_token=${token}&key=k&note=late`);
  const sending = send({ method: "POST", body });
  await requests;
  app.db.$client.run(sql);
  takes(LATE);
  finish();
  expect(await sending).toMatchObject({ status });
  const { n } = app.db.$client.query("SELECT count(*) AS n FROM staff_notes").get() as { n: number };
  expect(n).toBe(name === "nothing changes" ? 1 : 0);
});

test.each([
  ["the session is revoked", "UPDATE subscriber_tokens SET revoked_at = 1", "/portal/sign-in", 240],
  ["the package is another one, at its price", "UPDATE subscribers SET package_id = 1", "/portal?", 225],
])("a renewal in the portal, when %s before the body has arrived", async (_, sql, location, left) => {
  const isp = await portalIsp();
  try {
    const signIn = await isp.call("GET", "/mobile-auto-login", { bearer: await isp.token(people.back) });
    const cookie = signIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const page = String((await isp.call("GET", "/portal", { headers: { cookie } })).body);
    const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(page) ?? [];
    const { body, asked: requests, finish } = lateBody(`form_token=${token}&price=1500`);
    const renewing = isp.call("POST", "/portal/renew", { headers: { ...headers, cookie }, body });
    await requests;
    isp.db.$client.run(`${sql} WHERE ${sql.includes("tokens") ? "subscriber_id" : "id"} = ${people.back}`);
    finish();
    const answer = await renewing;
    expect([answer.status, answer.headers.get("location")]).toEqual([303, expect.stringContaining(location)]);
    const [wallet] = isp.db.$client
      .query<{ balance: number }, [number]>(
        "SELECT balance_after / 100 AS balance FROM ledger_entries WHERE subscriber_id = ? ORDER BY id DESC LIMIT 1",
      )
      .all(people.back);
    expect(wallet).toEqual({ balance: left });
  } finally {
    await isp.close();
  }
});
