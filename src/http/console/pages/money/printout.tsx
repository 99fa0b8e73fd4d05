import type { Printout } from "../../../../domain/desk/printouts/printout.ts";
import type { CreditNote, Invoice } from "../../../../domain/money/invoices/find.ts";
import { InvoiceSheet } from "../../../pages/print/invoice-sheet.tsx";
import type { PaperSize } from "../../../pages/print/sheet.tsx";
import type { ConsoleView } from "../../view.ts";

interface PrintedInvoice {
  /** In the brand of the ISP that wrote it. */
  view: ConsoleView;
  size: PaperSize;
  invoice: Invoice;
  notes: readonly CreditNote[];
  printout: Printout;
  isCopy: boolean;
}

/** The printout of an invoice, with its credit notes. */
export function InvoicePrintout({ view, size, invoice, notes, printout, isCopy }: PrintedInvoice) {
  const { format, words } = view;
  return (
    <InvoiceSheet
      view={view}
      size={size}
      invoice={invoice}
      words={words.paper}
      party={printout.addressee}
      marks={[isCopy && words.paper.copy]}
      credits={notes.map(({ number, createdAt, amount }) => ({
        name: words.paper.creditNote(number, format.date(createdAt)),
        value: format.sum(-amount, invoice.currency),
      }))}
    />
  );
}
