import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { closingForm, closingsFile, confirm } from "./closing.tsx";
import { askVoid, printInvoice, showInvoice, voidInvoice } from "./invoice.tsx";
import { invoicesFile, showInvoices } from "./invoices.tsx";
import { owedFile, showOwed } from "./owed.tsx";
import { printReceipt, showPayment } from "./payment.tsx";
import { paymentsFile, showPayments } from "./payments.tsx";
import { askReversal, reverse } from "./reverse.tsx";
import { walletMoves } from "./wallet-moves.tsx";
import { entriesFile, showWallet, showWallets, walletsFile } from "./wallets.tsx";

const MONEY = "/console/money";
const PAYMENT = `${MONEY}/payments/:id`;
const INVOICE = `${MONEY}/invoices/:id`;

export const moneyRoutes: readonly ConsoleRoute[] = [
  staffPage(MONEY, showPayments),
  staffPage(`${MONEY}/payments.csv`, paymentsFile),
  staffPage(PAYMENT, showPayment),
  staffPage(`${PAYMENT}/receipt`, printReceipt),
  staffPage(`${PAYMENT}/reverse`, askReversal),
  staffForm(`${PAYMENT}/reverse`, reverse),
  staffPage(`${MONEY}/invoices`, showInvoices),
  staffPage(`${MONEY}/invoices.csv`, invoicesFile),
  staffPage(INVOICE, showInvoice),
  staffPage(`${INVOICE}/paper`, printInvoice),
  staffPage(`${INVOICE}/void`, askVoid),
  staffForm(`${INVOICE}/void`, voidInvoice),
  staffPage(`${MONEY}/owed`, showOwed),
  staffPage(`${MONEY}/owed.csv`, owedFile),
  ...closingForm,
  staffForm(`${MONEY}/closing/:id/confirm`, confirm),
  staffPage(`${MONEY}/closing.csv`, closingsFile),
  staffPage(`${MONEY}/wallets`, showWallets),
  staffPage(`${MONEY}/wallets.csv`, walletsFile),
  staffPage(`${MONEY}/wallets/:id`, showWallet),
  staffPage(`${MONEY}/wallets/:id/entries.csv`, entriesFile),
  ...walletMoves,
];
