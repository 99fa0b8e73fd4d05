import { DomainError } from "../domain/core/errors/errors.ts";
import type { StaffRow } from "../domain/people/staff/accounts.ts";
import type { AttemptLimit } from "./attempt-limit.ts";

/** Failures of an account a minute and address, counted over username, e-mail and HTTP Basic. */
export const ACCOUNT_FAILURES_A_MINUTE = 10;

/** The key of failures: the account of a name, or the unknown name itself. */
export function failureHolder(name: string, account: StaffRow | undefined): string {
  return account ? `account ${account.id}` : `name ${name.trim()}`;
}

/**
 * Counts a failure before the outcome is known, so that parallel guesses do not slip through, and takes it back unless the
 * credentials were wrong. Throws `too_soon`, and what `signIn` throws.
 */
export async function countFailure<T>(
  failures: AttemptLimit,
  { holder, address }: { holder: string; address: string },
  signIn: () => Promise<T>,
): Promise<T> {
  failures.take(holder, address);
  let isFailure = false;
  try {
    return await signIn();
  } catch (error) {
    isFailure = error instanceof DomainError && error.kind === "unauthenticated";
    throw error;
  } finally {
    if (!isFailure) failures.giveBack(holder, address);
  }
}
