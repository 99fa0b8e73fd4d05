import { DomainError } from "../../domain/core/errors/errors.ts";

/** The result or the refusal, which forms show. Throws at once what `failedAtOnce` does. */
export function attempt<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return failedAtOnce(work()).catch(refusal);
  } catch (error) {
    return Promise.resolve(refusal(error));
  }
}

/** The error if it is a refusal; throws any other. */
function refusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

/**
 * Throws a failure that is known already, instead of at the next `await`, so that `untilUnlocked` still sees that nothing was
 * waited for and may retry.
 */
export function failedAtOnce<T>(begun: Promise<T>): Promise<T> {
  if (Bun.peek.status(begun) !== "rejected") return begun;
  begun.catch(() => {}); // it is told here
  throw Bun.peek(begun);
}
