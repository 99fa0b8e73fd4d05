import { afterEach, beforeEach, expect, test } from "bun:test";
import { checkMoney } from "../../../../src/domain/machine/check/money.ts";
import type { Db } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { findService } from "../../../../src/domain/service/activation/plan.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import {
  ownCards,
  previewOwnCard,
  redeemCard,
  redeemOwn,
} from "../../../../src/domain/service/cards/redeem.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { updatePackage } from "../../../../src/domain/goods/packages/packages.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { subscriberById } from "../../../../src/domain/goods/subscribers/find.ts";
import { subscriberActor } from "../../../../src/domain/goods/subscribers/tokens.ts";
import { aPackage, by, DAY, undoneIspStores, newSubscriber } from "../../../support/isp.ts";
import { cardOf } from "../../../support/redeem-cards.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

let store: TemporaryStore;
let db: Db;
const GB = 1e9;
const one = { subscriberId: 1 };
const later = { now: NOW + 600 };

beforeEach(async () => {
  store = await ispStore({
    packages: [
      aPackage(2, { data_quota_bytes: 10 * GB }),
      aPackage(10, { name: "5 GB more", price: "3.00", top_up_bytes: 5 * GB }),
      aPackage(11, { name: "3 days", price: "2.00", top_up_days: 3 }),
    ],
    subscribers: [newSubscriber(1)],
  });
  db = store.db;
});
afterEach(() => store[Symbol.dispose]());

const aCard = (packageId: number, price: string) =>
  cardOf(db, { kind: "package", package_id: packageId, price });
const self = () => subscriberActor(subscriberById(db, everything, 1), "portal");

test("a card of a top-up adds its bytes to what runs and pays for them, once; the preview says so before", () => {
  activate(db, by, { ...one, packageId: 2 }, { now: NOW });
  const before = { balance: readBalance(db, one), expiresAt: findService(db, 1)?.expiresAt };
  const code = aCard(10, "3.50");
  expect(previewOwnCard(db, self(), { ...one, code }, later)).toMatchObject({
    credited: 300,
    balance: before.balance,
    balanceAfter: before.balance,
    activation: {
      packageName: "5 GB more",
      isTopUp: true,
      cutsShort: null,
      gives: { dataQuotaBytes: 5 * GB },
    },
  });
  const done = redeemOwn(db, self(), { ...one, code }, later);
  expect(done).toMatchObject({ credited: 300, activated: { packageName: "5 GB more", charged: 300 } });
  expect(findService(db, 1)).toMatchObject({
    packageId: 2,
    quotaTotal: 15 * GB,
    extraBytes: 5 * GB,
    expiresAt: before.expiresAt,
  });
  expect(readBalance(db, one)).toBe(before.balance);
  expect(ownCards(db, self(), 1)).toMatchObject([{ packageName: "5 GB more", credited: 300 }]);
  expect(() => redeemOwn(db, self(), { ...one, code }, later)).toThrow("the card was used");
  expect(findService(db, 1)?.extraBytes).toBe(5 * GB);
  expect(checkMoney(db).filter(({ severity }) => severity !== "ok")).toEqual([]);
});

test("one of days moves the end, with an empty wallet too", () => {
  activate(db, by, { ...one, packageId: 2 }, { now: NOW });
  const expiresAt = findService(db, 1)?.expiresAt ?? 0;
  const balance = readBalance(db, one);
  redeemCard(db, by, { ...one, code: aCard(11, "2.00") }, later);
  expect(findService(db, 1)).toMatchObject({ packageId: 2, expiresAt: expiresAt + 3 * DAY });
  expect(readBalance(db, one)).toBe(balance);
});

test.each([
  ["was never activated", 0, "never activated"],
  ["has no volume and no tiers", 1, "neither a data volume nor tiers"],
])("where the line %s it is refused, and the card stays as it was", (_, packageId, text) => {
  if (packageId > 0) activate(db, by, { ...one, packageId }, { now: NOW });
  const code = aCard(10, "3.00");
  const balance = readBalance(db, one);
  expect(() => redeemCard(db, by, { ...one, code }, later)).toThrow(text);
  expect(db.$client.query("SELECT state FROM cards").all()).toEqual([{ state: "new" }]);
  expect(readBalance(db, one)).toBe(balance);
});

test.each([
  ["a top-up", 10, "is a top-up; make cards of the kind package of it"],
  ["a package with hours", 1, "has tiers, hours or a window of the calendar, which access cards do not have"],
])("no access cards are made of %s", (_, packageId, text) => {
  updatePackage(db, by, { id: 1, input: { hours: "daily 01:00-06:00 free" } }, { now: NOW });
  const input = { kind: "access", package_id: packageId, price: "1.00" };
  let faults: unknown;
  try {
    cardOf(db, input);
  } catch (error) {
    faults = error instanceof DomainError ? error.fields : error;
  }
  expect(faults).toEqual({ package_id: [expect.stringContaining(text)] });
});
