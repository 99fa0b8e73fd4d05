import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { type Input, RepeatedField } from "../domain/core/fields/fields.ts";
import { HttpRefusal } from "./errors.ts";
import { outermostNames } from "./json-names.ts";
import { targetQuery } from "./target.ts";

const MAX_BODY = 1024 * 1024;
/** Allowed for every body; longer ones share a budget. */
const SMALL_BODY = 16 * 1024;
const ROOM = 32 * 1024 * 1024;
/** More names than any form has. */
const MAX_FIELDS = 1000;

/** Bytes of the shared budget in use. */
let inUse = 0;

/**
 * Query of a GET, body of a POST, either of a DELETE, unconverted. Throws HttpRefusal 400, 413, 415, and `overloaded` for a
 * long body while many others arrive, so that slow clients do not fill the memory.
 */
export async function readInput(request: Request): Promise<Input> {
  const { method, headers } = request;
  const inQuery =
    method === "GET" || method === "HEAD" || (method === "DELETE" && !headers.has("content-type"));
  if (inQuery) return readForm(targetQuery(request));
  const parse = findParser(request);
  return parse(await readRaw(request));
}

/** Milliseconds after which a body's sender is authenticated again. */
const KNOWN_FOR = 1000;

/** `isLate`: it took so long that the account may have changed. */
export async function readInputInTime(request: Request): Promise<{ input: Input; isLate: boolean }> {
  const began = performance.now();
  const input = await readInput(request);
  return { input, isLate: performance.now() - began > KNOWN_FOR };
}

/** Raw bytes, for signatures. Throws HttpRefusal 400 and 413, and `overloaded` as `readInput`. */
export async function readRaw(request: Request, limit = MAX_BODY): Promise<Uint8Array> {
  return readBytes(request, { expected: announced(request, limit), limit });
}

/** Throws HttpRefusal 415 for another type; parsing throws 400. */
export function findParser({ headers }: Request): (bytes: Uint8Array) => Input | Promise<Input> {
  const [, type = "", parameters = ""] = /^([^;]*)(.*)$/s.exec(headers.get("content-type") ?? "") ?? [];
  const mediaType = type.trim().toLowerCase();
  const parse = parsers.get(mediaType);
  if (mediaType !== "" && !parse) throw unsupported(`${mediaType} is not accepted`);
  return (bytes) => {
    if (bytes.length === 0) return Object.create(null);
    if (!parse) throw unsupported("the body has no content type");
    return parse(bytes, mediaType + parameters);
  };
}

const parsers = new Map<string, (bytes: Uint8Array, contentType: string) => Input | Promise<Input>>([
  ["application/json", (bytes) => readJson(decodeText(bytes))],
  ["application/x-www-form-urlencoded", (bytes) => readForm(decodeText(bytes))],
  ["multipart/form-data", readMultipart],
]);

/** Content-Length; 0 without one. Throws for too many. */
function announced({ headers }: Request, limit: number): number {
  const length = Number(headers.get("content-length"));
  if (length > limit) throw tooLarge(limit);
  return Number.isFinite(length) ? length : 0;
}

/** Reserves the announced length, because the kernel buffers it whether it is read or not. */
async function readBytes(
  request: Request,
  { expected, limit }: { expected: number; limit: number },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let mine = 0;
  const makeRoom = (length: number) => {
    const more = Math.max(0, length - SMALL_BODY) - mine;
    if (more <= 0) return;
    if (inUse + more > ROOM)
      throw new DomainError("overloaded", phrase`too many long requests at once; try again in a moment`, {
        retryAfter: 2,
      });
    inUse += more;
    mine += more;
  };
  try {
    makeRoom(expected);
    for await (const chunk of received(request)) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      makeRoom(size);
      chunks.push(chunk);
    }
  } finally {
    inUse -= mine;
  }
  return Buffer.concat(chunks);
}

/** Throws HttpRefusal 400 when the client disconnects. */
async function* received(request: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* request.body ?? [];
  } catch (cause) {
    throw new HttpRefusal(400, "the body ended early", { cause });
  }
}

function readJson(text: string): Input {
  const value = attempt("the body is not JSON", (): unknown => JSON.parse(text));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new HttpRefusal(400, "the body is not a JSON object");
  const entries = new Map<string, unknown>(Object.entries(value));
  return collect(outermostNames(text).map((name) => [name, entries.get(name)]));
}

/** Strict: invalid encoding is refused instead of altered. */
function readForm(text: string): Input {
  const pairs = text.split("&").filter((pair) => pair !== "");
  limitFields(pairs.length);
  return collect(
    pairs.map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [decodeForm(name), decodeForm(value.join("="))];
    }),
  );
}

async function readMultipart(bytes: Uint8Array, contentType: string): Promise<Input> {
  return collect([...(await formData(bytes, contentType))]);
}

async function formData(bytes: Uint8Array, contentType: string) {
  try {
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch (cause) {
    throw new HttpRefusal(400, "the body is not multipart/form-data", { cause });
  }
}

/** Fields without a prototype, so that every name is one; a repeated name is a RepeatedField. */
function collect(pairs: [string, unknown][]): Input {
  limitFields(pairs.length);
  const values = new Map<string, unknown[]>();
  for (const [name, value] of pairs) {
    const seen = values.get(name);
    if (seen) seen.push(value);
    else values.set(name, [value]);
  }
  const input: Record<string, unknown> = Object.create(null);
  for (const [name, all] of values) input[name] = all.length === 1 ? all[0] : new RepeatedField(all);
  return input;
}

function decodeForm(text: string): string {
  return attempt("the form is not properly percent-encoded", () =>
    decodeURIComponent(text.replaceAll("+", " ")),
  );
}

function decodeText(bytes: Uint8Array): string {
  return attempt("the body is not UTF-8", () => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

function attempt<T>(message: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new HttpRefusal(400, message, { cause });
  }
}

function limitFields(count: number): void {
  if (count > MAX_FIELDS) throw new HttpRefusal(400, `the request has more than ${MAX_FIELDS} fields`);
}

function tooLarge(limit: number): HttpRefusal {
  const size = limit === MAX_BODY ? "1 MiB" : `${limit / 1024} KiB`;
  return new HttpRefusal(413, `the body is larger than ${size}`);
}

function unsupported(problem: string): HttpRefusal {
  return new HttpRefusal(
    415,
    `${problem}; send application/json, application/x-www-form-urlencoded or multipart/form-data`,
  );
}
