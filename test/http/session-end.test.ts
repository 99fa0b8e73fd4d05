import { describe, expect, test } from "bun:test";
import type { RouterAnswer } from "../../src/domain/service/control/routers.ts";
import { noRouters } from "../support/routers.ts";
import { callers, openSession, stateOf, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const routers = (answer: RouterAnswer) => ({ routers: { ...noRouters, disconnect: async () => answer } });
const end = (app: Tenants, form: Record<string, unknown>, basic = callers.admin) =>
  app.call("POST", "/api/v1/session/end", { basic, form });
const open = (app: Tenants) =>
  app.db.$client
    .query("SELECT acct_session_id FROM sessions WHERE stopped_at IS NULL ORDER BY id")
    .values()
    .flat();

/** A session of a name that is no subscriber's, at a router of ISP 1. */
function openStranger(app: Tenants): void {
  openSession(app, 1, "X");
  app.db.$client.run("UPDATE sessions SET subscriber_id = NULL, username = 'x' WHERE acct_session_id = 'X'");
}

describe("session/end", () => {
  test("by subscriber, by id, or both: the router is asked", async () => {
    for (const [form, left] of [
      [{ user_id: 1 }, []],
      [{ session_id: "A" }, ["B"]],
      [{ user_id: 1, session_id: "B" }, ["A"]],
    ] as const) {
      using app = await withTenants(routers({ kind: "acknowledged" }));
      openSession(app, 1, "A");
      openSession(app, 1, "B");
      expect(await end(app, form)).toMatchObject({
        status: 200,
        body: { success: "Session ended: the router has acknowledged it." },
      });
      expect(open(app)).toEqual([...left]);
    }
  });

  test("what the router does not do stays open; books_only closes it, and says who did", async () => {
    using app = await withTenants(routers({ kind: "failed", reason: "the router did not answer in 3 s" }));
    openSession(app, 1, "A");
    expect(await end(app, { session_id: "A" })).toMatchObject({
      status: 502,
      body: { error: "the router did not answer in 3 s" },
    });
    expect(open(app)).toEqual(["A"]);
    expect(await end(app, { session_id: "A", books_only: 1 })).toMatchObject({
      status: 200,
      body: { success: "Session closed in the books; the router was not asked." },
    });
    expect(open(app)).toEqual([]);
    expect(
      app.db.$client.query("SELECT actor, isp_id FROM audit_entries WHERE action = 'session.close'").values(),
    ).toEqual([["ada", 1]]);
    expect((await end(app, { user_id: 1, books_only: 1 })).body).toEqual({
      success: "There is no such session any more.",
    });
  });

  test.each([
    [{}, 400, "say whose session, or which: user_id, session_id or both"],
    [{ books_only: 2, user_id: 1 }, 400, "check books_only"],
    [{ user_id: 99 }, 404, "there is no subscriber 99"],
    [{ user_id: 99, session_id: "A" }, 404, "there is no subscriber 99"],
    [{ session_id: "Z" }, 404, "there is no open session Z"],
  ])("%p is refused", async (form, status, message) => {
    using app = await withTenants(routers({ kind: "acknowledged" }));
    openSession(app, 1, "A");
    const before = stateOf(app);
    expect(await end(app, form)).toMatchObject({
      status,
      body: { error: expect.stringContaining(message) },
    });
    expect(stateOf(app)).toEqual(before);
  });

  test("one by its id in a list", async () => {
    using app = await withTenants(routers({ kind: "acknowledged" }));
    openSession(app, 1, "A");
    openSession(app, 1, "B");
    expect((await end(app, { id: 2 })).status).toBe(200);
    expect(open(app)).toEqual(["A"]);
    expect(await end(app, { id: 2 })).toMatchObject({ status: 404 });
    expect((await end(app, { user_id: 1, id: 99 })).status).toBe(404);
    expect(open(app)).toEqual(["A"]);
  });

  test("all of a router that the caller sees, when it is named once more", async () => {
    using app = await withTenants(routers({ kind: "acknowledged" }));
    for (const id of ["A", "B"]) openSession(app, 1, id);
    openSession(app, 2, "C");
    openStranger(app);
    expect(await end(app, { nas_id: 1, confirm: "cor" })).toMatchObject({
      status: 400,
      body: { errors: { confirm: ["must be the name of the router, core"] } },
    });
    expect(open(app)).toHaveLength(4);
    expect((await end(app, { nas_id: 1, confirm: "core" }, callers.reseller)).body).toEqual({
      success:
        "2 sessions ended, 0 were gone already, 0 failed, 0 were not asked for. 2 are not yours and were left.",
      ended: 2,
      gone: 0,
      failed: 0,
      reasons: [],
      not_asked: 0,
      outside: 2,
    });
    expect(open(app)).toEqual(["C", "X"]);
    expect((await end(app, { nas_id: 1, confirm: "core" })).body).toMatchObject({ ended: 2, outside: 0 });
    expect(open(app)).toEqual([]);
    expect((await end(app, { nas_id: 2, confirm: "south" })).status).toBe(404);
  });

  test("a router that does not answer is asked once", async () => {
    using app = await withTenants(
      routers({ kind: "failed", reason: "the router did not answer in 3 s", isSilent: true }),
    );
    for (const subscriber of [1, 2, 9]) openSession(app, subscriber, `S${subscriber}`);
    expect((await end(app, { nas_id: 1, confirm: "core" }, callers.operator)).body).toMatchObject({
      ended: 0,
      failed: 1,
      not_asked: 2,
      reasons: [{ reason: "the router did not answer in 3 s", sessions: 1 }],
    });
    expect(open(app)).toHaveLength(3);
  });

  test("a name that is no subscriber's is ended by whoever sees the whole ISP of its router", async () => {
    for (const caller of ["branch", "reseller", "otherTenant"] as const) {
      using app = await withTenants(routers({ kind: "acknowledged" }));
      openStranger(app);
      for (const books_only of [0, 1])
        expect((await end(app, { session_id: "X", books_only }, callers[caller])).status).toBe(404);
      expect(open(app)).toEqual(["X"]);
    }
    for (const caller of ["admin", "operator"] as const) {
      using app = await withTenants(routers({ kind: "acknowledged" }));
      openStranger(app);
      expect((await end(app, { session_id: "X" }, callers[caller])).status).toBe(200);
      expect(open(app)).toEqual([]);
    }
  });
});
