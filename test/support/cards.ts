import type { Db } from "../../db/open.ts";
import { createCardBatch } from "../../src/domain/service/cards/batches.ts";
import { countFirstUse } from "../../src/domain/service/cards/days.ts";
import { recordFirstUse } from "../../src/domain/service/cards/first-use.ts";
import { sellCard } from "../../src/domain/desk/card-sales/sell.ts";
import { voidCard } from "../../src/domain/desk/card-sales/void.ts";
import type { Seconds } from "../../src/domain/core/time/time.ts";
import { by } from "./isp.ts";

/**
 * Batch 1 of ISP 1: an hour for 1.00, locked to the first device. Card 1 is new, 2 sold at the desk, 3 in use and online, 4 used up, 5 expired,
 * 6 void, and those to 12 are new. Batch 2: three refills of 10.00 that a reseller holds, the first of them redeemed.
 */
export function fillCards(db: Db, now: Seconds): void {
  const seller = { ...by, staffId: 1, name: "Ada" };
  createCardBatch(
    db,
    by,
    {
      isp_id: 1,
      branch_id: 11,
      kind: "access",
      package_id: 1,
      quantity: 12,
      price: "1.00",
      duration: 1,
      duration_unit: "hour",
      uptime_seconds: 3600,
      devices: 1,
      lock_first_device: 1,
      note: "Harbour kiosk",
    },
    { now: now - 7200 },
  );
  createCardBatch(
    db,
    by,
    {
      isp_id: 1,
      branch_id: 11,
      kind: "refill",
      quantity: 3,
      price: "10.00",
      reseller_id: 2,
      reseller_price: "8.00",
      charge_on: "use",
    },
    { now: now - 3600 },
  );
  sellCard(db, seller, { id: 2, method: "cash" }, { now });
  used(db, 3, now - 1320, 600);
  used(db, 4, now - 3500, 3600);
  db.$client.run("UPDATE cards SET used_up_at = ? WHERE id = 4", [now - 100]);
  used(db, 5, now - 7000, 300);
  voidCard(db, by, { id: 6, reason: "wet paper" }, { now });
  db.$client.run("UPDATE cards SET state = 'active', first_used_at = ?, redeemed_by = 1 WHERE id = 13", [
    now - 60,
  ]);
  countFirstUse(db, { batchId: 2, soldAt: null, soldBy: null, firstUsedAt: null }, now - 60);
  db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, mac, started_at, updated_at, card_id)
     SELECT id, address, 'card-3', 'C-000003', 'AA:BB:CC:00:00:03', ?, ?, 3 FROM nas WHERE isp_id = 1 ORDER BY id LIMIT 1`,
    [now - 1320, now],
  );
  db.$client.run(
    `INSERT INTO auth_log (at, nas_id, nas_address, username, accepted, reason, mac, card_id)
     SELECT ?, id, address, 'C-000003', 1, 'accepted', 'AA:BB:CC:00:00:03', 3 FROM nas WHERE isp_id = 1 ORDER BY id LIMIT 1`,
    [now - 1320],
  );
}

function used(db: Db, cardId: number, at: Seconds, seconds: number): void {
  recordFirstUse(db, { cardId, at, mac: `AA:BB:CC:00:00:0${cardId}` });
  db.$client.run("UPDATE cards SET used_seconds = ?, used_octets = 5000000 WHERE id = ?", [seconds, cardId]);
}
