import type { Service } from "../../service/activation/plan.ts";
import type { DiagnosisFacts } from "./diagnosis-facts.ts";
import type { Outage, Fix } from "./diagnosis-kinds.ts";

/** Hours. */
const ON_TRUST = 24;

export function termOf({ head, renewal }: DiagnosisFacts, { expiresAt: since }: Service) {
  return { packageName: head.sold.name, since, money: head.money, renewal };
}

/** undefined: none. */
export function dataOf({ head }: DiagnosisFacts, { quotaTotal: total, quotaUsed: used }: Service) {
  if (total === 0) return undefined;
  return { packageName: head.sold.name, total, used, money: head.money, isOver: used >= total };
}

/** Payment first; `then` once enough is there. */
export function paymentFor({ head: { money } }: DiagnosisFacts, then: "renew" | "activate"): Fix[] {
  const amount = money?.due ?? 0;
  return amount > 0 ? [{ kind: "pay", amount }, { kind: then }] : [{ kind: then }];
}

export function renewalFor(facts: DiagnosisFacts): Fix[] {
  return [...paymentFor(facts, "renew"), { kind: "trust", hours: ON_TRUST }];
}

export function toOutage(outage: Outage | null): Fix[] {
  return outage ? [{ kind: "outage", outageId: outage.id, lines: outage.lines }] : [];
}
