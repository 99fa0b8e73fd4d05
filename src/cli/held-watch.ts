import { type Db, openReader } from "../../db/open.ts";
import { heldBecause } from "../domain/machine/access-boxes/promote.ts";
import { withPrimary } from "./ask-who-counts.ts";

/** Milliseconds between two looks. */
const LOOK_EVERY = 250;

/** Why the books of a folder may not be written to; undefined: they may, or there are none that could be asked. */
export const whyHeld = (folder: string): string | undefined => withPrimary(folder, heldBecause);

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
