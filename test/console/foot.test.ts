import { expect, test } from "bun:test";
import { buildFoot } from "../../src/http/console/places.ts";
import { starters } from "../../src/http/console/pages/team/starters.ts";
import { by } from "../support/isp.ts";

/* The five points at the foot of a phone, for the roles that the console proposes. */

const names = (key: string) => {
  const flags = new Set<string>(starters.find((one) => one.key === key)?.flags);
  const salespersonId = key === "reseller" ? 2 : null;
  const actor = { ...by, admin: key === "admin", flags, scope: { ispId: 1, branchId: null, salespersonId } };
  return buildFoot(actor).map(({ name }) => name);
};

test.each([
  ["reseller", ["subscribers", "sell", "signUp", "wallet", "more"]],
  ["technician", ["boxes", "find", "online", "logins", "me"]],
  ["clerk", ["today", "subscribers", "money", "packages", "more"]],
  ["manager", ["today", "subscribers", "online", "logins", "more"]],
  ["admin", ["today", "subscribers", "online", "logins", "more"]],
])("a %s has what they work with", (role, expected) => {
  expect<string[]>(names(role)).toEqual(expected);
});
