import {
  from as fromField,
  id as idField,
  oneOf,
  to as toField,
} from "../../../../domain/core/fields/fields.ts";
import { type Invoice, type InvoiceFilters, listInvoices } from "../../../../domain/money/invoices/find.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import { invoiceSchema, invoiceToJson } from "../../../../wire/invoice.ts";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { MoneyFrame } from "../../parts/money-frame.tsx";
import { FileButton, list } from "../../parts/list.tsx";
import { logFile, readPage } from "../../parts/pager.tsx";

const HREF = "/console/money/invoices";
const FILE = Object.keys(invoiceSchema.properties);
const states = ["all", "open", "overdue", "paid", "void", "credited"] as const;
const stateField = oneOf(...states);

const readState = ({ query }: StaffVisit) => stateField.read(query.get("state")) ?? "all";

export function showInvoices(visit: StaffVisit): Response {
  const { db, by, query } = visit;
  const { words } = visit.view;
  const { money } = words;
  const filters = readFilters(visit);
  const { rows, last } = readPage(query, (paging) => listInvoices(db, by, filters, paging));
  return page(
    visit,
    <MoneyFrame visit={visit} current="invoices" actions={<FileButton visit={visit} href={`${HREF}.csv`} />}>
      <Invoices visit={visit} rows={rows} last={last}>
        <p class="sentence">
          {money.stateMeans[readState(visit)]}{" "}
          {may(by, "report_view") && <a href="/console/reports/tax">{words.reports.tabs["tax"]}</a>}
        </p>
      </Invoices>
    </MoneyFrame>,
  );
}

export const formatDay = (at: number | null | undefined) => (at ? formatTime(at).slice(0, 10) : "");

export function invoicesFile(visit: StaffVisit): Response {
  const { db, by } = visit;
  const filters = readFilters(visit);
  return logFile("invoices", FILE, (paging) => listInvoices(db, by, filters, paging).map(invoiceToJson));
}

function readFilters(visit: StaffVisit): InvoiceFilters {
  const { query, now } = visit;
  const state = readState(visit);
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

export const Invoices = list<Invoice>(({ view, now }) => {
  const { format, words } = view;
  const { money } = words;
  return {
    name: money.tabs.invoices,
    call: "listInvoices",
    filters: [
      {
        name: "state",
        kind: "views",
        label: money.state,
        options: states.map((value) => ({ value, label: money.states[value] })),
      },
      { name: "from", kind: "day", label: money.from },
      { name: "to", kind: "day", label: money.to },
      { name: "subscriber", kind: "kept" },
      { name: "package", kind: "kept" },
    ],
    columns: [
      {
        title: money.date,
        cell: ({ createdAt }) => format.timeNear(createdAt, now),
        kind: "soft-text",
        csv: ["created_at"],
      },
      {
        title: money.number,
        cell: ({ id, number }) => <a href={`${HREF}/${id}`}>{number ?? id}</a>,
        csv: ["number"],
      },
      {
        title: money.of,
        cell: ({ subscriberId, name }) => (
          <a href={`/console/subscribers/${subscriberId}`}>
            <bdi>{name}</bdi>
          </a>
        ),
        narrow: "lead",
        csv: ["name"],
      },
      { title: money.package, cell: ({ packageName }) => packageName, narrow: "low", csv: ["package_name"] },
      {
        title: money.period,
        cell: ({ periodStart, periodEnd }) => `${format.date(periodStart)} – ${format.date(periodEnd)}`,
        narrow: "low",
        csv: ["period_start", "period_end"],
      },
      {
        title: money.state,
        cell: (invoice) => <InvoiceState view={view} invoice={invoice} />,
        csv: ["state"],
      },
      {
        title: money.amount,
        cell: ({ amount }) => format.amount(amount),
        end: true,
        narrow: "sum",
        csv: ["amount"],
      },
      {
        title: money.open,
        cell: ({ open }) => (open > 0 ? format.amount(open) : ""),
        end: true,
        csv: ["open"],
      },
    ],
    empty: { icon: "invoices", title: money.noInvoices, text: money.noInvoicesText },
    file: FILE,
  };
});

/** Quiet where it is paid. */
export function InvoiceState({ view: { words, now }, invoice }: { view: ConsoleView; invoice: Invoice }) {
  const { money } = words;
  if (invoice.voidedAt !== null) return <Chip>{money.stateOf.void}</Chip>;
  if (invoice.paidAt === null)
    return invoice.periodEnd <= now ? (
      <Chip tone="bad">{money.stateOf.overdue}</Chip>
    ) : (
      <Chip tone="warn">{money.stateOf.open}</Chip>
    );
  return invoice.credited > 0 ? (
    <Chip>{money.stateOf.credited}</Chip>
  ) : (
    <span class="soft-text">{money.stateOf.paid}</span>
  );
}
