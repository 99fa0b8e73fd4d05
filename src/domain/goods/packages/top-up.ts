import type { packages } from "../../../../db/schema.ts";

type Package = typeof packages.$inferSelect;

/** Whether a package is a top-up: it is no service of its own. */
export function isTopUp({ topUpBytes, topUpDays }: Pick<Package, "topUpBytes" | "topUpDays">): boolean {
  return topUpBytes > 0 || topUpDays > 0;
}
