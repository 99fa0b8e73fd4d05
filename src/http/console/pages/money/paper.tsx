import type { Child } from "hono/jsx";
import type { Paper, PaidFor } from "../../../../domain/invoices/paper.ts";
import { referenceOf } from "../../../../domain/incoming/reference.ts";
import type { CreditNote, Invoice } from "../../../../domain/invoices/find.ts";
import type { Payment } from "../../../../domain/payments/find.ts";
import type { ConsoleView } from "../../view.ts";

/** How wide paper is: a sheet, or the roll of a receipt printer. */
export type PaperSize = "a4" | "roll";

interface PrintedReceipt {
  view: ConsoleView;
  payment: Payment;
  paper: Paper & { readonly balance: number; readonly paidFor: PaidFor | null };
  /** It was given out before. */
  isCopy: boolean;
}

/** A receipt as it is handed over. */
export function Receipt({ view, payment, paper, isCopy }: PrintedReceipt) {
  const { format, words } = view;
  const { paper: names, pay } = words;
  const {
    number,
    createdAt,
    amount,
    currency,
    method,
    reference,
    takerName,
    kind,
    reversedAt,
    subscriberId,
  } = payment;
  const { addressee, paidFor, balance } = paper;
  const isRefund = kind === "refund";
  const rest = amount - (paidFor?.amount ?? 0);
  const owed = isRefund ? 0 : Math.max(0, Math.min(rest, amount - balance));
  return (
    <PaperFrame view={view} paper={paper} isCopy={isCopy} isVoid={reversedAt !== null}>
      <Rows>
        <Row name={isRefund ? names.refund : names.receipt} value={number} strong />
        <Row name={format.date(createdAt)} value={format.timeOfDay(createdAt)} />
        <Row name={addressee.name} value={addressee.username} />
      </Rows>
      <Rows>
        {paidFor && (
          <Row
            name={names.until(paidFor.packageName, format.date(paidFor.periodEnd))}
            value={format.amount(paidFor.amount)}
          />
        )}
        {owed > 0 && <Row name={names.owed} value={format.amount(owed)} />}
        {paidFor && rest > owed && <Row name={names.onAccount} value={format.amount(rest - owed)} />}
        <Row
          name={`${isRefund ? names.handedBack : names.paid}, ${format.currencySign(currency)}`}
          value={format.amount(amount)}
          sum
        />
        <Row name={pay.methodName(method)} value={reference ?? ""} />
        <Row name={names.balance} value={format.amount(balance - (paidFor?.amount ?? 0))} />
        {subscriberId !== null && <Row name={names.reference} value={referenceOf(subscriberId)} />}
      </Rows>
      <ReceiptFoot view={view} phone={paper.issuer.phone} takerName={takerName} />
    </PaperFrame>
  );
}

/** Who took the money, and whom to ask. */
export function ReceiptFoot({
  view,
  phone,
  takerName,
}: {
  view: ConsoleView;
  phone: string;
  takerName: string | null;
}) {
  const { paper: names } = view.words;
  return (
    <p class="paper-foot">
      {takerName !== null && names.takenBy(takerName)}
      {phone !== "" && (
        <>
          <br />
          {names.questions(phone)}
        </>
      )}
    </p>
  );
}

interface PrintedInvoice {
  view: ConsoleView;
  invoice: Invoice;
  notes: readonly CreditNote[];
  paper: Paper;
  isCopy: boolean;
}

/** An invoice as it is handed over. */
export function InvoicePaper({ view, invoice, notes, paper, isCopy }: PrintedInvoice) {
  const { format, words } = view;
  const names = words.paper;
  const {
    number,
    createdAt,
    packageName,
    periodStart,
    periodEnd,
    amount,
    currency,
    tax,
    taxName,
    taxPercent,
  } = invoice;
  const { addressee } = paper;
  const sign = format.currencySign(currency);
  return (
    <PaperFrame view={view} paper={paper} isCopy={isCopy} isVoid={invoice.voidedAt !== null}>
      <Rows>
        <Row name={names.invoice} value={number ?? String(invoice.id)} strong />
        <Row name={names.date} value={format.date(createdAt)} />
        <Row name={addressee.name} value={addressee.username} />
        {addressee.address !== null && <Row name={addressee.address} value="" />}
        <Row name={names.reference} value={referenceOf(invoice.subscriberId)} />
      </Rows>
      <Rows>
        <Row name={packageName} value={format.amount(amount)} />
        <Row name={names.period(format.date(periodStart), format.date(periodEnd))} value="" />
        {taxPercent > 0 && <Row name={names.net} value={format.amount(amount - tax)} />}
        {taxPercent > 0 && (
          <Row name={names.tax(taxName ?? "", format.taxRate(taxPercent))} value={format.amount(tax)} />
        )}
        <Row name={`${names.total}, ${sign}`} value={format.amount(amount)} sum />
        {notes.map((note) => (
          <Row
            name={names.creditNote(note.number, format.date(note.createdAt))}
            value={format.amount(-note.amount)}
          />
        ))}
        <Row
          name={names.stillToPay}
          value={format.amount(invoice.voidedAt === null ? invoice.open : 0)}
          strong
        />
      </Rows>
      <p class="paper-foot">
        {invoice.voidedAt !== null
          ? names.voidOn(format.date(invoice.voidedAt))
          : invoice.paidAt !== null
            ? names.paidOn(format.date(invoice.paidAt))
            : names.unpaid}
      </p>
    </PaperFrame>
  );
}

interface FrameProps {
  view: ConsoleView;
  paper: Paper;
  isCopy: boolean;
  isVoid: boolean;
  children: Child;
}

/** Who writes a paper, above what it says. */
export function PaperFrame({ view: { words }, paper: { issuer }, isCopy, isVoid, children }: FrameProps) {
  return (
    <article class="paper">
      <header class="paper-head">
        <strong>{issuer.name}</strong>
        {issuer.address.map((line) => (
          <span>{line}</span>
        ))}
        {issuer.taxNumber !== "" && <span>{words.paper.taxNumber(issuer.taxNumber)}</span>}
        {isVoid && <strong class="paper-mark">{words.paper.void}</strong>}
        {isCopy && <strong class="paper-mark">{words.paper.copy}</strong>}
      </header>
      {children}
    </article>
  );
}

/** Lines of a paper that belong together. */
export function Rows({ children }: { children: Child }) {
  return <dl class="paper-rows">{children}</dl>;
}

/** What is called how on a paper. */
export function Row({
  name,
  value,
  strong = false,
  sum = false,
}: {
  name: string;
  value: string;
  strong?: boolean;
  sum?: boolean;
}) {
  return (
    <div class={sum ? "paper-sum" : strong ? "paper-strong" : ""}>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}
