import { createHash } from "node:crypto";
import type { RouterOSAPI } from "node-routeros/dist/RouterOSAPI";
import { AnswerBudget } from "./answer-budget.ts";
import { Connection, type Endpoint, inSeconds } from "./connection.ts";
import { phrase, verbatim } from "../domain/core/errors/phrase.ts";
import { RouterosError } from "./fault.ts";

export interface RouterosTarget extends Endpoint {
  readonly username: string;
  readonly password: string;
}

/** One `!re`: property to value. */
export type Row = Readonly<Partial<Record<string, string>>>;

/**
 * A logged-in connection: node-routeros' commands and tags over our own Connection. Every call resolves, or rejects with a
 * RouterosError, in time; silence ends the connection, because later replies could not be trusted.
 */
export class RouterosClient {
  readonly #connection: Connection;
  readonly #api: RouterOSAPI;

  private constructor(connection: Connection, api: RouterOSAPI) {
    this.#connection = connection;
    this.#api = api;
    this.#api.connector = connection;
  }

  /**
   * Connects within `within` ms, and logs in within as many: what a busy program takes to connect is not taken from the router's time to
   * answer. Its answers count in `shared` too.
   */
  static async open(target: RouterosTarget, within: number, shared?: AnswerBudget): Promise<RouterosClient> {
    const budget = AnswerBudget.ofConnection(shared);
    const api = await import("node-routeros/dist/RouterOSAPI"); // its tables of characters cost no start
    const connection = await Connection.open(target, within, budget);
    const client = new RouterosClient(connection, new api.RouterOSAPI({ host: target.host }));
    try {
      await client.#logIn(target, within);
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** Why the connection has ended; undefined while open. */
  get fault(): RouterosError | undefined {
    return this.#connection.fault;
  }

  /** Runs a command and collects its rows; `words` in RouterOS notation: `=key=value`, `?key=value`. */
  async command(path: string, words: readonly string[], within: number): Promise<Row[]> {
    const connection = this.#connection;
    if (connection.fault) throw connection.fault;
    const timer = setTimeout(() => {
      connection.fail(
        new RouterosError("silent", phrase`it did not answer ${path} within ${inSeconds(within)}`),
      );
    }, within);
    try {
      return await this.#api.write(path, ...words);
    } catch (error) {
      if (connection.fault) throw connection.fault;
      const reason = error instanceof Error ? error.message : "";
      throw new RouterosError("trap", reason ? verbatim(reason) : phrase`it refused without a reason`);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#connection.fail(new RouterosError("closed", phrase`the connection was closed`));
  }

  /** In clear since RouterOS 6.43; older ones answer with a challenge (RouterOS manual, API, "Initial login"). */
  async #logIn({ username, password }: RouterosTarget, within: number): Promise<void> {
    const name = `=name=${username}`;
    try {
      const answer = await this.command("/login", [name, `=password=${password}`], within);
      const challenge = answer[0]?.["ret"];
      if (challenge === undefined) return;
      const digest = createHash("md5")
        .update(Buffer.of(0))
        .update(password)
        .update(Buffer.from(challenge, "hex"));
      await this.command("/login", [name, `=response=00${digest.digest("hex")}`], within);
    } catch (error) {
      if (!(error instanceof RouterosError) || (error.code !== "trap" && error.code !== "fatal")) throw error;
      throw new RouterosError("login", phrase`it refused the login of ${username}: ${error.phrase}`);
    }
  }
}
