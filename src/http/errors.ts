import type { Logger } from "pino";
import { DomainError, type ErrorCode, type FieldErrors } from "../domain/errors.ts";
import { type Family, familyOf } from "./families.ts";

/** A request refused for what HTTP itself says about it. */
export class HttpRefusal extends Error {
  override name = "HttpRefusal";
  readonly status: 400 | 404 | 405 | 413 | 415;
  readonly headers: Record<string, string>;

  constructor(
    status: HttpRefusal["status"],
    message: string,
    { headers = {}, cause }: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.headers = headers;
  }
}

const statuses: Record<Exclude<ErrorCode, "invalid" | "refused">, number> = {
  not_found: 404,
  unauthenticated: 401,
  forbidden: 403,
  too_soon: 429,
  overloaded: 503,
  router_failed: 502,
};

/** The one place where an error becomes a response: its status, and the body of the path's family. */
export function errorResponse(
  error: unknown,
  code: string | number,
  request: Request,
  log: Logger,
): Response {
  const path = new URL(request.url).pathname;
  const family = familyOf(path);
  if (code === "NOT_FOUND") return refusal(family, 404, `there is no ${path}`);
  if (error instanceof HttpRefusal) return refusal(family, error.status, error.message, error.headers);
  if (error instanceof DomainError)
    return refusal(
      family,
      statusOf(error.code, family),
      error.message,
      headersOf(error, family),
      error.fields,
    );
  const id = crypto.randomUUID();
  log.error({ id, method: request.method, path, err: error }, "request failed");
  return Response.json({ ...family.body(500, "internal error", undefined), id }, { status: 500 });
}

function refusal(
  family: Family,
  status: number,
  message: string,
  headers: Record<string, string> = {},
  fields?: FieldErrors,
): Response {
  return Response.json(family.body(status, message, fields), { status, headers });
}

function statusOf(code: ErrorCode, family: Family): number {
  return code === "invalid" || code === "refused" ? family.faultStatus : statuses[code];
}

function headersOf({ code, retryAfter }: DomainError, { challenge }: Family): Record<string, string> {
  if (code === "unauthenticated") return { "www-authenticate": challenge };
  return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
}
