import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { authorization } from "../../../scripts/bench.d/data-set.ts";
import { type Addresses, Appliance, program } from "../../support/appliance.ts";
import { begin } from "../disk-faults.ts";
import { compileDisk, Disk } from "../disk.ts";
import { checkFaults } from "../soundness.ts";
import { drawing, type Extent, type Outcome, type Trial } from "../trial.ts";
import { Listener } from "./listener.ts";
import { noticeFaults } from "./notices.ts";
import { diskFolder } from "../../support/disk.ts";

/** A server that is killed while events go out, to somebody who verifies each and remembers its id. */
export const hooks: Trial = { name: "hooks", run };

const CLERKS = 2;
const SUBSCRIBERS = 30;
/** Milliseconds that a life of the server takes at the most. */
const LIFE = 300;
/** Milliseconds that a full disk lasts, and that all that waits may take at the end. */
const FULL = 200;
const PATIENCE = 60_000;

interface World {
  readonly appliance: Appliance;
  readonly listener: Listener;
  readonly draw: () => number;
  paid: number;
}

async function run({ isShort, seed, log }: Extent): Promise<Outcome> {
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-hooks-"));
  try {
    await using appliance = new Appliance();
    await using listener = await Listener.open(seed);
    const world: World = { appliance, listener, draw: drawing(seed), paid: 0 };
    const disk = await compileDisk(folder);
    await begin(appliance);
    await make(world);
    const kills = isShort ? 1 : 100;
    for (let nth = 0; nth < kills; nth++) {
      await listener.order({ mode: nth % 4 === 2 ? "away" : "moody" });
      await live(world);
    }
    const fulls = isShort ? 1 : 5;
    for (let nth = 0; nth < fulls; nth++) await fill(world, disk, seed + nth);
    const faults = await settle(world);
    const checked = noticeFaults(databaseOf(world), { calls: listener.calls, paid: world.paid });
    log(`${kills} kills of a server that tells others`);
    return {
      faults: [...faults, ...checked.faults],
      figures: [
        {
          what: `events lost, under two ids or out of order for a subscriber, in ${kills} SIGKILLs of a server that tells others, a receiver that refuses, is slow or away, and ${fulls} full disks`,
          figure: `none of ${checked.events}; ${checked.again} came again under the same id`,
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const databaseOf = ({ appliance }: World) => join(appliance.folder, "data/gatehouse.db");

/** The webhook, whose secret the receiver gets. */
async function make({ appliance, listener }: World): Promise<void> {
  const at = await appliance.serve();
  const { url } = listener;
  const made = await call(at, "POST", "webhook/create", {
    url,
    types: "payment.received",
    allow_local: "1",
    isp_id: "1",
  });
  const { secret } = Object(made?.body);
  if (typeof secret !== "string") throw new Error(`no webhook was made: ${JSON.stringify(made)}`);
  await listener.order({ mode: "calm", secret });
  await appliance.stop("SIGKILL");
}

/** One life of the server, which is killed at a moment of its work. */
async function live(world: World): Promise<void> {
  const at = await world.appliance.serve();
  const clerks = work(world, at);
  await Bun.sleep(world.draw() * LIFE);
  await world.appliance.stop("SIGKILL");
  await clerks;
}

/** One whose disk is full for a while, and which is killed when it is not any more. */
async function fill(world: World, program_: string, seed: number): Promise<void> {
  const { appliance } = world;
  await world.listener.order({ mode: "moody" });
  await using disk = await new Disk(program_, appliance.folder, seed).ready();
  appliance.command = disk.command(program);
  const at = await appliance.serve();
  const clerks = work(world, at);
  await Bun.sleep(LIFE);
  await disk.fail("full");
  await Bun.sleep(FULL);
  await disk.heal();
  await Bun.sleep(FULL);
  await appliance.stop();
  await clerks;
  appliance.command = [program];
}

/** Clerks take payments, one after the other, until nobody answers. */
async function work(world: World, at: Addresses): Promise<void> {
  const take = async (clerk: number) => {
    for (let nth = clerk; ; nth++) {
      const fields = { user_id: String((nth % SUBSCRIBERS) + 1), amount: "1.00", method: "cash" };
      const answer = await call(at, "POST", "payment/take", fields);
      if (!answer) return;
      if (answer.status === 200) world.paid++;
    }
  };
  await Promise.all(Array.from({ length: CLERKS }, (_, clerk) => take(clerk)));
}

/** The last life: all that waits is sent again by hand, until nothing waits. */
async function settle(world: World): Promise<string[]> {
  const { appliance, listener } = world;
  await listener.order({ mode: "calm" });
  const at = await appliance.serve();
  const end = performance.now() + PATIENCE;
  for (;;) {
    const waiting = await waitingAt(at);
    if (waiting.length === 0 && (await isQuiet(at))) break;
    if (performance.now() > end) return [`${waiting.length} deliveries wait though each is taken`];
    for (const { id, attempts } of waiting)
      if (attempts > 0) await call(at, "POST", `webhook/replay/${id}`, {});
    await Bun.sleep(50);
  }
  const faults = await checkFaults(appliance);
  if ((await appliance.stop()) !== 0) faults.push("it does not stop in order");
  return faults;
}

async function waitingAt(at: Addresses): Promise<{ id: number; attempts: number }[]> {
  const all: { id: number; attempts: number }[] = [];
  for (let before = ""; ;) {
    const answer = await call(at, "GET", `webhook/deliveries?state=waiting&limit=500${before}`);
    if (!Array.isArray(answer?.body)) throw new Error(`no deliveries were listed: ${JSON.stringify(answer)}`);
    all.push(...answer.body);
    if (answer.body.length < 500) return all;
    before = `&before=${all.at(-1)?.id}`;
  }
}

/** Whether every event was given to the webhook. */
async function isQuiet({ http }: Addresses): Promise<boolean> {
  const text = await (await fetch(`http://${http}/metrics`)).text();
  return text.includes("\ngatehouse_events_waiting 0\n");
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Undefined: the server is gone. */
async function call(
  { http }: Addresses,
  method: string,
  path: string,
  fields?: Record<string, string>,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`http://${http}/api/v1/${path}`, {
      method,
      headers: { authorization },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return undefined;
  }
}
