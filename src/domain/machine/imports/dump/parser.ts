import { MovingRefused } from "../source.ts";
import { Copy } from "./copy.ts";
import { noColumns, notSql, twice } from "./refusals.ts";
import { Remarks } from "./remarks.ts";
import type { DumpRow, DumpValue } from "./row.ts";
import { Session } from "./session.ts";
import { Skip } from "./skip.ts";
import { MOST_COLUMNS, Statement } from "./statement.ts";
import type { Columns, Head, Named } from "./statement.ts";
import { Tuple } from "./tuple.ts";
import type { Window } from "./window.ts";
import { isBlank, Words } from "./words.ts";

/** A wanted table. */
interface Table {
  readonly name: string;
  readonly within: string;
  columns: Columns | undefined;
}

type State = "top" | "columns" | "row" | "behind row" | "copy" | "skip" | "skip copy" | "delimiter";

const LONGEST_LAST = 2048;

/** Whether a byte stands between statements: blanks, semicolons, Ctrl-Z. */
function isBetween(byte: number | undefined): boolean {
  return isBlank(byte) || byte === 0x3b || byte === 0x1a;
}

const noHead = Buffer.alloc(0);

/** The state machine of a dump, called until its window has to move. */
export class Parser {
  readonly remarks = new Remarks();
  readonly session = new Session();
  readonly #window: Window;
  readonly #wanted: ReadonlySet<string>;
  readonly #words: Words;
  readonly #statement: Statement;
  readonly #tuple: Tuple;
  readonly #copy: Copy;
  readonly #skip: Skip;
  readonly #tables = new Map<string, Table>();
  #state: State = "top";
  #statements = 0;
  /** The previous INSERT's head. */
  #last: Buffer = noHead;
  #lastState: State = "top";
  #what = "";
  #line = 1;
  #table: Table = { name: "", within: "", columns: undefined };
  #columns: readonly string[] = [];
  /** Binary columns. */
  #binary: readonly boolean[] = [];

  constructor(window: Window, tables: ReadonlySet<string>) {
    this.#window = window;
    this.#wanted = tables;
    this.#words = new Words(window, this.session);
    this.#statement = new Statement(window, this.session);
    this.#tuple = new Tuple(window, this.session);
    this.#copy = new Copy(window, this.session);
    this.#skip = new Skip(window, this.session);
  }

  get line(): number {
    return this.#state === "skip" || this.#state === "delimiter" ? this.#line : this.#window.line;
  }

  /** undefined: incomplete. Throws MovingRefused without the place. */
  next(): DumpRow | undefined {
    for (;;) {
      const state = this.#state;
      if (state === "row") {
        return this.#row();
      } else if (state === "copy") {
        const row = this.#copyRow();
        if (row !== "done") return row;
      } else if (!this.#step(state)) return undefined;
    }
  }

  /** Throws MovingRefused for an incomplete end. */
  end(): void {
    if (this.#state === "top" && this.#window.isPast) {
      if (this.#statements === 0 && !this.remarks.isDump) throw new MovingRefused("there is no SQL in it");
      return;
    }
    const what = this.#state === "top" ? "a statement" : this.#what;
    throw new MovingRefused(`the dump ends in the middle of ${what}: it was cut off; make it again`);
  }

  /** false: incomplete. */
  #step(state: Exclude<State, "row" | "copy">): boolean {
    if (state === "top") return this.#top();
    if (state === "skip") return this.#to("top", this.#skip.run());
    if (state === "skip copy") return this.#to("top", this.#copy.skip());
    if (state === "behind row") return this.#behindRow();
    return state === "columns" ? this.#readColumns() : this.#delimiter();
  }

  #to(state: State, isDone: boolean): boolean {
    if (isDone) this.#state = state;
    return isDone;
  }

  #top(): boolean {
    const window = this.#window;
    const { bytes, end, content } = window;
    while (window.at < content && isBetween(bytes[window.at])) {
      if (bytes[window.at++] === 0x0a) window.line++;
    }
    if (window.at >= content || window.at + 2 >= end) return false;
    if (this.#repeats()) return true;
    const line = this.remarks.read(window, this.session, this.#statements === 0);
    if (line === "more") return false;
    if (line === "read") return true;
    if (line === "delimiter") {
      this.#begin("delimiter", "a block with a DELIMITER of its own");
      return true;
    }
    const past = this.#words.pastComment(window.at);
    if (past === undefined) return false;
    if (past === window.at) return this.#read();
    window.consume(past);
    return true;
  }

  #begin(state: State, what: string): void {
    this.#state = state;
    this.#what = what;
    this.#line = this.#window.line;
  }

  #read(): boolean {
    const window = this.#window;
    const { at, bytes } = window;
    const head = this.#statement.read(at);
    if (head === undefined) return false;
    if (head.kind === "none") throw new MovingRefused(notSql(head.word));
    this.#statements++;
    this.#begin("skip", "a statement");
    this.#take(head);
    this.#skip.begin(head.kind === "other" && head.hasBody);
    const { at: to } = this.#statement;
    this.#last =
      head.kind === "rows" && to - at <= LONGEST_LAST ? Buffer.from(bytes.subarray(at, to)) : noHead;
    this.#lastState = this.#state;
    window.consume(to);
    if (head.kind === "copy") this.#copy.begin(bytes[to - 2] === 0x0d);
    return true;
  }

  /** Whether it begins like the previous INSERT, as nearly all do. */
  #repeats(): boolean {
    const { bytes, at, end } = this.#window;
    const { length } = this.#last;
    if (length === 0 || at + length >= end || bytes.compare(this.#last, 0, length, at, at + length) !== 0)
      return false;
    this.#begin(this.#lastState, this.#what);
    this.#skip.begin(false);
    this.#window.consume(at + length);
    return true;
  }

  #take(head: Exclude<Head, { kind: "none" }>): void {
    if (head.kind === "use") this.session.database = head.database.toLowerCase();
    else if (head.kind === "set") this.session.set(head.tokens);
    if (head.kind !== "rows" && head.kind !== "copy" && head.kind !== "table") return;
    const { table, within } = head.table;
    if (within === "public") this.session.seems("postgres");
    this.#what = `table ${table}`;
    if (!this.#wanted.has(table)) {
      if (head.kind === "copy") this.#state = "skip copy";
      return;
    }
    this.#table = this.#known(head.table);
    if (head.kind === "table") {
      this.#state = "columns";
      return;
    }
    this.#columns = head.columns?.length ? head.columns : (this.#table.columns?.names ?? []);
    const binary = this.#table.columns?.binary;
    this.#binary = this.#columns.map((column) => binary?.has(column) === true);
    if (this.#columns.length === 0) throw new MovingRefused(noColumns(table));
    if (this.#columns.length > MOST_COLUMNS)
      throw new MovingRefused(`table ${table} has more than ${MOST_COLUMNS} columns`);
    if (head.kind === "copy" && !head.isPlain)
      throw new MovingRefused(`table ${table} is no COPY as pg_dump writes it`);
    this.#state = head.kind === "copy" ? "copy" : "row";
  }

  #known({ table, within }: Named): Table {
    const place = [this.session.database, within].filter((name) => name !== "").join(".");
    const known = this.#tables.get(table);
    if (known === undefined) {
      const made: Table = { name: table, within: place, columns: undefined };
      this.#tables.set(table, made);
      return made;
    }
    if (known.within !== place) throw new MovingRefused(twice(table, known.within, place));
    return known;
  }

  #readColumns(): boolean {
    const columns = this.#statement.columns(this.#window.at);
    if (columns === undefined) return false;
    this.#table.columns = columns;
    this.#state = "skip";
    return true;
  }

  #row(): DumpRow | undefined {
    const window = this.#window;
    this.#words.at = window.at;
    if (!this.#words.skipBlanks()) return undefined;
    const from = this.#words.at;
    if (window.bytes[from] !== 0x28)
      throw new MovingRefused(`table ${this.#table.name} has something else where a row should stand`);
    if (!this.#tuple.read(from + 1, this.#binary)) return undefined;
    window.consume(from);
    const { line } = window;
    window.consume(this.#tuple.at);
    this.#state = "behind row";
    const { values } = this.#tuple;
    if (values.length < this.#columns.length) {
      throw new MovingRefused(
        `a row of table ${this.#table.name} has ${values.length} values, of ${this.#columns.length} columns`,
      );
    }
    return this.#made(line, values);
  }

  #behindRow(): boolean {
    const window = this.#window;
    this.#words.at = window.at;
    if (!this.#words.skipBlanks()) return false;
    window.consume(this.#words.at);
    const byte = window.bytes[window.at];
    if (byte === 0x2c) {
      window.at++;
      this.#state = "row";
    } else this.#state = "skip"; // to the semicolon, over ON DUPLICATE KEY or ON CONFLICT
    return true;
  }

  #copyRow(): DumpRow | undefined | "done" {
    const read = this.#copy.read(this.#binary);
    if (read === undefined) return undefined;
    if (read === "end") {
      this.#state = "top";
      return "done";
    }
    return this.#made(this.#window.line++, this.#copy.values);
  }

  #made(line: number, args: readonly DumpValue[]): DumpRow {
    const columns = this.#columns;
    // no prototype, so that no column name collides
    const values = Object.create(null) as Record<string, DumpValue>;
    for (let i = 0; i < columns.length; i++) values[columns[i] as string] = args[i] as DumpValue;
    return { table: this.#table.name, line, values };
  }

  /** Skips until DELIMITER is a semicolon again. */
  #delimiter(): boolean {
    const window = this.#window;
    if (window.isPast) return false;
    const newline = window.bytes.indexOf(0x0a, window.at);
    if (newline === -1 || newline >= window.end) return false;
    const isEnd = /^delimiter\s+;\s*$/i.test(
      window.bytes.toString("latin1", window.at, Math.min(newline, window.at + 64)),
    );
    window.at = newline + 1;
    window.line++;
    return isEnd ? this.#to("top", true) : true;
  }
}
