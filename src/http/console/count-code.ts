import { countFailure } from "../account-failures.ts";
import type { StaffVisit } from "./guard.ts";

export const CODES_AN_HOUR = 20;

/**
 * Counts a wrong code as a failure of the account. Recovery codes are too long to guess, so they work though somebody else has
 * used the attempts up. Throws `too_soon`, and what `attempt` throws.
 */
export function countCode<T>(
  { account, source, needs }: StaffVisit,
  { recovery }: { recovery: boolean },
  attempt: () => T | Promise<T>,
): Promise<T> {
  const holder = `account ${account.id}`;
  const byAddress = () =>
    countFailure(needs.accountFailures, { holder, address: source }, async () => attempt());
  return recovery ? byAddress() : countFailure(needs.codeFailures, { holder, address: "" }, byAddress);
}
