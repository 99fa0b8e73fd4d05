import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import type { Faults } from "../../../../src/domain/core/errors/errors.ts";
import { languageTags } from "../../../../src/domain/core/fields/languages.ts";
import { createChannel } from "../../../../src/domain/around/messages/channels.ts";
import { templateFields } from "../../../../src/domain/around/messages/fields.ts";
import { strayMark } from "../../../../src/domain/around/messages/marks.ts";
import { readyRules, readyTexts } from "../../../../src/domain/around/messages/ready/ready.ts";
import { filled, rendered } from "../../../../src/domain/around/messages/render.ts";
import { createRule, updateRule } from "../../../../src/domain/around/messages/rules.ts";
import {
  addReadyTemplates,
  deleteTemplate,
  findOfferFaults,
  findWordFaults,
  listTemplates,
  saveTemplate,
} from "../../../../src/domain/around/messages/templates.ts";
import { previewTemplate, someoneToShow } from "../../../../src/domain/around/messages/trial.ts";
import { findBranding } from "../../../../src/domain/people/branding/branding.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { by } from "../../../support/isp.ts";
import { webChannel } from "../../../support/messages.ts";
import { office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const world = { now: NOW };
const text = (body: string, more: Record<string, unknown> = {}) => ({
  isp_id: 1,
  name: "hello",
  language: "en",
  body,
  ...more,
});
const faultsOf = (work: () => unknown): object => {
  try {
    work();
    return {};
  } catch (error) {
    return Object(error).fields ?? { kind: Object(error).kind };
  }
};

test("the ready texts are whole in every language, have the fields that their events have, and are right", async () => {
  expect(readyTexts.length).toBe(languageTags.length * Object.keys(readyRules).length);
  const examples = Object.fromEntries(
    Object.entries(templateFields).map(([name, { example }]) => [name, example]),
  );
  for (const [name, trigger] of Object.entries(readyRules))
    for (const language of languageTags) {
      const one = readyTexts.find((ready) => ready.name === name && ready.language === language);
      if (!one) throw new Error(`${name} is not there in ${language}`);
      const faults: Faults = {};
      findWordFaults({ subject: one.subject, body: one.body }, faults);
      findOfferFaults({ subject: one.subject, body: one.body }, trigger, faults);
      expect({ name, language, faults }).toEqual({ name, language, faults: {} });
      const text = filled(one, examples, language);
      expect(strayMark(text.subject + text.body)).toBeUndefined();
      expect(text.body.length).toBeLessThan(400);
    }
  using store = await office();
  expect(addReadyTemplates(store.db, by, { ispId: 1 }, world)).toBe(readyTexts.length);
  expect(addReadyTemplates(store.db, by, { ispId: 1 }, world)).toBe(0);
});

test("a field that there is none of, or a slip in its brackets, is refused when it is saved", async () => {
  using store = await office();
  const { db } = store;
  const save = (body: string, subject = "") =>
    faultsOf(() => saveTemplate(db, by, text(body, { subject }), world));
  expect(save("Hello {{ name }}")).toEqual({});
  expect(save("Hello {{nmae}}")).toMatchObject({ body: [expect.stringContaining("{{nmae}} is no field")] });
  expect(save("Hello", "{{Name}}")).toMatchObject({ subject: [expect.stringContaining("{{Name}}")] });
  expect(save("Hello {{name}")).toHaveProperty("body");
  expect(save("Hello name}}")).toHaveProperty("body");
});

test("a rule takes no text with fields that its event does not have, and the text gets none later", async () => {
  using store = await office();
  const { db } = store;
  createChannel(db, by, webChannel, world);
  saveTemplate(db, by, text("{{name}}: {{number}}"), world);
  const rule = { isp_id: 1, name: "A", audience: "subscriber", channel_id: 1, template: "hello" };
  expect(faultsOf(() => createRule(db, by, { ...rule, on: "expiry" }, world))).toHaveProperty("template");
  createRule(db, by, { ...rule, on: "event", event_type: "payment.received" }, world);
  expect(faultsOf(() => saveTemplate(db, by, text("{{router}}"), world))).toMatchObject({
    body: ["{{router}} is not known of payment.received"],
  });
  expect(
    faultsOf(() => updateRule(db, by, { id: 1, input: { event_type: "subscriber.expired" } }, world)),
  ).toHaveProperty("template");
  expect(faultsOf(() => deleteTemplate(db, by, { id: 1 }, world))).toEqual({ kind: "conflict" });
  const wrong = { ...rule, on: "event", event_type: "router.silent", audience: "subscriber" };
  expect(faultsOf(() => createRule(db, by, wrong, world))).toHaveProperty("audience");
  const staff = { ...rule, on: "expiry", audience: "staff", flag: "no_such_flag", quiet_from: "22:00" };
  expect(Object.keys(faultsOf(() => createRule(db, by, staff, world))).sort()).toEqual([
    "flag",
    "quiet_to",
    "template",
  ]);
});

const render = (db: Db, subscriberId = 1) =>
  rendered(db, { template: "hello", about: { ispId: 1, subscriberId }, reader: { subscriberId } }, NOW);

test("people are told in their language, else in the ISP's, else in what there is", async () => {
  using store = await office();
  const { db } = store;
  saveTemplate(db, by, text("Bonjour {{name}}", { language: "fr" }), world);
  expect(render(db)?.body).toBe("Bonjour User 1");
  saveTemplate(db, by, text("Hello {{name}}"), world);
  expect(render(db)?.body).toBe("Hello User 1");
  changeSetting(db, by, { key: "message_language", value: "fr", ispId: 1 }, world);
  expect(render(db)?.body).toBe("Bonjour User 1");
  saveTemplate(db, by, text("مرحبًا {{name}}", { language: "ar" }), world);
  db.$client.run("UPDATE subscribers SET language = 'ar' WHERE id = 1");
  expect(render(db)).toMatchObject({ language: "ar", body: "مرحبًا \u2068User 1\u2069" });
  db.$client.run("UPDATE subscribers SET language = 'sw' WHERE id = 1");
  expect(render(db)?.body).toBe("Bonjour User 1");
});

test("fields say how it is now; a line whose fields are all empty is left out", async () => {
  using store = await office();
  const { db } = store;
  activate(db, by, { subscriberId: 2, packageId: 2 }, world);
  const body = "{{date}} {{days}} {{balance}} {{price}} {{amount}} {{reference}}\nPay: {{pay_link}}\nBye";
  saveTemplate(db, by, text(body), world);
  const line = render(db, 2)?.body.split("\n");
  expect(line?.length).toBe(2);
  expect(line?.[0]).toMatch(/^15 Feb 2030|Feb 15, 2030/);
  expect(line?.[0]).toContain("31 -20.00 USD");
  const link = "https://pay.example/?ref={reference}&amount={amount}&c={currency}";
  changeSetting(db, by, { key: "payment_link", value: link, ispId: 1 }, world);
  expect(render(db, 2)?.body).toMatch(
    /Pay: https:\/\/pay\.example\/\?ref=\d{4}&amount=\d+\.\d\d&c=USD\nBye$/,
  );
});

test("a subscriber pays at the portal's link where messages have none of their own, and the other way round", async () => {
  using store = await office();
  const { db } = store;
  const set = (key: string, value: string) => changeSetting(db, by, { key, value, ispId: 1 }, world);
  saveTemplate(db, by, text("{{pay_link}}"), world);
  expect(render(db)?.body).toBe("");
  set("portal_pay_link", "https://pay.example/{username}?ref={reference}");
  expect(render(db)?.body).toMatch(/^https:\/\/pay\.example\/user1\?ref=\d+$/);
  set("payment_link", "https://sms.example/{reference}");
  expect(render(db)?.body).toMatch(/^https:\/\/sms\.example\/\d+$/);
  expect(findBranding(db, 1)?.payLink).toBe("https://pay.example/{username}?ref={reference}");
  set("portal_pay_link", "");
  expect(findBranding(db, 1)?.payLink).toBe("https://sms.example/{reference}");
});

test("a name with control characters or brackets in it stays a name on one line", async () => {
  using store = await office();
  const { db } = store;
  db.$client.query("UPDATE subscribers SET name = ? WHERE id = 1").run("Ann\r\nBcc: {{isp}}");
  saveTemplate(db, by, text("Hello {{name}}", { subject: "To {{name}}" }), world);
  expect(render(db)).toMatchObject({ subject: "To Ann Bcc: {{isp}}", body: "Hello Ann Bcc: {{isp}}" });
});

test("a preview has a real subscriber and examples of what only the event says", async () => {
  using store = await office();
  const { db } = store;
  const input = { language: "en", body: "{{name}}: receipt {{number}}", user_id: 1 };
  expect(previewTemplate(db, by, { ...input, event_type: "payment.received" }, world)).toEqual({
    subject: "",
    body: "User 1: receipt R-000123",
    characters: 24,
  });
  expect(faultsOf(() => previewTemplate(db, by, { ...input, on: "expiry" }, world))).toHaveProperty("body");
  expect(faultsOf(() => previewTemplate(db, by, { ...input, user_id: 77 }, world))).toEqual({
    kind: "not_found",
  });
  expect(listTemplates(db, by)).toEqual([]);
});

test("a text is tried with the first subscriber whose username begins so, in whatever case it is typed", async () => {
  using store = await office();
  const names = store.db.$client
    .query<{ username: string }, []>("SELECT username FROM subscribers ORDER BY username_key")
    .all();
  const [first, second] = names.map(({ username }) => username);
  expect(someoneToShow(store.db, by, { username: "" })?.username).toBe(first);
  expect(someoneToShow(store.db, by, { username: second?.toUpperCase() ?? "" })?.username).toBe(second);
  expect(someoneToShow(store.db, by, { username: "nobody at all" })).toBeUndefined();
});
