import { expect, test } from "bun:test";
import pino from "pino";
import { keepLinkState } from "../../../src/domain/machine/access-boxes/link-state.ts";
import type { OwnStanding } from "../../../src/domain/machine/access-boxes/own-standing.ts";
import { buildBoxApp } from "../../../src/http/box/app.tsx";
import { checkOwnBox } from "../../../src/domain/machine/check/access-boxes.ts";
import { formatNear } from "../../../src/domain/core/time/time.ts";
import { aBoxReport } from "../../support/access-boxes.ts";
import { NOW, undoneEmptyStores } from "../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const well: OwnStanding = {
  name: "tower-1",
  isCutOff: false,
  since: null,
  knownOf: NOW - 3,
  isComplete: true,
  unsigned: null,
  fault: null,
  beatAge: 3,
  ahead: 0,
  dropped: 0,
  report: aBoxReport(),
};
const cutOff: OwnStanding = {
  ...well,
  isCutOff: true,
  since: NOW - 7200,
  knownOf: NOW - 7260,
  beatAge: 7200,
  report: aBoxReport({ waiting: 12_000, waitingFor: 7200 }),
};

function appOf(own: OwnStanding, { isListening = true, metricsToken = null as string | null } = {}) {
  const store = temporaryStore();
  const app = buildBoxApp({
    db: store.db,
    clock: () => NOW,
    log: pino({ level: "silent" }),
    metricsToken,
    trustedProxies: [],
    standing: () => own,
    isListening: () => isListening,
    metrics: async () => "gatehouse_box_cut_off 0\n",
    served: () => {},
  });
  return {
    get: (path: string) => app.handle(new Request(`http://10.0.0.2:8080${path}`)),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

test("health: 200 with words while RADIUS listens, also cut off, from the first word of its books on", async () => {
  using app = appOf(well);
  const answer = await app.get("/healthz");
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      status: "ok",
      box: "tower-1",
      state: "hears its books, and logs in by what they say now",
      faults: [],
    },
  ]);
  using late = appOf({ ...well, ahead: 90 });
  expect(await (await late.get("/healthz")).json()).toMatchObject({
    faults: [expect.stringContaining("clock: it is 90 s behind")],
  });
  using alone = appOf(cutOff);
  const cut = await alone.get("/healthz");
  const [since, known] = [formatNear(NOW - 7200, NOW), formatNear(NOW - 7260, NOW)];
  expect([cut.status, await cut.json()]).toMatchObject([
    200,
    { state: `cut off since ${since}, logs in by what it knows of ${known}` },
  ]);
  using shut = appOf(well, { isListening: false });
  expect((await shut.get("/healthz")).status).toBe(503);
  // one that has never heard its books would refuse everybody
  using strange = appOf({ ...cutOff, knownOf: null, fault: "this machine does not trust the certificate" });
  const unheard = await strange.get("/healthz");
  expect([unheard.status, await unheard.json()]).toMatchObject([
    503,
    {
      status: "failing",
      state: "has not heard its books yet, so it knows nobody",
      faults: ["NATS: this machine does not trust the certificate"],
    },
  ]);
});

test("one page says how it is, and nothing else is there", async () => {
  using alone = appOf({
    ...cutOff,
    ahead: 90,
    report: { ...cutOff.report, disk: { free: 2e8, total: 1e11 } },
  });
  const page = await alone.get("/");
  const text = await page.text();
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(text).toContain("It is cut off, and logs in");
  expect(text).toContain("Nobody is offline for that");
  expect(text).toContain("12,000 reports");
  expect(text).toContain("it is 90 s behind that of the books");
  expect(text).toContain("200 MB are left");
  const [, style = ""] = /href="([^"]+\.css)"/.exec(text) ?? [];
  expect((await alone.get(style)).headers.get("content-type")).toContain("text/css");
  for (const path of [
    "/api/v1/users/login",
    "/console",
    "/portal",
    "/docs",
    "/openapi.json",
    "/healthz/detail",
  ])
    expect((await alone.get(path)).status, path).toBe(404);
});

test("metrics are for who has the token", async () => {
  using open = appOf(well, { metricsToken: "a-token-of-24-characters" });
  expect((await open.get("/metrics")).status).toBe(401);
});

test("its own check says what to do", () => {
  expect(checkOwnBox(well, NOW)).toEqual([
    {
      severity: "ok",
      subject: "books",
      message: "the access box tower-1: hears its books, and logs in by what they say now",
    },
  ]);
  const [link, ...faults] = checkOwnBox({ ...cutOff, ahead: -45 }, NOW);
  expect(link).toMatchObject({ severity: "warning", subject: "books" });
  expect(link?.message).toContain("GATEHOUSE_NATS_URL");
  expect(faults.map(({ subject }) => subject)).toEqual(["clock"]);
});

test("how the link stands is kept in one row", () => {
  using store = temporaryStore();
  keepLinkState(store.db, {
    at: NOW,
    isConnected: true,
    since: NOW,
    heardAt: NOW,
    ahead: 0,
    isComplete: true,
    unsigned: null,
    fault: null,
  });
  expect(store.db.$client.query("SELECT count(*) FROM access_state").values()).toEqual([[1]]);
});
