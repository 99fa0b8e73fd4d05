/** More than all traffic, and half of SQLite's integer range. */
export const MOST_OCTETS = 2 ** 62;

/**
 * A sum of reported counters, capped at MOST_OCTETS: sum() fails beyond 2^63 and would take everybody's sums with it, for a
 * router may report anything. Exact below 2^53.
 */
export const cappedSum = (expression: string, where?: string): string =>
  `CAST(min(total(${expression})${where === undefined ? "" : ` FILTER (WHERE ${where})`}, ${MOST_OCTETS}.0) AS INTEGER)`;
