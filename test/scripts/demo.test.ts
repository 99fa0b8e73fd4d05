import { expect, test } from "bun:test";
import { join } from "node:path";
import { checkStore } from "../../src/domain/machine/check/check.ts";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { planMessages } from "../../src/domain/around/messages/plan.ts";
import { onlineCurve } from "../../src/domain/around/today/lines.ts";
import { by } from "../support/isp.ts";
import { temporaryStore } from "../support/store.ts";

const scripts = join(import.meta.dir, "../../scripts");

test("the demo ISP with its history: the books are clean, and every plot has something to show", async () => {
  using store = temporaryStore();
  const now = Math.floor(Date.now() / 1000);
  const demo = Bun.spawnSync([process.execPath, join(scripts, "demo-isp.ts"), "300"]).stdout.toString();
  await importDataSet(store.db, by, JSON.parse(demo), { now });
  const history = Bun.spawnSync([process.execPath, join(scripts, "demo-history.ts"), store.folder]);
  expect(history.stderr.toString()).toBe("");
  const found = checkStore(store.db, by, { now: now + 60 }).filter(({ severity }) => severity !== "ok");
  // two of the payments that arrived wait for somebody, so that their page has something to show
  expect(found.map(({ subject, message }) => [subject, message.slice(0, 10)])).toEqual([
    ["payments", "2 payments"],
  ]);
  const count = (from: string) => store.db.$client.query(`SELECT count(*) FROM ${from}`).values()[0]?.[0];
  await planMessages(store.db, by, { now: now + 60 });
  expect(count("messages WHERE state = 'skipped'")).toBe(0);
  // one row for each login of a card
  expect(count("auth_log WHERE username GLOB 'C-[0-9]*' AND card_id IS NULL")).toBe(0);
  for (const span of ["day", "month"] as const) {
    const { routers } = onlineCurve(store.db, by, { span }, { now });
    expect(routers).toHaveLength(4);
    expect(routers.every(({ values }) => !values.includes(null))).toBe(true);
  }
});
