import type { Db } from "../../db/open.ts";
import { type Config, readConfig } from "../config/config.ts";
import { type Environment, withEnvironmentFile } from "../config/env.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import { operator } from "../domain/core/actor/operator.ts";
import { type Clock, systemClock } from "../domain/core/time/time.ts";
import type { Io } from "./io.ts";
import { wantsColors } from "./paint.ts";
import type { StoreOptions } from "./with-store.ts";

export class Cli {
  readonly io: Io;
  readonly now: Clock = systemClock;
  /** Who acts, for the audit trail: the person at the shell. */
  readonly by: Actor;
  /** In which the terminal would like to be spoken to, such as es. */
  readonly language: string;
  readonly #env: Environment;
  #config: Config | undefined;

  constructor(env: Environment, io: Io) {
    const { stdin, stdout, stderr } = io;
    this.io = { stdin, stdout, stderr, isColored: wantsColors(stdout.isTTY, env) };
    this.by = operator(env["SUDO_USER"] ?? env["USER"] ?? "cli", "cli");
    this.language = /^[a-z]{2,3}(?![a-z])/.exec(readLocale(env))?.[0] ?? "en";
    this.#env = env;
  }

  /** Read on first use, so that help works without it. Throws ConfigError and UnreadableEnvironment. */
  get config(): Config {
    this.#config ??= readConfig(withEnvironmentFile(this.#env));
    return this.#config;
  }

  /** Works on the store beside a running server. On a held primary only `held` operations may write; others get a DomainError `refused`. */
  async withStore<T>(body: (db: Db) => T | Promise<T>, options: StoreOptions = {}): Promise<T> {
    const { withStore } = await import("./with-store.ts"); // a store costs help no start
    return withStore(this, body, options);
  }

  /** Reads the store, also where it cannot be written to; `body` writes nothing. */
  async readStore<T>(body: (db: Db) => T | Promise<T>): Promise<T> {
    const { readStore } = await import("./with-store.ts");
    return readStore(this, body);
  }
}

/** The locale of messages (POSIX, Environment Variables, 8.2). */
const readLocale = (env: Environment) => env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
