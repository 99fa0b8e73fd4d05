import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  cardTemplateById,
  createCardTemplate,
  deleteCardTemplate,
  listCardTemplates,
  updateCardTemplate,
} from "../../../../src/domain/service/cards/templates.ts";
import type { Input } from "../../../../src/domain/core/fields/fields.ts";
import { cli } from "../../../support/people.ts";
import { type Tenants, undoneTenants } from "../../../support/tenants.ts";

const withTenants = undoneTenants();

let app: Tenants;
beforeEach(async () => {
  app = await withTenants();
});
afterEach(() => app[Symbol.dispose]());

const make = (input: Input = {}) =>
  createCardTemplate(app.db, cli, { isp_id: 1, name: "Kiosk", sheet: "a4-36", ...input }, app.clock);

test("a template is as the usual one but for what was said of it, and stays so", () => {
  const made = make({ price: 0, wifi_qr: "1", heading: "Harbour", line_1: "Open from 8 to 22" });
  expect(cardTemplateById(app.db, cli, { id: made.id ?? 0 })).toEqual(made);
  expect(made).toMatchObject({
    ispId: 1,
    name: "Kiosk",
    sheet: "a4-36",
    parts: { logo: true, price: false, login_qr: true, wifi_qr: true },
    words: { heading: "Harbour", line_1: "Open from 8 to 22", line_2: "" },
  });
});

test("a change keeps what it does not name, and words can be taken away again", () => {
  const id = make({ heading: "Harbour", price: 0 }).id ?? 0;
  const changed = updateCardTemplate(
    app.db,
    cli,
    { id, input: { heading: "", sheet: "roll-58" } },
    app.clock,
  );
  expect(changed).toMatchObject({ name: "Kiosk", sheet: "roll-58", parts: { price: false } });
  expect(changed.words.heading).toBe("");
  expect(deleteCardTemplate(app.db, cli, { id }, app.clock).name).toBe("Kiosk");
  expect(listCardTemplates(app.db, cli)).toEqual([]);
  const actions = app.db.$client
    .query<{ action: string }, []>(
      "SELECT action FROM audit_entries WHERE entity = 'card_template' ORDER BY id",
    )
    .all();
  expect(actions.map(({ action }) => action)).toEqual([
    "card_template.create",
    "card_template.update",
    "card_template.delete",
  ]);
});

test.each([
  [{ name: "" }, "name"],
  [{ sheet: "a3-10" }, "sheet"],
  [{ heading: "x".repeat(41) }, "heading"],
  [{ line_1: "a\nb" }, "line_1"],
  [{ price: "yes" }, "price"],
])("%p is refused", (input, field) => {
  expect(() => make(input)).toThrow(field);
});

test("two of an ISP have not the same name, of two ISPs they may", () => {
  make();
  expect(() => make({ name: "kiosk" })).toThrow("name");
  expect(make({ isp_id: 2 }).ispId).toBe(2);
  expect(listCardTemplates(app.db, cli, { ispId: 2 }).map(({ ispId }) => ispId)).toEqual([2]);
});
