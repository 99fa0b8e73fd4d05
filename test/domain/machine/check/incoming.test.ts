import { expect, test } from "bun:test";
import { checkIncoming } from "../../../../src/domain/machine/check/incoming.ts";
import { dismissIncoming } from "../../../../src/domain/desk/incoming/assign.ts";
import { by } from "../../../support/isp.ts";
import { insertArrived, undoneTenants } from "../../../support/tenants.ts";

const withTenants = undoneTenants();

test("payments that wait are told until somebody has looked at them", async () => {
  using app = await withTenants();
  const { db, clock } = app;
  expect(checkIncoming(db)).toEqual([]);
  const id = insertArrived(db, clock.now);
  insertArrived(db, clock.now + 60);
  expect(checkIncoming(db)).toMatchObject([
    {
      severity: "warning",
      subject: "payments",
      message: expect.stringContaining(
        "2 payments that arrived wait for somebody of Northlink, the first since",
      ),
    },
  ]);
  dismissIncoming(db, by, { id, reason: "handed back" }, { now: clock.now });
  expect(checkIncoming(db)).toMatchObject([
    { message: expect.stringContaining("1 payment that arrived waits") },
  ]);
  const plan = db.$client
    .query<{ detail: string }, []>(
      "EXPLAIN QUERY PLAN SELECT count(*) FROM incoming_payments WHERE state IN ('unmatched', 'told') AND ended_at IS NULL",
    )
    .all();
  expect(plan.map(({ detail }) => detail).join()).toContain("incoming_payments_open");
});
