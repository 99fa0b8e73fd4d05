import type { DomainError } from "../../domain/core/errors/errors.ts";

interface SignInWords {
  readonly tooMany: (seconds: number) => string;
  readonly busy: string;
  readonly disabled: string;
  readonly wrong: string;
}

interface SignInRefusal {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly problem: (words: SignInWords) => string;
}

export function signInRefusal({ kind, retryAfter = 1 }: DomainError): SignInRefusal {
  const headers = { "retry-after": String(retryAfter) };
  switch (kind) {
    case "too_soon":
      return { status: 429, headers, problem: (words) => words.tooMany(retryAfter) };
    case "overloaded":
      return { status: 503, headers, problem: (words) => words.busy };
    case "forbidden":
      return { status: 403, problem: (words) => words.disabled };
    default:
      return { status: 401, problem: (words) => words.wrong };
  }
}
