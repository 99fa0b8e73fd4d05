import { expect, test } from "bun:test";
import { callers, insertMove, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const basic = callers.admin;
const none = { found: 0, new: 0, changed: 0, same: 0, refused: 0 };
const listed = {
  id: 1,
  isp_id: 1,
  source: "csv",
  files: ["a.csv"],
  started_by: "Ada",
  started_at: "2030-01-15 12:00:00",
  undone_at: null,
  subscribers: { found: 2, new: 1, changed: 0, same: 0, refused: 1 },
  packages: none,
  routers: none,
  sessions: none,
  vouchers: none,
  passwords: 1,
};

test("moves are listed, the newest first, and each has its report", async () => {
  using app = await withTenants();
  insertMove(app);
  expect((await app.call("GET", "/api/v1/move/list", { basic })).body).toEqual([listed]);
  expect((await app.call("GET", "/api/v1/move/get/1", { basic })).body).toEqual({
    ...listed,
    zone: "UTC",
    became: [{ name: "Home", key: "home", holders: 1, terms: "1 month", price: "15.00" }],
    cards: [],
    told: [
      {
        kind: "refused",
        heading: "Could not come",
        count: 1,
        rows: [{ file: "a.csv", line: 3, who: "", what: "has no username" }],
      },
    ],
    afterwards: [],
  });
  expect(await app.call("GET", "/api/v1/move/get/2", { basic })).toMatchObject({
    status: 404,
    body: { error: "there is no move 2" },
  });
  expect((await app.call("GET", "/api/v1/move/list?source=csv", { basic })).status).toBe(400);
});
