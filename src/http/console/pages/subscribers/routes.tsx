import { columnNames, setTableColumns, tableColumns } from "../../../../domain/people/staff/table-columns.ts";
import {
  everyTableRow,
  subscriberTable,
  type TableRow,
} from "../../../../domain/desk/subscriber-table/table.ts";
import { countSilent } from "../../../../domain/desk/subscriber-table/table-views.ts";
import { seesMoney } from "../../../../domain/core/actor/actor.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import { file } from "../../../list.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { page, part } from "../../answers.tsx";
import { type StaffVisit, staffForm, staffPage } from "../../guard.ts";
import { bulkRoutes } from "./bulk-routes.tsx";
import { SubscriberList } from "./list.tsx";
import { filtersIn, listQuery, viewHref } from "./query.ts";
import { SUBSCRIBERS } from "../../parts/hrefs.ts";
import { readValues } from "../../parts/refused.ts";

export const subscribersRoutes = [
  staffPage(SUBSCRIBERS, (visit) => {
    const { db, by, now, query } = visit;
    const filters = filtersIn(visit.view, query);
    return page(
      visit,
      <SubscriberList
        visit={visit}
        filters={filters}
        table={subscriberTable(db, by, filters, { now })}
        columns={tableColumns(db, by)}
      />,
    );
  }),
  staffPage(`${SUBSCRIBERS}/silent`, (visit) => {
    if (!visit.isPart) return seeOther(viewHref("silent", visit.now));
    const count = countSilent(visit.db, visit.by, { now: visit.now });
    return part(visit, <>{visit.view.format.number(count)}</>);
  }),
  staffPage(`${SUBSCRIBERS}/file.csv`, exportFile),
  staffForm(`${SUBSCRIBERS}/columns`, (visit, input) => {
    setTableColumns(visit.db, visit.by, { columns: readValues(input, "columns") });
    const back = listQuery(new URLSearchParams(readTextField(input, "back", 4000)));
    return seeOther(back.size === 0 ? SUBSCRIBERS : `${SUBSCRIBERS}?${back}`);
  }),
  ...bulkRoutes,
];

/** All that match, as the list has them. */
function exportFile({ db, by, now, query, view }: StaffVisit): Response {
  const pages = everyTableRow(db, by, filtersIn(view, query), { now });
  const names = columnNames.filter((name) => name !== "balance" || seesMoney(by));
  return file("subscribers", ["id", "name", ...names], visiblePages(pages));
}

function* visiblePages(pages: Iterable<TableRow[]>): Generator<object[], void> {
  for (const rows of pages) yield rows.map(auditView);
}

function auditView(row: TableRow): object {
  const { expiresAt, createdAt, balance, line } = row;
  return {
    ...row,
    expires: expiresAt === null ? null : formatTime(expiresAt),
    balance: Number(formatAmount(balance)),
    line: line.kind,
    created: formatTime(createdAt),
  };
}
