import type { invoices } from "../../../../db/schema.ts";
import { makeReference } from "../../../domain/desk/incoming/reference.ts";
import type { Brand } from "../brand.tsx";
import type { Format } from "../format.ts";
import { type PaperSize, PrintItem, PrintParty, Sheet, type Total } from "./sheet.tsx";

interface InvoiceWords {
  readonly invoice: string;
  readonly billedTo: string;
  readonly reference: string;
  readonly date: string;
  readonly state: string;
  readonly package: string;
  readonly amountIn: (sign: string) => string;
  readonly net: string;
  readonly tax: (name: string, percent: string) => string;
  readonly total: string;
  readonly credited: string;
  readonly toPay: string;
  readonly void: string;
  readonly voidOn: (date: string) => string;
  readonly paidOn: (date: string) => string;
  readonly unpaid: string;
  readonly taxNumber: (number: string) => string;
}

type Invoice = typeof invoices.$inferSelect;

interface InvoiceSheetProps {
  view: { readonly format: Format; readonly brand: Brand };
  words: InvoiceWords;
  size: PaperSize;
  invoice: Invoice;
  party: { readonly name: string; readonly username: string; readonly address: string | null };
  /** Credits, each named. */
  credits?: readonly Total[];
  marks?: readonly (string | false)[];
}

export function InvoiceSheet(props: InvoiceSheetProps) {
  const { view, words, size, invoice, party, marks = [] } = props;
  const { format, brand } = view;
  const { createdAt, packageName, periodStart, periodEnd, amount, currency, voidedAt } = invoice;
  return (
    <Sheet
      size={size}
      brand={brand}
      taxNumber={words.taxNumber}
      title={`${words.invoice} ${format.name(invoiceNumber(invoice))}`}
      marks={[voidedAt !== null && words.void, ...marks]}
      facts={[
        [words.billedTo, <PrintParty party={party} />],
        [words.reference, <bdi>{makeReference(invoice.subscriberId)}</bdi>],
        [words.date, format.date(createdAt)],
        [words.state, stateText(props)],
      ]}
      columns={[
        { title: words.package },
        { title: words.amountIn(format.currencySign(currency)), of: "amounts" },
      ]}
      rows={[
        [
          <PrintItem name={packageName} more={`${format.date(periodStart)} – ${format.date(periodEnd)}`} />,
          format.amount(amount),
        ],
      ]}
      totals={listTotals(props)}
    />
  );
}

/** The number of an invoice as it is printed. */
export function invoiceNumber({ id, number }: Pick<Invoice, "id" | "number">): string {
  return number ?? `№ ${id}`;
}

function stateText({ view: { format }, words, invoice: { paidAt, voidedAt } }: InvoiceSheetProps): string {
  if (voidedAt !== null) return words.voidOn(format.date(voidedAt));
  return paidAt === null ? words.unpaid : words.paidOn(format.date(paidAt));
}

function listTotals({ view: { format }, words, invoice, credits }: InvoiceSheetProps): Total[] {
  const { amount, currency, tax, taxName, taxPercent, open, credited, voidedAt } = invoice;
  const sum = (minor: number) => format.sum(minor, currency);
  const taxed = words.tax(format.name(taxName ?? ""), format.taxRate(taxPercent));
  return [
    ...(taxPercent === 0
      ? []
      : [
          { name: words.net, value: sum(amount - tax) },
          { name: taxed, value: sum(tax) },
        ]),
    { name: words.total, value: sum(amount), isSum: true },
    ...(credits ?? (credited > 0 ? [{ name: words.credited, value: sum(-credited) }] : [])),
    ...(open > 0 && voidedAt === null ? [{ name: words.toPay, value: sum(open), isSum: true }] : []),
  ];
}
