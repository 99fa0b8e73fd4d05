import type { Paper, PaymentPaper } from "../../../../domain/desk/papers/paper.ts";
import { referenceOf } from "../../../../domain/desk/incoming/reference.ts";
import type { CreditNote, Invoice } from "../../../../domain/money/invoices/find.ts";
import type { Payment } from "../../../../domain/money/payments/find.ts";
import { InvoiceSheet } from "../../../pages/paper/invoice-sheet.tsx";
import { type PaperSize, PaperItem, PaperParty, Sheet, type Total } from "../../../pages/paper/sheet.tsx";
import type { ConsoleView } from "../../view.ts";
import { givesOf, nameOf } from "../cards/gives.ts";

interface PrintedReceipt {
  /** In the brand of the ISP that took the money. */
  view: ConsoleView;
  size: PaperSize;
  payment: Payment;
  paper: PaymentPaper;
  /** It was given out before. */
  isCopy: boolean;
}

/** A receipt as it is handed over. */
export function Receipt({ view, size, payment, paper, isCopy }: PrintedReceipt) {
  const { format, words, brand } = view;
  const { paper: names, pay } = words;
  const { number, createdAt, currency, method, reference, takerName, kind, subscriberId } = payment;
  return (
    <Sheet
      {...{ size, brand, taxNumber: names.taxNumber }}
      title={`${kind === "refund" ? names.refund : names.receipt} ${number}`}
      marks={[payment.reversedAt !== null && names.void, isCopy && names.copy]}
      facts={[
        [names.date, format.time(createdAt)],
        [names.of, paper.card ? null : <PaperParty party={paper.addressee} />],
        [names.reference, subscriberId === null ? null : <bdi>{referenceOf(subscriberId)}</bdi>],
        [names.method, [pay.methodName(method), reference].filter(Boolean).join(" ")],
        [names.taker, takerName],
      ]}
      columns={[
        { title: names.for },
        { title: `${names.amount}, ${format.currencySign(currency)}`, of: "amounts" },
      ]}
      rows={receiptRows(view, payment, paper)}
      totals={receiptTotals(view, payment, paper)}
    >
      <ReceiptFoot view={view} />
    </Sheet>
  );
}

/** What the money was for: what was bought, what was owed before, and what the account keeps. */
function receiptRows(view: ConsoleView, payment: Payment, paper: PaymentPaper) {
  const { format, words } = view;
  const { paper: names } = words;
  const { amount, kind } = payment;
  const { paidFor, balance, card } = paper;
  const row = (name: string, minor: number, more = "") =>
    [<PaperItem name={name} more={more} />, format.amount(minor)] as const;
  if (card) return [row(nameOf(view, card), amount, [card.number, ...givesOf(view, card)].join(", "))];
  if (kind === "refund") return [row(names.fromAccount, amount)];
  const rest = amount - (paidFor?.amount ?? 0);
  const owed = Math.max(0, Math.min(rest, amount - balance));
  return [
    ...(paidFor
      ? [row(paidFor.packageName, paidFor.amount, names.until(format.date(paidFor.periodEnd)))]
      : []),
    ...(owed > 0 ? [row(names.owed, owed)] : []),
    ...(rest > owed ? [row(names.onAccount, rest - owed)] : []),
  ];
}

/** Who buys a card has no account whose balance could be said. */
function receiptTotals(
  { format, words: { paper: names } }: ConsoleView,
  payment: Payment,
  paper: PaymentPaper,
) {
  const { amount, kind, currency } = payment;
  const balance = paper.balance - (paper.paidFor?.amount ?? 0);
  const totals: Total[] = [
    {
      name: kind === "refund" ? names.handedBack : names.paid,
      value: format.sum(amount, currency),
      isSum: true,
    },
  ];
  if (!paper.card) totals.push({ name: names.balance, value: format.sum(balance, currency) });
  return totals;
}

/** Whom to ask. */
export function ReceiptFoot({ view: { words, brand } }: { view: ConsoleView }) {
  return brand.phone === "" ? null : <p class="paper-foot">{words.paper.questions(brand.phone)}</p>;
}

interface PrintedInvoice {
  /** In the brand of the ISP that wrote it. */
  view: ConsoleView;
  size: PaperSize;
  invoice: Invoice;
  notes: readonly CreditNote[];
  paper: Paper;
  isCopy: boolean;
}

/** An invoice as it is handed over; each credit note on it is named. */
export function InvoicePaper({ view, size, invoice, notes, paper, isCopy }: PrintedInvoice) {
  const { format, words } = view;
  return (
    <InvoiceSheet
      {...{ view, size, invoice, words: words.paper, party: paper.addressee }}
      marks={[isCopy && words.paper.copy]}
      credits={notes.map(({ number, createdAt, amount }) => ({
        name: words.paper.creditNote(number, format.date(createdAt)),
        value: format.sum(-amount, invoice.currency),
      }))}
    />
  );
}
