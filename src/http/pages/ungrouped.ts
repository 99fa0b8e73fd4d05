import { latinDigits } from "../../domain/core/amounts/digits.ts";
import type { Input } from "../../domain/core/fields/fields.ts";

/** Removes thousands separators: `2,000` is 2000. Another comma stays and is a fault: `22,50` is not 2,250. */
export function ungrouped(amount: string): string {
  const plain = latinDigits(amount).replaceAll("٬", ",").replaceAll("٫", ".");
  return /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(plain) ? plain.replaceAll(",", "") : plain;
}

export const amountFields: ReadonlySet<string> = new Set([
  ...["amount", "price", "reseller_price", "counted", "credit_limit", "low_balance"],
]);

const phoneFields: ReadonlySet<string> = new Set(["mobile_number", "phone_number", "nic_number", "phone"]);

/** The input with amounts and phone numbers as programs write them, whatever the digits of the keyboard. */
export function plainNumbers(input: Input): Input {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === "string" ? plain(name, value) : value,
    ]),
  );
}

function plain(name: string, value: string): string {
  if (amountFields.has(name)) return ungrouped(value.trim());
  return phoneFields.has(name) ? latinDigits(value) : value;
}

/** What is searched for, where it is a number. */
export function plainSearch(search: string): string {
  return /^[\p{Nd}\s+().-]+$/u.test(search) ? latinDigits(search) : search;
}
