import { formatAmount, parseAmount } from "../../money.ts";

/** "15", "15.5", "1,500.00" or "15,50" as an amount; null for what is none, and below zero. */
export function priceOf(text: string): string | null {
  const plain = text.replace(/[^\d.,-]/g, "");
  const decimal = /[.,](?=\d{1,2}$)/.exec(plain)?.index ?? plain.length;
  const digits = `${plain.slice(0, decimal).replace(/[.,]/g, "")}.${plain.slice(decimal + 1)}`.replace(
    /\.$/,
    "",
  );
  const amount = parseAmount(digits);
  return amount === undefined || amount < 0 ? null : formatAmount(amount);
}
