import { from, id, oneOf, to, wholeNumber } from "../domain/core/fields/fields.ts";
import { reportGrowth } from "../domain/around/reports/growth.ts";
import { reportLogins } from "../domain/around/reports/logins.ts";
import { reportOnline } from "../domain/around/reports/online.ts";
import { reportExpiring, reportRenewals } from "../domain/around/reports/renewals.ts";
import { reportTopUsers } from "../domain/around/reports/top-users.ts";
import { reportTraffic } from "../domain/around/reports/traffic.ts";
import {
  id as idColumn,
  number,
  octets,
  ofIsp,
  onlyBy,
  period,
  someNumber,
  someText,
  text,
  time,
} from "./report-columns.ts";
import { declareReport, type RowOf } from "./report.ts";

type Expiring = RowOf<typeof reportExpiring>;
type Renewals = RowOf<typeof reportRenewals>;
type Growth = RowOf<typeof reportGrowth>;
type Traffic = RowOf<typeof reportTraffic>;
type Top = RowOf<typeof reportTopUsers>;
type Online = RowOf<typeof reportOnline>;
type Logins = RowOf<typeof reportLogins>;

const northlink = { isp_id: 1, isp: "Northlink" };

const expiring = declareReport<Expiring>()({
  name: "expiring",
  operation: "reportExpiring",
  summary: "Which services end on each of the next days",
  description:
    "From now on, for `days` days (14): how many services of enabled subscribers end, for how many of these the wallet holds less than the price of a prepaid package, how many renew by themselves, and how many of those can, because the wallet holds the price or the package is postpaid. A day on which none ends has no row; a frozen service does not end.",
  filters: { days: wholeNumber(1, 92) },
  columns: {
    day: period((row) => row.day),
    ...ofIsp<Expiring>(),
    expiring: number((row) => row.expiring),
    auto_renew: number((row) => row.autoRenew),
    covered: number((row) => row.covered),
    need_money: number((row) => row.needMoney),
  },
  example: { day: "2030-01-16", ...northlink, expiring: 12, auto_renew: 5, covered: 3, need_money: 8 },
  rows: ({ db, by, now }, { days }) => reportExpiring(db, by, { days: days ?? 14 }, { now }).rows,
});

const renewals = declareReport<Renewals>()({
  name: "renewals",
  operation: "reportRenewals",
  summary: "How many periods ended in each month, and were they renewed",
  description:
    "`due` are the paid periods that end in the month, of invoices that are not void. Renewed: the subscriber's next period, of any package, has begun before that end, at it or within 30 days after it. Lost: none has by then. Waiting: the 30 days are not over. Months from `from` to `to`, whole ones, at most a year; the last twelve without them.",
  filters: { from, to },
  columns: {
    month: period((row) => row.month),
    ...ofIsp<Renewals>(),
    due: number((row) => row.due),
    renewed: number((row) => row.renewed),
    waiting: number((row) => row.waiting),
    lost: number((row) => row.lost),
  },
  example: { month: "2029-12", ...northlink, due: 480, renewed: 455, waiting: 13, lost: 12 },
  usual: () => "year",
  rows: ({ db, by, now, range, isps }) => reportRenewals(db, by, range, { now, ...(isps && { isps }) }).rows,
});

const growth = declareReport<Growth>()({
  name: "growth",
  operation: "reportGrowth",
  summary: "How many subscribers came and left, and how many there are",
  description:
    "By month, the last twelve unless `from` and `to` say otherwise: records that were made and archived in it, how many there were at its end, and how many of these had a service that ran. null for both where nobody counted yet.",
  filters: { from, to },
  columns: {
    month: period<Growth>((row) => row.month),
    isp_id: number((row) => row.ispId),
    joined: number((row) => row.joined),
    left: number((row) => row.left),
    total: someNumber((row) => row.total),
    active: someNumber((row) => row.active),
  },
  example: { month: "2030-01", isp_id: 1, joined: 31, left: 4, total: 812, active: 775 },
  usual: () => "year",
  rows: ({ db, by, range }) => reportGrowth(db, by, range).rows,
});

const traffic = declareReport<Traffic>()({
  name: "traffic",
  operation: "reportTraffic",
  summary: "Bytes by day or month, by package, branch or salesperson",
  description:
    "By `per` (`day`, or `month`), this month unless `from` and `to` say otherwise; `group` divides it. Up is what subscribers sent.",
  filters: { from, to, per: oneOf("day", "month"), group: oneOf("package", "branch", "seller") },
  columns: {
    period: period<Traffic>((row) => row.period),
    isp_id: number((row) => row.ispId),
    ...onlyBy("group", { id: idColumn<Traffic>((row) => row.id), name: someText((row) => row.name) }),
    subscribers: someNumber((row) => row.subscribers),
    input_octets: octets((row) => row.inputOctets),
    output_octets: octets((row) => row.outputOctets),
  },
  example: {
    period: "2030-01-15",
    isp_id: 1,
    id: 7,
    name: "Home 10",
    subscribers: 310,
    input_octets: 81_000_000_000,
    output_octets: 940_000_000_000,
  },
  by: ({ group }) => (group ? ["group"] : []),
  usual: ({ per }) => (per === "month" ? "year" : "month"),
  rows: ({ db, by, range }, { per, group }) =>
    reportTraffic(db, by, { ...range, per: per ?? "day", group }).rows,
});

const top = declareReport<Top>()({
  name: "top_users",
  operation: "reportTopUsers",
  summary: "Who used the most on a day or in a month",
  description:
    "Up plus down of the day or month (`per`, a month unless it is said) of `from`, now without it; at most `limit` of them (20).",
  filters: { from, per: oneOf("day", "month"), limit: wholeNumber(1, 1000) },
  columns: {
    user_id: number<Top>((row) => row.subscriberId),
    username: text((row) => row.username),
    name: text((row) => row.name),
    package_id: number((row) => row.packageId),
    package: text((row) => row.package),
    input_octets: octets((row) => row.inputOctets),
    output_octets: octets((row) => row.outputOctets),
  },
  example: {
    user_id: 42,
    username: "sam",
    name: "Sam Doe",
    package_id: 7,
    package: "Home 10",
    input_octets: 9_000_000_000,
    output_octets: 410_000_000_000,
  },
  rows: ({ db, by, now }, { from: at, per, limit }) =>
    reportTopUsers(db, by, { at: at ?? now, per: per ?? "month", limit: limit ?? 20 }).rows,
});

const online = declareReport<Online>()({
  name: "online",
  operation: "reportOnline",
  summary: "Sessions, logins and traffic of routers over time",
  description:
    "By `resolution` (`hour`, or `minute` for the last 8 days), for each ISP or, by `group` = `nas`, for each router; the last 24 hours unless `from` and `to` say otherwise. `sessions` are those open at the end of a minute, of an hour their mean. Not for accounts of a branch or of a reseller: routers count for the whole ISP.",
  filters: { from, to, resolution: oneOf("hour", "minute"), group: oneOf("isp", "nas"), nas_id: id },
  columns: {
    at: time<Online>((row) => row.at),
    ...ofIsp<Online>(),
    ...onlyBy("nas", { nas_id: idColumn<Online>((row) => row.nasId), nas: someText((row) => row.nas) }),
    sessions: number((row) => row.sessions),
    sessions_most: someNumber((row) => row.sessionsMost),
    accepted: number((row) => row.accepted),
    rejected: number((row) => row.rejected),
    input_octets: octets((row) => row.inputOctets),
    output_octets: octets((row) => row.outputOctets),
  },
  example: {
    at: "2030-01-15 12:00:00",
    ...northlink,
    nas_id: 1,
    nas: "core",
    sessions: 640,
    sessions_most: 655,
    accepted: 18,
    rejected: 2,
    input_octets: 9_000_000_000,
    output_octets: 120_000_000_000,
  },
  by: ({ group }) => [group ?? "isp"],
  usual: () => "day",
  rows: ({ db, by, range }, values) =>
    reportOnline(db, by, {
      ...range,
      resolution: values.resolution ?? "hour",
      group: values.group ?? "isp",
      nasId: values.nas_id,
    }).rows,
});

const logins = declareReport<Logins>()({
  name: "logins",
  operation: "reportLogins",
  summary: "Logins that were accepted and rejected, by reason and router",
  description:
    "Of this month unless `from` and `to` say otherwise (at most 366 days): by reason at each router, by `group` = `reason` of all routers, or by `day`. Not for accounts of a branch or of a reseller: routers count for the whole ISP.",
  filters: { from, to, group: oneOf("nas", "reason", "day"), nas_id: id },
  columns: {
    ...onlyBy("day", { day: period<Logins>((row) => row.day) }),
    ...onlyBy("nas", { nas_id: idColumn<Logins>((row) => row.nasId), nas: someText((row) => row.nas) }),
    accepted: number((row) => row.accepted),
    ...onlyBy("reason", {
      reason: someText<Logins>((row) => row.reason),
      words: someText((row) => row.words),
    }),
    logins: number((row) => row.logins),
  },
  example: {
    day: "2030-01-15",
    nas_id: 1,
    nas: "core",
    accepted: 0,
    reason: "wrong_password",
    words: "the password is wrong",
    logins: 14,
  },
  by: ({ group }) => (group === "day" ? ["day"] : group === "reason" ? ["reason"] : ["nas", "reason"]),
  usual: () => "month",
  rows: ({ db, by, range }, values) =>
    reportLogins(db, by, {
      ...range,
      group: values.group ?? "nas",
      nasId: values.nas_id,
    }).rows,
});

export const lineReports = [expiring, renewals, growth, traffic, top, online, logins];
