import type { Logger } from "pino";
import type { LockedLogin } from "../domain/people/staff/locked-logins.ts";
import type { Refused } from "./attempt-limit.ts";
import { AttemptLimit } from "./attempt-limit.ts";

/** Milliseconds in which an account is told once from an address. */
const PAUSE = 600_000;
/** That are told a minute of all: a flood of names must not be a flood of rows. */
const OF_ALL = 60;

/** Hands on who has to wait, and refuses nobody itself. */
export class LockedLogins {
  readonly #told = new AttemptLimit(1, { window: PAUSE });
  readonly #ofAll = new AttemptLimit(OF_ALL);
  readonly #log: Logger;
  readonly #tell: (locked: LockedLogin) => void;

  constructor(log: Logger, tell: (locked: LockedLogin) => void) {
    this.#log = log;
    this.#tell = tell;
  }

  /** Of names as they were typed. */
  named(of: LockedLogin["of"]): (refused: Refused) => void {
    return ({ name, address, retryAfter }) =>
      this.#add({ of, who: name, source: address, wait: retryAfter }, name);
  }

  /** Of what `holderOf` says. */
  readonly holders = ({ name, address, retryAfter }: Refused): void => {
    const account = /^account (\d+)$/.exec(name)?.[1];
    const who = account === undefined ? name.replace(/^name /, "") : Number(account);
    this.#add({ of: "staff", who, source: address, wait: retryAfter }, name);
  };

  #add(locked: LockedLogin, name: string): void {
    if (!isLeft(this.#told, `${locked.of} ${name}`, locked.source) || !isLeft(this.#ofAll, "", "")) return;
    // afterwards: whoever is refused does not wait for it
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
