import { MovingRefused } from "../source.ts";
import type { Session } from "./session.ts";
import type { Window } from "./window.ts";

/** First lines of dump programs. */
const makers: readonly (readonly [RegExp, "mysql" | "postgres"])[] = [
  [/^-- (MySQL|MariaDB) dump /, "mysql"],
  [/^-- phpMyAdmin SQL Dump/, "mysql"],
  [/^-- Adminer .*(MySQL|MariaDB)/, "mysql"],
  [/^-- Adminer .*PostgreSQL/, "postgres"],
  [/^-- PostgreSQL database (cluster )?dump$/, "postgres"],
];
const LONGEST = 512;
const LONGEST_COMMAND = 24;

/** Lines between statements: comments, psql and mysql commands, errors of the dump program. */
export class Remarks {
  /** Dumps begun and finished, where the program marks the end. */
  begun = 0;
  ended = 0;

  isDump = false;

  /** Reads a line; more: incomplete; sql: none of these. Throws MovingRefused for what no dump has. */
  read(window: Window, session: Session, isFirst: boolean): "read" | "more" | "sql" | "delimiter" {
    const { bytes, at, end } = window;
    const byte = bytes[at] as number;
    if (byte < 0x20) throw new MovingRefused(notText);
    if (byte === 0x3c && isFirst)
      throw new MovingRefused("it is a page of the web or XML, not SQL: make the dump again, as SQL");
    const isComment = byte === 0x23 || (byte === 0x2d && bytes[at + 1] === 0x2d);
    if (!isComment && byte !== 0x5c) {
      if (!isCommand(byte)) return "sql";
      // before searching for its end, which may be far
      if (end - at < LONGEST_COMMAND) return "more";
      if (command(bytes.toString("latin1", at, at + LONGEST_COMMAND)) === undefined) return "sql";
    }
    const newline = bytes.indexOf(0x0a, at);
    const isWhole = newline !== -1 && newline < end;
    const text = bytes.toString("utf8", at, Math.min(isWhole ? newline : end, at + LONGEST)).trimEnd();
    if (!isWhole) return "more";
    if (isComment) this.#comment(text, session);
    else if (byte === 0x5c) this.#psql(text, session);
    else if (/error/i.test(text) && command(text) === "message")
      throw new MovingRefused(`the program that made it failed: ${format(text)}; make it again`);
    window.consume(newline + 1);
    return command(text) === "delimiter" && !/^delimiter\s+;\s*$/i.test(text) ? "delimiter" : "read";
  }

  #comment(text: string, session: Session): void {
    const maker = makers.find(([pattern]) => pattern.test(text));
    if (maker !== undefined) {
      session.is(maker[1]);
      this.isDump = true;
      if (/^-- (MySQL|MariaDB) dump |^-- PostgreSQL/.test(text)) this.begun++;
    }
    if (/^-- Dump completed|^-- PostgreSQL database (cluster )?dump complete$/.test(text)) this.ended++;
  }

  #psql(text: string, session: Session): void {
    const name = /^\\connect\s+(?:-\S+\s+)*"?([^"\s]+)/.exec(text)?.[1];
    if (/^\\(connect|restrict|unrestrict|\.)/.test(text)) session.is("postgres");
    if (name !== undefined) session.database = name.toLowerCase();
  }
}

const notText =
  "there are bytes in it that are no text: it takes a dump as SQL, made by mysqldump, mariadb-dump or pg_dump -Fp";

function isCommand(byte: number): boolean {
  const letter = byte | 0x20;
  // delimiter, mysqldump:, mariadb-dump:, pg_dump:, Warning:
  return letter === 0x64 || letter === 0x6d || letter === 0x70 || letter === 0x77;
}

function command(text: string): "delimiter" | "message" | undefined {
  if (/^delimiter\s/i.test(text)) return "delimiter";
  return /^((mysqldump|mariadb-dump|pg_dump|pg_dumpall)(\.exe)?: |warning: )/i.test(text)
    ? "message"
    : undefined;
}

function format(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 200);
}
