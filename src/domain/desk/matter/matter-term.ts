import type { Service } from "../../service/activation/plan.ts";
import type { MatterFacts } from "./matter-facts.ts";
import type { Outage, Remedy } from "./matter-kinds.ts";

/** Hours that are given on trust. */
const ON_TRUST = 24;

/** The period of a service that is over. */
export function termOf({ head, renewal }: MatterFacts, { expiresAt: since }: Service) {
  return { packageName: head.sold.name, since, money: head.money, renewal };
}

/** The volume of a service; undefined where it has none. */
export function dataOf({ head }: MatterFacts, { quotaTotal: total, quotaUsed: used }: Service) {
  if (total === 0) return undefined;
  return { packageName: head.sold.name, total, used, money: head.money, isOver: used >= total };
}

/** What is missing for a sale is taken first; `then`: what is sold, where nothing is missing. */
export function paymentFor({ head: { money } }: MatterFacts, then: "renew" | "activate"): Remedy[] {
  const amount = money?.due ?? 0;
  return amount > 0 ? [{ kind: "pay", amount }, { kind: then }] : [{ kind: then }];
}

export function renewalFor(facts: MatterFacts): Remedy[] {
  return [...paymentFor(facts, "renew"), { kind: "trust", hours: ON_TRUST }];
}

/** Where the other lines stand that went dark with it. */
export function toOutage(outage: Outage | null): Remedy[] {
  return outage ? [{ kind: "outage", outageId: outage.id, lines: outage.lines }] : [];
}
