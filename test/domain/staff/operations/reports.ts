import type { Db } from "../../../../db/open.ts";
import { reportCardStock } from "../../../../src/domain/reports/card-stock.ts";
import { reportCards } from "../../../../src/domain/reports/cards.ts";
import { reportConcessions } from "../../../../src/domain/reports/concessions.ts";
import { reportCollections, reportSales } from "../../../../src/domain/reports/money.ts";
import { reportDebtors, reportOwed } from "../../../../src/domain/reports/owed.ts";
import { reportExpiring, reportRenewals } from "../../../../src/domain/reports/renewals.ts";
import { reportResellers } from "../../../../src/domain/reports/resellers.ts";
import { NOW } from "../../../support/store.ts";
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

/** A card of each ISP: the first one's in branch 11, held by its reseller. */
function makeBatches({ $client }: Db): void {
  if ($client.query("SELECT 1 FROM card_batches").get()) return;
  $client.run(
    `INSERT INTO card_batches (isp_id, branch_id, kind, quantity, price, reseller_id, reseller_price, charge_on, created_at)
     VALUES (1, 11, 'refill', 1, 500, 2, 450, 'use', ?), (2, NULL, 'refill', 1, 500, NULL, NULL, NULL, ?)`,
    [NOW, NOW],
  );
  $client.run(
    "INSERT INTO cards (batch_id, serial, code_key, code_sealed) SELECT id, 1, randomblob(16), randomblob(40) FROM card_batches",
  );
}

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
    call: (db, by) => {
      reportCards(db, by, { ...today, by: "package" }); // which changes nothing where it is refused
      makeBatches(db);
      return reportCards(db, by, { ...today, by: "package" }).rows.map(({ ispId, made }) => [ispId, made]);
    },
    ...both,
  },
  reportCardStock: {
    call: (db, by) => {
      reportCardStock(db, by, world);
      makeBatches(db);
      return reportCardStock(db, by, world).rows.map(({ ispId, new: unsold }) => [ispId, unsold]);
    },
    ...both,
  },
} satisfies Record<string, Call>;
