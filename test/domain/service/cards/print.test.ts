import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createCardBatch } from "../../../../src/domain/service/cards/batches.ts";
import { cardQr, type Hotspot, readHotspot, wifiQr } from "../../../../src/domain/service/cards/printed.ts";
import { printCards, reprintCard } from "../../../../src/domain/service/cards/print.ts";
import { cardsOn, mostAtOnce, sheets } from "../../../../src/domain/service/cards/sheets.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import type { Input } from "../../../../src/domain/core/fields/fields.ts";
import { cli } from "../../../support/people.ts";
import { type Tenants, withTenants } from "../../../support/tenants.ts";

let app: Tenants;
beforeEach(async () => {
  app = await withTenants();
});
afterEach(() => app[Symbol.dispose]());

const make = (input: Input = {}) => {
  const hour = { isp_id: 1, kind: "access", package_id: 1, quantity: 5, price: "1.00" };
  const all = { ...hour, duration: 1, duration_unit: "hour", ...input };
  return createCardBatch(app.db, cli, all, app.clock).batch;
};
const auditLog = () =>
  app.db.$client
    .query<{ action: string; entity: string; after: string }, []>(
      "SELECT action, entity_id AS entity, after FROM audit_entries WHERE action IN ('card_batch.print', 'card.reprint', 'setting.change') ORDER BY id",
    )
    .all();
const makeVoid = (id: number) => app.db.$client.run(`UPDATE cards SET state = 'void' WHERE id = ${id}`);

describe("printing", () => {
  test("opens the codes of a range but for void cards, and the trail says which, without a code", () => {
    const { id } = make();
    makeVoid(3);
    const { cards, leftOut } = printCards(app.db, cli, { batchId: id, from: 2, to: 4 }, app.clock);
    expect(cards.map(({ number, serial }) => [number, serial])).toEqual([
      ["C-000002", 2],
      ["C-000004", 4],
    ]);
    expect(leftOut).toBe(1);
    expect(new Set(cards.map(({ code }) => code)).size).toBe(2);
    expect(auditLog()).toEqual([
      { action: "card_batch.print", entity: "1", after: '{"from":2,"to":4,"cards":2,"on":"sheet"}' },
    ]);
    for (const { code } of cards) expect(JSON.stringify(auditLog())).not.toContain(code);
  });

  test.each([
    [0, 1],
    [6, 6],
    [3, 2],
    [1, 6],
    [Number.NaN, 2],
    [1, 1.5],
  ])("of %p to %p of five is refused, and nothing is written", (from, to) => {
    const { id } = make();
    expect(() => printCards(app.db, cli, { batchId: id, from, to }, app.clock)).toThrow("check");
    expect(auditLog()).toEqual([]);
  });

  test("one card again is in the trail, and a void one is refused with what to do", () => {
    make();
    const { card } = reprintCard(app.db, cli, { id: 2 }, app.clock);
    expect(card.code).toMatch(/^[2-9A-HJKMNP-Z]{7,}$/);
    expect(auditLog()).toEqual([
      { action: "card.reprint", entity: "2", after: '{"number":"C-000002","paper":"0001-002"}' },
    ]);
    makeVoid(2);
    expect(() => reprintCard(app.db, cli, { id: 2 }, app.clock)).toThrow("print another one of batch 0001");
    expect(() => reprintCard(app.db, cli, { id: 99 }, app.clock)).toThrow("there is no card C-000099");
  });

  test("ten thousand codes are opened in less than two seconds of the processor", () => {
    const { id } = make({ quantity: 10_000 });
    const before = process.cpuUsage();
    const { cards } = printCards(app.db, cli, { batchId: id, from: 1, to: 10_000 }, app.clock);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(2_000_000);
    expect(new Set(cards.map(({ code }) => code)).size).toBe(10_000);
  });

  test("in one go are whole sheets, 480 cards at the most", () => {
    for (const sheet of sheets) {
      expect(mostAtOnce(sheet) % cardsOn(sheet)).toBe(0);
      expect(mostAtOnce(sheet)).toBeLessThanOrEqual(480);
      expect(mostAtOnce(sheet)).toBeGreaterThan(450);
    }
  });
});

describe("what a QR says", () => {
  const hotspot: Hotspot = {
    address: "login.hotspot",
    isHttps: false,
    wifiName: "Harbour",
    wifiPassword: "",
    portalUrl: "",
  };

  test("logs in at the router of an access card, by https where that is set; without an address there is none", () => {
    const url = "http://login.hotspot/login?username=F3QH5UWT&password=F3QH5UWT";
    expect(cardQr(hotspot, "access", "F3QH5UWT")).toBe(url);
    expect(cardQr({ ...hotspot, isHttps: true }, "access", "F3QH5UWT")).toBe(url.replace("http:", "https:"));
    expect(cardQr({ ...hotspot, address: "" }, "access", "F3QH5UWT")).toBeNull();
  });

  test("leads to the portal without the code of a card that is redeemed there", () => {
    const portalUrl = "https://my.isp.example/portal";
    for (const kind of ["refill", "package"] as const) {
      expect(cardQr({ ...hotspot, portalUrl }, kind, "F3QH5UWT")).toBe(portalUrl);
      expect(cardQr(hotspot, kind, "F3QH5UWT")).toBeNull();
    }
  });

  test("joins the Wi-Fi, whatever signs its name and password have", () => {
    expect(wifiQr(hotspot)).toBe("WIFI:T:nopass;S:Harbour;;");
    const odd = { ...hotspot, wifiName: 'a;b,c:d"e\\f', wifiPassword: "12345678" };
    expect(wifiQr(odd)).toBe('WIFI:T:WPA;S:a\\;b\\,c\\:d\\"e\\\\f;P:"12345678";;');
    expect(wifiQr({ ...hotspot, wifiName: "" })).toBeNull();
  });
});

describe("the hotspot's settings", () => {
  const set = (key: string, value: unknown) =>
    changeSetting(app.db, cli, { key, value, ispId: 1 }, app.clock);

  test.each([
    [
      "hotspot_address",
      ["http://login.hotspot", "login.hotspot/x", "a b", "-x", "a?b"],
      ["login.hotspot", "10.5.50.1", "h:8080", ""],
    ],
    ["wifi_name", ["é".repeat(17), "a\nb"], ["é".repeat(16), ""]],
    ["wifi_password", ["short", "ключ12345", "x".repeat(64)], ["eight888", ""]],
  ])("%s takes what it is for", (key, wrong, right) => {
    for (const value of wrong) expect(() => set(key, value), value).toThrow(key);
    for (const value of right) expect(() => set(key, value), value).not.toThrow();
  });

  test("are an ISP's own, and the password of the Wi-Fi is not in the trail", () => {
    set("wifi_password", "hush-hush-9");
    set("wifi_password", "hush-hush-8");
    expect(readHotspot(app.db, 1).wifiPassword).toBe("hush-hush-8");
    expect(readHotspot(app.db, 2).wifiPassword).toBe("");
    expect(auditLog()).toHaveLength(2);
    expect(JSON.stringify(app.db.$client.query("SELECT * FROM audit_entries").all())).not.toContain(
      "hush-hush",
    );
  });
});
