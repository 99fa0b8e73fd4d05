import { faultCode, type RefusalCode } from "./codes.ts";

/**
 * Of what kind a refusal is, which the edge has a status for. `invalid`: the input is at fault, see fields; `refused`: the state forbids
 * it; `too_soon` and `overloaded` carry retryAfter; `conflict`: something that is there already stands in the way; `router_failed`: the
 * router did not do it.
 */
export type ErrorKind =
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

interface Details {
  /** What exactly it is, for programs to branch on; else it is what its fields say, or its kind. */
  readonly code?: RefusalCode;
  /** What was sent that is at fault, where `fields` does not say so. */
  readonly param?: string;
  readonly fields?: FieldErrors;
  readonly retryAfter?: number;
  readonly flag?: string;
}

/** A refusal that its reader can act on. Anything else that is thrown is a bug. */
export class DomainError extends Error {
  override name = "DomainError";
  readonly kind: ErrorKind;
  readonly code: RefusalCode;
  /** The one field that is at fault. */
  readonly param: string | undefined;
  readonly fields: FieldErrors | undefined;
  /** Seconds to wait before another try. */
  readonly retryAfter: number | undefined;
  readonly flag: string | undefined;

  constructor(kind: ErrorKind, message: string, { code, param, fields, retryAfter, flag }: Details = {}) {
    super(message);
    const [fault, ...others] = Object.entries(fields ?? {});
    const only = others.length === 0 ? fault : undefined;
    this.kind = kind;
    this.code = code ?? (kind === "invalid" && only?.[1][0] ? faultCode(only[1][0]) : kind);
    this.param = param ?? only?.[0] ?? flag;
    this.flag = flag;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** Throws `invalid` with every fault at once when there is one. */
export function rejectFaults(fields: FieldErrors): void {
  const names = Object.keys(fields);
  if (names.length === 0) return;
  throw new DomainError("invalid", `check ${names.join(", ")}`, { fields });
}
