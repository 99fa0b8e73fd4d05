import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import {
  recordFirstUse,
  recordFirstUses,
  useReportedBy,
} from "../../../../src/domain/service/cards/first-use.ts";
import { unlockCard } from "../../../../src/domain/service/cards/unlock.ts";
import { CARD_CLASS_LENGTH, writeCardAccept } from "../../../../src/domain/service/sessions/session-class.ts";
import { cardRow, makeCard } from "../../../support/card-codes.ts";
import { by, loadIsp } from "../../../support/isp.ts";
import { NOW, undoneTemplate, type TemporaryStore } from "../../../support/store.ts";

const PHONE = "02:00:00:00:00:01";
const LAPTOP = "02:00:00:00:00:02";
const HOUR = 3600;

const emptyIsp = undoneTemplate((db) => loadIsp(db));
let store: TemporaryStore;
let db: Db;
beforeEach(async () => {
  store = await emptyIsp();
  ({ db } = store);
});
afterEach(() => store[Symbol.dispose]());

const use = (cardId: number, at: number, mac: string | null = PHONE) =>
  recordFirstUse(db, { cardId, at, mac });

describe("the first use of a card", () => {
  test("makes it active, and begins its time; a later one changes nothing", () => {
    const { id } = makeCard(db);
    expect(use(id, NOW + 100)).toBe(true);
    const written = cardRow(db, id);
    expect(written).toMatchObject({
      state: "active",
      first_used_at: NOW + 100,
      ends_at: NOW + 100 + HOUR,
      locked_mac: null,
    });
    expect(use(id, NOW + 200, LAPTOP)).toBe(false);
    expect(cardRow(db, id)).toEqual(written);
  });

  test("is the earlier of an Accept and a Start, whichever is written first", () => {
    const { id } = makeCard(db);
    use(id, NOW + 100);
    expect(use(id, NOW + 90)).toBe(true);
    expect(cardRow(db, id)).toMatchObject({ first_used_at: NOW + 90, ends_at: NOW + 90 + HOUR });
  });

  test("is never from before its batch was made", () => {
    const { id } = makeCard(db);
    use(id, NOW - 5000);
    expect(cardRow(db, id)).toMatchObject({ first_used_at: NOW, ends_at: NOW + HOUR });
  });

  test("has no end by the clock where only time online or volume counts", () => {
    const { id } = makeCard(db, {
      by_clock: 0,
      duration: undefined,
      duration_unit: undefined,
      uptime_seconds: 600,
    });
    use(id, NOW);
    expect(cardRow(db, id)).toMatchObject({ state: "active", first_used_at: NOW, ends_at: null });
  });

  test("locks the device where the batch says so, the first one that has an address", () => {
    const { id } = makeCard(db, { lock_first_device: 1 });
    use(id, NOW, null);
    expect(cardRow(db, id)).toMatchObject({ first_used_at: NOW, locked_mac: null });
    use(id, NOW + 1, PHONE);
    use(id, NOW + 2, LAPTOP);
    expect(cardRow(db, id)).toMatchObject({ first_used_at: NOW, locked_mac: PHONE });
  });

  test("that is told of late leaves the lock as it is, whoever's it was", () => {
    const { id } = makeCard(db, { lock_first_device: 1 });
    use(id, NOW + 100, PHONE);
    expect(use(id, NOW + 50, LAPTOP)).toBe(true);
    expect(cardRow(db, id)).toMatchObject({ first_used_at: NOW + 50, locked_mac: PHONE });
  });

  test("locks no device again that staff let go of: what was before that is over", () => {
    const { id } = makeCard(db, { lock_first_device: 1 });
    use(id, NOW + 100, PHONE);
    unlockCard(db, by, { id }, { now: NOW + 200 });
    expect(use(id, NOW + 150, PHONE)).toBe(false);
    expect(use(id, NOW + 50, PHONE)).toBe(true);
    expect(cardRow(db, id)).toMatchObject({ first_used_at: NOW + 50, locked_mac: null });
    use(id, NOW + 200, LAPTOP);
    expect(use(id, NOW + 60, PHONE)).toBe(false);
    expect(cardRow(db, id)).toMatchObject({ first_used_at: NOW + 50, locked_mac: LAPTOP });
    // and again
    unlockCard(db, by, { id }, { now: NOW + 300 });
    expect(use(id, NOW + 250, LAPTOP)).toBe(false);
    expect(use(id, NOW + 301, PHONE)).toBe(true);
  });

  test("leaves a card alone that was made void meanwhile, and one that is gone", () => {
    const { id } = makeCard(db);
    db.$client.run("UPDATE cards SET state = 'void'");
    expect(use(id, NOW)).toBe(false);
    expect(cardRow(db, id)).toMatchObject({ state: "void", first_used_at: null });
    expect(use(99, NOW)).toBe(false);
  });

  test("is written of those decisions alone that say so, and the same again changes nothing", () => {
    const [used, other] = [makeCard(db), makeCard(db)];
    const decided = { at: NOW, mac: PHONE };
    const decisions = [
      { ...decided, cardId: used.id, isCardUse: true },
      { ...decided, cardId: other.id, isCardUse: false },
      { ...decided, cardId: null, isCardUse: false },
    ];
    recordFirstUses(db, decisions);
    recordFirstUses(db, decisions);
    expect([used, other].map(({ id }) => cardRow(db, id)["state"])).toEqual(["active", "new"]);
  });
});

describe("a use that accounting tells of", () => {
  const arrival = NOW + 10 * 86_400;
  const result = (startedAt: number, acceptedAt?: number) => {
    const sessionClass = acceptedAt === undefined ? null : Buffer.alloc(CARD_CLASS_LENGTH);
    if (sessionClass && acceptedAt !== undefined)
      writeCardAccept(sessionClass, { acceptedAt, sessionTimeout: 60 });
    return useReportedBy({ class: sessionClass, startedAt }, arrival);
  };

  test("was when it was accepted, where its Class says that, whatever its router says of delays", () => {
    expect(result(arrival - 5, arrival - 7)).toBe(arrival - 7);
    expect(result(NOW, arrival - 7)).toBe(arrival - 7);
    expect(result(arrival - 5, arrival - 3 * 86_400)).toBe(arrival - 3 * 86_400);
    expect(result(arrival, arrival + 900)).toBe(arrival);
  });

  test("was at its start where it has no Class, and no more than a day before it was told of", () => {
    expect(result(arrival - 600)).toBe(arrival - 600);
    expect(result(NOW)).toBe(arrival - 86_400);
    expect(result(0)).toBe(arrival - 86_400);
  });
});
