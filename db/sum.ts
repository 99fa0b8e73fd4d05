/** More octets than all lines of the world carry, and half of what an integer of SQLite holds. */
export const MOST_OCTETS = 2 ** 62;

/**
 * The sum of what routers report, for a query, MOST_OCTETS at the most. SQLite's sum() fails beyond 2^63, and with it the sums of everybody:
 * whoever has the secret of one router reports what they like. Below 2^53 it is exact.
 */
export const sumOf = (expression: string): string =>
  `CAST(min(total(${expression}), ${MOST_OCTETS}.0) AS INTEGER)`;
