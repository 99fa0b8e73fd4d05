import { type Db, openReader } from "../../db/open.ts";
import { heldBecause } from "../domain/machine/access-boxes/promote.ts";
import { withPrimary } from "./ask-who-counts.ts";

/** Milliseconds. */
const LOOK_EVERY = 250;

const heldWords = (db: Db): string | undefined => heldBecause(db)?.toString();

/** Why the store of a folder may not be written to; undefined: it may, or there is none. */
export const whyHeld = (folder: string): string | undefined => withPrimary(folder, heldWords);

/** Watches whether the store of a folder becomes held, or free again. */
export class HeldWatch implements Disposable {
  /** Resolves when that changes. */
  readonly changed: Promise<undefined>;
  readonly #db: Db;
  readonly #timer: Timer;

  constructor(folder: string, words: string | undefined, changed: (words: string | undefined) => void) {
    this.#db = openReader(folder);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.changed = promise;
    this.#timer = setInterval(() => {
      const now = heldWords(this.#db);
      if (now === words) return;
      clearInterval(this.#timer);
      changed(now);
      resolve(undefined);
    }, LOOK_EVERY);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#db.$client.close();
  }
}
