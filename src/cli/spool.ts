import {
  closeSync,
  createReadStream,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchRoom } from "../domain/core/files/files.ts";
import type { SourceFile } from "../domain/machine/imports/source.ts";
import { explainFile } from "./explain.ts";
import { CommandError, type Io } from "./io.ts";

/** The files of a source. Standard input and pipes are spooled to disk, for a source may be read twice; unlinked at once, so that nothing is left. */
export class Spool implements Disposable {
  readonly #io: Io;
  readonly #reserve: number | undefined;
  readonly #spooled: number[] = [];
  #hasRead = false;

  /** `reserve`: bytes that stay free on the disk. */
  constructor(io: Io, { reserve }: { reserve?: number } = {}) {
    this.#io = io;
    this.#reserve = reserve;
  }

  async open(file: string): Promise<SourceFile> {
    if (file === "-") return this.#standardInput();
    try {
      const found = statSync(file);
      if (found.isDirectory()) throw new CommandError(`${file} is a folder; name its files`);
      if (found.isFIFO()) return await this.#copy(file, createReadStream(file));
      if (!found.isFile())
        throw new CommandError(`${file} is no file; name a file, or pipe it in and write - for it`);
      return { name: file, bytes: found.size, open: () => Bun.file(file).stream() };
    } catch (error) {
      const reason = explainFile(error, file);
      throw reason === undefined ? error : new CommandError(reason, { cause: error });
    }
  }

  async #standardInput(): Promise<SourceFile> {
    if (this.#hasRead) throw new CommandError("standard input is one file; name the others");
    this.#hasRead = true;
    return this.#copy("standard input", this.#io.stdin);
  }

  async #copy(name: string, content: AsyncIterable<Uint8Array | string>): Promise<SourceFile> {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-migrate-"));
    const descriptor = openSync(join(folder, "input"), "wx+", 0o600);
    this.#spooled.push(descriptor);
    rmSync(folder, { recursive: true });
    const hasRoomFor = watchRoom(tmpdir(), this.#reserve);
    for await (const chunk of content) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      if (!hasRoomFor(bytes.length)) throw new CommandError(tooMuch(name));
      writeWhole(descriptor, bytes);
    }
    const path = `/proc/self/fd/${descriptor}`;
    return { name, bytes: fstatSync(descriptor).size, open: () => Bun.file(path).stream() };
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#spooled) closeSync(descriptor);
  }
}

const tooMuch = (name: string) =>
  `${name} does not end before the disk of ${tmpdir()} is nearly full; nothing was read; set TMPDIR to a folder with more room, or name a file`;

/** write may take only a part on a disk that is nearly full. */
function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
}
