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
import { page as format } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { FileButton, list, type ListColumn } from "../../parts/list.tsx";
import { pageIn, ROWS } from "../../parts/pager.tsx";
import { formatSum, MoneyFrame } from "../../parts/money-frame.tsx";
import { WalletButtons } from "../../parts/wallet-buttons.tsx";

const HREF = "/console/money/owed";
const ALL = 1_000_000;

export function showOwed(visit: StaffVisit): Response {
  const { db, by, now } = visit;
  const sums = reportOwed(db, by, {}, { now }).rows;
  const total = sums.reduce((sum, row) => sum + row.subscribers, 0);
  const offset = (pageIn(visit.query, { total, limit: ROWS }) - 1) * ROWS;
  const { rows } = reportDebtors(db, by, { limit: ROWS, offset }, { now });
  return format(
    visit,
    <MoneyFrame visit={visit} current="owed" actions={<FileButton visit={visit} href={`${HREF}.csv`} />}>
      {sums.map((row) => (
        <Sentence visit={visit} row={row} />
      ))}
      <Owed visit={visit} rows={rows} total={total} limit={ROWS} />
    </MoneyFrame>,
  );
}

const debtors = reports.find(({ operation }) => operation === "reportDebtors");

export function owedFile({ db, by, now }: StaffVisit): Response {
  const { columns, rows } = debtors?.read({ db, by, now }, { limit: ALL }) ?? { columns: [], rows: [] };
  return file("owed", columns, [rows].values());
}

function Sentence({ visit: { view }, row }: { visit: StaffVisit; row: OwedRow }) {
  const { money } = view.words;
  const amount = (minor: number) => view.format.amount(minor);
  return (
    <p class="sentence">
      <strong>{money.owedBy(formatSum(view, row.owed, row.currency), row.subscribers)}</strong>{" "}
      {money.owedAges(
        amount(row.days0To30),
        amount(row.days31To60),
        amount(row.days61To90),
        amount(row.over90),
      )}
    </p>
  );
}

export const Owed = list<DebtorRow>((visit) => {
  const { view, now } = visit;
  const { format, words } = view;
  const { money } = words;
  const days = (title: string, of: (row: DebtorRow) => number, csv: string): ListColumn<DebtorRow> => ({
    title,
    cell: (row) => (of(row) === 0 ? "" : format.amount(of(row))),
    end: true,
    narrow: "low",
    csv: [csv],
  });
  return {
    name: money.tabs.owed,
    columns: [
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
      {
        title: money.phone,
        cell: ({ mobile }) => <CallLink number={mobile} missing={words.frame.missing} />,
        csv: ["mobile"],
      },
      {
        title: money.since,
        cell: ({ since }) =>
          since === null ? "" : money.sinceDays(format.date(since), Math.floor((now - since) / 86_400)),
        csv: ["since"],
      },
      days(money.age0, (row) => row.days0To30, "days_0_30"),
      days(money.age31, (row) => row.days31To60, "days_31_60"),
      days(money.age61, (row) => row.days61To90, "days_61_90"),
      days(money.age91, (row) => row.over90, "over_90"),
      {
        title: money.owes,
        cell: ({ owed }) => format.amount(owed),
        end: true,
        narrow: "sum",
        kind: "bad-text",
        csv: ["owed"],
      },
      {
        title: <span class="unseen">{money.actions}</span>,
        cell: (row) => row.archivedAt === null && <Actions visit={visit} row={row} />,
        end: true,
        narrow: "act",
      },
    ],
    empty: { icon: "check", title: money.nothingOwed, text: money.nothingOwedText },
    file: Object.keys(debtors?.record.properties ?? {}),
  };
});

function Actions({ visit, row: { subscriberId, name } }: { visit: StaffVisit; row: DebtorRow }) {
  const { money } = visit.view.words;
  return (
    <>
      {may(visit.by, "payment_take") && (
        <Button
          href={`/console/subscribers/${subscriberId}/pay`}
          size="small"
          drawer
          label={money.takeOf(name)}
        >
          {money.take}
        </Button>
      )}{" "}
      <WalletButtons visit={visit} account={{ subscriberId }} only={["correct"]} size="small" />
    </>
  );
}
