import { Type } from "@sinclair/typebox";
import { cardKinds } from "../../../db/schema.ts";
import { batchFields } from "../../domain/service/cards/batch-fields.ts";
import {
  batchSorts,
  cardBatchById,
  findBatch,
  listCardBatches,
} from "../../domain/service/cards/batch-list.ts";
import { createCardBatch, requireMaking } from "../../domain/service/cards/batches.ts";
import { MOST_AT_ONCE, requireSellingStrip, sellCards } from "../../domain/desk/card-sales/sell.ts";
import { requireVoidingBatch, voidCardBatch } from "../../domain/desk/card-sales/void.ts";
import { id, oneOf, text, wholeNumber } from "../../domain/core/fields/fields.ts";
import { formatMinor } from "../../domain/core/amounts/money.ts";
import {
  cardBatchSchema,
  cardRecordSchema,
  exampleBatch,
  exampleCardRecord,
  batchToJson,
  cardRecordToJson,
} from "../../wire/card.ts";
import { nullable } from "../../wire/kinds.ts";
import { managementForm, noForm } from "../form.ts";
import { listed } from "../list.ts";
import { managed } from "../operation.ts";
import { money } from "../../wire/money.ts";

const PREFIX = "/api/v1/card_batch";
const tags: [string] = ["Cards"];
const ids = { id: "batch" };
const serial = wholeNumber(1, 10_000);
const unknown = { 404: "There is no such batch." };

const list = listed({
  path: `${PREFIX}/list`,
  operation: "listCardBatches",
  operationId: "listCardBatches",
  tags,
  summary: "List batches of cards",
  description:
    "With how many cards of each are worth what now. `search` takes the number of a batch or of a card, a part of the note, of the prefix or of the package's name.",
  filters: { search: text(100), kind: oneOf(...cardKinds), package_id: id, reseller_id: id },
  sorts: batchSorts,
  record: cardBatchSchema,
  example: exampleBatch,
  page: ({ db, by, values: value, now }, paging) => {
    const { search, kind, package_id: packageId, reseller_id: resellerId } = value;
    const choice = { search, kind, packageId, resellerId, ...paging };
    const { records, total } = listCardBatches(db, by, choice, { now });
    return { records: records.map(batchToJson), total };
  },
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "cardBatchById",
  operationId: "getCardBatch",
  tags,
  summary: "Get a batch of cards",
  form: noForm,
  ids,
  success: { description: "The batch.", schema: cardBatchSchema, example: exampleBatch },
  refusals: unknown,
  run: ({ db, by, ids: { id }, now }) => batchToJson(cardBatchById(db, by, id, { now })),
});

/** Cards of a batch that is undone: ten thousand hold the lock for a sixth of a second. */
const TRIED = 10;

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  operation: "createCardBatch",
  operationId: "createCardBatch",
  tags,
  summary: "Make a batch of cards",
  description:
    "Draws a code for each, which nobody guesses: `length` may be left out, and is then as long as it has to be. `access` cards log in at the hotspot or by PPPoE with the terms that the package has today, `refill` cards bring their price into a wallet, `package` cards activate the package. A Reseller who gets the batch pays `reseller_price` for each card, all at once (`charge_on` handover) or each when it is first used (`use`). No code is in the answer: they are printed from the console or with `gatehouse card csv`.",
  form: {
    ...managementForm(batchFields, ["kind", "quantity", "price"], {
      kind: "access",
      package_id: 7,
      quantity: 500,
      price: 1.5,
      duration: 1,
      duration_unit: "day",
      note: "for the summer",
    }),
    narrowedBy: [],
  },
  success: {
    description: "Made. `first` and `last` are the numbers of its cards.",
    schema: Type.Object({
      success: Type.String(),
      first: Type.String(),
      last: Type.String(),
      batch: cardBatchSchema,
    }),
    example: {
      success: "500 cards made: batch 0117.",
      first: "C-051201",
      last: "C-051700",
      batch: exampleBatch,
    },
  },
  refusals: { 422: "The wallet of the Reseller does not reach for the handover." },
  once: ({ by }) => requireMaking(by),
  run: ({ db, by, input, now, isTried }) => {
    const { batch, first, last } = createCardBatch(db, by, input, { now, ...(isTried && { most: TRIED }) });
    const json = batchToJson(findBatch(db, by.scope, batch.id, now));
    return { success: `${batch.quantity} cards made: batch ${json.number}.`, first, last, batch: json };
  },
});

const reason = text(500, { lines: true });

const makeVoid = managed({
  method: "POST",
  path: `${PREFIX}/void`,
  operation: "voidCardBatch",
  operationId: "voidCardBatch",
  tags,
  summary: "Make the cards of a batch void that are still new",
  description:
    "Its Reseller gets back what was charged for them. Cards that were sold or are in use are in the hands of people and stay as they are; card/void makes one of them void.",
  form: managementForm({ id, reason }, ["id", "reason"], { id: 117, reason: "the box of cards was stolen" }),
  success: {
    description: "Void for good.",
    schema: Type.Object({
      success: Type.String(),
      voided: Type.Integer(),
      given_back: money,
      batch: cardBatchSchema,
    }),
    example: { success: "320 cards are void now.", voided: 320, given_back: 0, batch: exampleBatch },
  },
  refusals: { ...unknown, 409: "None of its cards is new any more." },
  once: ({ db, by, values: value, now }) => void requireVoidingBatch(db, by, value.id, { now }),
  run: ({ db, by, values: { id, reason }, now }) => {
    const { batch, voided, givenBack } = voidCardBatch(db, by, { id, reason }, { now });
    const success = voided === 1 ? "1 card is void now." : `${voided} cards are void now.`;
    return { success, voided, given_back: formatMinor(givenBack), batch: batchToJson(batch) };
  },
});

const sell = managed({
  method: "POST",
  path: `${PREFIX}/sell`,
  operation: "sellCards",
  operationId: "sellCardsOfBatch",
  tags,
  summary: "Sell a strip of cards",
  description: `All cards of a batch from \`first_serial\` to \`last_serial\` (at most ${MOST_AT_ONCE}), or none where one of them is not new. Staff of the ISP say the \`method\`, and each price counts in their till with a receipt of its own, so that one of the cards can be made void and paid back alone; a \`reference\` stands on the first receipt, and the others name that. A Reseller sells the cards that it holds for money of its own, and leaves \`method\` out.`,
  form: managementForm(
    {
      id,
      first_serial: serial,
      last_serial: serial,
      method: text(20),
      reference: text(100),
      note: text(500),
    },
    ["id", "first_serial", "last_serial"],
    { id: 117, first_serial: 21, last_serial: 30, method: "cash" },
  ),
  success: {
    description:
      "Sold. `total` is what the buyer hands over; the receipts are those of the payments, in the order of the serials, null where there are none.",
    schema: Type.Object({
      success: Type.String(),
      total: money,
      first_receipt: nullable(Type.String()),
      last_receipt: nullable(Type.String()),
      cards: Type.Array(cardRecordSchema),
    }),
    example: {
      success: "10 cards sold, 0117-021 to 0117-030.",
      total: 15,
      first_receipt: "R-2030-000123",
      last_receipt: "R-2030-000132",
      cards: [exampleCardRecord],
    },
  },
  refusals: {
    ...unknown,
    409: "One of them was sold or used meanwhile, or is void; or the reference was taken already.",
    422: "Its day to be sold by is over, a Reseller holds it, or the Reseller's wallet is below its limit.",
  },
  once: ({ db, by, values: { id: batchId, first_serial: first, last_serial: last }, now }) =>
    void requireSellingStrip(db, by, { batchId, first, last }, { now }),
  run: ({ db, by, values: value, now }) => {
    const { id: batchId, first_serial: first, last_serial: last, method, reference, note } = value;
    const sold = sellCards(db, by, { batchId, first, last, method, reference, note }, { now });
    const cards = sold.map(({ card }) => cardRecordToJson(card));
    const [from, to] = [cards[0]?.paper_number ?? "", cards.at(-1)?.paper_number ?? ""];
    return {
      success: sold.length === 1 ? `Card ${from} sold.` : `${sold.length} cards sold, ${from} to ${to}.`,
      total: formatMinor(sold.reduce((sum, { payment }) => sum + (payment?.amount ?? 0), 0)),
      first_receipt: sold[0]?.payment?.number ?? null,
      last_receipt: sold.at(-1)?.payment?.number ?? null,
      cards,
    };
  },
});

export const cardBatchOperations = [list, get, create, makeVoid, sell];
