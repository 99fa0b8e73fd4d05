import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";

export interface Tax {
  /** null: none. */
  readonly taxName: string | null;
  /** Hundredths of a percent. */
  readonly taxPercent: number;
}

export function readTax(db: Db, ispId: number): Tax {
  const taxPercent = Math.round(setting(db, "tax_percent", ispId) * 100);
  return { taxName: taxPercent === 0 ? null : setting(db, "tax_name", ispId) || "Tax", taxPercent };
}

/** The tax within a gross amount, minor units. Net is gross x 100 / (100 + percent), rounded half up. */
export function taxIn(gross: number, taxPercent: number): number {
  const whole = 10_000n + BigInt(taxPercent);
  const net = (BigInt(gross) * 10_000n * 2n + whole) / (whole * 2n);
  return gross - Number(net);
}
