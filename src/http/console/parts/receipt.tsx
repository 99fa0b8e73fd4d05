import type { PaymentPrintout } from "../../../domain/desk/printouts/printout.ts";
import { makeReference } from "../../../domain/desk/incoming/reference.ts";
import type { Payment } from "../../../domain/money/payments/find.ts";
import { type PaperSize, PrintItem, PrintParty, Sheet, type Total } from "../../pages/print/sheet.tsx";
import type { ConsoleView } from "../view.ts";
import { describeGives, packageOrRefill } from "./card-gives.ts";

export interface PrintedReceipt {
  /** In the brand of the ISP that was paid. */
  view: ConsoleView;
  size: PaperSize;
  payment: Payment;
  printout: PaymentPrintout;
  /** Printed before. */
  isCopy: boolean;
}

export function Receipt({ view, size, payment, printout, isCopy }: PrintedReceipt) {
  const { format, words, brand } = view;
  const { paper: names, pay } = words;
  const { number, createdAt, currency, method, reference, takerName, kind, subscriberId } = payment;
  return (
    <Sheet
      size={size}
      brand={brand}
      taxNumber={names.taxNumber}
      title={`${kind === "refund" ? names.refund : names.receipt} ${number}`}
      marks={[payment.reversedAt !== null && names.receiptVoid, isCopy && names.copy]}
      facts={[
        [names.date, format.time(createdAt)],
        [names.of, printout.card ? null : <PrintParty party={printout.addressee} />],
        [names.reference, subscriberId === null ? null : <bdi>{makeReference(subscriberId)}</bdi>],
        [names.method, [pay.methodName(method), reference].filter(Boolean).join(" ")],
        [names.taker, takerName],
      ]}
      columns={[
        { title: names.for },
        { title: names.amountIn(format.currencySign(currency)), of: "amounts" },
      ]}
      rows={receiptRows(view, payment, printout)}
      totals={receiptTotals(view, payment, printout)}
    >
      <ReceiptFoot view={view} />
    </Sheet>
  );
}

/** Purchase, earlier debt, and what stays on the account. */
export function receiptRows(view: ConsoleView, payment: Payment, printout: PaymentPrintout) {
  const { format, words } = view;
  const { paper: names } = words;
  const { amount, kind } = payment;
  const { paidFor, balance, card } = printout;
  const row = (name: string, minor: number, more = "") =>
    [<PrintItem name={name} more={more} />, format.amount(minor)] as const;
  if (card)
    return [
      row(
        packageOrRefill(view, card),
        amount,
        [card.number, ...describeGives(view, card)].join(view.words.list.comma),
      ),
    ];
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

/** A buyer of cards has no balance. */
export function receiptTotals(
  { format, words: { paper: names } }: ConsoleView,
  payment: Payment,
  printout: PaymentPrintout,
) {
  const { amount, kind, currency } = payment;
  const balance = printout.balance - (printout.paidFor?.amount ?? 0);
  const totals: Total[] = [
    {
      name: kind === "refund" ? names.handedBack : names.paid,
      value: format.sum(amount, currency),
      isSum: true,
    },
  ];
  if (!printout.card) totals.push({ name: names.balance, value: format.sum(balance, currency) });
  return totals;
}

/** The contact. */
export function ReceiptFoot({ view: { words, brand, format } }: { view: ConsoleView }) {
  if (brand.phone === "") return null;
  return <p class="paper-foot">{words.paper.questions(format.name(brand.phone))}</p>;
}
