import {
  from as fromField,
  id as idField,
  oneOf,
  to as toField,
} from "../../../../domain/core/fields/fields.ts";
import { type Invoice, type InvoiceFilters, listInvoices } from "../../../../domain/money/invoices/find.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import { invoiceSchema, shownInvoice } from "../../../../wire/invoice.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { page } from "../../answers.tsx";
import { FilterForm } from "../../filter-form.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { MoneyFrame } from "./head.tsx";
import { logFile, Older, pageOf } from "../../log.tsx";

const HREF = "/console/money/invoices";
const states = ["all", "open", "overdue", "paid", "void", "credited"] as const;
const stateField = oneOf(...states);

const stateOf = ({ query }: StaffVisit) => stateField.read(query.get("state")) ?? "all";

export function showInvoices(visit: StaffVisit): Response {
  const { db, by, query, view } = visit;
  const { money } = view.words;
  const filters = filtersOf(visit);
  const { rows, more } = pageOf(query, (paging) => listInvoices(db, by, filters, paging));
  const state = stateOf(visit);
  const kept = ["from", "to", "subscriber", "package"].flatMap((name): [string, string][] => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  const askedOf = (name: string): [string, string][] => (name === "all" ? kept : [["state", name], ...kept]);
  const tabs = states.map((name) => ({
    href: hrefOf(askedOf(name)),
    label: money.states[name],
    current: name === state,
  }));
  return page(
    visit,
    <MoneyFrame
      visit={visit}
      current="invoices"
      actions={
        <Button href={`${HREF}.csv?${query}`} icon="download">
          {money.csv}
        </Button>
      }
    >
      <div>
        <Segments label={money.state} tabs={tabs} />
      </div>
      <FilterForm href={HREF} kind="card money-filters">
        {askedOf(state)
          .filter(([name]) => name !== "from" && name !== "to")
          .map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
        <Field name="from" label={money.from} type="date" value={dayOf(filters.from)} />
        <Field name="to" label={money.to} type="date" value={dayOf(filters.to)} />
        <Button size="small">{money.show}</Button>
        {may(by, "report_view") && <a href="/console/reports/tax">{view.words.reports.tabs["tax"]}</a>}
      </FilterForm>
      <p class="sentence">{money.stateMeans[state]}</p>
      {rows.length === 0 ? (
        <Empty icon="invoices" title={money.noInvoices} text={money.noInvoicesText} />
      ) : (
        <Rows visit={visit} rows={rows} />
      )}
      <Older view={view} href={HREF} query={query} last={more ? rows.at(-1)?.id : undefined} />
    </MoneyFrame>,
  );
}

const hrefOf = (asked: [string, string][]) =>
  asked.length === 0 ? HREF : `${HREF}?${new URLSearchParams(asked)}`;

/** The day of a time as a field of days has it. */
export const dayOf = (at: number | null | undefined) => (at ? formatTime(at).slice(0, 10) : "");

export function invoicesFile(visit: StaffVisit): Response {
  const { db, by } = visit;
  const filters = filtersOf(visit);
  return logFile("invoices", Object.keys(invoiceSchema.properties), (paging) =>
    listInvoices(db, by, filters, paging).map(shownInvoice),
  );
}

function filtersOf(visit: StaffVisit): InvoiceFilters {
  const { query, now } = visit;
  const state = stateOf(visit);
  const number = (name: string) => idField.read(query.get(name) ?? "");
  return {
    state: state === "all" ? undefined : state === "overdue" ? "open" : state,
    endedBy: state === "overdue" ? now : undefined,
    subscriberId: number("subscriber"),
    packageId: number("package"),
    from: fromField.read(query.get("from") ?? ""),
    to: toField.read(query.get("to") ?? ""),
  };
}

function Rows({ visit: { view, now }, rows }: { visit: StaffVisit; rows: readonly Invoice[] }) {
  const { format, words } = view;
  const { money } = words;
  const columns = [
    { title: money.date },
    { title: money.number },
    { title: money.of },
    { title: money.package, low: true },
    { title: money.period, low: true },
    { title: money.state },
    { title: money.amount, end: true },
    { title: money.open, end: true },
  ];
  return (
    <Table caption={money.tabs.invoices} columns={columns} kind="short-rows">
      {rows.map((invoice) => (
        <tr>
          <td class="soft-text">{format.timeNear(invoice.createdAt, now)}</td>
          <td>
            <a href={`${HREF}/${invoice.id}`}>{invoice.number ?? invoice.id}</a>
          </td>
          <td class="lead">
            <a href={`/console/subscribers/${invoice.subscriberId}`}>
              <bdi>{invoice.name}</bdi>
            </a>
          </td>
          <td class="low">{invoice.packageName}</td>
          <td class="low">
            {format.date(invoice.periodStart)} – {format.date(invoice.periodEnd)}
          </td>
          <td>
            <InvoiceState view={view} invoice={invoice} />
          </td>
          <td class="end sum">{format.amount(invoice.amount)}</td>
          <td class="end">{invoice.open > 0 ? format.amount(invoice.open) : ""}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Quiet where it is paid, as it should be. */
export function InvoiceState({ view: { words, now }, invoice }: { view: ConsoleView; invoice: Invoice }) {
  const { money } = words;
  if (invoice.voidedAt !== null) return <Chip>{money.states.void}</Chip>;
  if (invoice.paidAt === null)
    return invoice.periodEnd <= now ? (
      <Chip tone="bad">{money.states.overdue}</Chip>
    ) : (
      <Chip tone="warn">{money.states.open}</Chip>
    );
  return invoice.credited > 0 ? (
    <Chip>{money.states.credited}</Chip>
  ) : (
    <span class="soft-text">{money.states.paid}</span>
  );
}
