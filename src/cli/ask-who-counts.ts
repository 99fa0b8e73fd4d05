import type { Logger } from "pino";
import { type Db, openReader, openWriter, write } from "../../db/open.ts";
import type { Config } from "../config/config.ts";
import { PRIMARY_INBOX } from "../nats/subjects.ts";
import { readSeed } from "../domain/machine/access-boxes/boxes.ts";
import { countsAbove } from "../domain/machine/access-boxes/signed-head.ts";
import { accessState, isOver, noteOver } from "../domain/machine/access-boxes/state.ts";
import { setting } from "../domain/core/settings/settings.ts";
import { systemClock } from "../domain/core/time/time.ts";

/** Milliseconds that the start waits for an answer. */
const PATIENCE = 10_000;
/** Milliseconds between two attempts. */
const TRY_AGAIN = 500;
/** Milliseconds that a write waits for the lock. */
const BUSY_TIMEOUT = 5000;

const WAITS =
  "these books have access boxes, and nats-server has not said yet which books count: nothing is written and no router is answered before. On its machine: systemctl status nats-server. To go on without it: gatehouse settings set start_without_nats true, or where other books may have been made to count and are off: gatehouse box promote --without-nats";

/**
 * After a power cut another primary may have been promoted, and two that both write cannot be merged: so one with access boxes
 * asks nats-server, or the boxes, before it serves.
 */
export class WhoCounts implements Disposable {
  /** Resolves after the store has recorded the primary that counts. */
  readonly known: Promise<undefined>;
  readonly #config: Config;
  readonly #log: Logger;
  readonly #began = performance.now();
  #isEnded = false;
  #timer: Timer | undefined;
  #lastFault = "";

  constructor(config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.known = this.#askUntilKnown();
  }

  /** Resolves when it is known, or when PATIENCE is over. */
  async knownInTime(): Promise<undefined> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#timer = setTimeout(resolve, PATIENCE);
    await Promise.race([this.known, promise]);
    return undefined;
  }

  /** Why this primary waits; undefined: it does not. */
  get waits(): string | undefined {
    return this.#isEnded || withPrimary(this.#config.dataDir, mayGoOn) !== false ? undefined : WAITS;
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  async #askUntilKnown(): Promise<undefined> {
    const { dataDir, nats } = this.#config;
    if (nats !== null && withPrimary(dataDir, hasBoxes))
      while (!this.#isEnded && !(await this.#isAnswered()) && !this.#mayServeUnanswered())
        await Bun.sleep(TRY_AGAIN);
    this.#isEnded = true;
    return undefined;
  }

  /** Whether somebody has changed the setting or promoted this primary while it waited. */
  #mayServeUnanswered(): boolean {
    return performance.now() - this.#began > PATIENCE && withPrimary(this.#config.dataDir, mayGoOn) !== false;
  }

  async #isAnswered(): Promise<boolean> {
    const { dataDir } = this.#config;
    try {
      const db = openReader(dataDir);
      try {
        if (await this.#isReplaced(db)) noteReplaced(dataDir);
        return true;
      } finally {
        db.$client.close();
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== this.#lastFault)
        this.#log.warn({ error: message }, "nats-server has not said which books count; asking again");
      this.#lastFault = message;
      return false;
    }
  }

  async #isReplaced(db: Db): Promise<boolean> {
    if (!this.#config.nats) return false;
    const { connectOnce } = await import("../nats/connection.ts"); // what talks to NATS costs one box alone nothing
    const { epochInNats, askEpochs } = await import("../nats/epochs.ts");
    const options = {
      ...this.#config.nats,
      seed: readSeed(db) ?? null,
      name: "gatehouse books, before they serve",
    };
    const nc = await connectOnce(options, PRIMARY_INBOX);
    try {
      const { epoch } = accessState(db);
      const there = await epochInNats(nc, db);
      // a nats-server that has lost what it knew: what boxes carry outlives that
      const { epoch: seen } = there.isSigned ? there : await askEpochs(nc, db);
      return countsAbove(Math.max(there.epoch, seen), epoch);
    } finally {
      await nc.close();
    }
  }
}

function noteReplaced(folder: string): void {
  const db = openWriter(folder, { busyTimeout: BUSY_TIMEOUT });
  try {
    write(db, (tx) => noteOver(tx, systemClock()));
  } finally {
    db.$client.close();
  }
}

function hasBoxes(db: Db): boolean {
  const { role, marking, pending } = accessState(db);
  return role === "books" && marking === 1 && pending === null && !isOver(db);
}

/** Whether it may serve without an answer: by the setting, or because a person has just promoted it. */
function mayGoOn(db: Db): boolean {
  return !hasBoxes(db) || accessState(db).bucket === null || setting(db, "start_without_nats");
}

/** Runs `body` on the store of a folder; undefined where there is none, or one older than access boxes: whoever opens it reports that. */
export function withPrimary<T>(folder: string, body: (db: Db) => T): T | undefined {
  let db: Db | undefined;
  try {
    db = openReader(folder);
    return body(db);
  } catch {
    return undefined;
  } finally {
    db?.$client.close();
  }
}
