import { statementOf } from "../../../../domain/billing/statement.ts";
import { referenceOf } from "../../../../domain/incoming/reference.ts";
import { localDay, startOfDay } from "../../../../domain/time.ts";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { type Shown, shownOf } from "./shown.ts";

/** The wallet between two days, to be printed. */
export function statementPage(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { view } = visit;
  const { statement } = view.words.subscriber;
  return page(
    visit,
    <Frame visit={visit} title={statement.of(shown.head.subscriber.name)} place="subscribers">
      <Statement shown={shown} />
    </Frame>,
  );
}

const DAYS = 90;

function Statement({ shown }: { shown: Shown }) {
  const { visit, head, base, currency } = shown;
  const { view, db, by, query, now } = visit;
  const { statement, lists } = view.words.subscriber;
  const { timeline } = view.words;
  const from = dayOf(query.get("from")) ?? localDay(now - DAYS * 86_400);
  const to = dayOf(query.get("to")) ?? localDay(now);
  const range = { from: startOfDay(from), to: startOfDay(to) + 86_400 - 1 };
  const told = statementOf(db, by, { subscriberId: head.subscriber.id, ...range });
  const amount = (minor: number) => view.format.amount(minor);
  return (
    <article class="statement stack">
      <header class="page-head">
        <h1>{statement.of(head.subscriber.name)}</h1>
        <span class="hint">
          <span class="mono">{head.subscriber.username}</span>,{" "}
          {statement.between(view.format.date(range.from), view.format.date(range.to))}
          <br />
          {statement.reference} <span class="mono">{referenceOf(head.subscriber.id)}</span>
        </span>
        <form class="actions" method="get">
          <Field name="from" label={statement.from} type="date" value={isoOf(from)} />
          <Field name="to" label={statement.to} type="date" value={isoOf(to)} />
          <Button>{statement.show}</Button>
          <Button href={base} kind="quiet" icon="back">
            {statement.back}
          </Button>
          <button type="button" class="button solid" data-print hidden>
            {statement.print}
          </button>
        </form>
      </header>
      <Table
        caption={statement.title}
        columns={[
          { title: lists.when },
          { title: lists.what },
          { title: lists.number },
          { title: lists.reason },
          { title: `${lists.amount}, ${visit.view.format.currencySign(currency)}`, end: true },
          { title: lists.balance, end: true },
        ]}
      >
        <tr>
          <td colspan={5}>{statement.opening}</td>
          <td class="end">{amount(told.opening)}</td>
        </tr>
        {told.entries.map((entry) => (
          <tr>
            <td>{view.format.date(entry.createdAt)}</td>
            <td>{timeline.entry({ entry: entry.kind, method: null })}</td>
            <td>{entry.receipt ?? entry.invoice}</td>
            <td>{entry.reason}</td>
            <td class="end">
              {entry.kind !== "history" && view.format.amount(entry.amount, { plus: true })}
            </td>
            <td class="end">{entry.kind !== "history" && amount(entry.balanceAfter)}</td>
          </tr>
        ))}
        <tr>
          <td colspan={5}>
            <strong>{statement.closing}</strong>
          </td>
          <td class="end">
            <strong>{amount(told.closing)}</strong>
          </td>
        </tr>
      </Table>
      {(told.openInvoices.length > 0 || told.openWithoutInvoice > 0) && (
        <Table
          caption={statement.openInvoices}
          columns={[
            { title: statement.openInvoices },
            { title: lists.when },
            { title: lists.amount, end: true },
          ]}
        >
          {told.openInvoices.map((invoice) => (
            <tr>
              <td>
                {invoice.number} {invoice.packageName}
              </td>
              <td>{view.format.date(invoice.createdAt)}</td>
              <td class="end">{amount(invoice.open)}</td>
            </tr>
          ))}
          {told.openWithoutInvoice > 0 && (
            <tr>
              <td colspan={2}>{statement.withoutInvoice}</td>
              <td class="end">{amount(told.openWithoutInvoice)}</td>
            </tr>
          )}
        </Table>
      )}
    </article>
  );
}

const isoOf = (day: number) => String(day).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");

/** A local day, 20260131, of a date field; undefined where it is none. */
function dayOf(text: string | null): number | undefined {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    const { year, month, day } = Temporal.PlainDate.from(text, { overflow: "reject" });
    return year * 10_000 + month * 100 + day;
  } catch {
    return undefined;
  }
}
