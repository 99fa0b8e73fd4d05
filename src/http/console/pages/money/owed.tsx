import {
  reportDebtors,
  reportOwed,
  type DebtorRow,
  type OwedRow,
} from "../../../../domain/around/reports/owed.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { reports } from "../../../../wire/reports.ts";
import { file } from "../../../list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { CallLink } from "../../../pages/parts/call-link.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page as shown } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { pageAsked, PageLinks } from "../../page-links.tsx";
import { MoneyFrame, sumOf } from "./head.tsx";
import { WalletButtons } from "./wallet-moves.tsx";

const HREF = "/console/money/owed";
/** Rows of a page. */
const ROWS = 50;
const ALL = 1_000_000;

/** Who owes what, since when. */
export function showOwed(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { money } = view.words;
  const sums = reportOwed(db, by, {}, { now }).rows;
  const pages = Math.max(1, Math.ceil(sums.reduce((sum, row) => sum + row.subscribers, 0) / ROWS));
  const page = Math.min(pageAsked(visit.query), pages);
  const { rows } = reportDebtors(db, by, { limit: ROWS, offset: (page - 1) * ROWS }, { now });
  return shown(
    visit,
    <MoneyFrame
      visit={visit}
      current="owed"
      actions={
        <Button href={`${HREF}.csv`} icon="download">
          {money.csv}
        </Button>
      }
    >
      {sums.map((row) => (
        <Sentence visit={visit} row={row} />
      ))}
      {rows.length === 0 ? (
        <Empty icon="check" title={money.nothingOwed} text={money.nothingOwedText} />
      ) : (
        <Rows visit={visit} rows={rows} />
      )}
      <PageLinks view={view} href={(to) => `${HREF}?page=${to}`} page={page} pages={pages} />
    </MoneyFrame>,
  );
}

export function owedFile({ db, by, now }: StaffVisit): Response {
  const debtors = reports.find(({ operation }) => operation === "reportDebtors");
  const { columns, rows } = debtors?.read({ db, by, now }, { limit: ALL }) ?? { columns: [], rows: [] };
  return file("owed", columns, [rows].values());
}

function Sentence({ visit: { view }, row }: { visit: StaffVisit; row: OwedRow }) {
  const { money } = view.words;
  const amount = (minor: number) => view.format.amount(minor);
  return (
    <p class="sentence">
      <strong>{money.owedBy(sumOf(view, row.owed, row.currency), row.subscribers)}</strong>{" "}
      {money.owedAges(
        amount(row.days0To30),
        amount(row.days31To60),
        amount(row.days61To90),
        amount(row.over90),
      )}
    </p>
  );
}

function Rows({ visit, rows }: { visit: StaffVisit; rows: readonly DebtorRow[] }) {
  const { view, by, now } = visit;
  const { format, words } = view;
  const { money } = words;
  const columns = [
    { title: money.of },
    { title: money.phone },
    { title: money.since },
    { title: money.age0, end: true, low: true },
    { title: money.age31, end: true, low: true },
    { title: money.age61, end: true, low: true },
    { title: money.age91, end: true, low: true },
    { title: money.owes, end: true },
    { title: <span class="unseen">{money.actions}</span>, end: true },
  ];
  const cell = (minor: number) => <td class="end low">{minor === 0 ? "" : format.amount(minor)}</td>;
  return (
    <Table caption={money.tabs.owed} columns={columns} kind="short-rows">
      {rows.map((row) => (
        <tr>
          <td class="lead">
            <a href={`/console/subscribers/${row.subscriberId}`}>
              <bdi>{row.name}</bdi>
            </a>
          </td>
          <td>
            <CallLink number={row.mobile} missing={words.frame.missing} />
          </td>
          <td>
            {row.since === null
              ? ""
              : money.sinceDays(format.date(row.since), Math.floor((now - row.since) / 86_400))}
          </td>
          {cell(row.days0To30)}
          {cell(row.days31To60)}
          {cell(row.days61To90)}
          {cell(row.over90)}
          <td class="end sum bad-text">{format.amount(row.owed)}</td>
          <td class="end act">
            {row.archivedAt === null && may(by, "payment_take") && (
              <Button
                href={`/console/subscribers/${row.subscriberId}/pay`}
                size="small"
                drawer
                label={money.takeOf(row.name)}
              >
                {money.take}
              </Button>
            )}{" "}
            {row.archivedAt === null && (
              <WalletButtons
                visit={visit}
                account={{ subscriberId: row.subscriberId }}
                only={["correct"]}
                size="small"
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
