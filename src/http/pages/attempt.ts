import { DomainError } from "../../domain/errors.ts";

/** What the work says, or why it was refused: a form shows that beside its fields, where an API would answer an error. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
