import type { Invoice } from "../../../domain/desk/portal/history.ts";
import type { Subscriber } from "../../../domain/goods/subscribers/find.ts";
import { Icon } from "../../pages/icons.tsx";
import { InvoiceSheet, invoiceNumber } from "../../pages/print/invoice-sheet.tsx";
import { paperAsset } from "../assets.ts";
import { Shell, type View } from "../layout.tsx";

interface InvoiceProps {
  view: View;
  formToken: string;
  subscriber: Subscriber;
  invoice: Invoice;
}

export function InvoicePage({ view, formToken, subscriber, invoice }: InvoiceProps) {
  const { invoices, pay } = view.words;
  const title = `${invoices.number} ${view.format.name(invoiceNumber(invoice))}`;
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
    </Shell>
  );
}
