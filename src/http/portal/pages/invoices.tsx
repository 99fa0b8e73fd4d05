import type { Invoice } from "../../../domain/desk/portal/history.ts";
import type { Page } from "../paged.ts";
import { Shell, type View } from "../layout.tsx";
import { invoiceNumber } from "../../pages/print/invoice-sheet.tsx";
import { Pager } from "../../pages/pager.tsx";

interface InvoicesProps {
  view: View;
  formToken: string;
  history: Page<Invoice>;
}

export function InvoicesPage({ view, formToken, history }: InvoicesProps) {
  const { invoices: words } = view.words;
  return (
    <Shell view={view} title={words.title} place="invoices" formToken={formToken}>
      <h1>{words.title}</h1>
      <p class="lead">{words.lead}</p>
      {history.items.length === 0 ? (
        <p class="card empty">{words.none}</p>
      ) : (
        <div class="card list">
          <table class="rows">
            <thead>
              <tr>
                <th scope="col">{words.number}</th>
                <th scope="col">{words.date}</th>
                <th scope="col">{words.package}</th>
                <th scope="col">{words.period}</th>
                <th scope="col" class="number">
                  {words.amount}
                </th>
                <th scope="col">{words.state}</th>
              </tr>
            </thead>
            <tbody>
              {history.items.map((invoice) => (
                <Item view={view} invoice={invoice} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager view={view} href="/portal/invoices" page={history.page} pages={history.pages} />
    </Shell>
  );
}

function Item({ view: { words, format }, invoice }: { view: View; invoice: Invoice }) {
  const { invoices } = words;
  const { id, createdAt, packageName, periodStart, periodEnd, amount, currency, open } = invoice;
  return (
    <tr>
      <th scope="row" data-label={invoices.number}>
        <a href={`/portal/invoices/${id}`}>
          <bdi>{invoiceNumber(invoice)}</bdi>
        </a>
      </th>
      <td data-label={invoices.date}>{format.date(createdAt)}</td>
      <td data-label={invoices.package}>
        <bdi>{packageName}</bdi>
      </td>
      <td data-label={invoices.period}>{`${format.date(periodStart)} – ${format.date(periodEnd)}`}</td>
      <td data-label={invoices.amount} class="number">
        {format.money(amount, currency)}
      </td>
      <td data-label={invoices.state}>
        <InvoiceState words={invoices} invoice={invoice} />
        {open > 0 && (
          <span class="hint">{` ${words.labelled(invoices.toPay, format.money(open, currency))}`}</span>
        )}
      </td>
    </tr>
  );
}

export function InvoiceState({
  words,
  invoice: { paidAt, voidedAt },
}: {
  words: { paid: string; unpaid: string; void: string };
  invoice: Pick<Invoice, "paidAt" | "voidedAt">;
}) {
  if (voidedAt !== null) return <span class="chip">{words.void}</span>;
  return (
    <span class={paidAt === null ? "chip due" : "chip good"}>
      {paidAt === null ? words.unpaid : words.paid}
    </span>
  );
}
