import { type Db, openStore, refuseWrites } from "../../db/open.ts";
import { openReadOnly } from "../../db/read-only.ts";
import { type Config, readConfig } from "../config/config.ts";
import { type Environment, withEnvironmentFile } from "../config/env.ts";
import { MoneyWait } from "../domain/machine/access-boxes/money-waits.ts";
import { heldBecause } from "../domain/machine/access-boxes/promote.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { type Actor, operator } from "../domain/core/actor/actor.ts";
import { type Clock, systemClock } from "../domain/core/time/time.ts";
import { codeOf } from "../listen-error.ts";
import { followZone } from "./follow-zone.ts";
import type { Io } from "./io.ts";
import { wantsColors } from "./paint.ts";

/** What every command works with. */
export class Cli {
  readonly io: Io;
  readonly now: Clock = systemClock;
  /** Who acts, for the audit trail: the person at the shell. */
  readonly by: Actor;
  readonly #env: Environment;
  #config: Config | undefined;

  constructor(env: Environment, io: Io) {
    const { stdin, stdout, stderr } = io;
    this.io = { stdin, stdout, stderr, isColored: wantsColors(stdout.isTTY, env) };
    this.by = operator(env["SUDO_USER"] ?? env["USER"] ?? "cli", "cli");
    this.#env = env;
  }

  /** Throws ConfigError and UnreadableEnvironment; not read before a command needs it, so that help works always. */
  get config(): Config {
    this.#config ??= readConfig(withEnvironmentFile(this.#env));
    return this.#config;
  }

  /**
   * Works on the store of the data folder, beside a running server. Of books that are held only what ends that (`held`) may write; others
   * get a DomainError `refused` from their first write.
   */
  async withStore<T>(
    body: (db: Db) => T | Promise<T>,
    { create = false, held = false }: { create?: boolean; held?: boolean } = {},
  ): Promise<T> {
    const db = openStore(this.config.dataDir, { create, now: this.now() });
    const words = held ? undefined : heldBecause(db);
    if (words !== undefined)
      refuseWrites(db, () => {
        throw new DomainError("refused", words);
      });
    try {
      followZone(db);
      const money = new MoneyWait(db);
      const result = await body(db);
      const only = await money.said();
      if (only !== undefined) this.io.stderr.write(`${only}: the nats-server does not have it yet\n`);
      return result;
    } finally {
      db.$client.close();
    }
  }

  /** Reads the store, also where it cannot be written to; `body` writes nothing. */
  async readStore<T>(body: (db: Db) => T | Promise<T>): Promise<T> {
    const db = this.#openToRead();
    try {
      followZone(db);
      return await body(db);
    } finally {
      db.$client.close();
    }
  }

  #openToRead(): Db {
    const { dataDir } = this.config;
    try {
      return openStore(dataDir, { now: this.now() });
    } catch (error) {
      if (!notWritable.test(String(codeOf(error)))) throw error;
      return openReadOnly(dataDir);
    }
  }
}

/** What opening for writing meets in a folder that can only be read. */
const notWritable = /^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN)/;
