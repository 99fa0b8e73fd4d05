import { expect, test } from "bun:test";
import { addMessages } from "../support/messages.ts";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const MESSAGE = "/api/v1/message";
const letter = { user_id: 1, channel_id: 2, subject: "Hi", body: "Hello {{name}}" };

async function scene(): Promise<Tenants> {
  const app = await withTenants();
  addMessages(app.db, app.clock.now);
  return app;
}
const send = (app: Tenants, json: object, key?: string, basic: string = callers.admin) =>
  app.call("POST", `${MESSAGE}/send`, { basic, json, ...(key && { headers: { "idempotency-key": key } }) });
const count = ({ db }: Tenants) =>
  db.$client.query("SELECT count(*) AS n FROM messages WHERE written_by IS NOT NULL").get();

test("a program sees what there is to choose, the message as it would be, and writes it once for its key", async () => {
  using app = await scene();
  const choices = await app.call("GET", `${MESSAGE}/choices`, { basic: callers.reseller });
  expect(choices.body).toEqual({
    channels: [
      { id: 1, name: "Gateway", address: "mobile", is_sms: 1, per_minute: 60, is_down: 0 },
      { id: 2, name: "Mail", address: "email", is_sms: 0, per_minute: 60, is_down: 0 },
    ],
    templates: ["thanks", "unused"],
  });
  const seen = await app.call("POST", `${MESSAGE}/preview`, { basic: callers.reseller, json: letter });
  expect(seen.body).toEqual({
    to: "one@x.example",
    language: "en",
    subject: "Hi",
    body: "Hello User 1",
    characters: 12,
    sms_parts: 1,
    unwanted: null,
  });
  const first = await send(app, letter, "k1", callers.reseller);
  expect(first).toMatchObject({
    status: 200,
    body: {
      success: "It is in the outbox.",
      id: 2,
      channel: "Mail",
      per_minute: 60,
      ahead: 0,
      is_down: 0,
    },
  });
  app.clock.now += 60;
  expect(await send(app, letter, "k1", callers.reseller)).toMatchObject({ status: 200, body: first.body });
  expect((await send(app, { ...letter, body: "Other" }, "k1", callers.reseller)).status).toBe(409);
  expect(count(app)).toEqual({ n: 1 });
  const { body } = await app.call("GET", `${MESSAGE}/get/2`, { basic: callers.admin });
  expect(body).toMatchObject({
    rule_id: null,
    template: "",
    state: "waiting",
    writer: "Rex",
    body: "Hello {{name}}",
  });
});

test("what is refused names every field, or why the person does not get it", async () => {
  using app = await scene();
  expect(await send(app, { channel_id: 2, send_at: "2020-01-01 00:00:00" })).toMatchObject({
    status: 400,
    body: { errors: { user_id: ["is required"] } },
  });
  expect(await send(app, { ...letter, body: "{{number}}", send_at: "2020-01-01 00:00:00" })).toMatchObject({
    status: 400,
    body: { errors: { body: [expect.anything()], send_at: [expect.anything()] } },
  });
  app.db.$client.run("UPDATE subscribers SET messages_off = 1 WHERE id = 1");
  expect(await send(app, letter)).toMatchObject({
    status: 400,
    body: { error: "the subscriber does not want messages" },
  });
  expect((await send(app, { ...letter, anyway: 1 })).status).toBe(200);
  expect(count(app)).toEqual({ n: 1 });
});

test("many are written to by the bulk operation", async () => {
  using app = await scene();
  const start = (more: object) =>
    app.call("POST", "/api/v1/bulk/start", {
      basic: callers.admin,
      json: { operation: "message", ids: [1, 2], channel_id: 2, ...more },
      headers: { "idempotency-key": JSON.stringify(more) },
    });
  expect((await start({ body: "Hello" })).status).toBe(200);
  expect(await start({})).toMatchObject({
    status: 400,
    body: { errors: { body: ["is required, or a template"] } },
  });
  expect((await start({ body: "Hello", anyway: 1 })).status).toBe(400);
});
