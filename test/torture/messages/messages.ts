import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Addresses, Appliance, program } from "../../support/appliance.ts";
import { NOW } from "../../support/store.ts";
import { Clocks } from "../clocks.ts";
import { compileDisk, Disk } from "../disk.ts";
import { checkFaults } from "../soundness.ts";
import { drawing, type Extent, type Outcome, type Trial } from "../trial.ts";
import { anIsp, BEFORE, call, setUp, SUBSCRIBERS } from "./isp.ts";
import type { Mood } from "./post.ts";
import { PostOffice } from "./post-office.ts";
import { type Sent, sentFaults } from "./sent.ts";
import { diskFolder } from "../../support/disk.ts";

/** A server that is killed while it tells people, by a mail server and gateways that are not always well. */
export const messages: Trial = { name: "messages", run };

/** Milliseconds that a life of the server takes at the most, that a full disk lasts, and that a clerk takes for a payment, in the short form too. */
const LIFE = 600;
const FULL = 200;
const PAUSE = 15;
const SHORT_PAUSE = 60;
/** Seconds of the clock of the trial that pass in every turn of a life, between two lives, and in every turn at the end. */
const STEP = 1;
const BETWEEN = 3600;
const LAST_STEP = 240;
/** Milliseconds of a turn, and that the end may take. */
const TURN = 10;
const PATIENCE = 120_000;

const moods: readonly Mood[] = ["moody", "moody", "away", "moody", "deaf", "moody", "cutting", "moody"];

interface World {
  readonly appliance: Appliance;
  readonly clocks: Clocks;
  readonly office: PostOffice;
  readonly draw: () => number;
  readonly times: { readonly start: number; readonly span: number };
  readonly presses: Map<string, number>;
  readonly pause: number;
  paid: number;
  /** Kills that found a message under way, and those that found one that was taken already. */
  underWay: number;
  takenAlready: number;
}

async function run({ isShort, seed, log }: Extent): Promise<Outcome> {
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-messages-"));
  const kills = isShort ? 1 : 100;
  const fulls = isShort ? 1 : 5;
  try {
    const clocks = await Clocks.open(folder, NOW);
    await using office = await PostOffice.open(seed);
    await using appliance = new Appliance({ ...clocks.env, GATEHOUSE_LOG_LEVEL: "error" });
    const times = { start: NOW, span: (kills * BETWEEN) / 2 };
    const world: World = {
      appliance,
      clocks,
      office,
      draw: drawing(seed),
      times,
      presses: new Map(),
      pause: isShort ? SHORT_PAUSE : PAUSE,
      paid: 0,
      underWay: 0,
      takenAlready: 0,
    };
    const disk = await compileDisk(folder);
    await open(world);
    for (let nth = 0; nth < kills; nth++) {
      await office.order(moods[nth % moods.length] ?? "moody");
      await live(world, { isAtTaking: nth % 3 === 0 });
      clocks.pass(Math.floor(world.draw() * BETWEEN));
    }
    log(`${kills} kills of a server that tells people`);
    for (let nth = 0; nth < fulls; nth++) await fill(world, disk, seed + nth);
    const { faults, sent } = await settle(world);
    return { faults, figures: figures(world, sent, { kills, fulls, faults }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figures(
  { underWay, takenAlready, presses }: World,
  { messages: count, states, again }: Sent,
  { kills, fulls, faults }: { kills: number; fulls: number; faults: readonly string[] },
): Outcome["figures"] {
  const of = (state: string) => states.get(state) ?? 0;
  return [
    {
      what: `messages to people forgotten, told twice by a rule, or sent twice where that is not known again, in ${kills} SIGKILLs of the server, mail servers and gateways that refuse, cut, dawdle or are away, and ${fulls} full disks`,
      figure: `${faults.length === 0 ? "none" : `${faults.length} at the least`} of ${count}: ${of("sent")} sent, ${of("perhaps")} perhaps, ${of("failed")} failed and ${of("skipped")} skipped, each with why`,
    },
    {
      what: "of these kills those with messages under way, and with one that the other side had taken and nobody had booked",
      figure: `${underWay} and ${takenAlready}; ${again} came again under the id that they had, or by one of ${presses.size} presses`,
    },
  ];
}

const databaseOf = ({ appliance }: World) => join(appliance.folder, "data/gatehouse.db");

async function open(world: World): Promise<void> {
  const { appliance, office, times } = world;
  await appliance.load(JSON.parse(anIsp(times)), times.start);
  await setUp(await appliance.serve(), office.ports);
  await appliance.stop("SIGKILL");
}

/** One life of the server, which is killed at a moment of its work, or as soon as somebody has taken a message. */
async function live(world: World, { isAtTaking }: { isAtTaking: boolean }): Promise<void> {
  const { appliance, office, draw } = world;
  const at = await appliance.serve();
  const work = new Work(world, at);
  await Bun.sleep(draw() * LIFE);
  if (isAtTaking) await Promise.race([office.next(), Bun.sleep(LIFE)]);
  await appliance.stop("SIGKILL");
  await work.end();
  countUnderWay(world);
}

function countUnderWay(world: World): void {
  using db = new Database(databaseOf(world), { readonly: true });
  const leaving = db.query<{ uid: string }, []>("SELECT uid FROM messages WHERE state = 'sending'").all();
  const received = new Set(world.office.taken.map(({ id }) => id));
  if (leaving.length > 0) world.underWay++;
  if (leaving.some(({ uid }) => received.has(uid))) world.takenAlready++;
}

/** One whose disk is full for a while, and which ends in order when it is not any more. */
async function fill(world: World, program_: string, seed: number): Promise<void> {
  const { appliance, office } = world;
  await office.order("moody");
  await using disk = await new Disk(program_, appliance.folder, seed).ready();
  appliance.command = disk.command(program);
  const at = await appliance.serve();
  const work = new Work(world, at);
  await Bun.sleep(LIFE);
  await disk.fail("full");
  await Bun.sleep(FULL);
  await disk.heal();
  await Bun.sleep(FULL);
  await appliance.stop();
  await work.end();
  appliance.command = [program];
}

/** A clerk who takes payments while time passes, until nobody answers. */
class Work {
  readonly #work: Promise<void>[];
  #isOver = false;

  constructor(world: World, at: Addresses) {
    this.#work = [this.#take(world, at), this.#pass(world)];
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }

  async #take(world: World, at: Addresses): Promise<void> {
    while (!this.#isOver) {
      const fields = { user_id: String((world.paid % SUBSCRIBERS) + 1), amount: "1.00", method: "cash" };
      const answer = await call(at, "POST", "payment/take", fields);
      if (!answer) return;
      if (answer.status === 200) world.paid++;
      await Bun.sleep(world.pause);
    }
  }

  async #pass({ clocks }: World): Promise<void> {
    while (!this.#isOver) {
      clocks.pass(STEP);
      await Bun.sleep(TURN);
    }
  }
}

/** The last life: everybody is well, and time passes until nothing waits; some of what perhaps arrived is sent again by a press. */
async function settle(world: World): Promise<{ faults: string[]; sent: Sent }> {
  const { appliance, office, clocks, times, presses } = world;
  await office.order("calm");
  const at = await appliance.serve();
  const faults: string[] = [];
  const last = times.start + BEFORE + times.span;
  if (!(await quiet(world, at, last))) faults.push("messages wait though each is taken");
  using db = new Database(databaseOf(world), { readonly: true });
  const perhaps = db
    .query<{ id: number; uid: string }, []>("SELECT id, uid FROM messages WHERE state = 'perhaps'")
    .all();
  for (const [index, { id, uid }] of perhaps.entries()) {
    if (index % 3 !== 0) continue;
    await call(at, "POST", `message/again/${id}`, {});
    presses.set(uid, 1);
  }
  if (!(await quiet(world, at, clocks.now))) faults.push("messages wait that were sent again by a press");
  const sent = sentFaults(databaseOf(world), { ...world, taken: office.taken });
  faults.push(...sent.faults, ...(await checkFaults(appliance)));
  if ((await appliance.stop()) !== 0) faults.push("it does not stop in order");
  return { faults, sent };
}

/** Lets time pass until a moment, and until everything is planned and nothing waits. */
async function quiet(world: World, at: Addresses, moment: number): Promise<boolean> {
  const { clocks } = world;
  using db = new Database(databaseOf(world), { readonly: true });
  const open_ = db.query<{ count: number }, []>(
    `SELECT (SELECT count(*) FROM messages WHERE state IN ('waiting', 'sending'))
       + (SELECT count(*) FROM events WHERE id > (SELECT ifnull(max(value), 0) FROM marks WHERE name = 'messages')) AS count`,
  );
  const leaving = db.query("SELECT 1 FROM messages WHERE state = 'sending' LIMIT 1");
  const planned = db.query<{ until: number }, []>(
    "SELECT min(planned_to) AS until FROM message_rules WHERE \"on\" = 'expiry'",
  );
  const end = performance.now() + PATIENCE;
  for (;;) {
    const isPlanned = (planned.get()?.until ?? 0) >= moment;
    if (isPlanned && open_.get()?.count === 0) return true;
    if (performance.now() > end) return false;
    // what is under way would be broken off, for as much time has passed
    clocks.pass(leaving.get() ? 1 : LAST_STEP);
    await call(at, "GET", "message/list?limit=1");
    await Bun.sleep(TURN);
  }
}
