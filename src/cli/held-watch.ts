import { type Db, openReader } from "../../db/open.ts";
import { heldBecause } from "../domain/access-boxes/promote.ts";

/** Milliseconds between two looks. */
const LOOK_EVERY = 250;

/** Why the books of a folder may not be written to; undefined: they may, or there are none that could be asked. */
export function whyHeld(folder: string): string | undefined {
  let db: Db | undefined;
  try {
    db = openReader(folder);
    return heldBecause(db);
  } catch {
    return undefined; // no store, or one of before there were boxes: who opens it says what is wrong
  } finally {
    db?.$client.close();
  }
}

/** Looks whether the books of a folder may still, or again, be written to. */
export class HeldWatch implements Disposable {
  /** Resolves when it is not as it was. */
  readonly changed: Promise<undefined>;
  readonly #db: Db;
  readonly #timer: Timer;

  constructor(folder: string, words: string | undefined, changed: (words: string | undefined) => void) {
    this.#db = openReader(folder);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.changed = promise;
    this.#timer = setInterval(() => {
      const now = heldBecause(this.#db);
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
