import { expect, test } from "bun:test";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { credit } from "../../src/domain/money/billing/credit.ts";
import { by, DAY } from "../support/isp.ts";
import { NOW } from "../support/store.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

const REPORT = "/api/v1/report";
const northlink = { isp_id: 1, isp: "Northlink", currency: "USD" };
const southlink = { isp_id: 2, isp: "Southlink", currency: "EUR" };

/** Subscriber 1 has bought for 15.00 in December and in January, 2 for 15.00 on account, and 9 of the other ISP in another currency. */
async function sold(): Promise<Tenants> {
  const app = await withTenants();
  const { db } = app;
  db.$client.run(`INSERT INTO settings VALUES (2, 'currency', '"EUR"')`);
  db.$client.run("UPDATE subscribers SET name = '=1+1' WHERE id = 1");
  db.$client.run("UPDATE packages SET name = '=Home' WHERE id = 1");
  activate(db, by, { subscriberId: 1, packageId: 1 }, { now: NOW - 31 * DAY });
  activate(db, by, { subscriberId: 1, packageId: 1 }, { now: NOW });
  credit(db, by, { subscriberId: 9, amount: 700 }, { now: NOW });
  activate(db, by, { subscriberId: 9, packageId: 9 }, { now: NOW });
  db.$client.run("UPDATE settings SET value = value"); // which nothing of it depends on
  return app;
}

const sum = { unused: 0, voided: 0 };
const one = { ...sum, sales: 1, sold: 15, net: 15 };

test.each<[string, string, unknown]>([
  [
    "sales?isp_id=1",
    callers.operator,
    [
      { month: "2029-12", ...northlink, ...one },
      { month: "2030-01", ...northlink, ...one },
    ],
  ],
  [
    "sales?by=package&from=2029-01-01",
    callers.operator,
    [
      { ...northlink, package_id: 1, package: "=Home", ...sum, sales: 2, sold: 30, net: 30 },
      { ...southlink, package_id: 9, package: "Home 9", ...one },
    ],
  ],
  [
    "sales?by=day,%20salesperson",
    callers.reseller,
    [{ day: "2030-01-15", ...northlink, salesperson_id: 2, salesperson: "Rex", ...one }],
  ],
  ["sales?by=day&salesperson_id=3", callers.admin, []],
  ["sales?by=day", callers.otherBranch, []],
  ["collections", callers.admin, []],
  ["owed", callers.admin, []],
  ["debtors?limit=5", callers.admin, []],
  [
    "concessions",
    callers.otherTenant,
    [{ ...southlink, id: null, name: null, what: "adjustment_up", times: 1, hours: 0, amount: 7 }],
  ],
  [
    "renewals?from=2030-01-01&to=2030-01-31",
    callers.admin,
    [{ month: "2030-01", isp_id: 1, isp: "Northlink", due: 0, renewed: 0, waiting: 0, lost: 0 }].slice(1),
  ],
  [
    "resellers",
    callers.reseller,
    [
      {
        ...northlink,
        reseller_id: 2,
        reseller: "Rex",
        sales: 1,
        sold: 15,
        commission: 0,
        taken: 0,
        cards: 0,
        topped_up: 0,
        wallet: 0,
        credit_limit: 0,
      },
    ],
  ],
])("GET %s", async (path, basic, expected) => {
  using app = await sold();
  const { status, body } = await app.call("GET", `${REPORT}/${path}`, { basic });
  expect({ status, body }).toEqual({ status: 200, body: expected });
});

test.each([
  ["sales?by=colour", "must be some of day, month"],
  ["sales?by=day,day", "must be some of day, month"],
  ["sales?form=2030-01-01", "is not a filter of this list"],
  ["sales?by=day&from=2028-01-01&to=2029-12-31", "may be at most 366 days after from"],
  ["sales?from=2030-02-01&to=2030-01-01", "must not be before from"],
  ["expiring?days=0", "from 1 to 92"],
  ["owed?by=month", "must be one of branch"],
])("GET %s is refused: %s", async (path, message) => {
  using app = await sold();
  const { status, body } = await app.call("GET", `${REPORT}/${path}`, { basic: callers.admin });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(message);
});

test("a report is a file where one is asked for, of the columns that it has", async () => {
  using app = await sold();
  const { headers, body } = await app.call("GET", `${REPORT}/sales?by=day,package`, {
    basic: callers.admin,
    headers: { accept: "text/csv" },
  });
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(body).toBe(
    "day,isp_id,isp,currency,package_id,package,sales,sold,unused,voided,net\r\n2030-01-15,1,Northlink,USD,1,'=Home,1,15,0,0,15\r\n",
  );
});
