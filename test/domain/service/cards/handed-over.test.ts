import { expect, test } from "bun:test";
import type { Scope } from "../../../../src/domain/core/actor/actor.ts";
import { operator } from "../../../../src/domain/core/actor/operator.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { createCardBatch } from "../../../../src/domain/service/cards/batches.ts";
import { cardLately, cardSessions } from "../../../../src/domain/service/cards/lately.ts";
import { cardById, listCards } from "../../../../src/domain/service/cards/list.ts";
import { by } from "../../../support/isp.ts";
import { NOW, undoneTemplate } from "../../../support/store.ts";
import { fillTenants } from "../../../support/tenants.ts";

const tenants = undoneTemplate(fillTenants);
const at = { now: NOW };

const hour = { kind: "access", quantity: 1, price: "1.00", duration: 1, duration_unit: "hour" };
const batches = [
  { isp_id: 1, package_id: 1 },
  { isp_id: 1, package_id: 1, branch_id: 11 },
  { isp_id: 1, package_id: 1, branch_id: 12 },
  { isp_id: 1, package_id: 1, reseller_id: 2, reseller_price: "0.80", charge_on: "use" },
  { isp_id: 1, package_id: 1, reseller_id: 2, reseller_price: "0.80", charge_on: "use", branch_id: 11 },
  { isp_id: 2, package_id: 9 },
];

const scopes: Scope[] = [null, 1, 2].flatMap((ispId) =>
  [null, 11, 12, 21].flatMap((branchId) =>
    [null, 2, 3].map((salespersonId) => ({ ispId, branchId, salespersonId })),
  ),
);

test("a card that was read before is there for whom it would be found, and for nobody else", async () => {
  using store = await tenants();
  const { db } = store;
  for (const batch of batches) createCardBatch(db, by, { ...hour, ...batch }, at);
  const { records } = listCards(db, by, {}, { limit: 100, offset: 0, ...at });
  expect(records.length).toBe(batches.length);
  const reached = (look: () => unknown): boolean => {
    try {
      look();
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.kind === "not_found") return false;
      throw error;
    }
  };
  const seen = new Set<boolean>();
  for (const scope of scopes)
    for (const card of records) {
      const who = { ...operator("root", "cli"), scope };
      const isFound = reached(() => cardById(db, who, card.id, at));
      seen.add(isFound);
      const label = JSON.stringify([scope, batches[card.batchId - 1]]);
      expect(
        reached(() => cardLately(db, who, card)),
        label,
      ).toBe(isFound);
      expect(
        reached(() => cardSessions(db, who, card, { limit: 1, offset: 0 })),
        label,
      ).toBe(isFound);
    }
  expect(seen.size).toBe(2);
});
