import { countFailure } from "../account-failures.ts";
import type { StaffVisit } from "./guard.ts";

/** Wrong codes of an app that an account has an hour, from wherever they come: of a million there are three that open it. */
export const CODES_AN_HOUR = 20;

/**
 * Tries a code, which counts as a failure of the account where it is wrong. Recovery codes are too long to be guessed, so that they open
 * an account whose codes somebody else has used up. Throws `too_soon`, and what `attempt` throws.
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
