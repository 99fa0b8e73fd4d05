import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { placeInUse, type PlaceNode, placeTree } from "../../../../src/domain/people/places/tree.ts";
import { by as operator } from "../../../support/isp.ts";
import { undoneTemplate } from "../../../support/store.ts";
import { fillTenants } from "../../../support/tenants.ts";

/** Areas with and without a city, a subarea without an area; subscriber 1 lives in East, 2 lived there and left. */
const store = undoneTemplate(async (db) => {
  await fillTenants(db);
  db.$client.run(
    `INSERT INTO cities (id, isp_id, name) VALUES (3, 1, 'Århus');
     INSERT INTO areas (id, isp_id, city_id, name) VALUES (3, 1, NULL, 'Nowhere'), (4, 1, 3, 'Mill Lane');
     INSERT INTO subareas (id, isp_id, area_id, name) VALUES (3, 1, NULL, 'Lost block');
     UPDATE subscribers SET city_id = 1, area_id = 1, subarea_id = 1 WHERE id IN (1, 2);
     UPDATE subscribers SET archived_at = created_at WHERE id = 2`,
  );
});

/** Indented names with how many live there. */
function drawn(nodes: readonly PlaceNode[], depth = 0): string[] {
  return nodes.flatMap(({ kind, id, name, subscribers, within }) => [
    `${"  ".repeat(depth)}${id === null ? `(no ${kind})` : `${name} ${subscribers}`}`,
    ...drawn(within, depth + 1),
  ]);
}

const cities = (db: Db, by: Actor, text = "") => drawn(placeTree(db, by, { ispId: 1, text }).cities);
const of = (scope: Partial<Actor["scope"]>): Actor => ({
  ...operator,
  scope: { ispId: 1, branchId: null, salespersonId: null, ...scope },
});

describe("the tree of places", () => {
  test("has each with what lies in it, who lives there now, and what lies nowhere at the end", async () => {
    using here = await store();
    const all = [
      ...["Riverton 1", "  East 1", "    Block 4 1", "Århus 0", "  Mill Lane 0"],
      ...["(no city)", "  Nowhere 0", "  (no area)", "    Lost block 0"],
    ];
    expect(cities(here.db, operator)).toEqual(all);
    expect(cities(here.db, of({}))).toEqual(all);
  });

  test("counts within the scope", async () => {
    using here = await store();
    expect(cities(here.db, of({ branchId: 11 }))[1]).toBe("  East 1");
    expect(cities(here.db, of({ branchId: 12 }))[1]).toBe("  East 0");
    expect(cities(here.db, of({ salespersonId: 3 }))[1]).toBe("  East 0");
    expect(cities(here.db, of({ ispId: 2 }))).toEqual([]);
  });

  test("is narrowed to names, without case, with what they lie in and what lies in them", async () => {
    using here = await store();
    expect(cities(here.db, operator, "BLOCK 4")).toEqual(["Riverton 1", "  East 1", "    Block 4 1"]);
    expect(cities(here.db, operator, "århus")).toEqual(["Århus 0", "  Mill Lane 0"]);
    expect(cities(here.db, operator, "lost")).toEqual(["(no city)", "  (no area)", "    Lost block 0"]);
    expect(cities(here.db, operator, "%")).toEqual([]);
  });

  test("has the ISPs for the operator alone", async () => {
    using here = await store();
    expect(drawn(placeTree(here.db, operator, { ispId: 1 }).isps)).toEqual(["Northlink 1", "Southlink 1"]);
    expect(placeTree(here.db, of({}), { ispId: 1 }).isps).toEqual([]);
  });
});

test("what stands in the way of removing a place says how many of them left", async () => {
  using here = await store();
  const { uses, archived } = placeInUse(here.db, operator, "area", 1);
  expect(uses.map(({ table, count }) => [table, count])).toEqual(
    expect.arrayContaining([
      ["subscribers", 2],
      ["subareas", 1],
    ]),
  );
  expect(archived).toBe(1);
  expect(placeInUse(here.db, operator, "area", 4)).toEqual({ uses: [], archived: 0 });
  expect(() => placeInUse(here.db, of({ ispId: 2 }), "area", 1)).toThrow("there is no area 1");
  expect(() => placeInUse(here.db, of({}), "isp", 1)).toThrow("operator of the box");
});
