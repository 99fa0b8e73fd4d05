import { expect, test } from "bun:test";
import { databaseFile } from "../../../../db/open.ts";
import { markHandedOver, takeHandedOver } from "../../../../src/domain/machine/backup/handed-over.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

test("a copy that was handed over is all that there is for a day, and says so once", () => {
  using store = temporaryStore();
  store.db.$client.close();
  const copy = databaseFile(store.folder);
  expect(takeHandedOver(copy, NOW)).toBe(false);
  markHandedOver(copy, NOW);
  expect(takeHandedOver(copy, NOW + 60)).toBe(true);
  expect(takeHandedOver(copy, NOW + 60)).toBe(false);
  markHandedOver(copy, NOW);
  expect(takeHandedOver(copy, NOW + 86_401)).toBe(false);
});
