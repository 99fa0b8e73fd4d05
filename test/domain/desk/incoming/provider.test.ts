import { createHmac } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { parseProviderAmount } from "../../../../src/domain/desk/incoming/amount.ts";
import {
  type Call,
  isProven,
  type Provider,
  providerFault,
  readCall,
} from "../../../../src/domain/desk/incoming/provider.ts";
import { NOW } from "../../../support/store.ts";

const described: Provider = {
  format: "json",
  proof: { kind: "hmac", algorithm: "sha256", encoding: "hex", header: "x-signature", over: "body" },
  type: ["event"],
  events: [
    {
      types: ["paid"],
      id: ["data.payment.id", "data.id"],
      amount: ["data.amount"],
      unit: "minor",
      currency: ["data.currency"],
      reference: ["data.meta.reference"],
      payer: ["data.name"],
      state: { at: ["data.status"], paid: ["PAID"] },
    },
    {
      types: ["refunded"],
      id: ["data.id"],
      amount: ["data.amount"],
      unit: "minor",
      currency: { fixed: "USD" },
      reference: ["data.meta.reference"],
      is_back: true,
    },
  ],
  answer: { type: "application/json", body: "{}" },
};
const body = {
  event: "paid",
  data: { id: 77, amount: 2200, currency: "usd", status: "PAID", name: "Ada", meta: { reference: "5724" } },
};
const bytes = (text: string) => new TextEncoder().encode(text);
const call = (content: unknown, headers: Record<string, string> = {}, address = "192.0.2.7"): Call => ({
  headers: new Headers(headers),
  body: bytes(typeof content === "string" ? content : JSON.stringify(content)),
  address,
});
const hex = (text: string, key = "s3cret") => createHmac("sha256", key).update(text).digest("hex");
const text = JSON.stringify(body);

describe("a call is proven", () => {
  test("by the signature of its body alone", () => {
    const proven = (headers: Record<string, string>, sent = text) =>
      isProven(described, "s3cret", call(sent, headers), NOW);
    expect(proven({ "x-signature": hex(text) })).toBe(true);
    expect(proven({ "X-Signature": hex(text).toUpperCase() })).toBe(true);
    expect(proven({})).toBe(false);
    expect(proven({ "x-signature": "" })).toBe(false);
    expect(proven({ "x-signature": hex(text, "other") })).toBe(false);
    expect(proven({ "x-signature": hex(text) }, `${text} `)).toBe(false);
    expect(proven({ "x-signature": hex(text).slice(0, -1) })).toBe(false);
    expect(isProven(described, null, call(text, { "x-signature": hex(text, "") }), NOW)).toBe(false);
    expect(isProven(described, "", call(text, { "x-signature": hex(text, "") }), NOW)).toBe(false);
  });

  test("by one of several signatures over time and body, while the time is near", () => {
    const timed: Provider = {
      ...described,
      proof: {
        kind: "hmac",
        algorithm: "sha256",
        encoding: "hex",
        header: "x-signature",
        over: "time.body",
        parts: { time: "t", signature: "v1" },
        tolerance: 300,
      },
    };
    const at = (time: number, ...keys: string[]) =>
      isProven(
        timed,
        "s3cret",
        call(text, {
          "x-signature": [
            `t=${time}`,
            ...keys.map((key) => `v1=${hex(`${time}.${text}`, key)}`),
            "v0=x",
          ].join(","),
        }),
        NOW,
      );
    expect(at(NOW, "s3cret")).toBe(true);
    expect(at(NOW - 300, "old", "s3cret")).toBe(true);
    expect(at(NOW - 301, "s3cret")).toBe(false);
    expect(at(NOW + 301, "s3cret")).toBe(false);
    expect(at(NOW, "old")).toBe(false);
    expect(at(NOW)).toBe(false);
    expect(isProven(timed, "s3cret", call(text, { "x-signature": `v1=${hex(text)}` }), NOW)).toBe(false);
  });

  test("by a token", () => {
    const token: Provider = { ...described, proof: { kind: "token", header: "x-token" } };
    expect(isProven(token, "t0ken", call(text, { "x-token": "t0ken" }), NOW)).toBe(true);
    expect(isProven(token, "t0ken", call(text, { "x-token": "t0keN" }), NOW)).toBe(false);
    expect(isProven(token, "", call(text, { "x-token": "" }), NOW)).toBe(false);
  });

  test("by where it comes from", () => {
    const from: Provider = {
      ...described,
      proof: { kind: "addresses" },
      addresses: ["192.0.2.0/28", "2001:db8::7"],
    };
    const comes = (address: string) => isProven(from, null, call(text, {}, address), NOW);
    for (const address of ["192.0.2.7", "::ffff:192.0.2.7", "2001:db8::7"]) expect(comes(address)).toBe(true);
    for (const address of ["192.0.2.16", "2001:db8::8", "unknown", "::ffff:192.0.3.1"])
      expect(comes(address)).toBe(false);
    expect(isProven({ ...from, addresses: [] }, null, call(text), NOW)).toBe(false);
  });

  test("by a signature from an address that is allowed, where both are asked", () => {
    const both: Provider = { ...described, addresses: ["192.0.2.7"] };
    const signed = { "x-signature": hex(text) };
    expect(isProven(both, "s3cret", call(text, signed), NOW)).toBe(true);
    expect(isProven(both, "s3cret", call(text, signed, "192.0.2.8"), NOW)).toBe(false);
  });
});

describe("what a call says", () => {
  const read = (content: unknown, provider = described) => readCall(provider, call(content));
  const withData = (changes: object) => ({ ...body, data: { ...body.data, ...changes } });

  test("a payment", () => {
    expect(read(body)).toEqual({
      externalId: "77",
      amount: 2200,
      currency: "USD",
      reference: "5724",
      payer: "Ada",
      isBack: false,
      reason: null,
      of: null,
    });
    expect(read(withData({ payment: { id: "P-1" } }))?.externalId).toBe("P-1");
  });

  test.each<[string, unknown]>([
    ["another type", { ...body, event: "created" }],
    ["no type", { data: body.data }],
    ["one that is not paid yet", withData({ status: "PENDING" })],
    ["one without a state", withData({ status: null })],
  ])("%s counts for nothing", (_, content) => expect(read(content)).toBeNull());

  test.each<[string, unknown, RegExp]>([
    ["no amount", withData({ amount: "lots" }), /no amount at data\.amount/],
    ["an amount of nothing", withData({ amount: 0 }), /no amount/],
    ["a negative one", withData({ amount: -5 }), /no amount/],
    ["no currency", withData({ currency: "" }), /in which currency/],
    ["no id", withData({ id: null }), /no id of a payment/],
    ["an id that is no text", withData({ id: { a: 1 } }), /no id of a payment/],
    ["no JSON", "{", /no JSON/],
    ["JSON that is no object", "7", /no JSON/],
  ])("%s is for staff", (_, content, reason) => {
    const paid = read(content);
    expect(String(paid?.reason)).toMatch(reason);
    expect(paid?.externalId).not.toBe("");
  });

  test("a refund is told", () => {
    expect(read({ ...body, event: "refunded" })).toMatchObject({
      isBack: true,
      amount: 2200,
      currency: "USD",
    });
  });

  test("a form", () => {
    const [event] = described.events;
    if (!event) throw new Error("no event");
    const { state: _state, types: _types, ...rest } = event;
    const form: Provider = {
      format: "form",
      proof: described.proof,
      answer: described.answer,
      events: [
        {
          ...rest,
          id: ["id"],
          amount: ["sum"],
          unit: "major",
          reference: ["ref"],
          currency: { fixed: "KES" },
        },
      ],
    };
    expect(readCall(form, call("id=A&sum=10.50&ref=5724"))).toMatchObject({
      amount: 1050,
      reference: "5724",
    });
  });

  test("nothing of a prototype is found", () => {
    const events = described.events.map((event) => Object.assign({}, event, { id: ["constructor.name"] }));
    const odd: Provider = { ...described, events };
    expect(String(readCall(odd, call(body))?.reason)).toMatch(/no id/);
  });
});

test.each<[string, "minor" | "major" | "iso", string, number | undefined]>([
  ["2200", "minor", "USD", 2200],
  ["22", "major", "USD", 2200],
  ["22.5", "major", "USD", 2250],
  ["22.50", "major", "USD", 2250],
  ["22.505", "major", "USD", undefined],
  ["22.500", "major", "USD", 2250],
  ["500", "iso", "UGX", 50_000],
  ["500", "iso", "USD", 500],
  ["1500", "iso", "KWD", 150],
  ["1505", "iso", "KWD", undefined],
  ["500", "minor", "UGX", 500],
  ["1,5", "major", "USD", undefined],
  ["1e3", "major", "USD", undefined],
  ["", "major", "USD", undefined],
  ["0.00", "major", "USD", undefined],
  ["99999999999999", "major", "USD", undefined],
])("%p in %s of %s is %p", (amount, unit, currency, expected) =>
  expect(parseProviderAmount(amount, { unit }, currency)).toBe(expected),
);

describe("a description is refused", () => {
  test("that is as it should be is not", () => expect(providerFault(described)).toBeUndefined());

  test.each<[string, object, RegExp]>([
    ["without a proof", { proof: undefined }, /proof/],
    ["with addresses for a proof and none named", { proof: { kind: "addresses" } }, /needs the addresses/],
    ["with an address that is none", { addresses: ["here"] }, /here is no address/],
    ["with a signed time that stands nowhere", { proof: { ...described.proof, over: "time.body" } }, /parts/],
    ["with types and no place for one", { type: undefined }, /where the type stands/],
    ["without events", { events: [] }, /events/],
  ])("%s", (_, changes, fault) => expect(String(providerFault({ ...described, ...changes }))).toMatch(fault));
});
