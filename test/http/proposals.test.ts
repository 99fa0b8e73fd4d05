import { afterEach, beforeEach, expect, test } from "bun:test";
import { pino } from "pino";
import { hashFigures } from "../../src/domain/around/proposals/effect.ts";
import { proposalById } from "../../src/domain/around/proposals/proposals.ts";
import { DomainError } from "../../src/domain/core/errors/errors.ts";
import { operator } from "../../src/domain/core/actor/operator.ts";
import { Arrivals } from "../../src/domain/goods/nas/arrivals.ts";
import { revokeKey } from "../../src/domain/people/api-keys/api-keys.ts";
import { loadActor } from "../../src/domain/people/staff/sign-in.ts";
import { Assistant } from "../../src/http/assistants/assistant.ts";
import { effectNow, press, tryCall } from "../../src/http/assistants/proposed.ts";
import { isAskedFor } from "../../src/http/assistants/tools.ts";
import { CardGuesses } from "../../src/http/card-guesses.ts";
import { managedOperations } from "../../src/http/routes/managed.ts";
import { formToken } from "../../src/http/pages/cookies.ts";
import { listen, type Listener } from "../../src/http/server.ts";
import { type Answer, type Arguments, AssistantClient } from "../support/assistants.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { addMessages } from "../support/messages.ts";
import { argumentsBy, world } from "../support/route-calls.ts";
import { noNasTools, noRouters } from "../support/routers.ts";
import { undone } from "../support/store.ts";
import { callers, insertKey, type Tenants, withTenants } from "../support/tenants.ts";

/* What an assistant asks for is done by a person who presses it, once, and by nobody else. */

let app: Tenants;
let listener: Listener;
let assistant: AssistantClient;
beforeEach(async () => {
  app = await withTenants();
  listener = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  assistant = await AssistantClient.at(listener.address, insertKey(app, { branch_id: 0, name: "desk" }));
});
afterEach(async () => {
  await assistant[Symbol.asyncDispose]();
  await listener.stop(1);
  app[Symbol.dispose]();
});

const payment = { user_id: 1, amount: 25.5, method: "cash" };
const asked = (call: string, sent: Arguments) => assistant.ask("call", { call, arguments: sent });
const count = (table: string) =>
  app.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
const balance = () =>
  app.db.$client
    .query<{ sum: number }, []>("SELECT sum(amount) AS sum FROM ledger_entries WHERE subscriber_id = 1")
    .get()?.sum;

/** Somebody at the console. */
async function at(account: string = callers.admin) {
  const cookie = await consoleSessionOf(app, account);
  const token = formToken(app.db.vault, cookie.slice(cookie.indexOf("=") + 1));
  const handle = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie, "content-type": "application/x-www-form-urlencoded" };
    const answer = await app.app.handle(new Request(`http://localhost/console${path}`, { headers, ...init }));
    return { status: answer.status, text: await answer.text() };
  };
  const see = (path: string) => handle(path);
  const send = (path: string) =>
    handle(path, { method: "POST", body: new URLSearchParams({ form_token: token }) });
  return {
    see,
    send,
    /** Presses what the page shows. */
    press: async (id: unknown) => {
      const { text } = await see(`/asked/${id}`);
      const action = /action="\/console(\/asked\/\d+\?seen=[^"]+)"/.exec(text)?.[1];
      return send(action ?? `/asked/${id}`);
    },
  };
}

const idOf = (answer: Answer) => answer["id"];

test("a payment is shown with what it would change, waits, and is taken when somebody presses", async () => {
  const before = [balance(), count("payments"), count("audit_entries")];
  const answer = await asked("takePayment", payment);
  expect(answer).toMatchObject({
    nothing_is_done_yet: expect.any(String),
    state: "waits",
    until: "2030-01-15 12:15:00",
    would_change: [{ action: "«payment.take»" }],
    money: [{ wallet: "«User 1»", before: 100, after: 125.5 }],
  });
  expect([balance(), count("payments"), count("audit_entries")]).toEqual(before);

  const desk = await at();
  expect((await desk.see("")).text).toContain('href="/console/asked"');
  expect((await desk.see("/asked")).text).toContain(`/console/asked/${idOf(answer)}`);
  const { text } = await desk.see(`/asked/${idOf(answer)}`);
  for (const shown of ["Asked by desk", "User 1", "100.00", "125.50"]) expect(text).toContain(shown);
  expect((await desk.press(idOf(answer))).status).toBe(303);
  expect(balance()).toBe(12_550);
  expect(await assistant.ask("asked")).toMatchObject({
    rows: [{ id: idOf(answer), call: "takePayment", state: "done", by: "«Ada»" }],
  });
  expect((await desk.see("")).text).not.toContain('href="/console/asked"');
  const entries = app.db.$client
    .query("SELECT actor, action, entity, after FROM audit_entries ORDER BY id DESC LIMIT 2")
    .all();
  expect(entries).toMatchObject([
    { actor: "ada", action: "payment.take" },
    {
      actor: "ada",
      action: "proposal.press",
      entity: "api_key",
      after: expect.stringContaining("takePayment"),
    },
  ]);
  expect((await desk.see("/trail")).text).toContain("Did what the assistant");
});

test("it is pressed once, within a quarter of an hour, and not without having been looked at", async () => {
  const desk = await at();
  const first = idOf(await asked("takePayment", payment));
  expect((await desk.send(`/asked/${first}`)).status).toBe(422);
  expect(balance()).toBe(10_000);
  const page = (await desk.see(`/asked/${first}`)).text;
  const action = pressOf(page);
  await Promise.all([desk.send(action), desk.send(action)]);
  await desk.send(action);
  expect((await desk.see(`/asked/${first}`)).text).toContain("It was done already");
  await desk.press(first);
  expect(balance()).toBe(12_550);
  const second = idOf(await asked("takePayment", payment));
  app.clock.now += 900;
  expect((await desk.press(second)).text).toContain("Its time is over");
  expect(balance()).toBe(12_550);
  expect(await assistant.ask("asked")).toMatchObject({ rows: [{ state: "ended" }, { state: "done" }] });
});

test("a figure that has changed is shown again before anything is done", async () => {
  const desk = await at();
  const id = idOf(await asked("takePayment", payment));
  const { text } = await desk.see(`/asked/${id}`);
  const action = pressOf(text);
  await app.call("POST", "/api/v1/payment/take", { basic: callers.admin, form: { ...payment, amount: 1 } });
  const again = await desk.send(action);
  expect([again.status, again.text.includes("126.50"), balance()]).toEqual([422, true, 10_100]);
  expect((await desk.press(id)).status).toBe(303);
  expect(balance()).toBe(12_650);
});

/** What the page of a request leads to. */
const pressOf = (text: string) => /action="\/console(\/asked\/\d+\?seen=[^"]+)"/.exec(text)?.[1] ?? "";

test("what it leads to is shown again too, where it changed without any wallet", async () => {
  const desk = await at();
  const form = { kind: "access", package_id: 1, price: 1, isp_id: 1 };
  const batch = async (quantity: number) =>
    (
      await app.call("POST", "/api/v1/card_batch/create", {
        basic: callers.admin,
        form: { ...form, quantity },
      })
    ).body;
  const { id } = Object(Object(await batch(3)).batch);
  const request = idOf(await asked("voidCardBatch", { id, reason: "lost" }));
  const action = pressOf((await desk.see(`/asked/${request}`)).text);
  app.db.$client.run("UPDATE cards SET state = 'void', voided_at = 1 WHERE batch_id = ? AND serial = 1", [
    id,
  ]);
  expect((await desk.send(action)).status).toBe(422);
  expect(app.db.$client.query("SELECT count(*) AS n FROM cards WHERE state = 'void'").get()).toEqual({
    n: 1,
  });
  expect((await desk.press(request)).status).toBe(303);
});

test("a look makes a few cards of ten thousand, and a press makes them once", async () => {
  const desk = await at();
  const written = () => app.db.$client.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n ?? 0;
  const since = async (work: () => Promise<unknown>) => {
    const before = written();
    await work();
    return written() - before;
  };
  const sent = { kind: "access", package_id: 1, quantity: 10_000, price: 1 };
  let id: unknown;
  expect(await since(async () => (id = idOf(await asked("createCardBatch", sent))))).toBeLessThan(200);
  let action = "";
  expect(await since(async () => (action = pressOf((await desk.see(`/asked/${id}`)).text)))).toBeLessThan(
    200,
  );
  const pressed = await since(() => desk.send(action));
  expect(count("cards")).toBe(10_000);
  expect(pressed).toBeLessThan(2 * 10_000);
});

test("who may not do it presses nothing, and sees none of it of another ISP", async () => {
  const id = idOf(await asked("takePayment", payment));
  const idle = await at(callers.noFlag);
  expect((await idle.see("")).text).not.toContain('href="/console/asked"');
  await idle.press(id);
  const other = await at(callers.otherTenant);
  expect((await other.see(`/asked/${id}`)).status).toBe(404);
  expect((await other.press(id)).status).toBe(404);
  expect(balance()).toBe(10_000);
});

test("a message is shown with its text, which the audit log does not have", async () => {
  const text = "Pay at <b>evil.example</b> today";
  addMessages(app.db, app.clock.now);
  const sent = { user_id: 1, channel_id: 2, subject: "A", body: text };
  const desk = await at();
  const answer = await asked("sendMessage", sent);
  expect(answer).toMatchObject({ state: "waits" });
  expect((await desk.see(`/asked/${idOf(answer)}`)).text).toContain(
    "Pay at &lt;b&gt;evil.example&lt;/b&gt; today",
  );
});

test("what a key asked for ends with it", async () => {
  const id = idOf(await asked("takePayment", payment));
  const desk = await at();
  const page = (await desk.see(`/asked/${id}`)).text;
  const action = pressOf(page);
  const key = app.db.$client.query<{ id: number }, []>("SELECT id FROM staff WHERE is_key = 1").get();
  revokeKey(app.db, operator("test", "cli"), { id: key?.id ?? 0 }, { now: app.clock.now });
  expect((await desk.see("")).text).not.toContain('href="/console/asked"');
  const pressed = await desk.send(action);
  expect([pressed.status, pressed.text.includes("Its key was revoked"), balance()]).toEqual([
    422,
    true,
    10_000,
  ]);
});

test("what the key may not do, what is refused, and what is for people alone is not even asked", async () => {
  await using reader = await AssistantClient.at(
    listener.address,
    insertKey(app, { branch_id: 0, name: "reader", flags: "api_access, subscriber_view" }),
  );
  const call = (name: string, sent: Arguments) => ({ call: name, arguments: sent });
  expect(await reader.ask("call", call("takePayment", payment))).toMatchObject({
    code: "permission_missing",
  });
  expect(await asked("takePayment", { ...payment, amount: -1 })).toMatchObject({ code: "invalid" });
  expect(await asked("takePayment", { ...payment, user_id: 9 })).toMatchObject({ code: "not_found" });
  expect(await asked("updateSubscriber", { username: "user1", password: "mine" })).toMatchObject({
    code: "invalid",
  });
  for (const [name, sent] of [
    ["createApiKey", { name: "mine", role_code: 1 }],
    ["rotateWebhookSecret", { id: 1 }],
    ["reprintCard", { id: 1 }],
    ["listPaymentSources", {}],
    ["updatePermissions", { role_code: 1 }],
    ["resetPassword", { user_id: 1, new_password: "x" }],
    ["disconnect", { user_id: 1 }],
  ] as const)
    expect(await asked(name, sent)).toMatchObject({ refused: "«people alone do that, in the console»" });
  expect(count("proposals")).toBe(0);
});

test("whatever may be asked for does what was shown, to the entry of the audit log and to the cent", async () => {
  using other = await world();
  const at = await pressing(other);
  const done: string[] = [];
  for (const { method, path, hook } of managedOperations.filter(isAskedFor))
    await undone(other.db, async () => {
      const { operationId } = hook.detail;
      const sent = await argumentsBy(other, `${method} ${path}`);
      const shown = await at.assistant.answer("call", { call: operationId, arguments: sent });
      // who presses has done it, where the key has asked
      const text = shown.text
        .replaceAll(/«([^»]*)»/g, "$1")
        .replaceAll('"added_by":51', '"added_by":1')
        .replaceAll('"wallet":"desk"', '"wallet":"Ada"');
      const preview = JSON.parse(text) as Answer;
      if (preview.refused !== undefined) return;
      const since = newest(other.db);
      await at.press(preview["id"]);
      const [pressed, ...entries] = entriesSince(other.db, since);
      expect(pressed).toMatchObject({ action: "proposal.press" });
      expect([operationId, entries]).toEqual([operationId, preview["would_change"] as never]);
      expect(walletsSince(other.db, since)).toEqual(preview["money"] as never);
      done.push(operationId);
    });
  expect(done).toEqual(
    expect.arrayContaining(["activate", "takePayment", "refundPayment", "voidInvoice", "disableSubscriber"]),
  );
  expect(done.length).toBeGreaterThan(40);
}, 60_000);

test("whatever may be asked for is the same to look at minutes later, after others were at work", async () => {
  using other = await world();
  const ada = loadActor(other.db, 1, "192.0.2.2");
  if (!ada) throw new Error("who acts is not there");
  const needs = needsOf(other);
  const changed: string[] = [];
  for (const call of managedOperations.filter(isAskedFor))
    await undone(other.db, async () => {
      const sent = await argumentsBy(other, `${call.method} ${call.path}`);
      const look = () => hashFigures(tryCall(needs, call, { staff: ada, sent }));
      let first = "";
      try {
        first = look();
      } catch (error) {
        if (error instanceof DomainError) return;
        throw error;
      }
      other.db.$client.run("UPDATE sqlite_sequence SET seq = seq + 7");
      other.db.$client.run("UPDATE counters SET last = last + 7");
      other.clock.now += 601;
      if (look() !== first) changed.push(call.path);
      other.clock.now -= 601;
    });
  expect(changed).toEqual([]);
}, 60_000);

test("a renewal shows its debit and what it begins from; no more than twenty wait", async () => {
  expect(await asked("activate", { user_id: 1, package_id: 1 })).toMatchObject({
    money: [{ wallet: "«User 1»", before: 100, after: 85 }],
  });
  for (let nth = 1; nth < 20; nth++) await asked("setNote", { user_id: 1, note: `note ${nth}` });
  expect(await asked("setNote", { user_id: 1, note: "one more" })).toMatchObject({ code: "rate_limited" });
  expect(count("proposals")).toBe(20);
});

interface Newest {
  readonly entry: number;
  readonly posting: number;
}

const newest = ({ $client }: Tenants["db"]): Newest =>
  $client
    .query<Newest, []>(
      "SELECT (SELECT max(id) FROM audit_entries) AS entry, (SELECT max(id) FROM ledger_entries) AS posting",
    )
    .get() ?? { entry: 0, posting: 0 };

function entriesSince({ $client }: Tenants["db"], { entry }: Newest): object[] {
  const parsed = (json: string | null) => (json === null ? {} : (JSON.parse(json) as object));
  const compact = (value: object) =>
    JSON.parse(JSON.stringify(value, (_, one) => one ?? undefined)) as object;
  return $client
    .query<{ action: string; id: string; before: string | null; after: string | null }, [number]>(
      "SELECT action, entity_id AS id, before, after FROM audit_entries e WHERE e.id > ? ORDER BY e.id",
    )
    .all(entry)
    .map(({ action, id, before, after }) =>
      compact({
        action,
        id,
        ...(before !== null && { before: parsed(before) }),
        ...(after !== null && { after: parsed(after) }),
      }),
    );
}

const walletsSince = ({ $client }: Tenants["db"], { posting }: Newest): object[] =>
  $client
    .query<{ wallet: string; before: number; after: number }, [number]>(
      `SELECT coalesce(s.name, a.name) AS wallet, (sum(balance_after) FILTER (WHERE l.id = o.last) - o.moved) / 100.0 AS before,
         sum(balance_after) FILTER (WHERE l.id = o.last) / 100.0 AS after
       FROM ledger_entries l JOIN (SELECT subscriber_id AS s, staff_id AS a, min(id) AS first, max(id) AS last, sum(amount) AS moved
           FROM ledger_entries WHERE id > ? GROUP BY 1, 2) o ON l.id = o.last
       LEFT JOIN subscribers s ON s.id = l.subscriber_id LEFT JOIN staff a ON a.id = l.staff_id GROUP BY l.id ORDER BY o.first`,
    )
    .all(posting);

const needsOf = (other: Tenants) => ({
  db: other.db,
  clock: () => other.clock.now,
  routers: noRouters,
  nasTools: noNasTools,
  arrivals: new Arrivals(),
  guesses: new CardGuesses(pino({ enabled: false }), () => {}),
  renewed: () => {},
  failed: (error: unknown) => {
    throw error;
  },
});

/** An assistant of the whole ISP and an Admin, without a network between. */
async function pressing(other: Tenants) {
  insertKey(other, { branch_id: 0, name: "desk" });
  const key = loadActor(other.db, 51, "192.0.2.1");
  const ada = loadActor(other.db, 1, "192.0.2.2");
  if (!key || !ada) throw new Error("who acts is not there");
  const needs = needsOf(other);
  return {
    assistant: new Assistant(needs, () => key),
    press: async (id: unknown) => {
      const proposal = proposalById(other.db, ada.scope, { id: Number(id) });
      await press(needs, ada, { proposal, seen: hashFigures(effectNow(needs, ada, proposal)) });
    },
  };
}
