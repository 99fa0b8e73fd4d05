import type { Database, Statement } from "bun:sqlite";
import type { Db } from "../../db/open.ts";

export interface StatementRun {
  readonly text: string;
  readonly values: readonly unknown[];
}

const runs: ReadonlySet<unknown> = new Set(["get", "all", "values", "iterate", "run"]);

export class StatementRuns implements Disposable {
  readonly #client: Database;
  readonly #query: Database["query"];
  #seen: StatementRun[] = [];

  constructor({ $client }: Pick<Db, "$client">) {
    this.#client = $client;
    this.#query = $client.query;
    const compile = (text: string): Statement => this.#query.call($client, text);
    Object.assign($client, { query: (text: string) => this.#watched(compile(text), text) });
  }

  take(): StatementRun[] {
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  [Symbol.dispose](): void {
    Object.assign(this.#client, { query: this.#query });
  }

  #watched(statement: Statement, text: string): Statement {
    return new Proxy(statement, {
      get: (of, name) => {
        const member: unknown = Reflect.get(of, name, of);
        if (typeof member !== "function") return member;
        return (...values: unknown[]): unknown => {
          if (runs.has(name)) this.#seen.push({ text, values });
          return Reflect.apply(member, of, values);
        };
      },
    });
  }
}

/** Statements that ran twice with the same values. */
export function repeated(all: readonly StatementRun[]): string[] {
  const seen = new Set<string>();
  return all.flatMap(({ text, values }) => {
    const key = JSON.stringify([text, values]);
    if (seen.has(key)) return [text.replaceAll(/\s+/g, " ").trim()];
    seen.add(key);
    return [];
  });
}
