import { insert } from "../../db/insert.ts";
import { type Db, write } from "../../db/open.ts";
import { closings, invoices } from "../../db/schema.ts";
import { book } from "../../src/domain/money/billing/book.ts";
import { nextNumber } from "../../src/domain/money/billing/numbers.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { by } from "./isp.ts";

/** Payment 1 of 5.00 by subscriber 1, spent on invoice 1, and the empty day's close 1 of account 4. */
export function fillMoney(db: Db, now: number): void {
  takePayment(db, by, { subscriberId: 1, amount: 500, method: "cash" }, { now });
  write(db, (tx) => {
    const period = { periodStart: now, periodEnd: now + 3600, createdAt: now };
    const sold = { packageId: 1, packageName: "Home 1", amount: 500, open: 500, currency: "USD" };
    const of = { ispId: 1, subscriberId: 1, branchId: 11, number: nextNumber(tx, 1, "I", now) };
    const invoiceId = insert(tx, invoices, { ...of, ...sold, ...period });
    const entry = { account: { subscriberId: 1 }, ispId: 1, amount: -500, kind: "activation" } as const;
    book(tx, { ...entry, invoiceId }, now, by);
    const nothing = { taken: 0, returned: 0, expected: 0, counted: 0 };
    insert(tx, closings, { ispId: 1, staffId: 4, createdAt: now, ...nothing });
  });
}
