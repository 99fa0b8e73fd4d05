import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";

export interface Tax {
  /** null: none. */
  readonly taxName: string | null;
  /** In hundredths of a percent. */
  readonly taxPercent: number;
}

export function taxOf(db: Db, ispId: number): Tax {
  const taxPercent = Math.round(setting(db, "tax_percent", ispId) * 100);
  return { taxName: taxPercent === 0 ? null : setting(db, "tax_name", ispId) || "Tax", taxPercent };
}

/**
 * The tax that is part of a gross amount, both in minor units: prices contain it. The net is gross x 100 / (100 + percent), rounded
 * half up; the tax is the rest.
 */
export function taxIn(gross: number, taxPercent: number): number {
  const whole = 10_000n + BigInt(taxPercent);
  const net = (BigInt(gross) * 10_000n * 2n + whole) / (whole * 2n);
  return gross - Number(net);
}
