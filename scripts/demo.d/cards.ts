import type { Tx } from "../../db/open.ts";
import { createCardBatch } from "../../src/domain/service/cards/batches.ts";
import { redeemCard } from "../../src/domain/service/cards/redeem.ts";
import { sellCard } from "../../src/domain/desk/card-sales/sell.ts";
import { createCardTemplate } from "../../src/domain/service/cards/templates.ts";
import { unlockCard } from "../../src/domain/service/cards/unlock.ts";
import { voidCard, voidCardBatch } from "../../src/domain/desk/card-sales/void.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import type { Actor } from "../../src/domain/core/actor/actor.ts";
import { formatTime, type Seconds } from "../../src/domain/core/time/time.ts";
import { refuse, use } from "./card-use.ts";
import type { Deeds } from "./deeds.ts";
import { Random } from "./random.ts";
import { staff } from "./staff.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const GB = 1_000_000_000;
const HOME = 1;
const [DAY_PASS, HOUR_PASS, TEN_HOURS, FIVE_GB] = [5, 6, 7, 8];
const RITA = 4;
const ROB = 5;

const manager = staff(8, "manager");
const clerk = staff(6, "clerk");
const rita: Actor = {
  ...staff(RITA, "reseller1"),
  admin: false,
  flags: new Set(["card_view", "card_sell"]),
  scope: { ispId: 1, branchId: null, salespersonId: RITA },
};

/** What the batches of the demo are written with. */
interface Desk {
  readonly tx: Tx;
  readonly deeds: Deeds;
  readonly now: Seconds;
  readonly random: Random;
}

/** Cards of every kind in every standing: hours and data at the desk, two resellers, refills, packages, what nobody bought in time. */
export function planCards(tx: Tx, deeds: Deeds, now: Seconds): void {
  const desk = { tx, deeds, now, random: new Random(11) };
  hours(desk);
  days(desk);
  refills(desk);
  packages(desk);
  data(desk);
  handedOver(desk);
  leftOver(desk);
  templates(desk);
}

/** Makes a batch days ago, of which `then` gets the id. */
function make(
  { tx, deeds, now }: Desk,
  daysAgo: number,
  input: Record<string, unknown>,
  then: (batch: number) => void,
): void {
  deeds.add(now - Math.round(daysAgo * DAY), (at) =>
    then(createCardBatch(tx, manager, input, { now: at }).batch.id),
  );
}

const of = (packageId: number | undefined) => ({ kind: "access", package_id: packageId });
const hour = { ...of(HOUR_PASS), devices: 1 };
const held = { reseller_id: RITA, reseller_price: "1.20", charge_on: "use" };

/** The desk's own, of which half are used, some were sold today, and three people are online. */
function hours(desk: Desk): void {
  const { tx, deeds, now, random } = desk;
  const input = {
    ...hour,
    quantity: 210,
    price: "1.00",
    lock_first_device: 1,
    note: "Harbour kiosk",
    sell_by: formatTime(now + 160 * DAY),
  };
  make(desk, 20, input, (batch) => {
    for (const id of next(tx, batch, 96))
      use(tx, id, { at: now - 2 * HOUR - random.between(0, 19 * DAY), lasts: HOUR, random });
    const online = next(tx, batch, 3);
    for (const id of online)
      use(tx, id, { at: now - random.between(600, 2400), lasts: HOUR, random, isOnline: true, now });
    refuse(tx, online[0] ?? 0, { at: now - 300, reason: "mac_locked" });
    for (let nth = 7; nth > 0; nth -= 1)
      deeds.add(now - nth * 11 * 60, (at) => {
        for (const id of next(tx, batch, 1)) sellCard(tx, clerk, { id, method: "cash" }, { now: at });
      });
    deeds.add(now - 90 * 60, (at) => {
      for (const id of next(tx, batch, 2)) voidCard(tx, manager, { id, reason: "wet paper" }, { now: at });
    });
    deeds.add(now - 400, (at) => {
      if (online[1] !== undefined) unlockCard(tx, clerk, { id: online[1] }, { now: at });
    });
  });
}

/** Held by a reseller, who pays for each when it is first used. */
function days(desk: Desk): void {
  const { tx, deeds, now, random } = desk;
  make(desk, 6, { ...of(DAY_PASS), ...held, quantity: 84, price: "1.50" }, (batch) => {
    for (let index = 0; index < 31; index += 1)
      deeds.add(now - Math.floor(((31 - index) * 5 * DAY) / 31), (at) => {
        for (const id of next(tx, batch, 1)) {
          sellCard(tx, rita, { id }, { now: at });
          if (index % 3 === 0) use(tx, id, { at: at + 10 * 60, lasts: DAY, random, now });
        }
      });
  });
}

/** Three of them are in wallets already. */
function refills(desk: Desk): void {
  const { tx, deeds, now } = desk;
  make(desk, 2, { kind: "refill", quantity: 50, price: "10.00" }, (batch) => {
    for (let index = 0; index < 5; index += 1)
      deeds.add(now - (5 - index) * 37 * 60, (at) => {
        const [id] = next(tx, batch, 1);
        if (id === undefined) return;
        sellCard(tx, clerk, { id, method: "mobile", reference: `MM-${4410 + id}` }, { now: at });
        if (index < 3) deeds.add(at + 8 * 60, (later) => redeem(tx, id, 20 + index, later));
      });
  });
}

/** A month at home on a card; some were redeemed. */
function packages(desk: Desk): void {
  const { tx, deeds, now } = desk;
  make(desk, 9, { kind: "package", package_id: HOME, quantity: 30, price: "15.00" }, (batch) => {
    for (let index = 0; index < 4; index += 1)
      deeds.add(now - (4 - index) * 53 * 60, (at) => {
        const [id] = next(tx, batch, 1);
        if (id === undefined) return;
        sellCard(tx, manager, { id, method: "cash" }, { now: at });
        const home = index < 2 ? homes(tx)[index] : undefined;
        if (home !== undefined) deeds.add(at + 15 * 60, (later) => redeem(tx, id, home, later));
      });
  });
}

/** 5 GB within 30 days, which open nothing before they are sold; some are used up. */
function data(desk: Desk): void {
  const { tx, deeds, now, random } = desk;
  const input = { ...of(FIVE_GB), needs_sale: 1, quantity: 84, price: "6.00" };
  make(desk, 25.5, input, (batch) => {
    for (let index = 0; index < 26; index += 1)
      deeds.add(now - (25 - index) * DAY, (at) => {
        const [id] = next(tx, batch, 1);
        if (id === undefined) return;
        sellCard(tx, clerk, { id, method: "cash" }, { now: at });
        const month = { at: at + HOUR, lasts: 30 * DAY, random, now };
        if (index < 8) use(tx, id, { ...month, bytes: 5 * GB });
        else if (index < 20)
          use(tx, id, {
            ...month,
            bytes: Math.floor(GB * (0.3 + random.next() * 4)),
            isOnline: index >= 18,
          });
      });
    deeds.add(now - 1500, (at) => {
      const [first = 0] = next(tx, batch, 1);
      refuse(tx, first, { at, reason: "card_unsold" });
    });
  });
}

/** Ten hours online, which a reseller paid for when they were handed over. */
function handedOver(desk: Desk): void {
  const { tx, deeds, now, random } = desk;
  deeds.add(now - 4 * HOUR, (at) => {
    const topUp = { staffId: ROB, amount: 150_00, method: "bank", reference: "TOP-CARDS" };
    takePayment(tx, manager, topUp, { now: at });
  });
  const input = {
    ...of(TEN_HOURS),
    by_clock: 0,
    uptime_seconds: 10 * HOUR,
    devices: 1,
    alphabet: "0123456789",
    quantity: 36,
    price: "4.00",
    reseller_id: ROB,
    reseller_price: "3.20",
    charge_on: "handover",
    use_by: formatTime(now + 90 * DAY),
  };
  make(desk, 0.16, input, (batch) => {
    for (const [index, id] of next(tx, batch, 5).entries())
      use(tx, id, { at: now - (index + 1) * 20 * 60, lasts: null, random, now, isOnline: index < 2 });
  });
}

/** Cards of a festival that is over, and a batch with the wrong price. */
function leftOver(desk: Desk): void {
  const { tx, deeds, now } = desk;
  const fair = {
    ...hour,
    quantity: 48,
    price: "0.50",
    prefix: "FAIR",
    note: "Harbour fair",
    sell_by: formatTime(now - 4 * DAY),
  };
  make(desk, 30, fair, (batch) => {
    for (const id of next(tx, batch, 19))
      use(tx, id, { at: now - desk.random.between(5, 28) * DAY, lasts: HOUR, random: desk.random });
  });
  make(desk, 8, { ...hour, quantity: 10, price: "10.00" }, (id) =>
    deeds.add(now - 8 * DAY + 600, (at) =>
      voidCardBatch(tx, manager, { id, reason: "10.00 in place of 1.00" }, { now: at }),
    ),
  );
}

function templates({ tx, deeds, now }: Desk): void {
  const kiosk = {
    name: "Kiosk",
    heading: "Northlink at the harbour",
    line_1: "Questions: +1 555 0100",
    line_2: "",
  };
  const roll = { ...kiosk, name: "Receipt printer", sheet: "roll-58", wifi_qr: 1 };
  for (const template of [{ ...kiosk, sheet: "a4-21" }, roll])
    deeds.add(now - 20 * DAY, (at) => createCardTemplate(tx, manager, template, { now: at }));
}

/** The first cards of a batch that are still new. */
function next({ $client }: Tx, batchId: number, count: number): number[] {
  return $client
    .query<{ id: number }, [number, number]>(
      "SELECT id FROM cards WHERE batch_id = ? AND state = 'new' ORDER BY serial LIMIT ?",
    )
    .all(batchId, count)
    .map(({ id }) => id);
}

/** Subscribers whose package has ended. */
function homes({ $client }: Tx): number[] {
  return $client
    .query<{ id: number }, [number]>(
      "SELECT s.id FROM subscribers s JOIN services v ON v.subscriber_id = s.id WHERE s.package_id = ? AND v.expires_at IS NOT NULL ORDER BY v.expires_at, s.id LIMIT 2",
    )
    .all(HOME)
    .map(({ id }) => id);
}

function redeem(tx: Tx, id: number, subscriberId: number, now: Seconds): void {
  const row = tx.$client
    .query<{ sealed: Uint8Array }, [number]>("SELECT code_sealed AS sealed FROM cards WHERE id = ?")
    .get(id);
  if (row) redeemCard(tx, clerk, { subscriberId, code: tx.vault.openText(row.sealed) }, { now });
}
