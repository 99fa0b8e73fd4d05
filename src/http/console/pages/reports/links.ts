import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { localDay } from "../../../../domain/core/time/time.ts";
import { callHref } from "../../../pages/parts/call-link.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ReportQuery } from "./query.ts";
import type { Row } from "./read.ts";

/** The list behind a figure or a name; undefined where none has exactly these rows. */
export function findLink(
  visit: StaffVisit,
  filter: ReportQuery,
  row: Row,
  column: string,
): string | undefined {
  const { look, values } = filter;
  if (column === "package" && row["package_id"] && may(visit.by, "package_view"))
    return `/console/packages/${row["package_id"]}`;
  switch (look.report.name) {
    case "sales":
      return ["sales", "sold", "net"].includes(column) ? invoices(visit, filter, row) : undefined;
    case "tax":
      return column === "invoices" ? invoices(visit, filter, row) : undefined;
    case "collections":
      return ["payments", "taken", "net"].includes(column) ? payments(visit, filter, row) : undefined;
    case "owed":
      return column === "subscribers" || column === "owed" ? owing(visit, values["by"], row) : undefined;
    case "debtors":
    case "top_users":
      if (column === "mobile" && typeof row["mobile"] === "string") return callHref(row["mobile"]);
      return column === "name" && may(visit.by, "subscriber_view")
        ? `/console/subscribers/${row["user_id"]}`
        : undefined;
    case "expiring":
      return column === "expiring" && may(visit.by, "subscriber_view")
        ? `/console/subscribers?status=active&expires_from=${row["day"]}&expires_to=${row["day"]}`
        : undefined;
    case "traffic":
      return column === "name" && values["group"] === "package" && row["id"] && may(visit.by, "package_view")
        ? `/console/packages/${row["id"]}`
        : undefined;
    case "online":
      return column === "nas" && row["nas_id"] && may(visit.by, "session_view")
        ? `/console/online?router=${row["nas_id"]}`
        : undefined;
    case "resellers":
      return ofReseller(visit, row, column);
    case "concessions":
      return column === "times" ? auditHref(visit, filter, row) : undefined;
    case "card_stock":
      return cards(visit, row, column);
    case "logins":
      return column === "logins" && row["reason"] && may(visit.by, "session_view")
        ? `/console/logins?${query({ reason: row["reason"], router: row["nas_id"] })}`
        : undefined;
    default:
      return undefined;
  }
}

/** Sales of packages by days; invoices have no other grouping. */
function invoices({ by }: StaffVisit, filter: ReportQuery, row: Row): string | undefined {
  const { values } = filter;
  const isOther = [values["area_id"], values["salesperson_id"], values["staff_id"], values["branch_id"]].some(
    Boolean,
  );
  const isDivided = !["package", null, undefined].includes(asText(values["by"]));
  if (isOther || isDivided || !may(by, "invoice_view")) return undefined;
  return `/console/money/invoices?${query({ ...days(filter, row), package: row["package_id"] ?? values["package_id"] })}`;
}

function payments({ by }: StaffVisit, filter: ReportQuery, row: Row): string | undefined {
  const { values } = filter;
  const isOther = ["package_id", "area_id", "salesperson_id", "branch_id"].some((name) =>
    Boolean(values[name]),
  );
  const isDivided = !["method", "staff", null, undefined].includes(asText(values["by"]));
  if (isOther || isDivided || !may(by, "payment_view")) return undefined;
  return `/console/money?${query({
    ...days(filter, row),
    method: row["method"] ?? values["method"],
    taken_by: row["staff_id"] ?? values["staff_id"],
  })}`;
}

function owing({ by }: StaffVisit, division: unknown, row: Row): string | undefined {
  if (!may(by, "subscriber_view")) return undefined;
  const isDivided = typeof division === "string";
  if (isDivided && (division === "branch" || !row["id"])) return undefined;
  return `/console/subscribers?${query({ owes: 1, ...(isDivided && { [division]: row["id"] }) })}`;
}

function ofReseller({ by }: StaffVisit, row: Row, column: string): string | undefined {
  const id = row["reseller_id"];
  if (column === "reseller" && may(by, "subscriber_view")) return `/console/subscribers?salesperson=${id}`;
  return column === "wallet" && may(by, "wallet_view") ? `/console/money/wallets/${id}` : undefined;
}

/** Stock figures with a list of batches behind them. */
const ofStock: ReadonlySet<string> = new Set([
  "unsold",
  "sold_cards",
  "in_use",
  "used_up",
  "expired_unsold",
  "expired_sold",
  "void_cards",
]);

function cards({ by }: StaffVisit, row: Row, column: string): string | undefined {
  return ofStock.has(column) && may(by, "card_view")
    ? `/console/cards?${query({ kind: row["kind"], package: row["package_id"] })}`
    : undefined;
}

/** Actions in the audit log. */
const actions: Readonly<Record<string, string>> = {
  extension: "subscriber.extend",
  trust: "subscriber.extend",
  void: "invoice.void",
  unused: "subscriber.activate",
  adjustment_up: "wallet.adjust",
  adjustment_down: "wallet.adjust",
};

function auditHref({ by }: StaffVisit, filter: ReportQuery, row: Row): string | undefined {
  const isTheirs =
    filter.values["by"] === "staff" && row["id"] && may(by, "audit_view") && seesWholeIsp(by.scope);
  if (!isTheirs) return undefined;
  return `/console/trail?${query({ ...days(filter, row), staff_id: row["id"], action: actions[String(row["what"])] })}`;
}

/** The row's days, else the report's. */
function days({ range }: ReportQuery, row: Row): { from: unknown; to: unknown } {
  const { day, month } = row;
  if (day) return { from: day, to: day };
  if (typeof month === "string") {
    const { daysInMonth } = Temporal.PlainYearMonth.from(month);
    return { from: `${month}-01`, to: `${month}-${daysInMonth}` };
  }
  return range ? { from: dayAt(range.from), to: dayAt(range.to) } : { from: "", to: "" };
}

export function dayAt(at: number): string {
  return String(localDay(at)).replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
}

const asText = (value: unknown) => (typeof value === "string" ? value : undefined);

function query(named: Readonly<Record<string, unknown>>): URLSearchParams {
  const values = Object.entries(named).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  return new URLSearchParams(values.map(([name, value]): [string, string] => [name, String(value)]));
}
