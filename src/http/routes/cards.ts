import { Type } from "@sinclair/typebox";
import { cardKinds, cardStates } from "../../../db/schema.ts";
import { endAllCardSessions } from "../../domain/service/enforcement/end-sessions.ts";
import { findCard } from "../../domain/service/cards/find.ts";
import { cardById, listCards } from "../../domain/service/cards/list.ts";
import { reprintCard } from "../../domain/service/cards/print.ts";
import { requireSelling, sellCard } from "../../domain/desk/card-sales/sell.ts";
import { unlockCard } from "../../domain/service/cards/unlock.ts";
import { requireVoiding, voidCard } from "../../domain/desk/card-sales/void.ts";
import { from, id, oneOf, text, to, wholeNumber } from "../../domain/core/fields/fields.ts";
import { paymentPrintout } from "../../domain/desk/printouts/printout.ts";
import { formatMinor } from "../../domain/core/amounts/money.ts";
import {
  cardRecordSchema,
  cardSchema,
  exampleCard,
  exampleCardRecord,
  printedCardSchema,
  cardToJson,
  cardRecordToJson,
  printedCardToJson,
  standings,
} from "../../wire/card.ts";
import { nullable } from "../../wire/kinds.ts";
import { examplePrintedPayment, printedPayment, printedPaymentSchema } from "../../wire/payment.ts";
import { managementForm, noForm } from "../form.ts";
import { listed } from "../list.ts";
import { managed } from "../operation.ts";
import { money } from "../../wire/money.ts";

const PREFIX = "/api/v1/card";
const tags: [string] = ["Cards"];
const unknown = { 404: "There is no such card." };
const code = text(60);
const reason = text(500, { lines: true });
const serial = wholeNumber(1, 1_000_000);

const list = listed({
  path: `${PREFIX}/list`,
  operation: "listCards",
  operationId: "listCards",
  tags,
  summary: "List cards",
  description:
    "Batch by batch, in the order of their serials; never with a code. `from` and `to` are when they were sold.",
  filters: {
    batch_id: id,
    standing: oneOf(...standings),
    state: oneOf(...cardStates),
    kind: oneOf(...cardKinds),
    package_id: id,
    reseller_id: id,
    sold_by: id,
    redeemed_by: id,
    first_serial: serial,
    last_serial: serial,
    from,
    to,
  },
  sorts: ["serial"],
  record: cardSchema,
  example: exampleCard,
  page: ({ db, by, values: value, now }, { limit, offset, descending }) => {
    const { batch_id: batchId, standing, state, kind, package_id: packageId } = value;
    const { sold_by: soldBy, redeemed_by: redeemedBy, reseller_id: resellerId } = value;
    const { first_serial: fromSerial, last_serial: toSerial, from: soldFrom, to: soldTo } = value;
    const ofBatch = { batchId, kind, packageId, resellerId, fromSerial, toSerial };
    const filters = { ...ofBatch, standing, state, soldBy, redeemedBy, soldFrom, soldTo };
    const { records, total } = listCards(db, by, filters, { limit, offset, descending, now });
    return { records: records.map(cardToJson), total };
  },
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "cardById",
  operationId: "getCard",
  tags,
  summary: "Get a card",
  form: noForm,
  ids: { id: "card" },
  success: {
    description: "The card, never with its code.",
    schema: cardRecordSchema,
    example: exampleCardRecord,
  },
  refusals: unknown,
  run: ({ db, by, ids: { id }, now }) => cardRecordToJson(cardById(db, by, id, { now })),
});

const find = managed({
  method: "POST",
  path: `${PREFIX}/find`,
  takesKey: false,
  operation: "findCard",
  operationId: "findCard",
  tags,
  summary: "Find a card by its code or number",
  description:
    "Takes the code as somebody typed it (case, blanks and dashes do not count), the number (`C-051234`) or what stands on paper (`0117-034`). Sent in the body, so that no code stands in an address.",
  form: managementForm({ code }, ["code"], { code: "F3QH-5UWT" }),
  success: { description: "The card.", schema: cardRecordSchema, example: exampleCardRecord },
  refusals: { ...unknown, 429: "The account sent 20 codes within a minute that are none." },
  run: ({ db, by, values: { code }, now }) => cardRecordToJson(findCard(db, by, code, { now })),
});

const sell = managed({
  method: "POST",
  path: `${PREFIX}/sell`,
  operation: "sellCard",
  operationId: "sellCard",
  tags,
  summary: "Sell a card",
  description:
    "Named by its `id` or `code`. Staff of the ISP say the `method`, and the price counts in their till, with a receipt; a Reseller sells the cards that it holds for money of its own, and leaves `method` out.",
  form: managementForm({ id, code, method: text(20), reference: text(100), note: text(500) }, [], {
    code: "F3QH-5UWT",
    method: "cash",
  }),
  success: {
    description: "Sold. `payment` is what was taken for it, with all that the receipt prints.",
    schema: Type.Object({
      success: Type.String(),
      card: cardRecordSchema,
      payment: nullable(printedPaymentSchema),
    }),
    example: { success: "Card C-051234 sold.", card: exampleCardRecord, payment: examplePrintedPayment },
  },
  refusals: {
    ...unknown,
    409: "It was sold or used meanwhile, or is void; or the reference was taken already.",
    422: "Its day to be sold by is over, a Reseller holds it, or the Reseller's wallet is below its limit.",
    429: "The account sent 20 codes within a minute that are none.",
  },
  once: ({ db, by, values: { id, code }, now }) => void requireSelling(db, by, { id, code }, { now }),
  run: ({ db, by, values: value, now }) => {
    const { id, code, method, reference, note } = value;
    const { card, payment } = sellCard(db, by, { id, code, method, reference, note }, { now });
    const json = cardRecordToJson(card);
    return {
      success: `Card ${json.number} sold.`,
      card: json,
      payment: payment && printedPayment(payment, paymentPrintout(db, payment)),
    };
  },
});

const makeVoid = managed({
  method: "POST",
  path: `${PREFIX}/void`,
  operation: "voidCard",
  operationId: "voidCard",
  tags,
  summary: "Make a card void for good",
  description:
    "One that nobody used gives back what was paid for it: the payment of its sale is reversed, its Reseller gets back what was charged. One in use refunds nothing, and its sessions end.",
  form: managementForm({ id, reason }, ["id", "reason"], { id: 51_234, reason: "sold twice" }),
  success: {
    description:
      "Void. `payment` is the one that was reversed; `ended` of its sessions are over, `failures` says why others go on.",
    schema: Type.Object({
      success: Type.String(),
      card: cardRecordSchema,
      payment: nullable(printedPaymentSchema),
      given_back: money,
      ended: Type.Integer(),
      failures: Type.Array(Type.String()),
    }),
    example: {
      success: "Card C-051234 is void.",
      card: { ...exampleCardRecord, state: "void", standing: "void" },
      payment: null,
      given_back: 1.2,
      ended: 0,
      failures: [],
    },
  },
  refusals: { ...unknown, 409: "It is void already." },
  once: ({ db, by, values: value, now }) => void requireVoiding(db, by, value.id, { now }),
  run: ({ db, by, values: { id, reason }, now }) => {
    const { card, payment, givenBack } = voidCard(db, by, { id, reason }, { now });
    const json = cardRecordToJson(card);
    const printed = payment && printedPayment(payment, paymentPrintout(db, payment));
    const success = `Card ${json.number} is void.`;
    const failures: string[] = [];
    return { success, card: json, payment: printed, given_back: formatMinor(givenBack), ended: 0, failures };
  },
  after: async ({ db, by, clock, routers, values: value }, answer) => {
    const { ended, failures } = await endAllCardSessions(db, by, { cardId: value.id }, { clock, routers });
    return { ...answer, ended, failures };
  },
});

const unlock = managed({
  method: "POST",
  path: `${PREFIX}/unlock`,
  operation: "unlockCard",
  operationId: "unlockCard",
  tags,
  summary: "Let go of the device that a card is locked to",
  description: "Phones draw random addresses: the next device that it is used with takes the place.",
  form: managementForm({ id }, ["id"], { id: 51_234 }),
  success: {
    description: "Unlocked.",
    schema: Type.Object({ success: Type.String(), card: cardRecordSchema }),
    example: { success: "Card C-051234 unlocked.", card: exampleCardRecord },
  },
  refusals: { ...unknown, 422: "It is locked to no device." },
  run: ({ db, by, values: { id }, now }) => {
    const card = cardRecordToJson(unlockCard(db, by, { id }, { now }));
    return { success: `Card ${card.number} unlocked.`, card };
  },
});

const reprint = managed({
  method: "POST",
  path: `${PREFIX}/reprint`,
  operation: "reprintCard",
  operationId: "reprintCard",
  record: null,
  tags,
  summary: "Print a card again that was lost",
  description: "Answers its code, for paper. The audit trail says who asked.",
  form: managementForm({ id }, ["id"], { id: 51_234 }),
  success: {
    description: "The card with its code.",
    schema: printedCardSchema,
    example: {
      number: "C-051234",
      paper_number: "0117-034",
      code: "F3QH5UWT",
      code_printed: "F3QH-5UWT",
    },
  },
  refusals: { ...unknown, 422: "It is void." },
  run: ({ db, by, values: { id }, now }) => {
    const { batch, card } = reprintCard(db, by, { id }, { now });
    return printedCardToJson(batch, card);
  },
});

export const cardOperations = [list, get, find, sell, makeVoid, unlock, reprint];
