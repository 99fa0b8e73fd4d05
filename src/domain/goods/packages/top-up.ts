import type { packages } from "../../../../db/schema.ts";

type Package = typeof packages.$inferSelect;

export function isTopUp({ topUpBytes, topUpDays }: Pick<Package, "topUpBytes" | "topUpDays">): boolean {
  return topUpBytes > 0 || topUpDays > 0;
}
