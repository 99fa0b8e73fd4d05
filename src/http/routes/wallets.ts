import { Type } from "@sinclair/typebox";
import { amountAboveZero, flag, from, id, oneOf, text, to } from "../../domain/core/fields/fields.ts";
import { formatMinor } from "../../domain/core/amounts/money.ts";
import { requirePayer } from "../../domain/money/payments/payer.ts";
import { seeingArchived } from "../../domain/core/actor/actor.ts";
import { adjustWallet } from "../../domain/money/wallets/adjust.ts";
import { visibleKinds, walletEntries } from "../../domain/money/wallets/entries.ts";
import { entrySchema, exampleEntry, entryToJson } from "../../wire/wallet.ts";
import { managementForm } from "../form.ts";
import { logged } from "../list.ts";
import { managed } from "../operation.ts";
import { money } from "../../wire/money.ts";

const PREFIX = "/api/v1/wallet";
const tags: [string] = ["Money"];

const entries = logged({
  path: `${PREFIX}/entries`,
  operation: "walletEntries",
  operationId: "listWalletEntries",
  tags,
  summary: "List the entries of the wallet of a subscriber or a Reseller",
  description: "`user_id` or `staff_id` says whose; one of them is needed.",
  filters: { user_id: id, staff_id: id, kind: oneOf(...visibleKinds), from, to, archived: flag },
  asked: { user_id: 42 },
  record: entrySchema,
  example: exampleEntry,
  refusals: { 404: "There is no such subscriber or account." },
  page: ({ db, by, values: value }, paging) => {
    const { user_id: subscriberId, staff_id: staffId, archived, ...filters } = value;
    const seer = seeingArchived(by, archived);
    return walletEntries(db, seer, { ...filters, subscriberId, staffId }, paging).map(entryToJson);
  },
});

const adjust = managed({
  method: "POST",
  path: `${PREFIX}/adjust`,
  operation: "adjustWallet",
  operationId: "adjustWallet",
  tags,
  summary: "Correct the wallet of a subscriber or a Reseller",
  description:
    "For what no money was handed over for. A correction down may take the wallet below zero and is then owed; it has no invoice. Resellers correct no wallet.",
  form: managementForm(
    {
      user_id: id,
      staff_id: id,
      amount: amountAboveZero,
      direction: oneOf("up", "down"),
      reason: text(500, { lines: true }),
    },
    ["amount", "direction", "reason"],
    { user_id: 42, amount: 5, direction: "up", reason: "a day without service" },
  ),
  success: {
    description: "Corrected.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer(), balance: money }),
    example: { success: "Wallet adjusted.", id: 302, balance: 12 },
  },
  refusals: {
    404: "There is no such subscriber or Reseller.",
    422: "The account is no Reseller, or the balance would be larger than what can be booked.",
  },
  once: ({ db, by, values: { user_id: subscriberId, staff_id: staffId } }) =>
    void requirePayer(db, by, { subscriberId, staffId }),
  run: ({ db, by, values: value, now }) => {
    const { user_id: subscriberId, staff_id: staffId, direction, reason } = value;
    const amount = direction === "down" ? -value.amount : value.amount;
    const { entryId, balance } = adjustWallet(db, by, { subscriberId, staffId, amount, reason }, { now });
    return { success: "Wallet adjusted.", id: entryId, balance: formatMinor(balance) };
  },
});

export const walletOperations = [entries, adjust];
