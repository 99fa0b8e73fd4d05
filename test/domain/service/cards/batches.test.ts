import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createCardBatch } from "../../../../src/domain/service/cards/batches.ts";
import { CodeKeys, normalCode, printedCode } from "../../../../src/domain/goods/codes/codes.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import type { Input } from "../../../../src/domain/core/fields/fields.ts";
import { cli } from "../../../support/people.ts";
import { type Tenants, undoneTenants } from "../../../support/tenants.ts";

const withTenants = undoneTenants();

let app: Tenants;
beforeEach(async () => {
  app = await withTenants();
});
afterEach(() => app[Symbol.dispose]());

const anHour = {
  isp_id: 1,
  kind: "access",
  package_id: 1,
  quantity: 3,
  price: "1.00",
  duration: 1,
  duration_unit: "hour",
};
const make = (input: Input) => createCardBatch(app.db, cli, { ...anHour, ...input }, { now: app.clock.now });

describe("a new batch", () => {
  test("has cards with codes that only the key finds, and the terms of its package", () => {
    const { batch, first, last } = make({});
    expect(batch).toMatchObject({
      quantity: 3,
      length: 7,
      duration: 1,
      durationUnit: "hour",
      chargeOn: null,
    });
    expect([first, last]).toEqual(["C-000001", "C-000003"]);
    const stored = app.db.$client
      .query<{ codeKey: Uint8Array; codeSealed: Uint8Array }, []>(
        "SELECT code_key AS codeKey, code_sealed AS codeSealed FROM cards",
      )
      .all();
    const keys = new CodeKeys(app.db.vault);
    const codes = stored.map(({ codeSealed }) => app.db.vault.openText(codeSealed));
    expect(new Set(codes).size).toBe(3);
    for (const [place, code] of codes.entries()) {
      expect(code).toMatch(/^[2-9A-HJKMNP-Z]{7}$/);
      expect(Buffer.from(stored[place]?.codeKey ?? []).equals(keys.of(code))).toBe(true);
      expect(normalCode(` ${printedCode(code).toLowerCase()} `)).toBe(code);
    }
  });

  test("needs codes that nobody guesses, beside those that are about already", () => {
    expect(() => make({ length: 6 })).toThrow("length");
    expect(make({ alphabet: "0123456789", quantity: 10_000 }).batch.length).toBe(12);
    expect(make({ alphabet: "0123456789", quantity: 1 }).batch.length).toBe(9);
    expect(() => make({ alphabet: "0123456789", quantity: 10, length: 9 })).toThrow("length");
  });

  test("of refills brings something, a card for the hotspot may be free", () => {
    const nothing = { kind: "refill", package_id: null, price: 0, duration: null, duration_unit: null };
    expect(() => make(nothing)).toThrow("price");
    expect(make({ ...nothing, price: "0.01" }).batch.price).toBe(1);
    expect(make({ price: 0 }).batch.price).toBe(0);
  });

  test("says what its reseller pays at the handover, and refuses what the wallet does not reach", () => {
    const handed = { reseller_id: 2, reseller_price: "0.80", charge_on: "handover" };
    const before = readBalance(app.db, { staffId: 2 });
    expect(() => make({ ...handed, quantity: 10_000 })).toThrow("take a payment first");
    expect(app.db.$client.query("SELECT count(*) AS n FROM card_batches").get()).toEqual({ n: 0 });
    app.db.$client.run("UPDATE staff SET credit_limit = 1000 WHERE id = 2");
    make({ ...handed, quantity: 10 });
    expect(readBalance(app.db, { staffId: 2 })).toBe(before - 800);
  });
});
