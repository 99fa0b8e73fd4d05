import type { Invoice } from "../../../domain/portal/history.ts";
import { referenceOf } from "../../../domain/incoming/reference.ts";
import type { Subscriber } from "../../../domain/subscribers/find.ts";
import { Icon } from "../../pages/icons.tsx";
import { BrandMark } from "../../pages/brand.tsx";
import { ContactLines, Shell, type View } from "../layout.tsx";
import { InvoiceState, numberOf } from "./invoices.tsx";

interface InvoiceProps {
  view: View;
  formToken: string;
  subscriber: Subscriber;
  invoice: Invoice;
}

/** One invoice, as it is printed. */
export function InvoicePage({ view, formToken, subscriber, invoice }: InvoiceProps) {
  const { words, format, brand } = view;
  const { invoices, pay } = words;
  const { createdAt, packageName, periodStart, periodEnd, amount, currency, open, credited } = invoice;
  const title = `${invoices.number} ${format.name(numberOf(invoice))}`;
  const total = format.money(amount, currency);
  return (
    <Shell view={view} title={title} place="invoices" formToken={formToken}>
      <p class="actions">
        <a class="back" href="/portal/invoices">
          <Icon name="back" />
          {invoices.back}
        </a>
        <button type="button" class="secondary" hidden data-print>
          <Icon name="print" />
          {invoices.print}
        </button>
      </p>
      <article class="card paper">
        <header class="paper-head">
          <div>
            <BrandMark brand={brand} />
            <ul class="contact-lines">
              {brand.address.map((line) => (
                <li>
                  <bdi>{line}</bdi>
                </li>
              ))}
              {brand.taxNumber !== "" && (
                <li>
                  <bdi>{brand.taxNumber}</bdi>
                </li>
              )}
            </ul>
            <ContactLines lines={brand.contact} />
          </div>
          <InvoiceState words={invoices} invoice={invoice} />
        </header>
        <h1>{title}</h1>
        <dl class="facts">
          <div>
            <dt>{invoices.billedTo}</dt>
            <dd>
              <bdi>{subscriber.name}</bdi>
              <br />
              {subscriber.address !== null && (
                <>
                  <bdi>{subscriber.address}</bdi>
                  <br />
                </>
              )}
              <bdi>{subscriber.username}</bdi>
            </dd>
          </div>
          <div>
            <dt>{pay.reference}</dt>
            <dd>
              <bdi>{referenceOf(subscriber.id)}</bdi>
            </dd>
          </div>
          <div>
            <dt>{invoices.date}</dt>
            <dd>{format.date(createdAt)}</dd>
          </div>
          <div>
            <dt>{invoices.state}</dt>
            <dd>{stateOf(view, invoice)}</dd>
          </div>
        </dl>
        <table class="sum">
          <thead>
            <tr>
              <th scope="col">{invoices.package}</th>
              <th scope="col" class="number">
                {invoices.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>
                <strong>
                  <bdi>{packageName}</bdi>
                </strong>
                <br />
                <span class="hint">{`${format.date(periodStart)} – ${format.date(periodEnd)}`}</span>
              </td>
              <td class="number">{total}</td>
            </tr>
          </tbody>
          <tfoot>
            <TaxRows view={view} invoice={invoice} />
            <tr>
              <th scope="row">{invoices.total}</th>
              <td class="number total">{total}</td>
            </tr>
            {credited > 0 && (
              <tr>
                <th scope="row">{invoices.credited}</th>
                <td class="number">{format.money(-credited, currency)}</td>
              </tr>
            )}
            {open > 0 && (
              <tr>
                <th scope="row">{invoices.toPay}</th>
                <td class="number total">{format.money(open, currency)}</td>
              </tr>
            )}
          </tfoot>
        </table>
      </article>
    </Shell>
  );
}

type Shown = Pick<InvoiceProps, "view" | "invoice">;

function stateOf({ words: { invoices }, format }: View, { paidAt, voidedAt }: Invoice): string {
  if (voidedAt !== null) return invoices.voidOn(format.date(voidedAt));
  return paidAt === null ? invoices.unpaid : invoices.paidOn(format.date(paidAt));
}

/** What of the amount is tax, where there is one. */
function TaxRows({ view: { words, format }, invoice }: Shown) {
  const { amount, currency, tax, taxName, taxPercent } = invoice;
  if (taxPercent === 0) return null;
  return (
    <>
      <tr>
        <th scope="row">{words.invoices.net}</th>
        <td class="number">{format.money(amount - tax, currency)}</td>
      </tr>
      <tr>
        <th scope="row">{words.invoices.tax(format.name(taxName ?? ""), format.taxRate(taxPercent))}</th>
        <td class="number">{format.money(tax, currency)}</td>
      </tr>
    </>
  );
}
