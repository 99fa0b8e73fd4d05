import type { Db } from "../../db/open.ts";
import type { Actor } from "../../src/domain/core/actor/actor.ts";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { ledgerEntries } from "../../db/schema.ts";
import { aPackage, ada, by, loadIsp, newSubscriber, rex } from "./isp.ts";
import { NOW, templateStore } from "./store.ts";

const ispOne = { ispId: 1, branchId: null, salespersonId: null };
const actor = { subscriberId: null, source: "192.0.2.1", admin: false, flags: new Set<string>() };

/** Who works in the office: an Admin, two who take money, and the Reseller. */
export const boss: Actor = { ...actor, staffId: 1, name: "ada", scope: ispOne, admin: true };
export const seller: Actor = {
  ...actor,
  staffId: 2,
  name: "rex",
  scope: { ...ispOne, salespersonId: 2 },
  flags: new Set([
    "payment_take",
    "payment_reverse",
    "payment_refund",
    "subscriber_activate",
    "invoice_void",
  ]),
};
export const cashier: Actor = {
  ...actor,
  staffId: 3,
  name: "mia",
  scope: ispOne,
  flags: new Set([...seller.flags, "wallet_adjust", "closing_own"]),
};

/**
 * Subscribers 1 and 3 are the Reseller's, 2 the Admin's; no balances. Package 1: prepaid, 22.00, 18.00 for the reseller;
 * package 2: postpaid, 20.00, 15.00 for the reseller.
 */
export const office = templateStore(async (db) => {
  const other = { ...ada, profile_type: 2, email: null };
  await loadIsp(db, {
    staff: [
      ada,
      rex,
      { ...other, id: 3, name: "Mia", username: "mia" },
      { ...other, id: 4, name: "Max", username: "max" },
    ],
    packages: [
      aPackage(2, { price: "20.00", reseller_price: "15.00", billing_type: "postpaid" }),
      aPackage(3, { isp_id: 2 }),
    ],
    subscribers: [
      newSubscriber(1, { balance: "0.00", salesperson_id: 2 }),
      newSubscriber(2, { balance: "0.00" }),
      newSubscriber(3, { balance: "0.00", salesperson_id: 2 }),
      newSubscriber(9, {
        balance: "0.00",
        isp_id: 2,
        package_id: 3,
        nas_id: 2,
        salesperson_id: null,
        name: "Nadia",
      }),
    ],
  });
  const home = aPackage(1, { price: "22.00", reseller_price: "18.00" });
  await importDataSet(db, by, { packages: [home] }, { now: NOW });
});

/** Postings: wallet, kind, amount. */
export function booked(db: Db): [wallet: string, kind: string, amount: number][] {
  return db
    .select()
    .from(ledgerEntries)
    .orderBy(ledgerEntries.id)
    .all()
    .map(({ subscriberId, staffId, kind, amount }) => [
      subscriberId === null ? `staff ${staffId}` : `subscriber ${subscriberId}`,
      kind,
      amount,
    ]);
}

/** Outstanding amounts of invoices, the oldest first. */
export function openOf({ $client }: Db): number[] {
  return $client
    .query<{ open: number }, []>("SELECT open FROM invoices ORDER BY id")
    .all()
    .map(({ open }) => open);
}
