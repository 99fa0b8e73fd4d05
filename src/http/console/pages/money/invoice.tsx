import { voidSoldInvoice } from "../../../../domain/desk/void/void.ts";
import { told } from "../../attempt.ts";
import { applyChange } from "../../../../domain/service/control/apply-change.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { type Invoice, invoiceById } from "../../../../domain/money/invoices/find.ts";
import { invoicePrintout } from "../../../../domain/desk/printouts/printout.ts";
import { previewVoid } from "../../../../domain/desk/payments/preview.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import { pathId } from "../../../form.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { drawer, page, flash } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ispView } from "../../parts/isp-view.ts";
import { formatSum } from "../../parts/money-frame.tsx";
import { InvoiceState } from "./invoices.tsx";
import { doOnce } from "../../parts/once.tsx";
import { KeyedForm, type Refusal, refusedDrawer, type ReadValue, valuesIn } from "../../parts/keyed.tsx";
import { InvoicePrintout } from "./printout.tsx";
import { printPage } from "../../parts/print.tsx";
import { Outcomes } from "./outcomes.tsx";
import { readReason } from "./reverse.tsx";

const PATH = "/console/money/invoices/void";
const found = ({ db, by, params }: StaffVisit) =>
  invoiceById(db, by, pathId("invoice", params["id"] ?? null));
const invoiceHref = ({ id }: Invoice) => `/console/money/invoices/${id}`;

export function showInvoice(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const { money } = view.words;
  const { invoice, notes } = found(visit);
  const number = invoice.number ?? String(invoice.id);
  const pays = invoice.open > 0 && invoice.voidedAt === null && may(by, "payment_take");
  const ofIsp = ispView(visit, invoice.ispId);
  return page(
    visit,
    <Frame
      visit={visit}
      title={number}
      place="money"
      back={{ href: "/console/money/invoices", label: money.tabs.invoices }}
    >
      <div class="page-head">
        <h1>{number}</h1>
        <InvoiceState view={view} invoice={invoice} />
        <div class="actions">
          {pays && (
            <Button
              href={`/console/subscribers/${invoice.subscriberId}/pay?package=none&amount=${formatAmount(invoice.open)}`}
              icon="money"
              kind="solid"
              drawer
              dataKey="p"
            >
              {money.takeSum(formatSum(view, invoice.open, invoice.currency))}
            </Button>
          )}
          <Button href={`${invoiceHref(invoice)}/paper?paper=a4`} icon="print">
            {money.print}
          </Button>
          {invoice.voidedAt === null && may(by, "invoice_void") && (
            <Button href={`${invoiceHref(invoice)}/void`} kind="danger" drawer>
              {money.void}
            </Button>
          )}
        </div>
      </div>
      <div class="split beside-paper">
        <div>
          <Card title={money.details}>
            <InvoiceFacts visit={visit} invoice={invoice} />
          </Card>
        </div>
        <div class="paper-ground">
          <InvoicePrintout
            invoice={invoice}
            notes={notes}
            view={ofIsp}
            size="a4"
            printout={invoicePrintout(db, invoice, ofIsp.brand)}
            isCopy={false}
          />
        </div>
      </div>
    </Frame>,
  );
}

function InvoiceFacts({ visit: { view, by }, invoice }: { visit: StaffVisit; invoice: Invoice }) {
  const { format, words } = view;
  const { money } = words;
  const { amount, currency, open, credited, paymentId, voidedAt, voidReason, paidAt } = invoice;
  return (
    <Facts
      facts={[
        [money.of, <a href={`/console/subscribers/${invoice.subscriberId}`}>{invoice.name}</a>],
        [money.package, invoice.packageName],
        [money.period, `${format.time(invoice.periodStart)} – ${format.time(invoice.periodEnd)}`],
        [money.amount, formatSum(view, amount, currency)],
        [money.open, open > 0 ? formatSum(view, open, currency) : null],
        [money.stateOf.credited, credited > 0 ? formatSum(view, credited, currency) : null],
        [money.stateOf.paid, paidAt === null ? null : format.time(paidAt)],
        [
          money.payment,
          paymentId !== null && may(by, "payment_view") ? (
            <a href={`/console/money/payments/${paymentId}`}>{money.itsPayment}</a>
          ) : null,
        ],
        [
          money.stateOf.void,
          voidedAt === null ? null : `${format.time(voidedAt)}${view.words.list.colon}${voidReason ?? ""}`,
        ],
      ]}
    />
  );
}

/** A second print is marked as a copy. */
export function printInvoice(visit: StaffVisit): Response {
  const { invoice, notes } = found(visit);
  const { db, now } = visit;
  const view = ispView(visit, invoice.ispId);
  const printout = invoicePrintout(db, invoice, view.brand);
  const isCopy = now - invoice.createdAt > 15 * 60;
  return printPage(visit, {
    title: invoice.number ?? String(invoice.id),
    back: invoiceHref(invoice),
    view,
    printout: (size) => (
      <InvoicePrintout
        view={view}
        size={size}
        invoice={invoice}
        notes={notes}
        printout={printout}
        isCopy={isCopy}
      />
    ),
  });
}

export function askVoid(visit: StaffVisit): Response {
  permit(visit.by, "voidSoldInvoice");
  return drawer(
    visit,
    voidDrawer(visit, found(visit).invoice, () => "", undefined),
  );
}

function voidDrawer(visit: StaffVisit, invoice: Invoice, values: ReadValue, refusal: Refusal | undefined) {
  const { db, by, now, view } = visit;
  const { money } = view.words;
  const { before, plain, withEnd } = previewVoid(db, by, { invoiceId: invoice.id }, { now });
  const number = invoice.number ?? "";
  return {
    title: money.voidTitle(number),
    lead: `${invoice.name} · ${formatSum(view, invoice.amount, invoice.currency)}`,
    place: "money" as const,
    back: invoiceHref(invoice),
    children: (
      <KeyedForm
        visit={visit}
        action={`${invoiceHref(invoice)}/void`}
        values={values}
        refusal={refusal}
        foot={
          <Button kind="danger" size="large" disabled={plain instanceof DomainError}>
            {money.voidButton(number)}
          </Button>
        }
      >
        <Outcomes
          view={view}
          values={values}
          refusal={refusal}
          name="end_service"
          hadService={before.service !== null}
          alone={{ label: money.moneyBackAlone, standing: plain }}
          too={{ label: money.endToo, standing: withEnd }}
        />
      </KeyedForm>
    ),
  };
}

export async function voidInvoice(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view, needs } = visit;
  const { invoice } = found(visit);
  const endService = input["end_service"] === "1";
  const done = await doOnce(visit, PATH, { ...input, id: invoice.id }, (tx) => {
    permit(by, "voidSoldInvoice");
    return () =>
      voidSoldInvoice(tx, by, { invoiceId: invoice.id, reason: readReason(input), endService }, { now })
        .amount;
  });
  if (done instanceof DomainError)
    return refusedDrawer(visit, done, (refusal) => voidDrawer(visit, invoice, valuesIn(input), refusal));
  const { subscriberId, currency } = invoice;
  const session = endService ? told(view, await applyChange(db, { subscriberId }, needs)) : "";
  const { money } = view.words;
  return flash(
    visit,
    {
      kind: "good",
      title: money.voidDone(invoice.number ?? ""),
      text: [money.givenBack(formatSum(view, done, currency)), session].filter(Boolean).join(" "),
    },
    invoiceHref(invoice),
  );
}
