import { expect, test } from "bun:test";
import { phrase } from "../../../../src/domain/core/errors/phrase.ts";
import type { Db } from "../../../../db/open.ts";
import { listBulkRows } from "../../../../src/domain/around/bulk/jobs.ts";
import { runBulk } from "../../../../src/domain/around/bulk/run.ts";
import { startBulk } from "../../../../src/domain/around/bulk/start.ts";
import { tryBulk } from "../../../../src/domain/around/bulk/try.ts";
import { messageChoices } from "../../../../src/domain/around/messages/by-which.ts";
import { createChannel, setChannelEnabled } from "../../../../src/domain/around/messages/channels.ts";
import { cancelMessage, listMessages, messageById } from "../../../../src/domain/around/messages/outbox.ts";
import { takeNext } from "../../../../src/domain/around/messages/sending.ts";
import { smsParts } from "../../../../src/domain/around/messages/sms-length.ts";
import { addReadyTemplates, saveTemplate } from "../../../../src/domain/around/messages/templates.ts";
import { previewMessage, writeMessage } from "../../../../src/domain/around/messages/write.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { by, DAY } from "../../../support/isp.ts";
import { mailChannel, webChannel } from "../../../support/messages.ts";
import { boss, office as copyOfOffice, seller } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const world = { now: NOW };
const SMS = 1;
const MAIL = 2;
const hello = { user_id: 1, channel_id: SMS, body: "Hello {{name}}, you have {{balance}}." };
const clerk = { ...seller, flags: new Set(["message_send"]) };

async function scene() {
  const store = await office();
  const { db } = store;
  createChannel(db, by, webChannel, world);
  createChannel(db, by, mailChannel, world);
  db.$client.run(
    "UPDATE subscribers SET sms_status = 1, mobile_number = '+44 7700 90000' || id, email = 's' || id || '@x.example' WHERE id < 9",
  );
  return store;
}

const post = (db: Db, input: object, actor = boss) => writeMessage(db, actor, { input: { ...input } }, world);
const refusal = (work: () => unknown) => {
  try {
    return { went: work() };
  } catch (error) {
    const { kind, message, fields } = Object(error);
    return fields ? { kind, fields } : { kind, message };
  }
};

test("own words wait sealed, and are filled in with what is so when they leave", async () => {
  using store = await scene();
  const { db } = store;
  const { messageId, ahead, perMinute } = post(db, hello);
  expect({ ahead, perMinute }).toEqual({ ahead: 0, perMinute: 60 });
  const raw = db.$client.query("SELECT words_sealed, subject, template FROM messages").get() as object;
  expect(JSON.stringify(raw)).not.toContain("Hello");
  expect(messageById(db, boss, { id: messageId })).toMatchObject({
    message: { ruleId: null, writtenBy: 1, writer: "Ada", template: "", state: "waiting" },
    body: hello.body,
  });
  takePayment(db, boss, { subscriberId: 1, amount: 700, method: "cash" }, world);
  const { to, body } = takeNext(db, by, { channelId: SMS }, world) ?? {};
  expect(to).toBe("+44 7700 900001");
  expect(body).toContain("7.00 USD");
  expect(messageById(db, boss, { id: messageId }).body).toBe(body ?? null);
});

test("a kept text speaks the language of who gets it, else the ISP's", async () => {
  using store = await scene();
  const { db } = store;
  for (const [language, body] of [
    ["en", "Hello {{name}}"],
    ["fr", "Bonjour {{name}}"],
  ])
    saveTemplate(db, by, { isp_id: 1, name: "hi", language, body }, world);
  db.$client.run("UPDATE subscribers SET language = 'fr' WHERE id = 1");
  post(db, { user_id: 1, channel_id: MAIL, template: "hi" });
  post(db, { user_id: 2, channel_id: MAIL, template: "hi" });
  expect(takeNext(db, by, { channelId: MAIL }, world)).toMatchObject({ language: "fr", to: "s1@x.example" });
  expect(takeNext(db, by, { channelId: MAIL }, world)).toMatchObject({ language: "en" });
});

test("what is refused says why, and writes nothing", async () => {
  using store = await scene();
  const { db } = store;
  saveTemplate(db, by, { isp_id: 1, name: "receipt", language: "en", body: "Receipt {{number}}" }, world);
  createChannel(db, by, { ...webChannel, name: "Group", address: "none", is_sms: 0 }, world);
  createChannel(db, by, { ...webChannel, isp_id: 2 }, world);
  const of = (more: object) => refusal(() => post(db, { ...hello, ...more }));
  expect(of({ body: "" })).toMatchObject({ fields: { body: ["is required, or a template"] } });
  expect(of({ body: "{{nmae}} {{Name}}" })).toMatchObject({
    fields: { body: [expect.stringContaining("{{Name}}"), expect.stringContaining("{{nmae}} is no field")] },
  });
  expect(of({ body: "{{number}}" })).toMatchObject({
    fields: { body: [expect.stringContaining("is known of an event alone")] },
  });
  expect(of({ template: "receipt" })).toMatchObject({ fields: { template: [expect.anything()] } });
  expect(of({ body: "", template: "receipt" })).toMatchObject({
    fields: { template: [expect.stringContaining("{{number}} is known of an event alone")] },
  });
  expect(of({ body: "", template: "none" })).toMatchObject({
    fields: { template: ["none is no text of this ISP"] },
  });
  expect(of({ channel_id: 3 })).toMatchObject({
    fields: { channel_id: ["leads to one place, and to no subscriber"] },
  });
  expect(of({ channel_id: 4 })).toMatchObject({ fields: { channel_id: ["is no channel of this ISP"] } });
  expect(of({ user_id: 9 })).toMatchObject({ kind: "not_found" });
  expect(refusal(() => post(db, { ...hello, user_id: 9 }, by))).toMatchObject({
    fields: { channel_id: ["is no channel of this ISP"] },
  });
  expect(of({ send_at: "2030-01-01 00:00:00" })).toMatchObject({ fields: { send_at: [expect.anything()] } });
  db.$client.run("UPDATE subscribers SET mobile_number = NULL WHERE id = 1");
  expect(of({})).toEqual({ kind: "refused", message: "there is no mobile number to send it to" });
  setChannelEnabled(db, by, { id: MAIL, enabled: false }, world);
  expect(of({ channel_id: MAIL })).toMatchObject({
    message: "the channel Mail is off; take another, or switch it on",
  });
  expect(listMessages(db, boss, {}, { before: 99, limit: 9 })).toEqual([]);
});

test("who wants none gets what has to be read, one at a time", async () => {
  using store = await scene();
  const { db } = store;
  db.$client.run("UPDATE subscribers SET messages_off = 1 WHERE id = 1");
  db.$client.run("UPDATE subscribers SET sms_status = 0 WHERE id = 2");
  const refused = (more: object) => refusal(() => post(db, { ...hello, ...more }));
  expect(refused({})).toEqual({ kind: "refused", message: "the subscriber does not want messages" });
  expect(refused({ user_id: 2 })).toEqual({
    kind: "refused",
    message: "the subscriber gets no text messages",
  });
  expect(refused({ user_id: 2, channel_id: MAIL })).toHaveProperty("went");
  expect(previewMessage(db, boss, { input: hello }, world).unwanted).toBe(
    "the subscriber does not want messages",
  );
  post(db, { ...hello, anyway: 1 });
  expect(takeNext(db, by, { channelId: SMS }, world)).toMatchObject({ to: "+44 7700 900001" });
  const entry = db.$client.query(
    "SELECT after FROM audit_entries WHERE action = 'message.write' ORDER BY id DESC",
  );
  expect(JSON.parse(String(Object(entry.get()).after))).toMatchObject({ user_id: 1, anyway: 1 });
});

test("a Reseller with the permission writes to its own subscribers, and sees channels by their names", async () => {
  using store = await scene();
  const { db } = store;
  addReadyTemplates(db, by, { ispId: 1 }, world);
  expect(post(db, hello, clerk)).toMatchObject({ channel: "Gateway" });
  expect(refusal(() => post(db, { ...hello, user_id: 2 }, clerk))).toMatchObject({ kind: "not_found" });
  expect(refusal(() => post(db, hello, seller))).toMatchObject({ kind: "forbidden" });
  const { channels, templates } = messageChoices(db, clerk);
  expect(Object.keys(channels[0] ?? {})).toEqual(["id", "name", "address", "isSms", "perMinute", "isDown"]);
  // not those that speak of a payment or of used data
  expect(templates).toEqual(["expired", "expires_soon", "online_again", "password_changed", "welcome"]);
});

test("a preview is what leaves then, with its length as text messages", async () => {
  using store = await scene();
  const { db } = store;
  const seen = previewMessage(db, boss, { input: { ...hello, subject: "Hi {{name}}" } }, world);
  expect(seen).toMatchObject({
    to: "+44 7700 900001",
    isSms: true,
    parts: 1,
    language: "en",
    unwanted: null,
  });
  post(db, { ...hello, subject: "Hi {{name}}" });
  expect(takeNext(db, by, { channelId: SMS }, world)).toMatchObject({
    subject: seen.subject,
    body: seen.body,
  });
});

test("for later it waits, is cancelled like any other, and what could not leave for three days is skipped", async () => {
  using store = await scene();
  const { db } = store;
  const at = NOW + 3600;
  const { messageId } = post(db, { ...hello, send_at: "2030-01-15 13:00:00" });
  expect(takeNext(db, by, { channelId: SMS }, world)).toBeUndefined();
  expect(takeNext(db, by, { channelId: SMS }, { now: at })).toMatchObject({ messageId });
  const { messageId: late } = post(db, hello);
  expect(takeNext(db, by, { channelId: SMS }, { now: NOW + 3 * DAY + 1 })).toBeUndefined();
  expect(messageById(db, boss, { id: late }).message).toMatchObject({
    state: "skipped",
    reason: expect.stringContaining("could not for three days"),
  });
  const { messageId: cancelled } = post(db, hello);
  expect(cancelMessage(db, boss, { id: cancelled }, world).state).toBe("cancelled");
});

test("to many: named who not and why, each once, with turns that let others between", async () => {
  using store = await scene();
  const { db } = store;
  db.$client.run("UPDATE subscribers SET messages_off = 1 WHERE id = 2");
  db.$client.run("UPDATE channels SET per_minute = 6 WHERE id = 1");
  const input = { channel_id: "1", body: "The line is mended, {{name}}." };
  const started = { operation: "message", ids: [1, 2, 3, 9], values: input } as const;
  const { tried } = await tryBulk(db, boss, started, world);
  expect(tried.map(({ outcome }) => outcome)).toEqual([
    { kind: "done", effect: { to: "+44 7700 900001" } },
    { kind: "refused", message: phrase`the subscriber does not want messages` },
    { kind: "done", effect: { to: "+44 7700 900003" } },
    { kind: "refused", message: phrase`there is no subscriber ${9}` },
  ]);
  expect(listMessages(db, boss, {}, { before: 99, limit: 9 })).toEqual([]);
  const jobId = startBulk(db, boss, started, world);
  for (let again = 0; again < 2; again++) await runBulk(db, by, { clock: () => NOW + 5 });
  const page = { result: null, descending: false, limit: 20, offset: 0 };
  expect(listBulkRows(db, boss, jobId, page).rows.map(({ result }) => result)).toEqual([
    ...["done", "refused", "done", "refused"],
  ] as never);
  const rows = listMessages(db, boss, {}, { before: 99, limit: 9 });
  expect(rows.map(({ subscriberId, dueAt, writtenBy }) => [subscriberId, dueAt - NOW, writtenBy])).toEqual([
    [3, 20, 1],
    [1, 0, 1],
  ]);
  expect(post(db, { ...hello, user_id: 3 }).ahead).toBe(1);
});

test("what was begun for a time is done for it, and at once where that has passed", async () => {
  using store = await scene();
  const { db } = store;
  const input = { channel_id: "1", body: "Hello", send_at: "2030-01-15 12:30:00" };
  startBulk(db, boss, { operation: "message", ids: [1], values: input }, world);
  await runBulk(db, by, { clock: () => NOW + 7200 });
  expect(listMessages(db, boss, {}, { before: 99, limit: 9 })).toMatchObject([{ dueAt: NOW + 1800 }]);
  const past = { ...input, send_at: "2030-01-15 11:00:00" };
  expect(
    refusal(() => startBulk(db, boss, { operation: "message", ids: [1], values: past }, world)),
  ).toMatchObject({
    fields: { send_at: [expect.anything()] },
  });
});

test.each([
  ["", 0],
  ["a".repeat(160), 1],
  ["a".repeat(161), 2],
  ["€".repeat(80), 1],
  ["€".repeat(81), 2],
  [`${"a".repeat(152)}€${"a".repeat(153)}`, 3],
  ["я".repeat(70), 1],
  ["я".repeat(71), 2],
  ["😀".repeat(35), 1],
  ["😀".repeat(36), 2],
  [`${"я".repeat(66)}😀${"я".repeat(66)}`, 3],
])("a text of some length is so many text messages: %#", (text, parts) => {
  expect(smsParts(text)).toBe(parts);
});
