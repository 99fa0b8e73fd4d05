import type { Logger } from "pino";
import type { LockedLogin } from "../domain/people/staff/locked-logins.ts";
import type { Refused } from "./attempt-limit.ts";
import { AttemptLimit } from "./attempt-limit.ts";

/** Milliseconds for which an account and address are reported once. */
const PAUSE = 600_000;
/** Reports a minute at the most: a flood of names must not be a flood of rows. */
const OF_ALL = 60;

/** Reports refusals of others; refuses nobody. */
export class LockedLogins {
  readonly #told = new AttemptLimit(1, { window: PAUSE });
  readonly #ofAll = new AttemptLimit(OF_ALL);
  readonly #log: Logger;
  readonly #tell: (locked: LockedLogin) => void;

  constructor(log: Logger, tell: (locked: LockedLogin) => void) {
    this.#log = log;
    this.#tell = tell;
  }

  /** By typed names. */
  named(of: LockedLogin["of"]): (refused: Refused) => void {
    return ({ name, address, retryAfter }) =>
      this.#add({ of, who: name, source: address, wait: retryAfter }, name);
  }

  /** By keys of `failureHolder`. */
  readonly holders = ({ name, address, retryAfter }: Refused): void => {
    const account = /^account (\d+)$/.exec(name)?.[1];
    const who = account === undefined ? name.replace(/^name /, "") : Number(account);
    this.#add({ of: "staff", who, source: address, wait: retryAfter }, name);
  };

  #add(locked: LockedLogin, name: string): void {
    if (!isLeft(this.#told, `${locked.of} ${name}`, locked.source) || !isLeft(this.#ofAll, "", "")) return;
    // later: nobody waits for it
    queueMicrotask(() => {
      try {
        this.#tell(locked);
      } catch (error) {
        this.#log.error({ err: error }, "who has to wait for a sign-in could not be written down");
      }
    });
  }
}

function isLeft(limit: AttemptLimit, name: string, address: string): boolean {
  try {
    limit.take(name, address);
    return true;
  } catch {
    return false;
  }
}
