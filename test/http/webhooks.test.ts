import { expect, test } from "bun:test";
import { callers, insertWebhook, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const PATH = "/api/v1/webhook";
const url = "https://books.example/hooks?key=k-1";

const call = (
  app: Tenants,
  method: string,
  path: string,
  form?: Record<string, unknown>,
  basic = callers.admin,
) => app.call(method, `${PATH}/${path}`, { basic, ...(form && { form }) });

test("a webhook is made, changed, shown without its secret, and deleted", async () => {
  using app = await withTenants();
  const made = await call(app, "POST", "create", {
    url,
    types: "payment.received,invoice.issued",
    note: "the books",
  });
  const { secret } = Object(made.body);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const webhook = {
    id: 1,
    isp_id: 1,
    url,
    note: "the books",
    types: ["payment.received", "invoice.issued"],
    allow_local: 0,
    former_secret_until: null,
    slow_until: null,
    disabled_at: null,
    disabled_reason: null,
    created_at: "2030-01-15 12:00:00",
  };
  expect((await call(app, "GET", "get/1")).body).toEqual(webhook);
  expect((await call(app, "GET", "list")).body).toEqual([webhook]);
  const changed = await call(app, "POST", "update/1", { types: "*", note: "" });
  expect(changed.body).toMatchObject({ webhook: { ...webhook, types: ["*"], note: null } });
  const rotated = await call(app, "POST", "rotate/1", {});
  expect(rotated.body).toMatchObject({ webhook: { former_secret_until: "2030-01-16 12:00:00" } });
  const record = Object((await call(app, "POST", "secret/1", {})).body);
  expect(record.secret).toBe(Object(rotated.body).secret);
  expect(record.secret).not.toBe(secret);
  expect((await call(app, "DELETE", "delete/1")).status).toBe(200);
  expect((await call(app, "GET", "get/1")).status).toBe(404);
  const stored = JSON.stringify(app.db.$client.query("SELECT before, after FROM audit_entries").all());
  for (const hidden of [secret, record.secret, "k-1"]) expect(stored).not.toContain(hidden);
});

test.each([
  [{ types: "*" }, "url"],
  [{ url: "ftp://books.example", types: "*" }, "url"],
  [{ url: "https://user:pass@books.example", types: "*" }, "url"],
  [{ url: "http://", types: "*" }, "url"],
  [{ url: "http://127.0.0.1:9/hook", types: "*" }, "url"],
  [{ url: "http://[fd00::1]/hook", types: "*" }, "url"],
  [{ url: "http://localhost/hook", types: "*", allow_local: 0 }, "url"],
  [{ url, types: "payment.taken" }, "types"],
  [{ url, types: "" }, "types"],
  [{ url, types: "*", note: "x".repeat(201) }, "note"],
  [{ url, types: "*", allow_local: 2 }, "allow_local"],
])("%p is refused with what is wrong", async (form, field) => {
  using app = await withTenants();
  const { status, body } = await call(app, "POST", "create", form);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(`"${field}"`);
});

test("an address within the own network is for an Admin to allow, and another address to be allowed again", async () => {
  using app = await withTenants();
  app.db.$client.run("UPDATE staff SET branch_id = NULL WHERE id = 4");
  const local = { url: "http://127.0.0.1:9/hook", types: "*", allow_local: 1 };
  expect((await call(app, "POST", "create", local, callers.branch)).status).toBe(403);
  expect((await call(app, "POST", "create", local)).status).toBe(200);
  const moved = await call(app, "POST", "update/1", { url: "http://127.0.0.1:22/" }, callers.branch);
  expect(moved.body).toMatchObject({ webhook: { allow_local: 0 } });
  expect((await call(app, "POST", "update/1", { allow_local: 1 }, callers.branch)).status).toBe(403);
});

test("deliveries are listed with their state, and shown with each attempt", async () => {
  using app = await withTenants();
  insertWebhook(app);
  const listed = await call(app, "GET", "deliveries?webhook_id=1&state=waiting");
  expect(listed.body).toMatchObject([
    {
      id: 1,
      webhook_id: 1,
      type: "webhook.test",
      state: "waiting",
      attempts: 1,
      next_at: "2030-01-15 12:00:05",
    },
  ]);
  expect((await call(app, "GET", "deliveries?state=failed")).body).toEqual([]);
  expect((await call(app, "GET", "deliveries?state=lost")).status).toBe(400);
  const { body } = await call(app, "GET", "delivery/1");
  expect(body).toMatchObject({
    data: { webhook_id: 1 },
    tries: [{ at: "2030-01-15 12:00:00", milliseconds: 20, status: 500, error: null, answer: "no" }],
  });
});

test("one that is off sends nothing, by hand neither, and what waited is dropped", async () => {
  using app = await withTenants();
  insertWebhook(app);
  expect((await call(app, "POST", "enable/1", { enabled: 0 })).status).toBe(200);
  expect((await call(app, "GET", "delivery/1")).body).toMatchObject({ state: "cancelled", next_at: null });
  for (const path of ["replay/1", "test/1"]) {
    const { status, body } = await call(app, "POST", path, {});
    expect({ status, text: JSON.stringify(body) }).toEqual({
      status: 400,
      text: expect.stringContaining("switch it on first"),
    });
  }
  await call(app, "POST", "enable/1", { enabled: 1 });
  const again = await call(app, "POST", "replay/1", {});
  expect(again.body).toMatchObject({ delivery: { state: "waiting", attempts: 0, ended_at: null } });
});

test("what an endpoint missed while it was off is sent from a point on, and what happened is listed after an event", async () => {
  using app = await withTenants();
  const books = await call(app, "POST", "create", { url, types: "subscriber.updated,session.stopped" });
  expect(books.status).toBe(200);
  const renamed = async (name: string) => {
    const form = { username: "user1", name };
    const { status } = await app.call("POST", "/api/v1/subscriber/update", { basic: callers.admin, form });
    expect(status).toBe(200);
  };
  await renamed("Before");
  await call(app, "POST", "enable/1", { enabled: 0 });
  app.clock.now += 60;
  await renamed("Off");
  await app.call("POST", "/api/v1/payment/take", {
    basic: callers.admin,
    form: { user_id: 1, amount: 1, method: "cash" },
  });
  expect((await call(app, "POST", "resend/1", { from: "2030-01-15" })).status).toBe(400);
  await call(app, "POST", "enable/1", { enabled: 1 });
  expect((await call(app, "GET", "deliveries?state=waiting")).body).toEqual([]);
  const since = { from: "2030-01-15T12:00:30Z" };
  expect((await call(app, "POST", "resend/1", since)).body).toMatchObject({ sent: 1, is_all: true });
  expect((await call(app, "POST", "resend/1", { from: "2030-01-15" })).body).toMatchObject({ sent: 1 });
  expect((await call(app, "POST", "resend/1", { from: "2030-01-15" })).body).toMatchObject({ sent: 0 });
  const waiting = await call(app, "GET", "deliveries?type=subscriber.updated&from=2030-01-15T12:00:30Z");
  expect(waiting.body).toMatchObject([{ state: "waiting", attempts: 0 }]);

  const list = (query: string, basic = callers.admin) =>
    app.call("GET", `/api/v1/event/list?${query}`, { basic });
  const all = Object((await list("")).body);
  expect(
    all.events.map(({ type, data }: { type: string; data: { subscriber: { name: string } } }) => [
      type,
      data.subscriber.name,
    ]),
  ).toEqual([
    ["subscriber.updated", "Before"],
    ["subscriber.updated", "Off"],
    ["payment.received", "Off"],
  ]);
  const [first, second] = all.events;
  expect((await list(`after=${first.id}&limit=1`)).body).toEqual({
    events: [second],
    cursor: second.id,
    has_more: true,
  });
  expect((await list(`after=${all.cursor}`)).body).toEqual({
    events: [],
    cursor: all.cursor,
    has_more: false,
  });
  expect((await list("", callers.otherTenant)).body).toMatchObject({ events: [], cursor: all.cursor });
  app.db.$client.run("UPDATE role_permissions SET value = 0 WHERE flag = 'payment_view'");
  expect(Object((await list("", callers.branch)).body).events).toEqual(all.events.slice(0, 2));
  expect((await list("after=evt_gone")).refusal).toMatchObject({ code: "cursor_unknown", param: "after" });
});
