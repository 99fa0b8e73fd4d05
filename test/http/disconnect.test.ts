import { describe, expect, test } from "bun:test";
import type { RouterAnswer } from "../../src/domain/service/control/routers.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { noRouters } from "../support/routers.ts";
import { cli } from "../support/people.ts";
import { NOW } from "../support/store.ts";
import { callers, openSession, stateOf, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const DISCONNECT = "/api/v1/activation/disconnect";
const basic = callers.admin;

function routers(...answers: RouterAnswer[]) {
  const remaining = [...answers];
  const last = answers.at(-1) ?? { kind: "failed", reason: "never asked" };
  return { routers: { ...noRouters, disconnect: async () => remaining.shift() ?? last } };
}

const disconnect = (app: Tenants, form: Record<string, unknown>) =>
  app.call("POST", DISCONNECT, { basic, form });
const online = async (app: Tenants) => {
  const { body } = await app.call("GET", "/api/v1/subscriber/usage/1", { basic });
  return body instanceof Object && "online" in body ? body.online : undefined;
};

describe("disconnect", () => {
  test("acknowledged: 200, and offline in our books", async () => {
    using app = await withTenants(routers({ kind: "acknowledged" }));
    openSession(app, 1);
    const { status, body } = await disconnect(app, { user_id: 1 });
    expect(body).toEqual({ success: expect.stringMatching(/^Subscriber disconnected/) });
    expect([status, await online(app)]).toEqual([200, false]);
    expect(await disconnect(app, { user_id: 1 })).toMatchObject({
      body: { success: "The subscriber is already offline." },
    });
  });

  test("no open session: 200, already offline, and nobody is asked", async () => {
    using app = await withTenants(routers());
    const { status, body } = await disconnect(app, { user_id: 1, isp_id: 1 });
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: "The subscriber is already offline." },
    });
  });

  test("a router that knows no such session: 200, already offline, and so say our books", async () => {
    using app = await withTenants(routers({ kind: "gone" }));
    openSession(app, 1);
    expect((await disconnect(app, { user_id: 1 })).body).toEqual({
      success: "The subscriber is already offline.",
    });
    expect(await online(app)).toBe(false);
  });

  test("a router that fails: 502 with its reason, never a false success, and the session stays open", async () => {
    using app = await withTenants(routers({ kind: "failed", reason: "the router did not answer in 3 s" }));
    openSession(app, 1);
    const { status, body } = await disconnect(app, { user_id: 1 });
    expect({ status, body }).toEqual({ status: 502, body: { error: "the router did not answer in 3 s" } });
    expect(await online(app)).toBe(true);
  });

  test("one of two sessions fails: 502, the other one is closed", async () => {
    using app = await withTenants(routers({ kind: "acknowledged" }, { kind: "failed", reason: "busy" }));
    openSession(app, 1, "A");
    openSession(app, 1, "B");
    expect(await disconnect(app, { user_id: 1 })).toMatchObject({ status: 502, body: { error: "busy" } });
    expect(
      app.db.$client.query("SELECT acct_session_id FROM sessions WHERE stopped_at IS NULL ORDER BY id").all(),
    ).toEqual([{ acct_session_id: "B" }]);
  });

  test("a static address has no session: already offline", async () => {
    using app = await withTenants(routers());
    openSession(app, 1);
    app.db.$client.run("UPDATE subscribers SET connection_type_id = 5 WHERE id = 1");
    expect(await disconnect(app, { user_id: 1 })).toMatchObject({
      status: 200,
      body: { success: "The subscriber is already offline." },
    });
  });
});

describe("refusals, in this order", () => {
  const off = (app: Tenants) =>
    changeSetting(app.db, cli, { key: "disconnect_enabled", value: false }, { now: NOW });

  test.each([
    ["nothing", {}, ["is required"]],
    ["no id", { user_id: "user1" }, ["must be the whole number of an id, 1 or more"]],
  ])("parameters, %s: 422 even while it is switched off", async (_name, form, fault) => {
    using app = await withTenants(routers());
    off(app);
    const { status, body } = await disconnect(app, form);
    expect({ status, body }).toEqual({
      status: 422,
      body: { error: "check user_id", errors: { user_id: fault } },
    });
  });

  test("switched off in the settings: 422, for an unknown subscriber too, and nobody is asked", async () => {
    using app = await withTenants(routers());
    openSession(app, 1);
    off(app);
    const before = stateOf(app);
    for (const user_id of [1, 99])
      expect(await disconnect(app, { user_id })).toMatchObject({
        status: 422,
        body: { error: expect.stringContaining("switched off") },
      });
    expect(stateOf(app)).toEqual(before);
  });

  test("an unknown subscriber: 404", async () => {
    using app = await withTenants(routers());
    const { status, body } = await disconnect(app, { user_id: 99 });
    expect({ status, body }).toEqual({ status: 404, body: { error: "there is no subscriber 99" } });
  });
});
