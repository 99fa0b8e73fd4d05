import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Appliance, program } from "../../support/appliance.ts";
import { Clocks } from "../clocks.ts";
import { compileDisk, Disk } from "../disk.ts";
import { format } from "../notes.ts";
import { checkFaults } from "../soundness.ts";
import { drawing, type Extent, type Outcome, type Trial } from "../trial.ts";
import { bookFaults, byTag, isTagged, readBooks } from "./books.ts";
import type { Call } from "./calls.ts";
import { anOffice } from "./office.ts";
import { comeToWork, isDone, sendAgain, somewhile, Staff } from "./till.ts";
import { diskFolder } from "../../support/disk.ts";

/** When the trial begins, in UTC seconds: numbers of the next year come soon. */
const START = Date.UTC(2030, 11, 31, 18) / 1000;
/** Faults come in crowds; the first ones say it all. */
const ENOUGH = 20;
/** Lives of one box: its books are read as a whole after each. */
const LIVES = 40;

/** What all boxes have come to. */
interface Tally {
  kills: number;
  done: number;
  refused: number;
  /** Calls that the end left without an answer, and those of them that were booked. */
  cut: number;
  booked: number;
  again: number;
  twice: number;
  renewals: number;
  readonly kinds: Map<string, number>;
}

/** Staff and Resellers move money while the server ends at any moment; each call without an answer comes again with its key. */
export const money: Trial = {
  name: "money",
  run: async (extent): Promise<Outcome> => {
    const draw = drawing(extent.seed);
    const faults: string[] = [];
    const tally: Tally = {
      kills: 0,
      done: 0,
      refused: 0,
      cut: 0,
      booked: 0,
      again: 0,
      twice: 0,
      renewals: 0,
      kinds: new Map(),
    };
    const scale = scaleOf(extent);
    const end = performance.now() + scale.patience;
    const isOver = () => tally.kills >= scale.kills || performance.now() > end;
    while (!isOver() && faults.length < ENOUGH) {
      await using box = await MoneyBox.open(draw, tally);
      for (let life = 0; life < LIVES && !isOver() && box.faults.length < ENOUGH; life++) await box.live();
      await box.end();
      faults.push(...box.faults);
      extent.log(`${tally.kills} kills, ${tally.done} operations`);
    }
    const kinds = [...tally.kinds].map(([kind, count]) => `${format(count)} ${kind}`).join(", ");
    extent.log(`${kinds}; ${tally.renewals} renewals by themselves, ${tally.refused} refused`);
    return { faults: faults.slice(0, ENOUGH), figures: figures(tally, faults) };
  },
};

interface Scale {
  readonly kills: number;
  /** Milliseconds after which nothing begins anew. */
  readonly patience: number;
}

function scaleOf({ isShort, isLong }: Extent): Scale {
  if (isShort) return { kills: 2, patience: Infinity };
  return isLong ? { kills: 1000, patience: 600_000 } : { kills: 120, patience: 120_000 };
}

function figures(tally: Tally, faults: readonly string[]): Outcome["figures"] {
  const { kills, done, refused, cut, booked, again, twice, renewals } = tally;
  const found = faults.length === 0 ? "none" : `${faults.length} at the least`;
  return [
    {
      what: `operations with money, acknowledged and lost, or there twice, in ${format(kills)} ends of a server at work, half by SIGKILL, half by the power`,
      figure: `${found} of ${format(done)}, and ${format(renewals)} renewals by themselves; ${format(refused)} were refused and left nothing`,
    },
    {
      what: "calls that these ends left without an answer, sent again with their key",
      figure: `${format(cut)}, of which ${format(booked)} were booked already and were not booked again; nor were ${format(again)} that had an answer, which was the same again, and ${format(twice)} that were pressed twice`,
    },
  ];
}

/** One box, from its import to its end. */
class MoneyBox implements AsyncDisposable {
  readonly faults: string[] = [];
  readonly #folder: string;
  readonly #clocks: Clocks;
  readonly #disk: string;
  readonly #appliance: Appliance;
  readonly #draw: () => number;
  readonly #tally: Tally;
  readonly #calls: Call[] = [];
  readonly #said = new Set<string>();
  #life = 0;

  private constructor(folder: string, clocks: Clocks, disk: string, draw: () => number, tally: Tally) {
    this.#folder = folder;
    this.#clocks = clocks;
    this.#disk = disk;
    this.#appliance = new Appliance({ ...clocks.env, GATEHOUSE_LOG_LEVEL: "warn" });
    this.#draw = draw;
    this.#tally = tally;
  }

  static async open(draw: () => number, tally: Tally): Promise<MoneyBox> {
    const folder = mkdtempSync(join(diskFolder(), "gatehouse-money-"));
    try {
      const clocks = await Clocks.open(folder, START);
      const box = new MoneyBox(folder, clocks, await compileDisk(folder), draw, tally);
      await box.#appliance.load(JSON.parse(anOffice(START)), START);
      return box;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#appliance[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A start, with all that the last end left, and then work until the next one: a kill, or before some call of the disk. */
  async live(): Promise<void> {
    const draw = this.#draw;
    if (this.#life % 2 === 0) await this.#liveUntil(() => Bun.sleep(100 + draw() * 800));
    else await this.#livePowered();
    this.#tally.kills++;
    this.#clocks.pass(somewhile(draw));
  }

  async #livePowered(): Promise<void> {
    const draw = this.#draw;
    await using disk = await new Disk(
      this.#disk,
      this.#appliance.folder,
      Math.floor(draw() * 2 ** 31),
    ).ready();
    this.#appliance.command = disk.command(program);
    const keep = [0, 100, 50, 90][Math.floor(draw() * 4)] ?? 0;
    await this.#liveUntil(async () => {
      await disk.arm(Math.floor(draw() * 600), keep);
      const loss = await Promise.race([disk.gone, Bun.sleep(1000)]);
      if (!loss) await disk.cut(keep);
    });
    this.#appliance.command = [program];
  }

  async #liveUntil(end: () => Promise<void>): Promise<void> {
    const world = await this.#start();
    await comeToWork(world);
    const staff = new Staff(world);
    await end();
    await this.#appliance.stop("SIGKILL");
    await staff.goHome();
  }

  /** The last start, and a stop in order. */
  async end(): Promise<void> {
    await this.#start();
    if ((await this.#appliance.stop()) !== 0) this.faults.push("the last stop in order was none");
    this.#note([
      ...bookFaults(readBooks(this.#database), this.#calls),
      ...(await checkFaults(this.#appliance)),
    ]);
    this.#count();
  }

  /** The books are as they were promised, what got no answer comes again, and they are still. */
  async #start() {
    const { http } = await this.#appliance.serve();
    this.#life++;
    const books = readBooks(this.#database);
    const newest = {
      payments: books.payments.length,
      invoices: books.invoices.length,
      closings: books.closings.length,
    };
    const world = {
      http,
      newest,
      life: this.#life,
      draw: this.#draw,
      calls: this.#calls,
      faults: this.faults,
      counts: this.#tally,
      pass: (seconds: number) => this.#clocks.pass(seconds),
    };
    this.#note([...bookFaults(books, this.#calls), ...(await checkFaults(this.#appliance))]);
    const found = byTag(books);
    const cut = this.#calls.filter(({ answer, isKeyed }) => isKeyed && answer === undefined);
    this.#tally.cut += cut.length;
    this.#tally.booked += cut.filter((call) => found.has(call.tag)).length;
    await sendAgain(world, (call) => isTagged(call) && found.has(call.tag));
    this.#note(bookFaults(readBooks(this.#database), this.#calls));
    return world;
  }

  get #database(): string {
    return join(this.#appliance.folder, "data", "gatehouse.db");
  }

  #note(faults: readonly string[]): void {
    // what is wrong once is wrong at every later start too
    const fresh = faults.filter((fault) => !this.#said.has(fault)).slice(0, 5);
    for (const fault of fresh) this.#said.add(fault);
    this.faults.push(...fresh.map((fault) => `start ${this.#life}: ${fault}`));
  }

  #count(): void {
    const tally = this.#tally;
    for (const { kind, answer } of this.#calls) {
      if (isDone(answer)) tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1);
      tally[isDone(answer) ? "done" : "refused"]++;
    }
    const { activations } = readBooks(this.#database);
    tally.renewals += activations.filter(({ staff_id }) => staff_id === null).length;
  }
}
