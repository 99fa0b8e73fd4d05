import { randomBytes } from "node:crypto";
import { parseAmount } from "../../../../domain/core/amounts/money.ts";
import { ungrouped } from "../../../pages/ungrouped.ts";
import type { Desk, DeskInput } from "../../../../domain/desk/payments/desk.ts";

export interface PayValues {
  /** A new one for each form; the same form sent twice has the same. */
  readonly key: string;
  readonly amount: string;
  readonly method: string;
  readonly reference: string;
  readonly note: string;
  /** Of what is activated; "none": nothing is; empty: the package of the profile. */
  readonly package: string;
}

/** The fields of a form or the query of a page, by their names; what is missing is empty. */
export function valuesOf(read: (name: string) => unknown): PayValues {
  const text = (name: string, maximum: number) => {
    const value = read(name);
    return typeof value === "string" && value.length <= maximum ? value.trim() : "";
  };
  return {
    key: text("key", 100) || randomBytes(16).toString("base64url"),
    amount: ungrouped(text("amount", 20)),
    method: text("method", 20),
    reference: text("reference", 100),
    note: text("note", 500),
    package: text("package", 16),
  };
}

/** What the desk is asked with it. An amount that is none leaves it to the desk. */
export function deskInput(subscriberId: number, { amount, package: named }: PayValues): DeskInput {
  const minor = amount === "" ? undefined : parseAmount(amount);
  const packageId = named === "none" ? null : /^\d{1,15}$/.test(named) ? Number(named) : undefined;
  return { subscriberId, packageId, amount: minor !== undefined && minor >= 0 ? minor : undefined };
}

/** How it is paid where nobody has chosen yet: the first method of the ISP. */
export function methodOf({ method }: PayValues, { methods }: Desk): string {
  return methods.includes(method) ? method : (methods[0] ?? "cash");
}
