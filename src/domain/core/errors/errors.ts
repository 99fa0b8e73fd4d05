/**
 * Why an operation was refused. `invalid`: the input is at fault, see fields; `refused`: the state forbids it; `too_soon`
 * and `overloaded` carry retryAfter; `conflict`: something that is there already stands in the way; `router_failed`: the router
 * did not do it.
 */
export type ErrorCode =
  | "invalid"
  | "refused"
  | "not_found"
  | "unauthenticated"
  | "forbidden"
  | "conflict"
  | "too_soon"
  | "overloaded"
  | "router_failed";

export type FieldErrors = Record<string, string[]>;

/** A refusal that its reader can act on. Anything else that is thrown is a bug. */
export class DomainError extends Error {
  override name = "DomainError";
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  /** Seconds to wait before another try. */
  readonly retryAfter: number | undefined;
  readonly flag: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: { fields?: FieldErrors; retryAfter?: number; flag?: string } = {},
  ) {
    super(message);
    this.code = code;
    this.flag = details.flag;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
  }
}

/** Throws `invalid` with every fault at once when there is one. */
export function rejectFaults(fields: FieldErrors): void {
  const names = Object.keys(fields);
  if (names.length === 0) return;
  throw new DomainError("invalid", `check ${names.join(", ")}`, { fields });
}
