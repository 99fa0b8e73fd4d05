import type { MovedPackage, Origin } from "../../model.ts";
import type { DumpRow } from "../../dump/row.ts";
import { parsePrice } from "../prices.ts";
import { readNumber, readText } from "../row-text.ts";

export interface Plan extends Pick<MovedPackage, "price" | "billing_type" | "duration" | "enabled"> {
  readonly at: Origin;
  readonly name: string;
  readonly currency: string;
  readonly cost: string;
}

const periods: Readonly<Record<string, MovedPackage["duration"]>> = {
  daily: { count: 1, unit: "day" },
  weekly: { count: 7, unit: "day" },
  monthly: { count: 1, unit: "month" },
  quarterly: { count: 3, unit: "month" },
  "semi-yearly": { count: 6, unit: "month" },
  yearly: { count: 12, unit: "month" },
};

export class Plans {
  readonly #plans = new Map<string, Plan>();
  readonly #ofGroup = new Map<string, Set<string>>();

  add(row: DumpRow, at: Origin): void {
    const name = readText(row, "planname", "plan_name");
    if (name === "") return;
    if (row.table === "billing_plans_profiles") this.#give(readText(row, "profile_name"), name);
    else {
      this.#give(readText(row, "plangroup"), name);
      if (!this.#plans.has(fold(name))) this.#plans.set(fold(name), readPlan(row, name, at));
    }
  }

  get all(): readonly Plan[] {
    return [...this.#plans.values()];
  }

  named(name: string): Plan | undefined {
    return this.#plans.get(fold(name));
  }

  /** The plan named like the group, or the only one with it. */
  ofGroup(group: string): Plan | undefined {
    const [only, ...others] = this.#ofGroup.get(fold(group)) ?? [];
    return this.named(group) ?? (only !== undefined && others.length === 0 ? this.named(only) : undefined);
  }

  #give(group: string, plan: string): void {
    if (group === "") return;
    const plans = this.#ofGroup.get(fold(group)) ?? new Set();
    this.#ofGroup.set(fold(group), plans.add(fold(plan)));
  }
}

const fold = (name: string) => name.trim().toLowerCase();

function readPlan(row: DumpRow, name: string, at: Origin): Plan {
  const duration = readDuration(row);
  const isPostpaid = fold(readText(row, "plantype")) === "postpaid";
  return {
    at,
    name,
    cost: readText(row, "plancost"),
    price: parsePrice(readText(row, "plancost")),
    currency: readText(row, "plancurrency"),
    enabled: fold(readText(row, "planactive")) !== "no",
    billing_type: isPostpaid ? "postpaid" : "prepaid",
    ...(duration && { duration }),
  };
}

/** The plan's recurrence; else its lifetime from the first login, unless that is time online. */
function readDuration(row: DumpRow): MovedPackage["duration"] {
  if (fold(readText(row, "planrecurring")) !== "no")
    return periods[fold(readText(row, "planrecurringperiod"))];
  const seconds = readNumber(row, "plantimebank") ?? 0;
  return seconds > 0 && fold(readText(row, "plantimetype")) === "time-to-finish"
    ? toPeriod(seconds)
    : undefined;
}

/** Days if whole, else hours. */
export function toPeriod(seconds: number): NonNullable<MovedPackage["duration"]> {
  return seconds % 86_400 === 0
    ? { count: seconds / 86_400, unit: "day" }
    : { count: Math.max(1, Math.round(seconds / 3600)), unit: "hour" };
}
