import { reportCardStock } from "../../../../../src/domain/around/reports/card-stock.ts";
import { reportCards } from "../../../../../src/domain/around/reports/cards.ts";
import { reportConcessions } from "../../../../../src/domain/around/reports/concessions.ts";
import { reportTax } from "../../../../../src/domain/around/reports/tax.ts";
import { reportCollections, reportSales } from "../../../../../src/domain/around/reports/money.ts";
import { reportDebtors, reportOwed } from "../../../../../src/domain/around/reports/owed.ts";
import { reportExpiring, reportRenewals } from "../../../../../src/domain/around/reports/renewals.ts";
import { reportResellers } from "../../../../../src/domain/around/reports/resellers.ts";
import { NOW } from "../../../../support/store.ts";
import { type Call, today, world } from "./call.ts";

/** By ISP, of which each has one of what is counted; ISP 1 in branch 11 and of the reseller 2. */
const both = {
  operator: [
    [1, 1],
    [2, 1],
  ],
  ispOne: [[1, 1]],
  otherIsp: [[2, 1]],
  otherBranch: [],
  otherReseller: [],
};

const bothSold = {
  operator: [
    [1, true],
    [2, true],
  ],
  ispOne: [[1, true]],
  otherIsp: [[2, true]],
  otherBranch: [],
  otherReseller: [],
};

const sums = { ...today, by: ["day"] as const };

/** Of cards, which ISP 1 alone has. */
const nowhereElse = { otherIsp: [], otherBranch: [], otherReseller: [] };

/** What the books of `officeStore` come to. */
export const ofReports = {
  reportSales: {
    call: (db, by) => reportSales(db, by, sums).rows.map(({ ispId, sales }) => [ispId, sales > 0]),
    ...bothSold,
  },
  reportCollections: {
    call: (db, by) =>
      reportCollections(db, by, sums).rows.map(({ ispId, payments }) => [ispId, payments > 0]),
    ...bothSold,
  },
  reportTax: {
    call: (db, by) => reportTax(db, by, today).rows.map(({ ispId, invoices }) => [ispId, invoices > 0]),
    operator: [[1, true]],
    ispOne: [[1, true]],
    otherIsp: [],
    otherBranch: [],
    otherReseller: [],
  },
  reportOwed: {
    call: (db, by) => reportOwed(db, by, {}, world).rows.map(({ ispId, owed }) => [ispId, owed]),
    ...both,
  },
  reportDebtors: {
    call: (db, by) => reportDebtors(db, by, { limit: 9 }, world).rows.map(({ username }) => username),
    operator: ["user1", "user9"],
    ispOne: ["user1"],
    otherIsp: ["user9"],
    otherBranch: [],
    otherReseller: [],
  },
  reportExpiring: {
    call: (db, by) =>
      reportExpiring(db, by, { days: 14 }, world).rows.map(({ ispId, expiring }) => [ispId, expiring]),
    ...both,
  },
  reportRenewals: {
    call: (db, by) =>
      reportRenewals(db, by, { from: NOW, to: NOW + 40 * 86_400 }, world).rows.map(({ due }) => due),
    operator: [1],
    otherIsp: [],
    otherBranch: [],
    otherReseller: [],
  },
  reportResellers: {
    call: (db, by) => reportResellers(db, by, today).rows.map(({ reseller }) => reseller),
    operator: ["Rex", "Rob"],
    otherIsp: [],
    otherBranch: [],
    otherReseller: ["Rob"],
  },
  reportConcessions: {
    call: (db, by) =>
      reportConcessions(db, by, { ...today, by: "branch" }).rows.map(({ ispId, times }) => [ispId, times]),
    ...both,
  },
  reportCards: {
    call: (db, by) =>
      reportCards(db, by, { ...today, by: "package" }).rows.map(({ ispId, made }) => [ispId, made]),
    operator: [
      [1, 1],
      [1, 2],
    ],
    ...nowhereElse,
  },
  reportCardStock: {
    call: (db, by) => reportCardStock(db, by, world).rows.map(({ ispId, new: unsold }) => [ispId, unsold]),
    operator: [
      [1, 1],
      [1, 1],
    ],
    ...nowhereElse,
  },
} satisfies Record<string, Call>;
