import { DomainError } from "../../domain/core/errors/errors.ts";

/**
 * What the work says, or why it was refused: a form shows that beside its fields, where an API would answer an error. Throws at once what
 * `failedAtOnce` does.
 */
export function attempt<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return failedAtOnce(work()).catch(refusal);
  } catch (error) {
    return Promise.resolve(refusal(error));
  }
}

/** The refusal that an error is. Throws what is none. */
function refusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

/**
 * What was begun, to be waited for. Where it has failed already it throws that at once, because an `await` would tell it later, and
 * `untilUnlocked` could not see any more that nothing was waited for and that it may be tried again.
 */
export function failedAtOnce<T>(begun: Promise<T>): Promise<T> {
  if (Bun.peek.status(begun) !== "rejected") return begun;
  begun.catch(() => {}); // it is told here
  throw Bun.peek(begun);
}
