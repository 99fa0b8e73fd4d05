import { DomainError } from "../domain/core/errors/errors.ts";
import type { StaffRow } from "../domain/people/staff/accounts.ts";
import type { AttemptLimit } from "./attempt-limit.ts";

/** Failures that a staff account has a minute from one address, by its username, its e-mail address and HTTP Basic together. */
export const ACCOUNT_FAILURES_A_MINUTE = 10;

/** What failures are counted for: the account that a name leads to; a name that leads to none is counted as it is. */
export function holderOf(name: string, account: StaffRow | undefined): string {
  return account ? `account ${account.id}` : `name ${name.trim()}`;
}

/**
 * Signs in, counted as a failure before it is known to be one, so that guesses sent at once do not slip through together;
 * uncounted unless the credentials were wrong. Throws `too_soon`, and what `signIn` throws.
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
