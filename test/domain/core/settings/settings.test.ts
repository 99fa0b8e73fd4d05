import { expect, test } from "bun:test";
import { isps } from "../../../../db/schema.ts";
import {
  changeSetting,
  listSettings,
  settingByName,
} from "../../../../src/domain/machine/settings/change.ts";
import {
  isSettingKey,
  readSettings,
  setting,
  settingDefinitions,
} from "../../../../src/domain/core/settings/settings.ts";
import { importDataSet } from "../../../../src/domain/machine/imports/data-set/import.ts";
import { loadIsp, newSubscriber } from "../../../support/isp.ts";
import { undoneEmptyStores } from "../../../support/store.ts";
import { by, NOW, Store } from "../../machine/imports/data-set/store.ts";

const temporaryStore = undoneEmptyStores();

const at = { now: NOW };

test("a setting has its default until it is changed", () => {
  using store = new Store();
  expect(setting(store.db, "acct_interim_interval")).toBe(300);
  changeSetting(store.db, by, { key: "acct_interim_interval", value: "60" }, at);
  expect(setting(store.db, "acct_interim_interval")).toBe(60);
  const listed = listSettings(store.db, by).find(({ key }) => key === "acct_interim_interval");
  expect(listed).toMatchObject({ value: 60, initially: 300 });
});

test("a change is in the audit trail with what it was before", () => {
  using store = new Store();
  changeSetting(store.db, by, { key: "disconnect_enabled", value: false }, at);
  expect(store.rows("SELECT action, entity_id, before, after, source FROM audit_entries")).toEqual([
    {
      action: "setting.change",
      entity_id: "disconnect_enabled",
      before: '{"disconnect_enabled":true}',
      after: '{"disconnect_enabled":false}',
      source: "cli",
    },
  ]);
});

test.each([
  ["acct_interim_interval", 0],
  ["acct_interim_interval", 1.5],
  ["stale_session_after", 0],
  ["max_coa_wait", 31],
  ["expired_session_timeout", "soon"],
  ["disconnect_enabled", 1],
  ["currency", "usd"],
])("%s does not take %j", (key, value) => {
  using store = new Store();
  const before = store.dump();
  expect(() => changeSetting(store.db, by, { key, value }, at)).toThrow(`${key} must be`);
  expect(store.dump()).toEqual(before);
});

test("acct_interim_interval takes 1 s", () => {
  using store = new Store();
  changeSetting(store.db, by, { key: "acct_interim_interval", value: 1 }, at);
  expect(setting(store.db, "acct_interim_interval")).toBe(1);
});

test("a key that there is not is not found", () => {
  using store = new Store();
  expect(() => changeSetting(store.db, by, { key: "toString", value: 1 }, at)).toThrow(
    "there is no setting toString",
  );
});

test("an ISP has its own name, colour, contact and currency; what it does not set is the appliance's", () => {
  using store = new Store();
  store.db
    .insert(isps)
    .values([
      { id: 1, name: "North" },
      { id: 2, name: "South" },
    ])
    .run();
  changeSetting(store.db, by, { key: "currency", value: "EUR" }, at);
  changeSetting(store.db, by, { key: "currency", value: "PLN", ispId: 2 }, at);
  expect([0, 1, 2].map((ispId) => setting(store.db, "currency", ispId))).toEqual(["EUR", "EUR", "PLN"]);
  changeSetting(store.db, by, { key: "portal_name", value: "Southlink", ispId: 2 }, at);
  changeSetting(store.db, by, { key: "portal_name", value: "", ispId: 2 }, at);
  expect(setting(store.db, "portal_name", 2)).toBe("");
});

test("the currency of an ISP is fixed once something is booked for it, and the appliance's while one has no other", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { subscribers: [newSubscriber(1)] });
  const set = (value: string, ispId?: number) => changeSetting(db, by, { key: "currency", value, ispId }, at);
  const fixed = "currency stays USD: the books of Northlink are kept in it";
  expect(() => set("EUR", 1)).toThrow(fixed);
  expect(() => set("EUR")).toThrow(fixed);
  await expect(importDataSet(db, by, { settings: { currency: "EUR" } }, at)).rejects.toMatchObject({
    fields: { "/settings/currency": [expect.stringContaining("stays USD: the books of Northlink")] },
  });
  set("EUR", 2);
  set("USD", 1);
  set("PLN");
  expect([1, 2].map((ispId) => setting(db, "currency", ispId))).toEqual(["USD", "EUR"]);
});

test("an ISP that there is not has no settings, and no ISP those of the appliance", () => {
  using store = new Store();
  expect(() => changeSetting(store.db, by, { key: "currency", value: "EUR", ispId: 7 }, at)).toThrow(
    "there is no ISP 7; add one first: gatehouse place add isp NAME",
  );
  expect(() => settingByName(store.db, by, { key: "currency", ispId: 7 })).toThrow("there is no ISP 7");
  store.db.insert(isps).values({ id: 3, name: "North" }).run();
  expect(() => settingByName(store.db, by, { key: "currency", ispId: 7 })).toThrow(
    "there is no ISP 7; there are 3 (North)",
  );
  expect(() => changeSetting(store.db, by, { key: "max_coa_wait", value: 5, ispId: 1 }, at)).toThrow(
    "max_coa_wait is a setting of the whole appliance",
  );
});

test.each([
  ["portal_color", "blue"],
  ["portal_logo", "logo.png"],
  ["portal_logo", "/etc/passwd"],
  ["portal_name", "two\nlines"],
])("%s does not take %j", (key, value) => {
  using store = new Store();
  expect(() => changeSetting(store.db, by, { key, value }, at)).toThrow(`${key} must be`);
});

test("several at once are each as it is alone: an ISP's own, else the appliance's, else the default, also where a row is no value", () => {
  using store = new Store();
  store.db.$client.run("DELETE FROM settings");
  store.db.$client
    .run(`INSERT INTO settings (isp_id, key, value) VALUES (0, 'currency', '"EUR"'), (1, 'currency', '"GBP"'),
    (0, 'portal_name', '"All"'), (0, 'portal_color', '"#0f6e84"'), (1, 'portal_color', 'none'), (1, 'portal_phone', '"1"')`);
  const keys = Object.keys(settingDefinitions).filter(isSettingKey);
  for (const ispId of [0, 1, 2])
    expect(readSettings(store.db, keys, ispId)).toEqual(
      Object.fromEntries(keys.map((key) => [key, setting(store.db, key, ispId)])) as object as ReturnType<
        typeof readSettings<(typeof keys)[number]>
      >,
    );
  expect(readSettings(store.db, ["currency", "portal_color"], 1)).toMatchObject({ currency: "GBP" });
});
