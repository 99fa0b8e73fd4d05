import { verbatim } from "../../../../src/domain/core/errors/phrase.ts";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { Arrivals } from "../../../../src/domain/goods/nas/arrivals.ts";
import { proveSetup } from "../../../../src/domain/goods/router-setup/prove.ts";
import { by } from "../../../support/isp.ts";
import { noNasTools } from "../../../support/routers.ts";
import { openSession, type Tenants, undoneTenants } from "../../../support/tenants.ts";

const withTenants = undoneTenants();

let app: Tenants;
beforeEach(async () => {
  app = await withTenants();
});
afterEach(() => app[Symbol.dispose]());

/** What the proof says of packets, where the router was set up so many seconds after its last one. */
async function seenAfter(seconds: number, isChanged: boolean) {
  const step = { check: "login", status: "skipped", detail: verbatim(""), remedy: null } as const;
  const since = app.clock.now + seconds;
  const steps = await proveSetup(
    app.db,
    by,
    { nasId: 1, login: { step, isTried: false }, since, isChanged },
    { clock: () => since, arrivals: new Arrivals(), ask: noNasTools.ask, pause: async () => {} },
  );
  const heard = steps.find(({ check }) => check === "heard");
  return { status: heard?.status, detail: heard?.detail.toString() };
}

test("a packet of before proves a router that was left as it was, and none that was changed", async () => {
  expect(await seenAfter(60, true)).toMatchObject({
    status: "skipped",
    detail: "nothing has come from it yet; it speaks when somebody dials in",
  });
  openSession(app, 1);
  expect(await seenAfter(60, true)).toMatchObject({
    status: "skipped",
    detail: "the last packet came at 2030-01-15 12:00:00, before it was set up; the next one proves it",
  });
  expect(await seenAfter(60, false)).toMatchObject({ status: "ok" });
  expect(await seenAfter(0, true)).toMatchObject({
    status: "ok",
    detail: "a packet came from it at 2030-01-15 12:00:00",
  });
});
