import { NotFoundError } from "elysia";
import { isLocked, sqliteCode } from "../../db/sqlite-error.ts";
import { refusals, type RefusalCode } from "../domain/core/errors/codes.ts";
import { DomainError, type ErrorKind, type FieldErrors } from "../domain/core/errors/errors.ts";
import { inCalls } from "./calls.ts";
import { type Family, findFamily } from "./families.ts";
import type { LogThrottle } from "./log-throttle.ts";
import { targetPath } from "./target.ts";

const codes = {
  400: "malformed",
  404: "unknown_path",
  405: "method_not_allowed",
  406: "not_acceptable",
  412: "stale",
  413: "too_large",
  415: "unsupported_media_type",
} as const satisfies Record<number, RefusalCode>;

/** A refusal by HTTP itself. */
export class HttpRefusal extends Error {
  override name = "HttpRefusal";
  readonly status: keyof typeof codes;
  readonly code: RefusalCode;
  readonly headers: Record<string, string>;

  constructor(
    status: HttpRefusal["status"],
    message: string,
    {
      headers = {},
      code = codes[status],
      cause,
    }: { headers?: Record<string, string>; code?: RefusalCode; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const statuses: Record<Exclude<ErrorKind, "invalid" | "refused">, number> = {
  not_found: 404,
  unauthenticated: 401,
  forbidden: 403,
  conflict: 409,
  too_soon: 429,
  overloaded: 503,
  router_failed: 502,
};

/** Failures on paths of pages. */
export interface ErrorPages {
  readonly isPage: (path: string) => boolean;
  readonly respond: (request: Request, failure: Failure) => Response;
}

interface Failure {
  readonly status: number;
  readonly message: string;
  readonly code: RefusalCode;
  readonly param?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly fields?: FieldErrors | undefined;
  /** Message and fields of a refusal of the domain. */
  readonly phrases?: DomainError["phrases"];
  readonly flag?: string | undefined;
  readonly id?: string;
}

/** The only conversion of errors to responses: status, and a page or the body of the path's family. */
export function errorResponse(
  error: unknown,
  request: Request,
  { pages, throttle }: { pages: ErrorPages; throttle: LogThrottle },
): Response {
  const path = targetPath(request);
  const family = findFamily(path);
  const failure = toFailure(error, path, family);
  const place = { method: request.method, path: loggedPath(path) };
  const id = failure.status === 500 ? throttle.failed(place, error) : undefined;
  if (failure.status === 503) throttle.busy(place, failure.message);
  if (pages.isPage(path)) return pages.respond(request, { ...failure, ...(id !== undefined && { id }) });
  const { status, headers = {}, code, param, fields } = failure;
  const said = { message: inCalls(failure.message), code, param, fields: fields && fieldsInCalls(fields) };
  const body = {
    ...family.body(status, { ...said, next: nextStep(code) }),
    ...(id !== undefined && { id }),
  };
  return Response.json(body, { status, headers });
}

/** What a program can do next. */
export function nextStep(code: RefusalCode): string | undefined {
  const meaning = refusals[code];
  return "next" in meaning ? meaning.next : undefined;
}

const fieldsInCalls = (fields: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(fields).map(([name, faults]) => [name, faults.map(inCalls)]));

function toFailure(error: unknown, path: string, family: Family): Failure {
  if (error instanceof NotFoundError)
    return { status: 404, message: `there is no ${path}`, code: codes[404] };
  if (error instanceof HttpRefusal) {
    const { status, message, code, headers } = error; // a copy of an Error has no message
    return { status, message, code, headers };
  }
  if (error instanceof DomainError)
    return {
      status: httpStatus(error.kind, family),
      message: error.message,
      code: error.code,
      param: error.param,
      headers: failureHeaders(error, family),
      fields: error.fields,
      phrases: error.phrases,
      flag: error.flag,
    };
  const trouble = storeTrouble(error);
  if (trouble)
    return {
      status: 503,
      message: trouble,
      code: isLocked(error) ? "store_busy" : "store_failed",
      headers: { "retry-after": "1" },
    };
  return { status: 500, message: INTERNAL, code: "internal" };
}

/** The rest of the path is a secret. */
const KEYED = "/pay/";

/** A path without secrets, for logs. */
function loggedPath(path: string): string {
  return path.startsWith(KEYED) ? `${KEYED}…` : path;
}

const INTERNAL = "internal error";

/** The answer when the error answer itself fails: Bun would print source and stack. */
export function lastResort(throttle: LogThrottle): (error: unknown) => Response {
  return (error) => {
    const id = throttle.failed(undefined, error);
    return Response.json(
      { error: INTERNAL, code: "internal", id },
      { status: 500, headers: { "cache-control": "no-store" } },
    );
  };
}

/** A full or locked store; undefined for any other error. */
function storeTrouble(error: unknown): string | undefined {
  const code = sqliteCode(error);
  if (isLocked(error))
    return "the store is busy with something long; nothing was changed, try again in a moment";
  if (code.startsWith("SQLITE_FULL")) return "the disk is full; nothing was changed, make room and try again";
  if (/^SQLITE_(IOERR|READONLY|CANTOPEN)/.test(code))
    return "the disk cannot be written to; nothing was changed, see to it and try again";
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return "the database is damaged; ask the operator of the box to bring the last backup back";
  return undefined;
}

export function httpStatus(kind: ErrorKind, { faultStatus, refusedStatus }: Family): number {
  if (kind === "refused") return refusedStatus ?? faultStatus;
  return kind === "invalid" ? faultStatus : statuses[kind];
}

function failureHeaders({ kind, retryAfter }: DomainError, { challenge }: Family): Record<string, string> {
  if (kind === "unauthenticated") return { "www-authenticate": challenge };
  return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
}
