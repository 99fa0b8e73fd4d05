import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { subscriberById } from "../../../../src/domain/goods/subscribers/find.ts";
import { setPlant } from "../../../../src/domain/goods/subscribers/plant.ts";
import {
  type Expected,
  isEdited,
  storedFormText,
} from "../../../../src/domain/goods/subscribers/unchanged.ts";
import { profileFields } from "../../../../src/domain/goods/subscribers/fields.ts";
import { updateSubscriber } from "../../../../src/domain/goods/subscribers/update.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const username = "user1";
const one = (db: Db) => subscriberById(db, everything, 1);
const opened = (db: Db): Expected =>
  Object.fromEntries(
    Object.keys(profileFields)
      .filter(isEdited)
      .map((name) => [name, storedFormText(one(db), name)]),
  );

function save(db: Db, values: Record<string, string>, form: Expected): void {
  const expected = Object.fromEntries(Object.keys(values).map((name) => [name, form[name] ?? ""]));
  updateSubscriber(db, boss, { username, ...values }, { now: NOW, toJson: (record) => record, expected });
}

test("two at one subscriber: who saves second is told what changed, and nothing is lost", async () => {
  using store = await office();
  const { db } = store;
  const [mine, theirs] = [opened(db), opened(db)];
  save(db, { mobile_number: "0142", address: "4 Quay Street" }, mine);
  expect(() => save(db, { mobile_number: "0199", name: "Joe" }, theirs)).toThrow(
    expect.objectContaining({
      kind: "conflict",
      fields: { mobile_number: ["was changed to 0142 meanwhile"] },
    }),
  );
  expect(one(db)).toMatchObject({ mobileNumber: "0142", name: "User 1" });
});

test("another field than the one that was changed is saved beside it", async () => {
  using store = await office();
  const { db } = store;
  const [mine, theirs] = [opened(db), opened(db)];
  save(db, { credit_limit: "5.00" }, mine);
  save(db, { name: "Joe" }, theirs);
  expect(one(db)).toMatchObject({ creditLimit: 500, name: "Joe" });
  expect(opened(db)).toMatchObject({ credit_limit: "5.00", branch_id: "", package_id: "1" });
});

test("the plant too", async () => {
  using store = await office();
  const { db } = store;
  const plant = (box_number: string, was: string) =>
    setPlant(
      db,
      boss,
      { subscriberId: 1, plant: { box_number }, expected: { box_number: was } },
      { now: NOW },
    );
  plant("BOX-77", "");
  expect(() => plant("BOX-78", "")).toThrow("somebody else has changed box_number");
  expect(one(db).boxNumber).toBe("BOX-77");
});
