import { getTableColumns } from "drizzle-orm";
import { subscribers } from "../../../../db/schema.ts";
import type { Subscriber } from "./find.ts";

const secret = new Set(["passwordSealed", "portalPass"]);
const derived = new Set(["usernameKey", "emailKey", "updatedAt"]);

export function differences(
  before: Subscriber,
  after: Subscriber,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const changed = Object.entries(getTableColumns(subscribers)).filter(
    ([key]) => !secret.has(key) && !derived.has(key) && Reflect.get(before, key) !== Reflect.get(after, key),
  );
  const pick = (row: Subscriber) =>
    Object.fromEntries(changed.map(([key, { name }]) => [name, Reflect.get(row, key)]));
  return { before: pick(before), after: pick(after) };
}
