import type { Db } from "../../../../db/open.ts";
import { colonFault } from "../../people/staff/rules.ts";
import { findDoubles, unsharedColumns } from "../../goods/subscribers/doubles.ts";
import { type Finding, warning } from "./finding.ts";

/** Named rows of a finding. */
const MAX_NAMES = 5;
const MOST = 20;

/** Rows older than a rule that new ones must keep. */
export function checkRecords(db: Db): Finding[] {
  return [...checkStaffNames(db), ...checkPrices(db), ...checkDoubles(db)];
}

function checkStaffNames({ $client }: Db): Finding[] {
  const names = $client
    .query<{ username: string }, []>("SELECT username FROM staff ORDER BY id")
    .all()
    .map(({ username }) => username)
    .filter((username) => colonFault(username) !== undefined);
  if (names.length === 0) return [];
  return [
    warning(
      "staff",
      `HTTP Basic ends a name at a colon, so ${some(names)} cannot use the API by username; import another username under the same id`,
      "staff_names",
      { names: some(names) },
    ),
  ];
}

function checkPrices({ $client }: Db): Finding[] {
  const names = $client
    .query<{ name: string }, []>("SELECT name FROM packages WHERE reseller_price > price ORDER BY id")
    .all()
    .map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    warning(
      "packages",
      `${some(names)}: a reseller pays more than the customer; import a reseller_price that is not above the price`,
      "packages_below_cost",
      { names: some(names) },
    ),
  ];
}

function checkDoubles(db: Db): Finding[] {
  const doubles = findDoubles(db, unsharedColumns(db));
  const findings = doubles
    .slice(0, MOST)
    .map(({ field, value, usernames }) =>
      warning(
        "subscribers",
        `${field} ${value} is that of ${usernames.length === 2 ? usernames.join(" and ") : some(usernames)}; change all but one of them with subscriber/update`,
        "subscribers_share",
        { value, usernames: some(usernames) },
      ),
    );
  if (doubles.length > MOST)
    findings.push(
      warning(
        "subscribers",
        `${doubles.length - MOST} more values are shared like these`,
        "subscribers_share_more",
        { count: doubles.length - MOST },
      ),
    );
  return findings;
}

function some(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
