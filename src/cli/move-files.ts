import { accessSync, closeSync, constants, existsSync, openSync, rmSync } from "node:fs";
import { writePieces } from "../domain/core/files/files.ts";
import { BYTE_ORDER_MARK, csvLine } from "../domain/machine/imports/data-set/csv.ts";
import type { Beside } from "../domain/machine/imports/move-in.ts";
import { noticeRows } from "../domain/machine/imports/report.ts";
import type { Notices } from "../domain/machine/imports/notices.ts";
import { errorCode } from "../listen-error.ts";
import { explainFile } from "./explain.ts";
import { makeWhole } from "./export-files.ts";
import { CommandError } from "./io.ts";

export interface KeptFile {
  readonly file: string;
  readonly holds: string;
}

/** Requires a writable folder before a long import, not after it. Throws CommandError. */
export function requireWritableFolder(): void {
  try {
    accessSync(".", constants.W_OK);
  } catch (error) {
    throw new CommandError(
      "the files of a run, new passwords among them, are kept in the working folder, which the user who runs this (of an installation gatehouse) may not write to; change to a folder of that user's, such as one below the data folder",
      { cause: error },
    );
  }
}

/**
 * The files that a run leaves beside the store: data set, passwords, all notices. Each run has numbers of its own, so that no
 * other's are overwritten; a failed run removes its own.
 */
export class KeptFiles implements Disposable {
  readonly files: KeptFile[] = [];
  readonly #source: string;
  #stays = false;

  constructor(source: string) {
    this.#source = source;
  }

  /** Throws CommandError where the system refuses. */
  write({ dataSet, passwords }: Beside, notices: Notices): void {
    const names = chooseNames(this.#source);
    const count = (rows: readonly unknown[]) => rows.length.toLocaleString("en-US");
    const all = notices.rows;
    // first, because the others are named after it
    this.files.push({ file: names.report, holds: `all ${count(all)} that is told above` });
    this.#csv(names.report, noticeRows(all));
    if (passwords.length > 0) {
      const rows = passwords.map(({ username, name, phone, password }) => [username, name, phone, password]);
      this.#add(names.passwords, `new passwords of ${count(passwords)}, to hand out`);
      this.#csv(names.passwords, [["username", "name", "phone", "password"], ...rows]);
    }
    if (Object.keys(dataSet).length > 0) {
      this.#add(names.dataSet, "what was imported, as gatehouse import takes it, passwords included");
      this.#text(names.dataSet, [`${JSON.stringify(dataSet, null, 1)}\n`]);
    }
  }

  /** The run succeeded: its files are not removed. */
  stay(): void {
    this.#stays = true;
  }

  [Symbol.dispose](): void {
    if (!this.#stays) for (const { file } of this.files) rmSync(file, { force: true });
  }

  #add(file: string, holds: string): void {
    this.files.unshift({ file, holds });
  }

  #csv(file: string, rows: readonly (readonly (string | null)[])[]): void {
    this.#text(
      file,
      rows.map((row, index) => (index === 0 ? BYTE_ORDER_MARK : "") + csvLine(row)),
    );
  }

  #text(file: string, pieces: readonly string[]): void {
    makeWhole(file, (unfinished) => writePieces(unfinished, pieces));
  }
}

/** Names that no file has; the report is created at once, so that two runs at a time get different ones. */
function chooseNames(source: string) {
  for (let number = 1; ; number++) {
    const nth = number === 1 ? "" : `-${number}`;
    const names = {
      dataSet: `${source}-import${nth}.json`,
      passwords: `new-passwords${nth}.csv`,
      report: `moved-report${nth}.csv`,
    };
    if (!Object.values(names).some((file) => existsSync(file)) && isCreated(names.report)) return names;
  }
}

/** Whether the file was created; false: there is one. Throws CommandError. */
function isCreated(file: string): boolean {
  try {
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    const reason = explainFile(error, file);
    throw reason === undefined
      ? error
      : new CommandError(`cannot write ${file}: ${reason}`, { cause: error });
  }
}
