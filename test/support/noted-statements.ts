import { Database, type Statement } from "bun:sqlite";
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";

/*
 * Notes the texts that src and db have compiled by a connection, for scripts/statements.d: a line of JSON each, in a file of this process.
 * A connection compiles a text once, so the stack is looked at only then, and no more often than it may tell something new.
 */

/** How often a text's place in src is looked up: texts that stand in several places are compiled on different connections. */
const LOOKS = 12;
/** For a text that a test compiled itself: src may have it too. */
const LOOKS_OF_A_TEST = 3;
const root = join(import.meta.dir, "../..");

type Compile = (this: Database, text: string, ...rest: never[]) => Statement;

export function noteStatements(folder: string): void {
  const file = openSync(join(folder, `${process.pid}.jsonl`), "a");
  const looks = new Map<string, number>();
  const noted = new Set<string>();
  const seen = new WeakMap<Statement, number>();
  const columnsOf = Database.prototype.prepare;

  const look = (client: Database, text: string, statement: Statement): void => {
    const times = seen.get(statement) ?? 0;
    if (times >= LOOKS_OF_A_TEST) return;
    const places = placesNow();
    const isOurs = places.length > 0;
    seen.set(statement, isOurs ? LOOKS_OF_A_TEST : times + 1);
    if (!isOurs) return;
    looks.set(text, (looks.get(text) ?? 0) + 1);
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
      if ((looks.get(text) ?? 0) < LOOKS && !isBuilt(text)) look(this, text, statement);
      return statement;
    };
  const { query, prepare } = Database.prototype;
  Object.assign(Database.prototype, { query: noting(query), prepare: noting(prepare) });
}

/** Whether the query builder wrote it. */
const isBuilt = (text: string) => /^(select|insert into|update|delete from|with) /.test(text);

/** Frames of src and db, the innermost first; none for a test's own call. */
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
