import { charge, tend } from "./cards/shop.ts";
import { compare } from "./compare.ts";
import { openWorld } from "./isp.ts";
import { begin } from "./opening.ts";
import { settle } from "./settle.ts";
import { enableAgain, work } from "./staff.ts";
import { live, reboot, update } from "./life.ts";
import { sendLate } from "./traffic.ts";
import { between, end, pick, type World } from "./world.ts";
import { drawing, type Extent, type Outcome, type Trial } from "../trial.ts";

const DAY = 86_400;
/** Differences come in crowds; the first ones say it all. */
const ENOUGH = 20;

interface Scale {
  readonly subscribers: number;
  readonly days: number;
  /**
   * Milliseconds of real time after which no new day begins, or in the short form nothing more of the day; the month is a whole one if the
   * machine is not slow.
   */
  readonly patience: number;
}

function scaleOf({ isShort, isLong }: Extent): Scale {
  if (isLong) return { subscribers: 400, days: 3650, patience: 3_600_000 };
  if (isShort) return { subscribers: 12, days: 1, patience: 10_000 };
  return { subscribers: 45, days: 31, patience: 70_000 };
}

/** A month of an ISP in a minute, by a draw; the books of the product against those of a model, to the last octet and cent. */
export const soak: Trial = {
  name: "soak",
  run: async (extent): Promise<Outcome> => {
    const scale = scaleOf(extent);
    await using world = await openWorld(scale.subscribers, drawing(extent.seed));
    const { box, faults, counts } = world;
    const begun = { wall: box.now, at: performance.now() };
    let compared = 0;
    let days = 0;
    const isLate = () => performance.now() - begun.at >= scale.patience;
    const isOver = () => world.isStuck || faults.length >= ENOUGH;
    await begin(world);
    while (days < scale.days && !isLate() && !isOver()) {
      days++;
      while (box.now < begun.wall + days * DAY && !isOver() && !(extent.isShort && isLate()))
        await step(world);
      if (!extent.isShort && (days % 4 === 0 || days === scale.days)) compared += await compare(world);
      extent.log(`day ${days}: ${counts.records} records, ${counts.logins} logins, ${counts.sales} sales`);
    }
    compared += await compare(world);
    if (faults.length > 0) for (const line of box.log.trim().split("\n").slice(-20)) extent.log(line);
    const { records, logins, sales, credits, reboots, ended, slowed, lost } = counts;
    const { cardLogins, cardSales, redeemed, voided, rates, topUps } = counts;
    return {
      figures: [
        {
          what: `${days} days of ${scale.subscribers} subscribers in ${Math.round((performance.now() - begun.at) / 1000)} s, against an independent model`,
          figure: `${records} accounting records, ${logins} logins, ${sales} sales, ${credits} credits, ${reboots} reboots of routers, ${lost} lost sessions, ${ended} ended and ${slowed} slowed down while online, ${rates} given another rate by tiers and hours, ${topUps} top-ups, ${world.model.cards.all.length} cards with ${cardLogins} logins, ${cardSales} sold, ${redeemed} redeemed, ${voided} made void; of ${compared} rows of money, usage, sessions and cards ${faults.length === 0 ? "every one is equal" : "not every one is equal"}`,
        },
      ],
      faults: faults.slice(0, ENOUGH),
    };
  },
};

/** Some minutes pass, and what is due then happens, by routers, subscribers and staff. */
async function step(world: World): Promise<void> {
  const { box, draw, routers, devices } = world;
  const deadlines = devices.flatMap((device) => (device.live ? [device.live.deadline - 1] : []));
  const soonest = Math.max(1, Math.min(...deadlines) - box.now);
  await box.pass(Math.min(between(draw, 300, 1500), soonest));
  await settle(world);
  await sendLate(world);
  await settle(world);
  for (const device of devices)
    if (device.live && device.live.deadline - 1 <= box.now) end(world, device.live, "Session-Timeout");
  await sendLate(world);
  await update(world);
  await settle(world);
  for (const device of devices) if (draw() < 0.3) await live(world, device);
  await sendLate(world);
  await settle(world);
  if (draw() < 0.01) await reboot(world, pick(draw, routers));
  if (draw() < 0.005) pick(draw, routers).outUntil = box.now + between(draw, 1800, 4 * 3600);
  await charge(world);
  await tend(world);
  await settle(world);
  await work(world);
  await enableAgain(world);
  await sendLate(world);
  await settle(world);
}
