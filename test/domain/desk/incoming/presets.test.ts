import { describe, expect, test } from "bun:test";
import { type Db, write } from "../../../../db/open.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { dismissIncoming } from "../../../../src/domain/desk/incoming/assign.ts";
import { listIncoming } from "../../../../src/domain/desk/incoming/list.ts";
import { presetNames, presets } from "../../../../src/domain/desk/incoming/presets.ts";
import { providerFault } from "../../../../src/domain/desk/incoming/provider.ts";
import { makeReference } from "../../../../src/domain/desk/incoming/reference.ts";
import { createPaymentSource } from "../../../../src/domain/desk/incoming/sources.ts";
import { takeCall } from "../../../../src/domain/desk/incoming/take-call.ts";
import { storeSetting } from "../../../../src/domain/core/settings/settings.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";
import { type Changes, type Documented, documented } from "./documented.ts";

const office = undoneStores(copyOfOffice);

const reference = makeReference(1);
const newest = { before: Number.MAX_SAFE_INTEGER, limit: 10 };
const wallet = (db: Db) => readBalance(db, { subscriberId: 1 });
const rows = (db: Db) => listIncoming(db, boss, { view: "all" }, newest);

/** An office whose books are in the currency of an example, with the provider that it is of. */
async function called(example: Documented) {
  const store = await office();
  const { db } = store;
  write(db, (tx) => storeSetting(tx, "currency", example.currency));
  const { preset, secret, addresses } = example;
  const { source } = createPaymentSource(
    db,
    boss,
    {
      kind: "provider",
      name: "shop",
      method: "online",
      preset,
      ...(secret && { secret }),
      ...(addresses && { addresses }),
    },
    { now: NOW },
  );
  const home = addresses?.split(",")[0] ?? "203.0.113.9";
  const send = (
    changes: Partial<Changes> & { text?: string; signed?: number; secret?: string; address?: string } = {},
  ) => {
    const { text, signed = NOW, secret: other = secret ?? "", address = home, ...rest } = changes;
    const whole = JSON.stringify(example.body({ reference, ...rest }));
    const headers = new Headers(example.headers(whole, signed, other));
    const call = { headers, body: new TextEncoder().encode(text ?? whole), address };
    return takeCall(db, { key: source.key ?? "", call, isQuestion: false }, { now: NOW });
  };
  return { db, send, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

describe.each(documented)("$preset", (example) => {
  const { amount, id, currency } = example;

  test("its documented payment is booked, and answered as it expects", async () => {
    using shop = await called(example);
    const taken = shop.send();
    expect(taken).toMatchObject({ kind: "arrived", answer: { body: example.answer } });
    expect(rows(shop.db)).toMatchObject([
      { state: "booked", externalId: id, amount, currency, username: "user1", provider: "shop" },
    ]);
    expect(wallet(shop.db)).toBe(amount);
  });

  test("a forged one proves nothing", async () => {
    using shop = await called(example);
    const forged = shop.send(example.secret ? { secret: "another secret" } : { address: "198.51.100.7" });
    expect(forged).toEqual({ kind: "unproven" });
    expect(rows(shop.db)).toEqual([]);
  });

  test("sent again, and told by a second event, it is one payment", async () => {
    using shop = await called(example);
    shop.send();
    expect(shop.send().kind).toBe("arrived");
    expect(shop.send({ isSecond: true })).toMatchObject({ arrived: { isRepeat: true } });
    expect(rows(shop.db)).toHaveLength(1);
    expect(wallet(shop.db)).toBe(amount);
  });

  test("a part of it books nothing", async () => {
    using shop = await called(example);
    const whole = JSON.stringify(example.body({ reference }));
    const { kind } = shop.send({ text: whole.slice(0, -20) });
    expect(["unproven", "arrived"]).toContain(kind);
    expect(wallet(shop.db)).toBe(0);
    expect(rows(shop.db).map(({ state }) => state)).toEqual(kind === "unproven" ? [] : ["unmatched"]);
  });

  test("with another sum under the same id it waits for staff", async () => {
    using shop = await called(example);
    shop.send();
    expect(shop.send({ amount: 77_777 })).toMatchObject({
      arrived: { state: "unmatched", reason: expect.stringContaining("another amount") },
    });
    expect(wallet(shop.db)).toBe(amount);
  });

  test("of nobody it is kept", async () => {
    using shop = await called(example);
    expect(shop.send({ reference: "0000" })).toMatchObject({
      kind: "arrived",
      arrived: { state: "unmatched" },
    });
    expect(wallet(shop.db)).toBe(0);
  });
});

/** M-Pesa tells of what is paid alone, and of no currency. */
describe.each(documented.filter(({ preset }) => preset !== "mpesa_c2b"))("$preset", (example) => {
  const { amount } = example;

  test("not paid yet it is nothing, and paid later it counts", async () => {
    using shop = await called(example);
    expect(shop.send({ isPending: true }).kind).toBe("nothing");
    expect(rows(shop.db)).toEqual([]);
    expect(shop.send({ isSecond: true })).toMatchObject({ arrived: { state: "booked" } });
    expect(wallet(shop.db)).toBe(amount);
  });

  test("in another currency it waits for staff", async () => {
    using shop = await called(example);
    expect(shop.send({ currency: "CHF" })).toMatchObject({
      arrived: { state: "unmatched", reason: expect.stringContaining("CHF") },
    });
    expect(wallet(shop.db)).toBe(0);
  });
});

const exampleOf = (preset: string): Documented => {
  const found = documented.find((one) => one.preset === preset);
  if (!found) throw new Error(`there is no example of ${preset}`);
  return found;
};
const [stripe, paystack, razorpay] = [exampleOf("stripe"), exampleOf("paystack"), exampleOf("razorpay")];

test.each([
  ["paystack", "XOF", 10_000, 10_000],
  ["paystack", "KES", 2500, 2500],
  ["razorpay", "INR", 50_000, 50_000],
  ["razorpay", "JPY", 500, 50_000],
  ["razorpay", "KWD", 5120, 512],
  ["flutterwave_v3", "UGX", 5000, 500_000],
  ["flutterwave_v3", "NGN", 100.5, 10_050],
  ["flutterwave_v4", "RWF", 5000, 500_000],
  ["flutterwave_v4", "NGN", 12.01, 1201],
  ["xendit", "IDR", 50_000, 5_000_000],
  ["xendit", "PHP", 1500.25, 150_025],
  ["mpesa_c2b", "KES", "10.00", 1000],
  ["mpesa_c2b", "KES", "1500", 150_000],
])("what %s says in %s is counted in its own unit", async (preset, currency, amount, minor) => {
  using shop = await called({ ...exampleOf(preset), currency });
  shop.send({ currency, amount });
  expect(rows(shop.db)).toMatchObject([{ state: "booked", amount: minor }]);
});

test.each(["payment_intent.succeeded", "charge.succeeded"])(
  "%s of Stripe is the same payment once more, and does not count",
  async (type) => {
    using shop = await called({
      ...stripe,
      body: (changes) =>
        changes.isSecond
          ? {
              id: "evt_3",
              type,
              data: { object: { id: stripe.id, amount: 2198, currency: "usd", status: "succeeded" } },
            }
          : stripe.body(changes),
    });
    shop.send();
    expect(shop.send({ isSecond: true }).kind).toBe("nothing");
    expect(rows(shop.db)).toHaveLength(1);
    expect(wallet(shop.db)).toBe(stripe.amount);
  },
);

test.each([
  ["reference_id of a link", { payment_link: { entity: { id: "plink_1", reference_id: reference } } }],
  ["notes of an order", { order: { entity: { id: "order_1", notes: { reference } } } }],
  ["receipt of an order", { order: { entity: { id: "order_1", notes: [], receipt: reference } } }],
])("a payment of Razorpay without notes is of whom the %s names", async (_, beside) => {
  const bare = razorpay.body({ reference: "" }) as { payload: { payment: { entity: object } } };
  const entity = { ...bare.payload.payment.entity, notes: [] };
  using shop = await called({
    ...razorpay,
    body: () => ({ ...bare, event: "payment_link.paid", payload: { payment: { entity }, ...beside } }),
  });
  expect(shop.send()).toMatchObject({ arrived: { state: "booked", subscriberId: 1 } });
});

test("a signed time that is long ago, or ahead, proves nothing", async () => {
  using shop = await called(stripe);
  expect(shop.send({ signed: NOW - 301 }).kind).toBe("unproven");
  expect(shop.send({ signed: NOW + 301 }).kind).toBe("unproven");
  expect(shop.send({ signed: NOW - 299 }).kind).toBe("arrived");
});

test.each([
  ["JPY", 2200, 220_000],
  ["KWD", 22_000, 2200],
  ["UGX", 2_200_000, 2_200_000],
  ["ISK", 500, 500],
  ["HUF", 1045, 1045],
  ["TWD", 80_045, 80_045],
  ["MGA", 500, 50_000],
  ["EUR", 2200, 2200],
])("Stripe's amount in %s is what is booked", async (currency, amount, minor) => {
  using shop = await called({ ...stripe, currency });
  shop.send({ currency: currency.toLowerCase(), amount });
  expect(rows(shop.db)).toMatchObject([{ state: "booked", amount: minor }]);
});

test("what Razorpay tells first without saying whose it is is booked by the event that does, once", async () => {
  const bare = razorpay.body({ reference: "" }) as { payload: { payment: { entity: object } } };
  const payment = { entity: { ...bare.payload.payment.entity, notes: [] } };
  const link = { payment_link: { entity: { id: "plink_1", reference_id: reference } } };
  using shop = await called({
    ...razorpay,
    body: ({ isSecond }) =>
      isSecond
        ? { ...bare, event: "payment_link.paid", payload: { payment, ...link } }
        : { ...bare, event: "payment.captured", payload: { payment } },
  });
  expect(shop.send()).toMatchObject({ arrived: { state: "unmatched", isRepeat: false } });
  expect(shop.send({ isSecond: true })).toMatchObject({ arrived: { state: "booked", isRepeat: false } });
  for (const isSecond of [true, false])
    expect(shop.send({ isSecond })).toMatchObject({ arrived: { state: "booked", isRepeat: true } });
  expect(rows(shop.db)).toMatchObject([{ state: "booked", reason: null, reference, username: "user1" }]);
  expect(wallet(shop.db)).toBe(razorpay.amount);
});

test("what staff put away stays so, whatever is told of it later", async () => {
  const bare = razorpay.body({ reference: "" }) as { payload: { payment: { entity: object } } };
  const payment = { entity: { ...bare.payload.payment.entity, notes: [] } };
  using shop = await called({
    ...razorpay,
    body: (changes) => (changes.isSecond ? razorpay.body(changes) : { ...bare, payload: { payment } }),
  });
  shop.send();
  dismissIncoming(shop.db, boss, { id: 1, reason: "handed back" }, { now: NOW });
  expect(shop.send({ isSecond: true })).toMatchObject({ arrived: { state: "dismissed", isRepeat: true } });
  expect(wallet(shop.db)).toBe(0);
});

describe("what is taken back is shown, and nobody books it", () => {
  const back: [string, Documented, object, number][] = [
    [
      "a refund of Stripe",
      stripe,
      {
        id: "evt_9",
        type: "charge.refunded",
        data: {
          object: {
            id: "ch_1",
            object: "charge",
            amount: 2198,
            amount_refunded: 2198,
            currency: "usd",
            payment_intent: stripe.id,
            refunded: true,
          },
        },
      },
      2198,
    ],
    [
      "a refund of Paystack",
      paystack,
      {
        event: "refund.processed",
        data: {
          status: "processed",
          transaction_reference: paystack.id,
          refund_reference: "132013318360",
          amount: "10000",
          currency: "NGN",
          customer: { email: "bojack@horseman.com" },
        },
      },
      10_000,
    ],
    [
      "a dispute of Razorpay",
      razorpay,
      {
        entity: "event",
        event: "payment.dispute.created",
        contains: ["payment", "dispute"],
        payload: {
          dispute: {
            entity: { id: "disp_EsIAlDcoUr8CaQ", payment_id: razorpay.id, amount: 100, currency: "SGD" },
          },
        },
      },
      100,
    ],
    [
      "a dispute of Stripe",
      stripe,
      {
        id: "evt_10",
        type: "charge.dispute.created",
        data: {
          object: {
            id: "dp_1",
            object: "dispute",
            amount: 2198,
            currency: "usd",
            charge: "ch_1",
            payment_intent: stripe.id,
            status: "needs_response",
          },
        },
      },
      2198,
    ],
    [
      "a dispute of Paystack",
      paystack,
      {
        event: "charge.dispute.create",
        data: {
          id: 358950,
          refund_amount: 10_000,
          currency: "NGN",
          status: "awaiting-merchant-feedback",
          transaction: { id: 896467688, reference: paystack.id, amount: 10_000, currency: "NGN" },
        },
      },
      10_000,
    ],
    [
      "a refund of Razorpay",
      razorpay,
      {
        entity: "event",
        event: "refund.processed",
        contains: ["refund", "payment"],
        payload: {
          refund: {
            entity: { id: "rfnd_FS8TWyPrCsa0OB", payment_id: razorpay.id, amount: 60, currency: "SGD" },
          },
        },
      },
      60,
    ],
    [
      "a refund of Flutterwave v4",
      exampleOf("flutterwave_v4"),
      {
        type: "refund.completed",
        data: { id: "ref_1", charge_id: "chg_e1f3a2b1", amount_refunded: 25_000, currency: "NGN" },
      },
      2_500_000,
    ],
    [
      "a refund of Xendit",
      exampleOf("xendit"),
      {
        event: "refund.succeeded",
        data: { id: "rfd-1", invoice_id: "579c8d61f23fa4ca35e52da4", amount: 10_000, currency: "IDR" },
      },
      1_000_000,
    ],
    [
      "a refund of Xendit within two events",
      exampleOf("xendit"),
      {
        event: "refund.succeeded",
        data: {
          event: "refund.succeeded",
          data: { id: "rfd-1", invoice_id: "579c8d61f23fa4ca35e52da4", amount: 10_000, currency: "IDR" },
        },
      },
      1_000_000,
    ],
  ];
  test.each(back)("%s", async (_, example, body, amount) => {
    using shop = await called({
      ...example,
      body: (changes) => (changes.isSecond ? { ...body } : example.body(changes)),
    });
    shop.send();
    for (let nth = 0; nth < 2; nth++)
      expect(shop.send({ isSecond: true })).toMatchObject({ arrived: { state: "told", subscriberId: 1 } });
    const [notice, paid, ...others] = rows(shop.db);
    expect(others).toEqual([]);
    expect([notice?.state, notice?.amount, paid?.state]).toEqual(["told", amount, "booked"]);
    expect(String(notice?.reason)).toContain(paid?.number ?? "no receipt");
    expect(wallet(shop.db)).toBe(example.amount);
    expect(listIncoming(shop.db, boss, { view: "open" }, newest).map(({ state }) => state)).toEqual(["told"]);
  });
});

test("M-Pesa needs the addresses that it calls from, and not the whole internet", async () => {
  using store = await office();
  const make = (addresses?: string) =>
    createPaymentSource(
      store.db,
      boss,
      {
        kind: "provider",
        name: "mobile",
        method: "mobile",
        preset: "mpesa_c2b",
        ...(addresses && { addresses }),
      },
      { now: NOW },
    );
  expect(() => make()).toThrow(
    expect.objectContaining({ fields: { addresses: [expect.stringContaining("needs the addresses")] } }),
  );
  expect(() => make("0.0.0.0/0")).toThrow(
    expect.objectContaining({ fields: { addresses: [expect.stringContaining("too wide")] } }),
  );
  const { source } = make("196.201.214.0/24");
  expect(source.key).toMatch(/^[0-9a-f]{32}$/);
});

test("every preset is a description that can be stored, but for the addresses of one", () => {
  expect(presetNames.filter((name) => providerFault(presets[name]) !== undefined)).toEqual(["mpesa_c2b"]);
});
