import { faultCode, type RefusalCode } from "./codes.ts";
import { type Phrase, phrase } from "./phrase.ts";

/**
 * Kinds map to statuses. `invalid`: see fields; `refused`: forbidden by the state; `too_soon`, `overloaded`: see retryAfter;
 * `conflict`: something is in the way; `router_failed`.
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

/** What is wrong with fields, by name. */
export type Faults = Record<string, Phrase[]>;
/** Faults of fields as text. */
export type FieldErrors = Record<string, string[]>;

interface Details {
  /** By default that of its fields or kind. */
  readonly code?: RefusalCode;
  /** The parameter at fault, where `fields` has none. */
  readonly param?: string;
  readonly fields?: Faults;
  readonly retryAfter?: number;
  readonly flag?: string;
}

/** A refusal; anything else thrown is a bug. */
export class DomainError extends Error {
  override name = "DomainError";
  readonly kind: ErrorKind;
  readonly code: RefusalCode;
  /** The parameter at fault. */
  readonly param: string | undefined;
  readonly fields: FieldErrors | undefined;
  /** Message and fields, for who tells them in another language. */
  readonly phrases: { readonly message: Phrase; readonly fields: Faults | undefined };
  /** Seconds. */
  readonly retryAfter: number | undefined;
  readonly flag: string | undefined;

  constructor(kind: ErrorKind, message: Phrase, { code, param, fields, retryAfter, flag }: Details = {}) {
    super(message.toString());
    const texts = fields && faultTexts(fields);
    const [fault, ...others] = Object.entries(fields ?? {});
    const only = others.length === 0 ? fault : undefined;
    this.kind = kind;
    this.code = code ?? (kind === "invalid" && only?.[1][0] ? faultCode(only[1][0]) : kind);
    this.param = param ?? only?.[0] ?? flag;
    this.flag = flag;
    this.fields = texts;
    this.phrases = { message, fields };
    this.retryAfter = retryAfter;
  }
}

/** Faults as text. */
export const faultTexts = (faults: Faults): FieldErrors =>
  Object.fromEntries(Object.entries(faults).map(([name, found]) => [name, found.map(String)]));

/** Throws `invalid` with every fault. */
export function rejectFaults(fields: Faults): void {
  const names = Object.keys(fields);
  if (names.length === 0) return;
  throw new DomainError("invalid", phrase`check ${names.join(", ")}`, { fields });
}

/** The row that was looked for. Throws `not_found`. */
export function known<Row>(row: Row | null | undefined, missing: Phrase): Row {
  if (!row) throw new DomainError("not_found", missing);
  return row;
}
