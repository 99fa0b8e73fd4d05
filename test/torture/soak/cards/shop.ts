import { close, isAt } from "../settle.ts";
import { takeRequests } from "../staff.ts";
import { historyOf } from "../traffic.ts";
import { between, note, pick, type World } from "../world.ts";
import type { Answer } from "../../box.ts";
import { nameOf } from "../grants.ts";
import { RESELLER } from "../wallets.ts";
import type { Batch, Card, Terms } from "./terms.ts";

const DAY = 86_400;
const GB = 1_000_000_000;
/** Reseller `rex`, as the import has it. */
const asReseller = { authorization: `Basic ${btoa("rex:secret-1")}` };
/** As often as the slowest job that cards wait for. */
const JOBS_EVERY = 15;

const plain: Terms = {
  kind: "access",
  packageId: 1,
  rate: "10M/20M",
  price: 300,
  resellerPrice: null,
  chargeOn: null,
  needsSale: false,
  sellBy: null,
  useBy: null,
  lasts: null,
  uptime: null,
  quota: 0,
  atOnce: 1,
  locks: false,
};

/** What an ISP has printed: over its counter, for resellers who pay before or after, for the hotspot and for lines. */
function someTerms(draw: () => number, now: number): Terms {
  const soon = now + between(draw, DAY / 2, 3 * DAY);
  const used = { price: 200, resellerPrice: 120, chargeOn: "use" } as const;
  return pick(draw, [
    { ...plain, needsSale: true, lasts: { duration: 1, unit: "day" }, locks: true, useBy: soon },
    { ...plain, ...used, lasts: { duration: 5, unit: "hour" }, quota: 3 * GB, atOnce: 2 },
    { ...plain, lasts: { duration: 1, unit: "month" }, uptime: 2 * 3600, sellBy: soon },
    { ...plain, resellerPrice: 100, chargeOn: "handover", uptime: 3 * 3600, locks: true },
    {
      ...plain,
      packageId: 5,
      rate: "2M/2M",
      list: "vip",
      quota: 6 * GB,
      atOnce: 3,
      lasts: { duration: 2, unit: "day" },
    },
    { ...plain, ...used, kind: "refill", packageId: null },
    { ...plain, kind: "refill", packageId: null, price: 1500, needsSale: true },
    { ...plain, kind: "package", packageId: pick(draw, [1, 2, 3, 5]), price: 500 },
  ] satisfies Terms[]);
}

/** What staff, the reseller and subscribers do with cards at a moment. */
export async function tend(world: World): Promise<void> {
  const { draw, model, box } = world;
  const { all, batches } = model.cards;
  const fresh = all.filter((card) => ["new", "sold"].includes(model.cards.standing(card, box.now)));
  if (fresh.length < 12 || draw() < 0.02) await make(world);
  if (all.length === 0) return;
  if (draw() < 0.3) await sell(world, pick(draw, draw() < 0.8 && fresh.length > 0 ? fresh : all));
  const redeemable = fresh.filter(({ batch }) => batch.kind !== "access");
  if (draw() < 0.15)
    await redeem(world, pick(draw, draw() < 0.8 && redeemable.length > 0 ? redeemable : all));
  if (draw() < 0.05) await makeVoid(world, pick(draw, all));
  if (draw() < 0.004) await voidBatch(world, pick(draw, batches));
  const locked = all.filter((card) => card.lockedTo !== null && isQuiet(world, card));
  if (draw() < 0.05) await unlock(world, pick(draw, locked.length > 0 && draw() < 0.9 ? locked : all));
}

/** Nothing of it is on its way: of what began before it was let go of nobody could tell whether it counts. */
const isQuiet = ({ devices, late }: World, card: Card) =>
  devices.every(({ live }) => live?.session.card !== card) &&
  late.every(({ report }) => report.session.card !== card);

/** Resellers are charged for what was used, by the product itself. */
export async function charge(world: World): Promise<void> {
  const { box, model, faults } = world;
  const charged = model.cards.chargeUsed(box.now);
  if (charged.length === 0) return;
  box.clocks.tick(JOBS_EVERY);
  const open = () =>
    box.rows<{ id: number }>("SELECT id FROM cards WHERE first_used_at IS NOT NULL AND charged_at IS NULL");
  const isDone = await box.eventually(
    () => open().length === 0,
    () => String(open().length),
  );
  if (!isDone) faults.push(`cards that were used were not charged: ${JSON.stringify(open())}`);
}

async function make(world: World): Promise<void> {
  const { box, draw, model } = world;
  const terms = someTerms(draw, box.now);
  const quantity = between(draw, 2, 7);
  const batch = model.cards.make(terms, quantity, box.now);
  const answer = await keyed(world, "card_batch/create", {
    ...fieldsOf(world, terms),
    quantity: String(quantity),
  });
  const number = model.cards.batches.length;
  expectStatus(world, answer, batch ? 200 : 422, `making a batch of ${terms.kind}, as ${number}`);
  for (const card of batch?.cards ?? []) {
    const { body } = await box.call("POST", "/api/v1/card/reprint", { id: String(card.id) });
    model.cards.knows(card, String(body["code"]));
    note(world, card.name, `made in batch ${number}: ${JSON.stringify(terms)}`);
  }
}

function fieldsOf({ calendar }: World, terms: Terms): Record<string, string> {
  const { kind, packageId, price, resellerPrice, chargeOn, needsSale, sellBy, useBy } = terms;
  const { lasts, uptime, quota, atOnce, locks } = terms;
  const access = {
    ...(lasts ? { duration: String(lasts.duration), duration_unit: lasts.unit } : { by_clock: "0" }),
    ...(uptime !== null && { uptime_seconds: String(uptime) }),
    data_quota_bytes: String(quota),
    devices: String(atOnce),
    lock_first_device: locks ? "1" : "0",
  };
  return {
    isp_id: "1",
    kind,
    price: (price / 100).toFixed(2),
    needs_sale: needsSale ? "1" : "0",
    ...(packageId !== null && { package_id: String(packageId) }),
    ...(chargeOn && { reseller_id: String(RESELLER), charge_on: chargeOn }),
    ...(resellerPrice !== null && { reseller_price: (resellerPrice / 100).toFixed(2) }),
    ...(sellBy !== null && { sell_by: calendar.format(sellBy) }),
    ...(useBy !== null && { use_by: calendar.format(useBy) }),
    ...(kind === "access" && access),
  };
}

/** By whoever holds it, or by the other one; by its number or as its buyer reads it out. */
async function sell(world: World, card: Card): Promise<void> {
  const { box, draw, model, counts } = world;
  const isHeld = card.batch.chargeOn !== null;
  const by = isHeld === draw() < 0.9 ? "reseller" : "isp";
  const status = model.cards.sell(card, by, box.now);
  const named = draw() < 0.5 ? { id: String(card.id) } : { code: card.code.toLowerCase() };
  const fields = by === "isp" ? { ...named, method: "cash" } : named;
  const answer = await keyed(world, "card/sell", fields, by === "isp" ? undefined : asReseller);
  if (status === 200) counts.cardSales++;
  note(world, card.name, `sold by the ${by}: ${status}`);
  expectStatus(world, answer, status, `a sale of ${card.name} by the ${by}`);
}

/** By staff, or by the subscriber in the app. */
async function redeem(world: World, card: Card): Promise<void> {
  const { box, draw, model, counts, packages, subscribers, addDuration } = world;
  const isApp = draw() < 0.4;
  // what a sale changes of a session that goes on is another matter
  const offline = subscribers.filter(
    // and a fair line has its own package
    (one) => one.id % 5 !== 0 && model.openOf(nameOf(one)).length === 0,
  );
  if (offline.length === 0) return;
  const subscriber = pick(draw, offline);
  if (isApp && !subscriber.isEnabled) return;
  const sold = packages.find(({ id }) => card.batch.kind === "package" && id === card.batch.packageId);
  const { wallets } = model;
  const sale = sold && {
    price: sold.price,
    mayBeSold: () => wallets.maySell(subscriber, sold, box.now, sold.price),
    sell: () => void wallets.sell(subscriber, sold, box.now, addDuration),
  };
  const status = model.cards.redeem(card, subscriber, box.now, sale);
  const answer = isApp
    ? await redeemInApp(world, nameOf(subscriber), subscriber.password, card)
    : await keyed(world, "card/redeem", { user_id: String(subscriber.id), code: card.code.toLowerCase() });
  if (status === 200) counts.redeemed++;
  note(world, card.name, `redeemed for ${nameOf(subscriber)}: ${status}`);
  note(world, nameOf(subscriber), `redeemed ${card.name}: ${status}`);
  expectStatus(world, answer, status, `redeeming ${card.name} for ${nameOf(subscriber)}`);
}

async function redeemInApp({ box }: World, username: string, password: string, card: Card): Promise<Answer> {
  const { body } = await box.call("POST", "/api/v1/subscriber/login", { username, password });
  const { token } = Object(body["data"] ?? body);
  const authorization = `Bearer ${token}`;
  return box.call("POST", "/api/v1/subscriber/card/redeem", { code: card.code }, { authorization });
}

async function makeVoid(world: World, card: Card): Promise<void> {
  const { box, model, counts, faults } = world;
  const open = model.openOf(card.name);
  const there = new Set(open.filter((row) => isAt(world, row)));
  const wasVoid = card.state === "void";
  const { status, back } = model.cards.void(card, box.now);
  const answer = await keyed(world, "card/void", { id: String(card.id), reason: "taken back" });
  if (status === 200) counts.voided++;
  note(world, card.name, `made void: ${status}`);
  expectStatus(world, answer, status, `making ${card.name} void`);
  if (wasVoid) return;
  for (const row of open) close(world, row, there.has(row));
  const { given_back: value, ended } = answer.body;
  if (value !== back / 100 || ended !== open.length)
    faults.push(
      `making ${card.name} void gave ${value} back and ended ${ended} sessions in place of ${back / 100} and ${open.length}; ${historyOf(world, card.name)}`,
    );
  takeRequests(world);
}

async function voidBatch(world: World, batch: Batch): Promise<void> {
  const { box, model, faults } = world;
  const { status, voided } = model.cards.voidBatch(batch, box.now);
  const answer = await keyed(world, "card_batch/void", { id: String(batch.id), reason: "misprinted" });
  for (const card of batch.cards) note(world, card.name, `its batch was made void: ${status}`);
  expectStatus(world, answer, status, `making batch ${batch.id} void`);
  if (status === 200 && answer.body["voided"] !== voided)
    faults.push(`of batch ${batch.id} ${answer.body["voided"]} became void in place of ${voided}`);
}

async function unlock(world: World, card: Card): Promise<void> {
  const { box, model } = world;
  const status = model.cards.unlock(card);
  const answer = await box.call("POST", "/api/v1/card/unlock", { id: String(card.id) });
  note(world, card.name, `unlocked: ${status}`);
  expectStatus(world, answer, status, `unlocking ${card.name}`);
}

/** A call with a key of its own; now and then it is pressed twice, and does nothing more. */
async function keyed(
  { box, draw, faults }: World,
  action: string,
  fields: Record<string, string>,
  by: Record<string, string> = box.asAdmin,
): Promise<Answer> {
  const headers = { ...by, "idempotency-key": crypto.randomUUID() };
  const first = await box.call("POST", `/api/v1/${action}`, fields, headers);
  if (draw() < 0.8) return first;
  const second = await box.call("POST", `/api/v1/${action}`, fields, headers);
  // what came of it at the routers is of each call
  const saidOf = ({ status, body }: Answer) =>
    status === 200 ? { ...body, ended: 0, failures: [], session: "" } : status;
  const isSame = Bun.deepEquals(saidOf(first), saidOf(second));
  if (!isSame) faults.push(`${action} with the same key was answered ${first.status}, then ${second.status}`);
  return first;
}

function expectStatus(world: World, { status, body }: Answer, shouldBe: number, what: string): void {
  if (status === shouldBe) return;
  const [name = ""] = /C-\d+/.exec(what) ?? [];
  world.faults.push(
    `${what} is answered ${status} ${JSON.stringify(body)} in place of ${shouldBe}; ${historyOf(world, name)}`,
  );
}
