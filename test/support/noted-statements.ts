import { Database, type Statement } from "bun:sqlite";
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";

/*
 * Notes the texts that src and db have compiled by a connection, for scripts/statements.d: a line of JSON each, in a file of this process.
 * A connection compiles a text once, so the stack is looked at only then, and no more often than it may tell something new.
 */

/**
 * How often a text's place is looked up: where several places have the same text, tests come to them on connections of their own. What a
 * test asks by itself counts less, so that src has its turn.
 */
const LOOKS = 12;
const OF_A_TEST = 1 / 20;
const root = join(import.meta.dir, "../..");

type Compile = (this: Database, text: string, ...rest: never[]) => Statement;

export function noteStatements(folder: string): void {
  const file = openSync(join(folder, `${process.pid}.jsonl`), "a");
  const looks = new Map<string, number>();
  const noted = new Set<string>();
  const kept = new WeakSet<Statement>();
  const columnsOf = Database.prototype.prepare;

  const look = (client: Database, text: string, statement: Statement, seen: number): void => {
    const places = placesNow();
    looks.set(text, seen + (places.length > 0 ? 1 : OF_A_TEST));
    if (places.length === 0) return;
    kept.add(statement);
    const key = `${places[0]} ${text}`;
    if (noted.has(key)) return;
    noted.add(key);
    using fresh = columnsOf.call(client, text); // so that the other one is as it would be
    const { columnNames: columns, declaredTypes: declared } = fresh;
    writeSync(file, `${JSON.stringify({ text, places, columns, declared })}\n`);
  };
  const noting = (compile: Compile): Compile =>
    function (text, ...rest) {
      const statement = compile.call(this, text, ...rest);
      const seen = looks.get(text) ?? 0;
      if (seen < LOOKS && !isBuilt(text) && !kept.has(statement)) look(this, text, statement, seen);
      return statement;
    };
  const { query, prepare } = Database.prototype;
  Object.assign(Database.prototype, { query: noting(query), prepare: noting(prepare) });
}

/** What the query builder writes, by how it writes. */
const isBuilt = (text: string) => /^(select|insert into|update|delete from|with) /.test(text);

/** Where src and db are on the stack, the innermost first: none where a test asks by itself. */
function placesNow(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 8;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const places: string[] = [];
  for (const line of stack.split("\n")) {
    const [, path, at] = /\(?(\/[^()]+?):(\d+):\d+\)?$/.exec(line) ?? [];
    if (!path?.startsWith(root) || path === import.meta.path) continue;
    const place = path.slice(root.length + 1);
    if (!/^(src|db)\//.test(place)) break;
    places.push(`${place}:${at}`);
  }
  return places;
}
