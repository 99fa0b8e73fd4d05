import type { Invoice } from "../../../domain/desk/portal/history.ts";
import type { Subscriber } from "../../../domain/goods/subscribers/find.ts";
import { Icon } from "../../pages/icons.tsx";
import { InvoiceSheet, invoiceNumber } from "../../pages/print/invoice-sheet.tsx";
import { paperAsset } from "../assets.ts";
import { Document, Shell, type View } from "../layout.tsx";

interface InvoiceProps {
  view: View;
  formToken: string;
  subscriber: Subscriber;
  invoice: Invoice;
}

export function InvoicePage({ view, formToken, subscriber, invoice }: InvoiceProps) {
  const { invoices } = view.words;
  const title = invoiceTitle(view, invoice);
  return (
    <Shell view={view} title={title} place="invoices" formToken={formToken} styles={[paperAsset.path]}>
      <p class="band">
        <a class="back" href="/portal/invoices">
          <Icon name="back" />
          {invoices.back}
        </a>
        <button type="button" class="button" hidden data-print>
          <Icon name="print" />
          {invoices.print}
        </button>
      </p>
      <h1 class="unseen">{title}</h1>
      <OwnSheet view={view} subscriber={subscriber} invoice={invoice} />
    </Shell>
  );
}

type Paper = Omit<InvoiceProps, "formToken">;

/** The paper alone, as the subscriber's app shows it. */
export function InvoicePaper({ view, subscriber, invoice }: Paper) {
  return (
    <Document view={view} title={invoiceTitle(view, invoice)} kind="bare" styles={[paperAsset.path]}>
      <main>
        <OwnSheet view={view} subscriber={subscriber} invoice={invoice} />
      </main>
    </Document>
  );
}

const invoiceTitle = ({ words, format }: View, invoice: Invoice) =>
  `${words.invoices.number} ${format.name(invoiceNumber(invoice))}`;

function OwnSheet({ view, subscriber, invoice }: Paper) {
  const { invoices, pay } = view.words;
  return (
    <InvoiceSheet
      view={view}
      invoice={invoice}
      size="a4"
      party={subscriber}
      words={{
        ...invoices,
        invoice: invoices.number,
        reference: pay.reference,
        taxNumber: (number) => number,
      }}
    />
  );
}
