import { createHmac, randomBytes } from "node:crypto";
import type { Db } from "../../db/open.ts";
import { DomainError } from "../domain/errors.ts";
import { findStaffBySignIn, type StaffRow } from "../domain/staff/accounts.ts";
import type { Actor } from "../domain/staff/actor.ts";
import { verifyPassword } from "../domain/staff/passwords.ts";
import { admit, staffById, wrongCredentials } from "../domain/staff/sign-in.ts";
import type { Clock, Seconds } from "../domain/time.ts";
import { AttemptLimit } from "./attempt-limit.ts";

const FAILURES_A_MINUTE = 10;
const REMEMBERED_FOR = 300;
const MAX_REMEMBERED = 1000;

/**
 * HTTP Basic credentials of staff (decisions.md, Who may call what). A verified password is remembered for five minutes
 * under a keyed hash of account, password and stored hash, so that a busy client does not pay argon2 on every call; the
 * account, its role and its stored hash are read on every call all the same.
 */
export class BasicCredentials {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #failures = new AttemptLimit(FAILURES_A_MINUTE);
  readonly #key = randomBytes(32);
  readonly #remembered = new Map<string, Seconds>();
  readonly #verifying = new Map<string, Promise<boolean>>();

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Who calls. Throws `unauthenticated`, `forbidden`, `too_soon` after ten failures a minute, `overloaded`. */
  async actor(authorization: string | null, address: string): Promise<Actor> {
    const { username, password } = decode(authorization);
    await this.#failures.check(username, address);
    const account = findStaffBySignIn(this.#db, username);
    const proof = this.#proofOf(username, password, account);
    if (account && (this.#remembered.get(proof) ?? 0) > this.#clock())
      return admit(this.#db, account, address);

    if (!(await this.#verify(proof, { username, password, address, account })) || !account)
      throw wrongCredentials();
    const current = staffById(this.#db, account.id); // as it is now: verifying took its time
    if (current?.passwordHash !== account.passwordHash) throw wrongCredentials();
    this.#remember(proof);
    return admit(this.#db, current, address);
  }

  /**
   * Whether the password matches. A failure is counted before it is known, so that guesses sent at once do not slip
   * through together; calls with the same credentials at the same moment share one verification.
   */
  async #verify(
    proof: string,
    { username, password, address, account }: Attempt & { account: StaffRow | undefined },
  ): Promise<boolean> {
    const underWay = this.#verifying.get(proof);
    if (underWay) {
      const matches = await underWay;
      if (!matches) await this.#failures.take(username, address);
      return matches;
    }
    const verification = this.#failures
      .take(username, address)
      .then(() => verifyPassword(password, account?.passwordHash, { source: address }));
    this.#verifying.set(proof, verification);
    try {
      const matches = await verification;
      if (matches) await this.#failures.giveBack(username, address);
      return matches;
    } finally {
      this.#verifying.delete(proof);
    }
  }

  #proofOf(username: string, password: string, account: StaffRow | undefined): string {
    const parts = [account?.id ?? username, password, account?.passwordHash ?? ""];
    return createHmac("sha256", this.#key).update(JSON.stringify(parts)).digest("base64");
  }

  #remember(proof: string): void {
    this.#remembered.delete(proof);
    this.#remembered.set(proof, this.#clock() + REMEMBERED_FOR);
    if (this.#remembered.size <= MAX_REMEMBERED) return;
    const [oldest = ""] = this.#remembered.keys();
    this.#remembered.delete(oldest);
  }
}

interface Attempt {
  username: string;
  password: string;
  address: string;
}

/** RFC 7617: base64 of `user:password` in UTF-8. */
function decode(authorization: string | null): { username: string; password: string } {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined)
    throw new DomainError(
      "unauthenticated",
      "send the username and password of a staff account by HTTP Basic",
    );
  const [, username, password] =
    /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (username === undefined || password === undefined) throw wrongCredentials();
  return { username, password };
}
