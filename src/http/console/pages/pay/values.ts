import { randomBytes } from "node:crypto";
import { parseAmount } from "../../../../domain/core/amounts/money.ts";
import { ungrouped } from "../../../pages/ungrouped.ts";
import type { Desk, DeskInput } from "../../../../domain/desk/payments/desk.ts";

export interface PayValues {
  /** The form's idempotency key. */
  readonly key: string;
  readonly amount: string;
  readonly method: string;
  readonly reference: string;
  readonly note: string;
  /** "none": nothing is activated; empty: the profile's package. */
  readonly package: string;
}

export function readValues(read: (name: string) => unknown): PayValues {
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

/** An invalid amount is left to the desk to refuse. */
export function deskInput(subscriberId: number, { amount, package: named }: PayValues): DeskInput {
  const minor = amount === "" ? undefined : parseAmount(amount);
  const packageId = named === "none" ? null : /^\d{1,15}$/.test(named) ? Number(named) : undefined;
  return { subscriberId, packageId, amount: minor !== undefined && minor >= 0 ? minor : undefined };
}

/** The ISP's first method by default. */
export function chooseMethod({ method }: PayValues, { methods }: Desk): string {
  return methods.includes(method) ? method : (methods[0] ?? "cash");
}
