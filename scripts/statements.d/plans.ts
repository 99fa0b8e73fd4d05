import { Database } from "bun:sqlite";
import { migrate } from "../../db/migrate.ts";
import { few } from "./scans.ts";

interface Step {
  readonly addr: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
}

/** Plans in a store without rows, whose planner knows as much of them as that of an appliance, on which nobody runs ANALYZE. */
export class Plans implements Disposable {
  readonly #store = new Database(":memory:");
  /** Tables and indexes by the page on which they begin. */
  readonly #roots: ReadonlyMap<number, { readonly name: string; readonly table: string }>;

  constructor() {
    migrate(this.#store, { now: 0 });
    const roots = this.#store.query<{ root: number; name: string; table: string }, []>(
      'SELECT rootpage AS root, name, tbl_name AS "table" FROM sqlite_master WHERE rootpage > 0',
    );
    this.#roots = new Map(roots.all().map(({ root, ...one }) => [root, one]));
  }

  /** The tables that a text goes through from one end; none for one that is of no table of a store, as those of an import while it runs. */
  scannedBy(text: string): readonly string[] {
    // an insert looks for rows that refer to it only where one has been missing, which no plan says
    const isAdding = /^\s*INSERT\b/i.test(text);
    this.#store.run(`PRAGMA foreign_keys = ${isAdding ? "OFF" : "ON"}`);
    try {
      return this.#scanned(text);
    } catch {
      return [];
    }
  }

  /** What the plan calls a scan says its name in the text, and what is read from one end the table: of an upper bound too. */
  #scanned(text: string): string[] {
    using plan = this.#store.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`);
    const names = plan.all().flatMap(({ detail }) => /^SCAN (\w+)(?! VIRTUAL)/.exec(detail)?.[1] ?? []);
    if (names.length === 0) return [];
    const through = this.#readFromAnEnd(text);
    const tables = names.flatMap((name) => {
      const called = text.matchAll(new RegExp(`\\b(\\w+)\\s+(?:AS\\s+)?${name}\\b`, "gi"));
      return [name, ...[...called].map(([, table = ""]) => table)].find((table) => through.has(table)) ?? [];
    });
    return [...new Set(tables)].filter((table) => !isBounded(table, tables, text));
  }

  #readFromAnEnd(text: string): ReadonlySet<string> {
    using program = this.#store.prepare<Step, []>(`EXPLAIN ${text}`);
    const through = new Set<string>();
    let opened = new Map<number, string>();
    let begun = new Set<number>();
    for (const { addr, opcode, p1, p2 } of program.all()) {
      // each trigger is a program of its own, with cursors of its own
      if (addr === 0) [opened, begun] = [new Map(), new Set()];
      const root = this.#roots.get(p2);
      if (/^(OpenRead|OpenWrite|ReopenIdx)$/.test(opcode) && root && !few.has(root.name))
        opened.set(p1, root.table);
      if (/^(Rewind|Last)$/.test(opcode)) begun.add(p1);
      const table = opened.get(p1);
      if (table && (opcode === "Count" || (/^(Next|Prev)$/.test(opcode) && begun.has(p1))))
        through.add(table);
    }
    return through;
  }

  [Symbol.dispose](): void {
    this.#store.close();
  }
}

/** Whether a text takes the first rows of a table as they lie there, however many there are, as often as it goes through it. */
function isBounded(table: string, steps: readonly string[], text: string): boolean {
  const taken = new RegExp(
    `\\bFROM ${table}(?: \\w+)?(?: INDEXED BY \\w+)?(?:\\s+ORDER BY [\\w., ]+)?\\s+LIMIT\\b`,
    "gi",
  );
  return (text.match(taken)?.length ?? 0) >= steps.filter((step) => step === table).length;
}
