import type { Session, Token } from "./session.ts";
import type { Window } from "./window.ts";
import { Words } from "./words.ts";

export type Head =
  | { readonly kind: "rows"; readonly table: Named; readonly columns: readonly string[] | undefined }
  | {
      readonly kind: "copy";
      readonly table: Named;
      readonly columns: readonly string[];
      readonly isPlain: boolean;
    }
  | { readonly kind: "table"; readonly table: Named }
  | { readonly kind: "use"; readonly database: string }
  | { readonly kind: "set"; readonly tokens: readonly Token[] }
  | { readonly kind: "other"; readonly hasBody: boolean }
  | { readonly kind: "none"; readonly word: string };

export interface Named {
  readonly table: string;
  readonly within: string;
}

export interface Columns {
  readonly names: readonly string[];
  readonly binary: ReadonlySet<string>;
}

export const MOST_COLUMNS = 4096;
const LONGEST_SET = 4096;

/** First words of statements, also within undelimited functions. */
const verbs = new Set(
  `alter analyze begin call case change checkpoint close cluster comment commit copy create deallocate declare delete delimiter discard
  do drop else elseif end exec execute explain fetch flush grant if import insert iterate kill leave load lock loop merge notify open
  optimize pragma prepare purge reassign refresh reindex release rename repair repeat replace reset return returning revoke rollback
  savepoint security select set show signal start stop table truncate unlock until update use vacuum values while with xa`.split(
    /\s+/,
  ),
);
const bodies = new Set(["trigger", "function", "procedure", "event"]);
const made = new Set([
  ...bodies,
  "table",
  "view",
  "database",
  "schema",
  "index",
  "sequence",
  "type",
  "extension",
  "user",
  "rule",
]);

export class Statement {
  at = 0;
  readonly #window: Window;
  readonly #session: Session;
  readonly #words: Words;

  constructor(window: Window, session: Session) {
    this.#window = window;
    this.#session = session;
    this.#words = new Words(window, session);
  }

  /** undefined: incomplete. */
  read(from: number): Head | undefined {
    this.#words.at = from;
    const head = this.#read();
    this.at = this.#words.at;
    return head;
  }

  #read(): Head | undefined {
    const first = this.#words.next();
    if (first === undefined) return undefined;
    const verb = first.kind === "word" ? first.text.toLowerCase() : "";
    if (verb === "insert" || verb === "replace") return this.#insert();
    if (verb === "copy") return this.#copy();
    if (verb === "create") return this.#create();
    if (verb === "set") return this.#set();
    if (verb === "use") {
      const name = this.#words.next();
      return name && { kind: "use", database: name.text };
    }
    if (verb === "pragma") this.#session.is("sqlite");
    return verbs.has(verb) ? { kind: "other", hasBody: false } : { kind: "none", word: first.text };
  }

  #insert(): Head | undefined {
    const words = this.#words;
    let token = words.next();
    while (
      token?.kind === "word" &&
      /^(low_priority|delayed|high_priority|ignore|into|or|replace)$/i.test(token.text)
    ) {
      token = words.next();
    }
    if (token === undefined) return undefined;
    const table = this.#named(token);
    if (table === undefined) return undefined;
    let columns: readonly string[] | undefined;
    for (;;) {
      token = words.next();
      if (token === undefined) return undefined;
      const word = token.kind === "word" ? token.text.toLowerCase() : token.kind === "sign" ? token.text : "";
      if (word === "values" || word === "value") return { kind: "rows", table, columns };
      if (word === "(") {
        columns = this.#names();
        if (columns === undefined) return undefined;
      } else if (word === "default" || !/^(overriding|system|user|as)$/.test(word)) {
        // DEFAULT VALUES, SELECT, SET: no literal rows
        return { kind: "other", hasBody: false };
      }
    }
  }

  #copy(): Head | undefined {
    const first = this.#words.next();
    const table = first && this.#named(first);
    if (table === undefined) return undefined;
    let columns: readonly string[] = [];
    let isPlain = true;
    let isStdin = false;
    for (let i = 0; i < 64; i++) {
      const token = this.#words.next();
      if (token === undefined) return undefined;
      if (token.text === ";" && token.kind === "sign") {
        if (!this.#skipLine()) return undefined;
        this.#session.is("postgres");
        return isStdin ? { kind: "copy", table, columns, isPlain } : { kind: "none", word: "COPY" };
      }
      if (token.text === "(" && token.kind === "sign" && !isStdin) {
        const names = this.#names();
        if (names === undefined) return undefined;
        columns = names;
      } else if (/^stdin$/i.test(token.text)) isStdin = true;
      else if (isStdin && !/^with$/i.test(token.text)) isPlain = false;
    }
    return { kind: "none", word: "COPY" };
  }

  #skipLine(): boolean {
    const { bytes, end } = this.#window;
    const newline = bytes.indexOf(0x0a, this.#words.at);
    if (newline === -1 || newline >= end) return false;
    this.#words.at = newline + 1;
    return true;
  }

  #create(): Head | undefined {
    for (let i = 0; i < 64; i++) {
      const before = this.#words.at;
      const token = this.#words.next();
      if (token === undefined) return undefined;
      const word = token.kind === "word" ? token.text.toLowerCase() : "";
      if (token.kind === "sign" && (token.text === ";" || token.text === "(")) {
        this.#words.at = before;
        break;
      }
      if (word === "table") return this.#table();
      if (made.has(word)) return { kind: "other", hasBody: bodies.has(word) };
    }
    return { kind: "other", hasBody: false };
  }

  #table(): Head | undefined {
    let token = this.#words.next();
    while (token?.kind === "word" && /^(if|not|exists)$/i.test(token.text)) token = this.#words.next();
    const table = token && this.#named(token);
    return table && { kind: "table", table };
  }

  #set(): Head | undefined {
    const tokens: Token[] = [];
    for (;;) {
      const before = this.#words.at;
      const token = this.#words.next();
      if (token === undefined) return undefined;
      if (token.kind === "sign" && token.text === ";") {
        this.#words.at = before;
        return { kind: "set", tokens };
      }
      if (tokens.length < LONGEST_SET) tokens.push(token);
    }
  }

  /** A qualified name that begins with `first`. */
  #named(first: Token): Named | undefined {
    let table = first.text;
    let within = "";
    for (;;) {
      const { at } = this.#words;
      const point = this.#words.next();
      if (point === undefined) return undefined;
      if (point.kind !== "sign" || point.text !== ".") {
        this.#words.at = at;
        return { table: table.toLowerCase(), within: within.toLowerCase() };
      }
      const next = this.#words.next();
      if (next === undefined) return undefined;
      within = table;
      table = next.text;
    }
  }

  /** Lower case; at most one more than a table may have. */
  #names(): string[] | undefined {
    const names: string[] = [];
    for (;;) {
      const token = this.#words.next();
      if (token === undefined) return undefined;
      if (token.kind !== "sign") {
        if (names.length <= MOST_COLUMNS) names.push(token.text.toLowerCase());
      } else if (token.text === ")") return names;
    }
  }

  /** undefined: incomplete; none: it does not name them. */
  columns(from: number): Columns | undefined {
    const words = this.#words;
    words.at = from;
    const names: string[] = [];
    const binary = new Set<string>();
    let token = words.next();
    if (token === undefined) return undefined;
    if (token.kind !== "sign" || token.text !== "(") return { names, binary };
    let isFirst = true;
    let isType = false;
    for (let depth = 1; depth > 0;) {
      token = words.next();
      if (token === undefined) return undefined;
      const sign = token.kind === "sign" ? token.text : "";
      if (isType && /^(tiny|medium|long)?blob$|^(var)?binary$|^bytea$/i.test(token.text))
        binary.add(names.at(-1) ?? "");
      isType = isFirst && depth === 1 && isColumn(token) && names.length <= MOST_COLUMNS;
      if (isType) names.push(token.text.toLowerCase());
      isFirst = depth === 1 && sign === ",";
      if (sign === "(") depth++;
      else if (sign === ")") depth--;
    }
    this.at = words.at;
    return { names, binary };
  }
}

/** A column, not a constraint or index. */
function isColumn({ kind, text }: Token): boolean {
  if (kind === "name") return true;
  return (
    kind === "word" &&
    !/^(primary|key|unique|index|fulltext|spatial|constraint|check|foreign|exclude|like|period)$/i.test(text)
  );
}
