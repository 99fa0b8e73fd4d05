import { createHmac, randomBytes } from "node:crypto";
import type { Db } from "../../db/open.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { findStaffBySignIn, type StaffRow } from "../domain/people/staff/accounts.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import { verifyPassword } from "../domain/people/staff/passwords.ts";
import { admit, staffById, wrongCredentials } from "../domain/people/staff/sign-in.ts";
import type { Clock, Seconds } from "../domain/core/time/time.ts";
import { KEY_PREFIX } from "../domain/core/fields/key-names.ts";
import {
  findKey,
  noteProven,
  type PresentedKey,
  provenHash,
  requireUsable,
} from "../domain/people/api-keys/secret.ts";
import { failureHolder } from "./account-failures.ts";
import { tokenIn } from "./bearer.ts";
import { AttemptLimit } from "./attempt-limit.ts";

const FAILURES_A_MINUTE = 10;
const REMEMBERED_FOR = 300;
const MAX_REMEMBERED = 1000;

/**
 * HTTP Basic of staff and of API keys, which are taken as a Bearer too. A verified password is cached for five minutes under a keyed hash of account, password and stored hash,
 * which spares argon2; account, role and stored hash are read on every call.
 */
export class BasicCredentials {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #failures = new AttemptLimit(FAILURES_A_MINUTE);
  readonly #accountFailures: AttemptLimit;
  readonly #key = randomBytes(32);
  readonly #remembered = new Map<string, Seconds>();
  readonly #verifying = new Map<string, Promise<boolean>>();

  constructor(db: Db, clock: Clock, accountFailures: AttemptLimit) {
    this.#db = db;
    this.#clock = clock;
    this.#accountFailures = accountFailures;
  }

  /** Throws `unauthenticated`, `forbidden`, `too_soon` after ten failures a minute, `overloaded`. `used` hears of a key. */
  async actor(
    authorization: string | null,
    address: string,
    used: (key: { id: number }) => void = () => {},
  ): Promise<Actor> {
    const { username, password } = decode(authorization);
    const key = findKey(this.#db, username);
    if (key) return this.#loadKeyActor(key, { username, password, address }, used);
    const account = findStaffBySignIn(this.#db, username);
    this.#count("check", { username, address, account });
    const proof = this.#hashProof(username, password, account);
    if (account && (this.#remembered.get(proof) ?? 0) > this.#clock())
      return admit(this.#db, account, address);

    if (!(await this.#verify(proof, password, { username, address, account })) || !account)
      throw wrongCredentials();
    const current = staffById(this.#db, account.id); // as it is now: verifying took its time
    if (current?.passwordHash !== account.passwordHash) throw wrongCredentials();
    this.#remember(proof);
    return admit(this.#db, current, address);
  }

  /**
   * Wrong secrets are under the limit of passwords; the right one is never refused for them, since nobody guesses 256 bits and a neighbour
   * behind the same address could lock it out. Address, end, role and its part of it are read on every call.
   */
  async #loadKeyActor(
    key: PresentedKey,
    { username, password, address }: { username: string; password: string; address: string },
    used: (key: { id: number }) => void,
  ): Promise<Actor> {
    const account = staffById(this.#db, key.id);
    const now = this.#clock();
    const proof = provenHash(key, password, now);
    if (!proof || !account) {
      this.#count("take", { username, address, account });
      throw new DomainError("unauthenticated", phrase`there is no such key, or its secret is wrong`, {
        code: "wrong_credentials",
      });
    }
    used({ id: key.id }); // whatever comes of it: who has the secret is of interest
    requireUsable(key, { source: address, now });
    await noteProven(this.#db, key, proof);
    return admit(this.#db, account, address);
  }

  /**
   * Counts a failure before the outcome is known, so that parallel guesses do not slip through, and takes it back on success;
   * equal credentials share one verification.
   */
  async #verify(proof: string, password: string, guess: Guess): Promise<boolean> {
    const underWay = this.#verifying.get(proof);
    if (underWay) {
      const matches = await underWay;
      if (!matches) this.#count("take", guess);
      return matches;
    }
    this.#count("take", guess);
    const { account, address } = guess;
    const verification = verifyPassword(password, account?.passwordHash, { source: address });
    this.#verifying.set(proof, verification);
    let isFailure = false;
    try {
      const matches = await verification;
      isFailure = !matches;
      return matches;
    } finally {
      if (!isFailure) this.#count("giveBack", guess);
      this.#verifying.delete(proof);
    }
  }

  /** Counts for the sent name and its account. Throws `too_soon`. */
  #count(what: "check" | "take" | "giveBack", { username, address, account }: Guess): void {
    this.#accountFailures[what](failureHolder(username, account), address);
    this.#failures[what](username, address);
  }

  #hashProof(username: string, password: string, account: StaffRow | undefined): string {
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

interface Guess {
  username: string;
  address: string;
  account: StaffRow | undefined;
}

/** RFC 7617: base64 of `user:password` in UTF-8. Of a key the same in clear as a Bearer. */
function decode(authorization: string | null): { username: string; password: string } {
  const [, id, secret] = /^([^:]+):(.+)$/.exec(tokenIn(authorization)) ?? [];
  if (id?.startsWith(KEY_PREFIX) && secret !== undefined) return { username: id, password: secret };
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined)
    throw new DomainError(
      "unauthenticated",
      phrase`send an API key, or the username and password of a staff account, by HTTP Basic`,
    );
  const [, username, password] =
    /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (username === undefined || password === undefined) throw wrongCredentials();
  return { username, password };
}
