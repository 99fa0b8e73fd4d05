import type { Tx } from "../../db/open.ts";
import { createPaymentSource } from "../../src/domain/desk/incoming/sources.ts";
import { receivePayment } from "../../src/domain/desk/incoming/receive.ts";
import { makeReference } from "../../src/domain/desk/incoming/reference.ts";
import { createChannel, listChannels } from "../../src/domain/around/messages/channels.ts";
import { listRules } from "../../src/domain/around/messages/rules.ts";
import { addUsualRules } from "../../src/domain/around/messages/usual.ts";
import { readyTexts } from "../../src/domain/around/messages/ready/ready.ts";
import { previewTemplate } from "../../src/domain/around/messages/trial.ts";
import type { Seconds } from "../../src/domain/core/time/time.ts";
import { bookAttempt } from "../../src/domain/around/webhooks/book.ts";
import { testEndpoint } from "../../src/domain/around/webhooks/deliveries.ts";
import { createEndpoint } from "../../src/domain/around/webhooks/endpoints.ts";
import type { Deeds } from "./deeds.ts";
import { Random } from "./random.ts";
import { staff } from "./staff.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const manager = staff(8, "manager");
const names = {
  welcome: "Welcome",
  payment_receipt: "Receipts",
  expires_soon: "Three days before the end",
  expired: "At the end",
  quota_80: "Most of the data is used",
};

const on = ["payment_receipt", "expires_soon", "expired"];

/** What leaves the office by itself: two channels, the usual rules, a program that hears of everything. */
export function planMessages(tx: Tx, deeds: Deeds, now: Seconds): void {
  deeds.add(now - 40 * DAY, (at) => setUp(tx, at));
  planWebhook(tx, deeds, now);
}

function setUp(tx: Tx, now: Seconds): void {
  const begun = { now };
  const sms = createChannel(
    tx,
    manager,
    {
      name: "SMS",
      kind: "http",
      address: "mobile",
      is_sms: 1,
      per_minute: 60,
      method: "POST",
      url: "https://sms.example.net/send",
      body_kind: "json",
      success: "2xx",
      body: '{"to": "{{digits}}", "text": "{{body}}", "id": "{{id}}"}',
    },
    begun,
  );
  createChannel(
    tx,
    manager,
    {
      name: "Mail",
      kind: "smtp",
      address: "email",
      host: "mail.example.net",
      port: 587,
      from: "Northlink <office@northlink.example>",
    },
    begun,
  );
  addUsualRules(tx, manager, { channelId: sms.id, on, names, quietFrom: "21:00", quietTo: "08:00" }, begun);
}

/** The outbox of two days. What was due until now stands in it, or nobody was told. */
export function writeOutbox(tx: Tx, now: Seconds): void {
  tx.$client.run("UPDATE message_rules SET planned_to = ?", [now]);
  const rules = listRules(tx, manager).filter(({ isEnabled }) => isEnabled === 1);
  const messages = rules
    .filter(({ template }) => on.includes(template))
    .flatMap((rule) => makeMessages(tx, now, rule));
  const [sms] = listChannels(tx, manager);
  if (sms)
    outbox(
      tx,
      messages.toSorted((a, b) => a.at - b.at),
      sms.id,
    );
}

/** What a subscriber was told by a rule. */
interface DemoMessage {
  readonly at: Seconds;
  readonly rule: number;
  readonly template: string;
  readonly subscriberId: number;
  readonly mobile: string;
}

/** Of a rule in the last two days, at hours in which people are told. */
function makeMessages(
  { $client }: Tx,
  now: Seconds,
  { id, template }: { id: number; template: string },
): DemoMessage[] {
  const random = new Random(id);
  const people = $client
    .query<{ subscriberId: number; mobile: string }, [number]>(
      `SELECT id AS subscriberId, mobile_number AS mobile FROM subscribers
       WHERE mobile_number IS NOT NULL AND sms_status = 1 AND id % 5 = ? AND archived_at IS NULL ORDER BY id LIMIT 24`,
    )
    .all(id % 5);
  const day = now - (now % DAY);
  return people.flatMap((person) => {
    const at = day - random.between(0, 1) * DAY + random.between(8 * HOUR, 21 * HOUR);
    return at < now ? [{ ...person, at, rule: id, template }] : [];
  });
}

/** Nearly all of it sent. */
function outbox(tx: Tx, messages: readonly DemoMessage[], channelId: number): void {
  const random = new Random(19);
  const insert = tx.$client.query<unknown, (string | number | null | Uint8Array)[]>(
    `INSERT INTO messages (uid, isp_id, rule_id, channel_id, subscriber_id, period, state, attempts, due_at, next_at, created_at, ended_at,
       template, address, language, subject, body_sealed, reason)
     VALUES (?, 1, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, 'en', '', ?, ?)`,
  );
  for (const { at, rule, template, subscriberId, mobile } of messages) {
    const text = readyTexts.find(({ name, language }) => name === template && language === "en");
    if (!text) throw new Error(`there is no ready text ${template}`);
    const { subject, body } = text;
    const words = previewTemplate(
      tx,
      manager,
      { language: "en", subject, body, user_id: subscriberId },
      { now: at },
    );
    const [state, reason] = random.pick([
      [["sent", null], 90],
      [["failed", "the gateway answered 400: the number is not in service"], 6],
      [["perhaps", "the gateway gave no answer within 20 s"], 4],
    ]);
    insert.run(
      ...[
        `msg_demo${rule}x${subscriberId}`,
        rule,
        channelId,
        subscriberId,
        `demo ${at}`,
        state ?? "",
        at,
        at,
      ],
      ...[at, at + 2, template, mobile, tx.vault.seal(words.body), reason ?? null],
    );
  }
}

/** The bookkeeping of the ISP, which hears of everything, and did not answer for a while. */
function planWebhook(tx: Tx, deeds: Deeds, now: Seconds): void {
  const url = "https://books.northlink.example/gatehouse";
  const tests = [
    { status: 204, answer: "" },
    { status: 503, answer: "maintenance" },
  ];
  deeds.add(now - DAY, (begun) => {
    const { endpoint } = createEndpoint(
      tx,
      manager,
      { url, types: "*", note: "Bookkeeping" },
      { now: begun },
    );
    for (const [nth, { status, answer }] of tests.entries())
      deeds.add(now - HOUR * (2 - nth), (at) => {
        const { id } = testEndpoint(tx, manager, { id: endpoint.id }, { now: at });
        const came = { milliseconds: 84, status, answer };
        bookAttempt(tx, { id, endpointId: endpoint.id, url }, came, { now: at, random: 0.5 });
      });
  });
}

/** A provider that tells of payments, most of which are booked by themselves; two wait for somebody. */
export function planArrived(tx: Tx, deeds: Deeds, now: Seconds): void {
  deeds.add(now - 40 * DAY, (begun) => arrive(tx, deeds, begun, now));
}

function arrive(tx: Tx, deeds: Deeds, begun: Seconds, now: Seconds): void {
  const { source } = createPaymentSource(
    tx,
    manager,
    {
      kind: "provider",
      name: "Paystack",
      method: "online",
      preset: "paystack",
      secret: "sk_test_of_the_demo",
    },
    { now: begun },
  );
  const messages = [
    { amount: 2500, named: { by: "reference", text: makeReference(21) }, payer: "Ivan Costa" },
    { amount: 1500, named: { by: "reference", text: makeReference(34) }, payer: "Dina Haddad" },
    { amount: 2500, named: { by: "reference", text: "4711" }, payer: "Okafor, A." },
    { amount: 4000, named: { by: "nothing", text: null }, payer: "Market Street Cafe" },
  ] as const;
  for (const [nth, { amount, named, payer }] of messages.entries())
    deeds.add(now - HOUR * (messages.length - nth), (at) =>
      receivePayment(
        tx,
        manager,
        {
          ispId: 1,
          sourceId: source.id,
          provider: "Paystack",
          externalId: `T68512${nth}`,
          amount,
          currency: "USD",
          paidAt: at,
          method: "online",
          named,
          payer,
          bodyHash: new Uint8Array(32).fill(nth),
          raw: `{"reference":"T68512${nth}","amount":${amount}}`,
        },
        { now: at, onOther: "keep" },
      ),
    );
}
