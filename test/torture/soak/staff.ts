import { close, isAt, settle } from "./settle.ts";
import { knowsEnd, nameOf } from "./grants.ts";
import { type Day, left, type TopUp } from "./fair.ts";
import type { Package, Subscriber } from "./model.ts";
import type { Row } from "./sessions.ts";
import { historyOf } from "./traffic.ts";
import { between, note, pick, type World } from "./world.ts";

/** What the staff does at a moment: mostly nothing. */
export async function work(world: World): Promise<void> {
  const { draw, subscribers, topUps, box } = world;
  const wanting = subscribers.filter(
    ({ service, isEnabled }) =>
      isEnabled &&
      (!service || service.until <= box.now || (service.crossedAt !== null && service.sold.slower === null)),
  );
  if (wanting.length > 0 && draw() < 0.6) await sell(world, pick(draw, wanting));
  if (draw() < 0.03) await sell(world, pick(draw, subscribers));
  if (draw() < 0.15) await topUp(world, pick(draw, subscribers.filter(isFair)), pick(draw, topUps));
  await settle(world);
  if (draw() < 0.03) await disconnect(world, pick(draw, subscribers));
  if (draw() < 0.004) await enable(world, pick(draw, subscribers));
}

/** The package again or another one; who cannot pay is credited first, or goes without. */
async function sell(world: World, subscriber: Subscriber): Promise<void> {
  const { draw, packages, fairPackage, model, box, counts, addDuration, faults } = world;
  const drawn = subscriber.service && draw() < 0.7 ? subscriber.service.sold : pick(draw, packages);
  const sold = isFair(subscriber) ? fairPackage : drawn;
  const balance = model.wallets.balance(`subscriber ${subscriber.id}`);
  const isShort = sold.isPrepaid ? balance < sold.price : balance < -10_000;
  if (isShort && draw() < 0.8) await credit(world, subscriber, between(draw, 2000, 20_000));
  for (let turn = draw() < 0.05 ? 0 : 1; turn < 2; turn++) {
    const status = model.wallets.sell(subscriber, sold, box.now, addDuration, dayOf(world, subscriber, sold));
    const fields = { user_id: String(subscriber.id), package_id: String(sold.id) };
    const answer = await box.call("POST", "/api/v1/activation/activate", fields);
    note(world, nameOf(subscriber), `sold package ${sold.id}: ${status}`);
    counts.sales++;
    if (answer.status !== status)
      faults.push(
        `an activation is answered ${answer.status} ${JSON.stringify(answer.body)} in place of ${status}; ${historyOf(world, nameOf(subscriber))}`,
      );
  }
}

/** Whose package has tiers and hours, and never another one. */
export const isFair = ({ id }: Subscriber) => id % 5 === 0;

/** The counters that a sale begins, with what stays of top-ups. */
function dayOf({ model, box }: World, { service }: Subscriber, sold: Package): Day | undefined {
  if (!sold.fair) return undefined;
  const { date } = model.fair.at(box.now);
  const day: Day = { date, free: 0, extra: 0, staying: 0 };
  if (service?.day) {
    const extra = left(service.day, service.used, sold);
    Object.assign(day, { extra, staying: extra });
  }
  return day;
}

/** Octets or days on top, and what an open session has of that is told at once. */
export async function topUp(world: World, subscriber: Subscriber, one: TopUp): Promise<void> {
  const { model, box, counts, calendar, faults } = world;
  const { service } = subscriber;
  if (service) model.fair.begin(service, model.fair.at(box.now).date);
  const period = ({ days }: TopUp) => calendar.add(service ?? box.now, { duration: days, unit: "day" });
  const status = model.wallets.topUp(subscriber, one, box.now, period);
  const fields = { user_id: String(subscriber.id), package_id: String(one.id) };
  const answer = await box.call("POST", "/api/v1/activation/top_up", fields);
  note(world, nameOf(subscriber), `topped up by ${one.id}: ${status}`);
  if (status === 200) {
    counts.topUps++;
    for (const row of model.openOf(nameOf(subscriber))) tellEnd(world, row, subscriber);
  }
  if (answer.status !== status)
    faults.push(
      `a top-up is answered ${answer.status} ${JSON.stringify(answer.body)} in place of ${status}; ${historyOf(world, nameOf(subscriber))}`,
    );
}

/** A router that does not know the end of the service is told it, and says what it does not have. */
function tellEnd(world: World, row: Row, { service }: Subscriber): void {
  if (!service || knowsEnd(row, service)) return;
  if (isAt(world, row)) row.announced = service.until;
  else close(world, row, false);
}

export async function credit(world: World, subscriber: Subscriber, amount: number): Promise<void> {
  const { box, model, counts } = world;
  const name = `user${subscriber.id}`;
  model.wallets.credit(subscriber, amount, box.now);
  counts.credits++;
  note(world, nameOf(subscriber), `credit of ${amount}`);
  await box.run(["subscriber", "credit", name, (amount / 100).toFixed(2)]);
}

async function enable(world: World, subscriber: Subscriber): Promise<void> {
  subscriber.isEnabled = !subscriber.isEnabled;
  note(world, nameOf(subscriber), subscriber.isEnabled ? "enabled" : "disabled");
  const open = subscriber.isEnabled ? [] : world.model.openOf(nameOf(subscriber));
  const there = new Set(open.filter((row) => isAt(world, row)));
  await world.box.run(["subscriber", subscriber.isEnabled ? "enable" : "disable", `user${subscriber.id}`]);
  for (const row of open) close(world, row, there.has(row));
  const requests = takeRequests(world);
  // the server may have come upon it in between
  if (requests < open.length || (open.length === 0 && requests > 0))
    world.faults.push(`disabling somebody with ${open.length} sessions made ${requests} requests`);
}

/** Who is disabled is enabled again some day. */
export async function enableAgain(world: World): Promise<void> {
  const disabled = world.subscribers.filter(({ isEnabled }) => !isEnabled);
  if (disabled.length > 3) await enable(world, pick(world.draw, disabled));
}

async function disconnect(world: World, subscriber: Subscriber): Promise<void> {
  const { model, box, faults } = world;
  const open = model.openOf(nameOf(subscriber));
  const there = open.filter((row) => isAt(world, row));
  const answer = await box.call("POST", "/api/v1/activation/disconnect", { user_id: String(subscriber.id) });
  note(world, nameOf(subscriber), `disconnected by staff, ${open.length} open`);
  for (const row of open) close(world, row, there.includes(row));
  const words = JSON.stringify(answer.body);
  if (answer.status !== 200 || words.includes("already offline") !== (there.length === 0))
    faults.push(`a disconnect of ${there.length} sessions is answered ${answer.status} ${words}`);
  const requests = takeRequests(world);
  if (requests !== open.length)
    faults.push(`a disconnect of ${open.length} sessions made ${requests} requests`);
}

/** How many requests the routers had since they were looked at. */
export function takeRequests({ routers }: World): number {
  for (const { acknowledged } of routers) acknowledged.clear();
  return routers.reduce((sum, { nas }) => sum + nas.requests.splice(0).length, 0);
}
