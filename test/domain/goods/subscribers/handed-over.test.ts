import { expect, test } from "bun:test";
import { nothing, type Scope } from "../../../../src/domain/core/actor/actor.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { subscriberIn, subscribersWhere } from "../../../../src/domain/goods/subscribers/find.ts";
import { undoneTemplate } from "../../../support/store.ts";
import { fillTenants } from "../../../support/tenants.ts";

const tenants = undoneTemplate(fillTenants);

const own = { ispId: [null, 1, 2], branchId: [null, 11, 12, 21], salespersonId: [null, 2, 3] };
const scopes: Scope[] = own.ispId.flatMap((ispId) =>
  own.branchId.flatMap((branchId) =>
    own.salespersonId.flatMap((salespersonId) =>
      [false, true].map((archived) => ({ ispId, branchId, salespersonId, archived })),
    ),
  ),
);

test("a subscriber that was read before is there for whom it would be found, and for nobody else", async () => {
  using store = await tenants();
  store.db.$client.run("UPDATE subscribers SET archived_at = 1 WHERE id = 2");
  const rows = subscribersWhere(store.db, { text: "TRUE", values: [] });
  const reached = (scope: Scope, which: number | (typeof rows)[number]): boolean => {
    try {
      return subscriberIn(store.db, scope, which).id > 0;
    } catch (error) {
      if (error instanceof DomainError && error.kind === "not_found") return false;
      throw error;
    }
  };
  const seen = new Set<boolean>();
  for (const scope of [...scopes, everything, nothing])
    for (const row of rows) {
      const isFound = reached(scope, row.id);
      seen.add(isFound);
      expect(reached(scope, row), JSON.stringify([scope, row.id])).toBe(isFound);
    }
  expect(rows.length).toBeGreaterThan(2);
  expect(seen.size).toBe(2);
});
