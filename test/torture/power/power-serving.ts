import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Addresses, Appliance, program } from "../../support/appliance.ts";
import { openWriter } from "../../../db/open.ts";
import { makeBatch } from "../../support/card-codes.ts";
import { newSubscriber } from "../../support/isp.ts";
import { Books } from "../books.ts";
import { Disk, type Loss } from "../disk.ts";
import { checkFaults, copyFaults } from "../soundness.ts";
import { drawing } from "../trial.ts";
import { ACTIVE, sendAgain, torturedIsp, Traffic } from "../traffic.ts";

const FIRST_IMPORTED = 100_000;
const IMPORTED = 300;
const RESELLING = 2;
/** Cards that one batch has at the most. */
const LARGEST_BATCH = 10_000;

/** What the rounds of a server at work have come to. */
export interface Served {
  readonly faults: readonly string[];
  readonly rounds: number;
  readonly books: Books;
  /** Milliseconds, the slowest last. */
  readonly starts: readonly number[];
  /** Summed over all rounds. */
  readonly lost: { readonly writes: number; readonly sectors: number };
}

/** One store that loses its power again and again while routers, staff and commands work on it. */
export class PowerlessServer implements AsyncDisposable {
  readonly books = new Books();
  readonly #appliance = new Appliance();
  readonly #disk: string;
  readonly #draw: () => number;
  /** Backups that were begun since the last look, and the sessions that they must have. */
  readonly #copies: { file: string; sessions: string[]; isReported: boolean }[] = [];
  readonly #children = new Set<ReturnType<Appliance["spawn"]>>();
  #faults: string[] = [];
  readonly #starts: number[] = [];
  #lost = { writes: 0, sectors: 0 };
  #rounds = 0;

  constructor(disk: string, seed: number) {
    this.#disk = disk;
    this.#draw = drawing(seed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#appliance[Symbol.asyncDispose]();
  }

  async begin({ cards }: { cards: number }): Promise<void> {
    const isp = JSON.parse(torturedIsp());
    const reseller = {
      id: RESELLING,
      name: "Rex",
      username: "rex",
      email: "rex@isp.example",
      profile_type: 3,
    };
    isp.staff.push({ ...isp.staff[0], ...reseller });
    await this.#appliance.load(isp);
    this.#makeCards(cards);
  }

  /** Of a reseller, who pays for each at its first use. */
  #makeCards(quantity: number): void {
    const db = openWriter(join(this.#appliance.folder, "data"), { busyTimeout: 5000 });
    const reselling = { reseller_id: RESELLING, reseller_price: "0.50", charge_on: "use" };
    for (let left = quantity; left > 0; left -= LARGEST_BATCH) {
      const input = { ...reselling, quantity: Math.min(left, LARGEST_BATCH) };
      const made = makeBatch(db, input, Math.floor(Date.now() / 1000));
      for (const card of made) this.books.cards.push({ ...card, isAsked: false, session: undefined });
    }
    db.$client.close();
  }

  /** One life of the server: by SIGKILL at its end, or by a disk that forgets what was not synced. */
  async round(end: "kill" | "power"): Promise<void> {
    const number = this.#rounds++;
    if (end === "kill") {
      this.#appliance.command = [program];
      await this.#live(number, () => this.#kill());
      return;
    }
    const seed = Math.floor(this.#draw() * 2 ** 31);
    await using disk = await new Disk(this.#disk, this.#appliance.folder, seed).ready();
    this.#appliance.command = disk.command(program);
    const keep = [0, 100, 50, 90][Math.floor(this.#draw() * 4)] ?? 0;
    await this.#live(number, async () => {
      const loss = await this.#cut(disk, keep);
      this.#lost.writes += loss.writes;
      this.#lost.sectors += loss.sectors_lost;
      await this.#kill(); // which is dead already, and is waited for
    });
  }

  /** The last start, and the last look at everything. */
  async end(): Promise<Served> {
    this.#appliance.command = [program];
    await this.#start(this.#rounds);
    if ((await this.#appliance.stop()) !== 0) this.#faults.push("the last stop in order was none");
    this.#note(this.#rounds, await checkFaults(this.#appliance));
    return {
      faults: this.#faults,
      rounds: this.#rounds,
      books: this.books,
      starts: this.#starts.toSorted((a, b) => a - b),
      lost: this.#lost,
    };
  }

  async #live(number: number, end: () => Promise<void>): Promise<void> {
    const at = await this.#start(number);
    const traffic = new Traffic(at, this.books);
    const commands = this.#commands(number);
    await end();
    await Promise.all([traffic.powerFailed(), ...commands]);
  }

  /** The store after the last cut is as it was promised, what was not acknowledged comes again, and all is well. */
  async #start(number: number): Promise<Addresses> {
    const began = performance.now();
    const at = await this.#appliance.serve();
    this.#starts.push(performance.now() - began);
    this.#note(number, [...this.books.faultsIn(this.#database), ...this.#copyFaults()]);
    const silent = await sendAgain(at, this.books);
    if (silent > 0) this.#note(number, [`${silent} records were not acknowledged after the start`]);
    this.#note(number, [...this.books.faultsIn(this.#database), ...(await checkFaults(this.#appliance))]);
    return at;
  }

  /** What runs beside the server until the power fails: credits one after the other, and an import or a backup. */
  #commands(number: number): Promise<void>[] {
    return [this.#credit(number), number % 2 === 0 ? this.#import(number) : this.#backUp(number)];
  }

  async #credit(number: number): Promise<void> {
    for (let count = 0; count < 20; count++) {
      const amount = 1 + number * 20 + count;
      this.books.credits.set(amount, "asked");
      const user = `user${(amount % ACTIVE) + 1}`;
      const code = await this.#run(["subscriber", "credit", user, (amount / 100).toFixed(2)]);
      if (code !== 0) return;
      this.books.credits.set(amount, "promised");
    }
  }

  async #import(number: number): Promise<void> {
    const first = FIRST_IMPORTED + number * IMPORTED;
    const file = join(this.#appliance.folder, "more.json");
    const subscribers = Array.from({ length: IMPORTED }, (_, index) => newSubscriber(first + index));
    await Bun.write(file, JSON.stringify({ subscribers }));
    this.books.imports.set(first, { count: IMPORTED, state: "asked" });
    if ((await this.#run(["import", file])) === 0)
      this.books.imports.set(first, { count: IMPORTED, state: "promised" });
  }

  /** A backup that has its name is whole, and holds what was acknowledged before it began; looked at after the cut. */
  async #backUp(number: number): Promise<void> {
    const file = join(this.#appliance.folder, `${number}.backup`);
    const copy = { file, sessions: this.books.acknowledgedSessions(), isReported: false };
    this.#copies.push(copy);
    copy.isReported = (await this.#run(["backup", file])) === 0;
  }

  #copyFaults(): string[] {
    return this.#copies.splice(0).flatMap(({ file, sessions, isReported }) => {
      if (existsSync(file)) return copyFaults(file, sessions);
      return isReported ? ["a backup was reported and is not there"] : [];
    });
  }

  /** Undefined when it was cut off. */
  async #run(args: string[]): Promise<number | undefined> {
    const child = this.#appliance.spawn(args, "");
    this.#children.add(child);
    await child.exited;
    this.#children.delete(child);
    return child.exitCode ?? undefined;
  }

  /** At a random moment, most often while everything works. */
  async #kill(): Promise<void> {
    await Bun.sleep(50 + this.#draw() * 900);
    for (const child of this.#children) child.kill("SIGKILL");
    await this.#appliance.stop("SIGKILL");
  }

  /** Before a random call of the disk; a quiet moment when there are fewer. */
  async #cut(disk: Disk, keep: number): Promise<Loss> {
    await disk.arm(Math.floor(this.#draw() ** 2 * 6000), keep);
    const loss = await Promise.race([disk.gone, Bun.sleep(1500)]);
    return loss ?? (await disk.cut(keep));
  }

  get #database(): string {
    return join(this.#appliance.folder, "data", "gatehouse.db");
  }

  #note(number: number, faults: readonly string[]): void {
    this.#faults.push(...faults.slice(0, 5).map((fault) => `start ${number}: ${fault}`));
  }
}
