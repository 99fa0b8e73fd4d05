import { readStatement, type Statement } from "../../../../domain/money/billing/statement.ts";
import { makeReference } from "../../../../domain/desk/incoming/reference.ts";
import { localDay, type Seconds, startOfDay } from "../../../../domain/core/time/time.ts";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { PrintParty, PrintTable, Sheet } from "../../../pages/print/sheet.tsx";
import { brandFor } from "../../parts/isp-view.ts";
import { WalletButtons } from "../../parts/wallet-buttons.tsx";
import { type PageContext, readPageContext } from "./context.ts";

export function statementPage(visit: StaffVisit): Response {
  const context = readPageContext(visit);
  const { view } = visit;
  const { statement } = view.words.subscriber;
  return page(
    visit,
    <Frame
      visit={visit}
      place="subscribers"
      title={statement.of(context.head.subscriber.name)}
      back={{ href: context.base, label: context.head.subscriber.name }}
    >
      <StatementBody context={context} />
    </Frame>,
  );
}

const DAYS = 90;

function StatementBody({ context }: { context: PageContext }) {
  const { visit, head } = context;
  const { view, db, by, query, now } = visit;
  const { statement } = view.words.subscriber;
  const from = parseDay(query.get("from")) ?? localDay(now - DAYS * 86_400);
  const to = parseDay(query.get("to")) ?? localDay(now);
  const range = { from: startOfDay(from), to: startOfDay(to) + 86_400 - 1 };
  const outcome = readStatement(db, by, { subscriber: head.subscriber, ...range });
  return (
    <div class="stack">
      <header class="page-head">
        <h1>{statement.of(head.subscriber.name)}</h1>
        <form class="actions" method="get">
          <Field name="from" label={statement.from} type="date" value={formatIso(from)} />
          <Field name="to" label={statement.to} type="date" value={formatIso(to)} />
          <Button>{statement.show}</Button>
          {head.subscriber.archivedAt === null && (
            <WalletButtons visit={visit} account={{ subscriberId: head.subscriber.id }} />
          )}
          <button type="button" class="button solid" data-print hidden>
            {statement.print}
          </button>
        </form>
      </header>
      <div class="paper-ground">
        <StatementPrintout context={context} statement={outcome} range={range} />
      </div>
    </div>
  );
}

interface PrintoutProps {
  context: PageContext;
  statement: Statement;
  range: { readonly from: Seconds; readonly to: Seconds };
}

/** Wallet entries, and what is outstanding. */
function StatementPrintout({ context: { visit, head, currency }, statement: outcome, range }: PrintoutProps) {
  const { subscriber } = head;
  const { view } = visit;
  const { format, words } = view;
  const { statement, lists } = words.subscriber;
  const sum = (minor: number) => format.sum(minor, currency);
  const sign = format.currencySign(currency);
  return (
    <Sheet
      size="a4"
      brand={brandFor(visit, subscriber.ispId)}
      taxNumber={words.paper.taxNumber}
      title={statement.title}
      facts={[
        [statement.account, <PrintParty party={subscriber} />],
        [statement.reference, <bdi>{makeReference(subscriber.id)}</bdi>],
        [statement.period, statement.between(format.date(range.from), format.date(range.to))],
      ]}
      columns={[
        { title: lists.when, of: "dates" },
        { title: lists.what },
        { title: lists.number, of: "dates" },
        { title: lists.reason },
        { title: `${lists.amount}${view.words.list.comma}${sign}`, of: "amounts" },
        { title: `${lists.balance}${view.words.list.comma}${sign}`, of: "amounts" },
      ]}
      rows={[
        [format.date(range.from), statement.opening, "", "", "", format.amount(outcome.opening)],
        ...outcome.entries.map(({ createdAt, kind, receipt, invoice, reason, amount, balanceAfter }) => {
          const isMoved = kind !== "history";
          return [
            format.date(createdAt),
            words.timeline.entry({ entry: kind, method: null }),
            receipt ?? invoice ?? "",
            reason ?? "",
            isMoved ? format.amount(amount, { plus: true }) : "",
            isMoved ? format.amount(balanceAfter) : "",
          ];
        }),
      ]}
      totals={[{ name: statement.closing, value: sum(outcome.closing), isSum: true }]}
    >
      <StillToPay view={view} statement={outcome} currency={currency} />
    </Sheet>
  );
}

function StillToPay({
  view,
  statement: outcome,
  currency,
}: {
  view: ConsoleView;
  statement: Statement;
  currency: string;
}) {
  const { format, words } = view;
  const { statement, lists } = words.subscriber;
  const { openInvoices, openWithoutInvoice } = outcome;
  if (openInvoices.length === 0 && openWithoutInvoice === 0) return null;
  const all = openInvoices.reduce((sum, { open }) => sum + open, openWithoutInvoice);
  return (
    <PrintTable
      columns={[
        { title: lists.when, of: "dates" },
        { title: statement.openInvoices },
        { title: `${lists.amount}${view.words.list.comma}${format.currencySign(currency)}`, of: "amounts" },
      ]}
      rows={[
        ...openInvoices.map(({ createdAt, number, packageName, open }) => [
          format.date(createdAt),
          [number, packageName].filter(Boolean).join(" "),
          format.amount(open),
        ]),
        ...(openWithoutInvoice > 0
          ? [["", statement.withoutInvoice, format.amount(openWithoutInvoice)]]
          : []),
      ]}
      totals={[{ name: statement.openInvoices, value: format.sum(all, currency), isSum: true }]}
    />
  );
}

const formatIso = (day: number) => String(day).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");

/** 20260131; undefined for no date. */
function parseDay(text: string | null): number | undefined {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    const { year, month, day } = Temporal.PlainDate.from(text, { overflow: "reject" });
    return year * 10_000 + month * 100 + day;
  } catch {
    return undefined;
  }
}
