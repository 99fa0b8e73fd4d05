import { Charset } from "./charset.ts";

export interface Token {
  /** word: unquoted; name: quoted name; text: string; sign: one character. */
  readonly kind: "word" | "name" | "text" | "sign";
  readonly text: string;
}

interface Modes {
  /** NO_BACKSLASH_ESCAPES. */
  readonly plainBackslash: boolean;
  /** ANSI_QUOTES. */
  readonly ansiQuotes: boolean;
}

/** Saved mode variables. */
const MOST_SAVED = 64;
const noModes: Modes = { plainBackslash: false, ansiQuotes: false };
const postgresSettings = new Set([
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "client_encoding",
  "standard_conforming_strings",
  "check_function_bodies",
  "xmloption",
  "client_min_messages",
  "row_security",
  "default_tablespace",
  "search_path",
]);

/** Dialect, modes and charset so far. */
export class Session {
  readonly charset = new Charset();
  #dialect: "mysql" | "postgres" | "sqlite" | undefined;
  #modes = noModes;
  readonly #saved = new Map<string, Modes>();
  #standardStrings = true;
  /** A backslash in '...' escapes. */
  escapes = true;
  /** "..." is a name, not a string. */
  doubleIsName = false;
  /** $$...$$ is a string. */
  dollars = false;
  database = "";

  get dialect(): "mysql" | "postgres" | "sqlite" | undefined {
    return this.#dialect;
  }

  /** Certain, from a line only one of them writes. */
  is(dialect: "mysql" | "postgres" | "sqlite"): void {
    if (this.#dialect === dialect) return;
    this.#dialect = dialect;
    this.#settle();
  }

  /** Guessed. */
  seems(dialect: "mysql" | "postgres"): void {
    if (this.#dialect === undefined) this.is(dialect);
  }

  /** The tokens after SET. */
  set(tokens: readonly Token[]): void {
    const all = tokens.filter(({ text, kind }) => kind !== "sign" || (text !== "@" && text !== ":"));
    const words = all.map(({ text }) => text.toLowerCase());
    for (const [i, word] of words.entries()) {
      const value = words[i + 1] === "=" || words[i + 1] === "to" ? words[i + 2] : words[i + 1];
      if (value === undefined || all[i]?.kind === "text") continue;
      const isSet = words[i + 1] === "=" || words[i + 1] === "to";
      if (word === "names") this.charset.set(value);
      else if (word === "sql_mode" && isSet) this.#mode(value, all[i + 2]?.kind !== "word");
      else if (value === "sql_mode" && isSet && all[i + 2]?.kind === "word") this.#save(word);
      else if (postgresSettings.has(word)) this.#postgres(word, value);
    }
    this.#settle();
  }

  #save(variable: string): void {
    if (this.#saved.size < MOST_SAVED) this.#saved.set(variable, this.#modes);
  }

  #postgres(name: string, value: string): void {
    this.#dialect ??= "postgres";
    if (name === "client_encoding") this.charset.set(value);
    else if (name === "standard_conforming_strings")
      this.#standardStrings = value !== "off" && value !== "false";
  }

  #mode(value: string, isText: boolean): void {
    this.#dialect ??= "mysql";
    if (!isText) {
      this.#modes = this.#saved.get(value) ?? this.#modes;
      return;
    }
    const modes = new Set(
      value
        .toUpperCase()
        .split(",")
        .map((mode) => mode.trim()),
    );
    const ansi = ["ANSI", "ANSI_QUOTES", "POSTGRESQL", "ORACLE", "MSSQL", "DB2", "MAXDB"];
    this.#modes = {
      plainBackslash: modes.has("NO_BACKSLASH_ESCAPES"),
      ansiQuotes: ansi.some((mode) => modes.has(mode)),
    };
  }

  #settle(): void {
    const isMysql = this.#dialect === "mysql" || this.#dialect === undefined;
    this.escapes = isMysql
      ? !this.#modes.plainBackslash
      : this.#dialect === "postgres" && !this.#standardStrings;
    this.doubleIsName = !isMysql || this.#modes.ansiQuotes;
    this.dollars = this.#dialect === "postgres";
  }
}
