import { formatAmount, parseAmount } from "../../../core/amounts/money.ts";

const LONGEST = 60;

/** "15", "15.5", "1,500.00", "15,50" or "Rp 1.500.000"; null: invalid, negative or ambiguous ("7,250"). */
export function parsePrice(text: string): string | null {
  if (text.length > LONGEST) return null;
  const plain = text.replace(/^[^\d-]+|[^\d]+$/g, "").replace(/[\s']/g, "");
  const amount = /^\d+[.,]\d{3}$/.test(plain) ? undefined : parseAmount(pointed(plain));
  return amount === undefined || amount < 0 ? null : formatAmount(amount);
}

/** A point for decimals, no thousands. */
function pointed(plain: string): string {
  const decimal = /[.,](?=\d{1,2}$)/.exec(plain)?.index;
  const whole = (decimal === undefined ? plain : plain.slice(0, decimal)).replace(/[.,](?=\d{3})/g, "");
  return decimal === undefined ? whole : `${whole}.${plain.slice(decimal + 1)}`;
}
