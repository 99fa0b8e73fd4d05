import { closeTill } from "../../../../../src/domain/money/closings/close.ts";
import { confirmClosing } from "../../../../../src/domain/money/closings/confirm.ts";
import { listClosings } from "../../../../../src/domain/money/closings/find.ts";
import { openTill } from "../../../../../src/domain/money/closings/till.ts";
import { changedInvoices, invoiceById, listInvoices } from "../../../../../src/domain/money/invoices/find.ts";
import { paymentDesk, referenceUse } from "../../../../../src/domain/desk/payments/desk.ts";
import {
  changedPayments,
  listPayments,
  paymentById,
  paymentSums,
} from "../../../../../src/domain/money/payments/find.ts";
import { payAtDesk } from "../../../../../src/domain/desk/payments/pay.ts";
import { previewReversal, previewVoid } from "../../../../../src/domain/desk/payments/preview.ts";
import { refundPayment } from "../../../../../src/domain/desk/payments/refund.ts";
import { reversePayment } from "../../../../../src/domain/desk/payments/reverse.ts";
import { takePayment } from "../../../../../src/domain/desk/payments/take.ts";
import { adjustWallet } from "../../../../../src/domain/money/wallets/adjust.ts";
import { walletEntries } from "../../../../../src/domain/money/wallets/entries.ts";
import { resellerWallets } from "../../../../../src/domain/money/wallets/resellers.ts";
import { act, type Call, done, one, through, today, world } from "./call.ts";

const handed = { ...one, amount: 100, method: "cash" };
const all = { before: Number.MAX_SAFE_INTEGER, limit: 100 };
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
const ofIspOne = { otherIsp: [], otherBranch: [], otherReseller: [] };
/** The actor is the Admin 1, or the Reseller 3; at the command line nobody has a till. */
const till = { operator: "refused", ispOne: done, otherIsp: "not_found", otherBranch: "not_found" };

const seen = { balance: 10_000, price: null };
const atDesk = { ...handed, reference: null, note: null, packageId: null, seen, sure: null };

/** Payments, wallets, day's closes, invoices. */
export const ofMoney = {
  takePayment: act((db, by) => takePayment(db, by, handed, world)),
  paymentDesk: act((db, by) => paymentDesk(db, by, one, world)),
  payAtDesk: act((db, by) => payAtDesk(db, by, atDesk, world)),
  referenceUse: act((db, by) => referenceUse(db, by, { ...one, method: "bank", reference: "A1" })),
  previewReversal: act((db, by) => previewReversal(db, by, { paymentId: 1 }, world)),
  previewVoid: act((db, by) => previewVoid(db, by, { invoiceId: 1 }, world)),
  paymentSums: {
    call: (db, by) => paymentSums(db, by, today)?.map(({ taken }) => taken),
    operator: [500],
    otherIsp: [],
    otherBranch: [],
    otherReseller: [],
  },
  resellerWallets: {
    call: (db, by) => resellerWallets(db, by, world).map(({ staffId }) => staffId),
    operator: [2, 3],
    otherIsp: [],
    otherBranch: [],
    otherReseller: [3],
  },
  changedPayments: {
    call: (db, by) => ids(changedPayments(db, by, { limit: 10 }).records),
    operator: [1],
    ...ofIspOne,
  },
  listPayments: { call: (db, by) => ids(listPayments(db, by, {}, all)), operator: [1], ...ofIspOne },
  paymentById: act((db, by) => paymentById(db, by, 1)),
  reversePayment: act((db, by) => reversePayment(db, by, { paymentId: 1, reason: "twice" }, world)),
  refundPayment: act((db, by) => refundPayment(db, by, handed, world)),
  walletEntries: act((db, by) => walletEntries(db, by, one, all)),
  adjustWallet: act((db, by) => adjustWallet(db, by, { ...one, amount: -100, reason: "slip" }, world)),
  openTill: { call: through((db, by) => openTill(db, by, {})), ...till, otherReseller: "forbidden" },
  closeTill: {
    call: through((db, by) => closeTill(db, by, { counted: 0 }, world)),
    ...till,
    otherReseller: "forbidden",
  },
  listClosings: {
    call: (db, by) => ids(listClosings(db, by, {}, all)),
    operator: [1],
    ispOne: [],
    ...ofIspOne,
  },
  confirmClosing: act((db, by) => confirmClosing(db, by, { closingId: 1 }, world)),
  changedInvoices: {
    call: (db, by) => ids(changedInvoices(db, by, { limit: 10 }).records),
    operator: [1],
    ...ofIspOne,
  },
  listInvoices: { call: (db, by) => ids(listInvoices(db, by, {}, all)), operator: [1], ...ofIspOne },
  invoiceById: act((db, by) => invoiceById(db, by, 1)),
} satisfies Record<string, Call>;
