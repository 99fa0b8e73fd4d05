import { untilUnlocked } from "../../../../../db/turns.ts";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { type Phrase, phrase, verbatim } from "../../../../domain/core/errors/phrase.ts";
import { hasRoom, watchRoom } from "../../../../domain/core/files/files.ts";
import type { Run } from "../../../../domain/machine/imports/runs/run.ts";
import type { StaffVisit, TokenCheck } from "../../guard.ts";
import { ispSent, rememberIsp } from "../../isp-field.tsx";

const MOST_FILES = 10;

/**
 * Streams the files of a form into the folder of a new run, none held in memory, and adds the run. Throws `forbidden` for a
 * form of another session, `invalid` for none, `refused` for too much, leaving nothing behind.
 */
export async function receiveFiles(visit: StaffVisit, isToken: TokenCheck, source: string): Promise<Run> {
  const { needs, by, request, view } = visit;
  const { moving } = needs;
  const words = view.words.importing.upload;
  const tooLarge = () =>
    new DomainError("refused", verbatim(words.tooLarge(view.format.bytes(moving.limit))));
  const announced = Number(request.headers.get("content-length"));
  if (announced > moving.limit + 100_000) throw tooLarge();
  const fields = new Map<string, string>();
  const upload = new Upload({
    isToken,
    tooLarge,
    stale: verbatim(view.words.errors.stale),
    limit: moving.limit,
    tooMany: verbatim(words.tooMany),
    noSpace: verbatim(words.noSpace),
  });
  const readIsp = () => ispSent(visit, fields.get("isp_id"));
  let prepared: ReturnType<typeof moving.prepare> | undefined;
  try {
    await upload.receive(request, fields, async () => {
      prepared = moving.prepare(by, readIsp());
      if (!hasRoom(prepared.folder, announced)) throw new DomainError("refused", verbatim(words.noSpace));
      return prepared.folder;
    });
    if (!prepared || upload.files.length === 0) throw new DomainError("invalid", verbatim(words.noFile));
    await untilUnlocked(visit.db, () => rememberIsp(visit, { isp_id: fields.get("isp_id") }));
    return moving.add(by, { id: prepared.id, ispId: readIsp(), source, files: upload.files });
  } catch (error) {
    prepared?.abandon();
    throw error;
  }
}

interface UploadNeeds {
  readonly isToken: TokenCheck;
  readonly limit: number;
  readonly stale: Phrase;
  readonly tooMany: Phrase;
  readonly noSpace: Phrase;
  readonly tooLarge: () => DomainError;
}

/** Error codes of a full disk. */
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

class Upload {
  readonly files: { name: string; bytes: number }[] = [];
  readonly #needs: UploadNeeds;
  #isTrusted = false;
  #bytes = 0;
  /** Checked repeatedly: others write too, and not every form says its length. */
  #hasRoomFor: ((bytes: number) => boolean) | undefined;
  /** Why no more is taken: an aborted stream reports only that. */
  #refused: DomainError | undefined;
  /** One file at a time. */
  #writing: Promise<void> = Promise.resolve();

  constructor(needs: UploadNeeds) {
    this.#needs = needs;
  }

  /** `prepare` makes the folder when the first file begins. */
  async receive(
    request: Request,
    fields: Map<string, string>,
    prepare: () => Promise<string>,
  ): Promise<void> {
    const headers: BusboyHeaders = { "content-type": request.headers.get("content-type") ?? "" };
    const form = makeParser(headers);
    let folder: Promise<string> | undefined;
    let fault: unknown;
    const fail = (error: unknown) => {
      fault ??= error;
      form.destroy(error instanceof Error ? error : new Error(String(error)));
    };
    form.on("field", (name, value) => {
      fields.set(name, value);
      if (name === "form_token") this.#isTrusted = this.#needs.isToken(value);
    });
    form.on("filesLimit", () => fail(new DomainError("refused", this.#needs.tooMany)));
    form.on("file", (_, stream, name) => {
      stream.on("error", fail);
      if (!this.#isTrusted) return fail(new DomainError("forbidden", this.#needs.stale));
      if (!name) return void stream.resume(); // a field without a file
      folder ??= prepare();
      const before = this.#writing;
      this.#writing = before.then(async () => this.#write(stream, name, (await folder) ?? ""));
      this.#writing.catch(fail);
    });
    try {
      await pipeline(
        Readable.fromWeb((request.body ?? emptyBody()) as Parameters<typeof Readable.fromWeb>[0]),
        form,
      );
      await this.#writing;
    } catch (error) {
      throw this.#refused ?? (fault instanceof DomainError ? fault : this.#toRefusal(fault ?? error));
    }
    if (!this.#isTrusted) throw new DomainError("forbidden", this.#needs.stale);
  }

  #toRefusal(error: unknown): DomainError {
    const isFull = error instanceof Error && "code" in error && FULL.has(error.code);
    return isFull ? new DomainError("refused", this.#needs.noSpace) : toRefusal(error);
  }

  async #write(stream: Readable, name: string, folder: string): Promise<void> {
    const path = join(folder, `file-${this.files.length}`);
    let bytes = 0;
    const counting = async function* (this: Upload, chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        this.#count(chunk.length, folder);
        yield chunk;
      }
    };
    await pipeline(stream, counting.bind(this), createWriteStream(path, { flags: "wx", mode: 0o600 }));
    if (bytes === 0) return rm(path, { force: true });
    this.files.push({ name: this.#uniqueName(name), bytes });
  }

  #count(bytes: number, folder: string): void {
    const { limit, tooLarge, noSpace } = this.#needs;
    this.#bytes += bytes;
    if (this.#bytes > limit) throw (this.#refused = tooLarge());
    this.#hasRoomFor ??= watchRoom(folder);
    if (!this.#hasRoomFor(bytes)) throw (this.#refused = new DomainError("refused", noSpace));
  }

  /** Without folders and control characters, and unique. */
  #uniqueName(value: string): string {
    const last = value.split(/[/\\]/).at(-1) ?? "";
    const plain = [...last.replace(/[\p{Cc}\p{Cf}]/gu, "").trim()].slice(0, 100).join("") || "file";
    const taken = this.files.filter(({ name }) => name === plain || name.endsWith(`) ${plain}`)).length;
    return taken === 0 ? plain : `(${taken + 1}) ${plain}`;
  }
}

function makeParser(headers: BusboyHeaders) {
  const limits = {
    fields: 10,
    fieldSize: 10_000,
    fieldNameSize: 100,
    files: MOST_FILES,
    parts: MOST_FILES + 10,
    headerPairs: 20,
  };
  try {
    return new Busboy({ headers, limits });
  } catch (error) {
    throw toRefusal(error);
  }
}

/** A malformed or aborted form. */
function toRefusal(error: unknown): DomainError {
  const text = error instanceof Error ? error.message : String(error);
  return new DomainError("invalid", phrase`the upload ended early or is no form: ${text}`);
}

function emptyBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}
