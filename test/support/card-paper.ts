import type { Db } from "../../db/open.ts";
import { createCardBatch } from "../../src/domain/cards/batches.ts";
import { createCardTemplate } from "../../src/domain/cards/templates.ts";
import type { Seconds } from "../../src/domain/time.ts";
import { by } from "./isp.ts";

/** Batch 1 of three cards of branch 11, which the reseller 2 holds, and the template. */
export function fillCards(db: Db, now: Seconds): void {
  const hour = { kind: "access", package_id: 1, quantity: 3, price: "1.00" };
  const span = { duration: 1, duration_unit: "hour" };
  const handed = { reseller_id: 2, reseller_price: "0.80" };
  createCardBatch(db, by, { isp_id: 1, branch_id: 11, ...hour, ...span, ...handed }, { now });
  insertTemplate(db, now);
}

/** Template 1 of cards, of ISP 1. */
export function insertTemplate(db: Db, now: Seconds): void {
  createCardTemplate(db, by, { isp_id: 1, name: "Kiosk", sheet: "a4-10", wifi_qr: 1 }, { now });
}
