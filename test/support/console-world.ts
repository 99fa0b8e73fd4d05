import { activate } from "../../src/domain/service/activation/activate.ts";
import { makeBackup } from "../../src/domain/machine/backup/desk.ts";
import { credit } from "../../src/domain/money/billing/credit.ts";
import { issueRadsec } from "../../src/domain/goods/radsec/certificate.ts";
import { addBox } from "./access-boxes.ts";
import { insertTemplate } from "./card-printout.ts";
import { fillCards } from "./cards.ts";
import { fillImports } from "./imports.ts";
import { by } from "./isp.ts";
import { addMessages, insertMessage } from "./messages.ts";
import { fillMoney } from "./money.ts";
import { insertConfigs } from "./router-config.ts";
import {
  insertArrived,
  insertBulk,
  insertFinding,
  insertOutage,
  insertFeed,
  insertKey,
  insertWebhook,
  openSession,
  type Tenants,
  withTenants,
} from "./tenants.ts";

export const TRIED = "00000000-0000-4000-8000-000000000001";
export const [COLUMNS, WORKING] = [TRIED.replace(/1$/, "2"), TRIED.replace(/1$/, "3")];

/** The tenants with something on every page of ISP 1: subscriber 1 has money, an invoice, a session, and was imported without numbers. */
export async function consoleWorld(options?: Parameters<typeof withTenants>[0]): Promise<Tenants> {
  const filled = await withTenants(options);
  credit(filled.db, by, { subscriberId: 1, amount: 100_000 }, { now: filled.clock.now });
  activate(filled.db, by, { subscriberId: 1, packageId: 1 }, { now: filled.clock.now });
  insertBulk(filled);
  insertOutage(filled.db, 1, 1, 1);
  insertFinding(filled.db);
  filled.db.$client.run(
    "UPDATE subscribers SET box_number = 'B-1', uplink_port = '5', nic_number = NULL, mobile_number = NULL WHERE id = 1",
  );
  filled.db.$client.run(
    `INSERT INTO nas (id, isp_id, name, address, secret_sealed, created_at, kind)
     SELECT 77, isp_id, 'asr', '10.0.77.1', secret_sealed, created_at, 'cisco' FROM nas WHERE id = 1`,
  );
  addBox(filled.db, by, "tower-1");
  addBox(filled.db, by, "tower-2", {
    heardAt: filled.clock.now - 3600,
    report: { waiting: 1200, waitingFor: 40 },
  });
  addBox(filled.db, by, "tower-3", { heardAt: null });
  fillMoney(filled.db, filled.clock.now);
  fillCards(filled.db, filled.clock.now);
  insertTemplate(filled.db, filled.clock.now);
  openSession(filled, 1);
  insertFeed(filled);
  insertKey(filled);
  insertProposal(filled);
  insertWebhook(filled);
  insertArrived(filled.db, filled.clock.now);
  await issueRadsec(filled.db, by, { nasId: 1, server: "10.0.0.254", keep: true }, { now: filled.clock.now });
  insertConfigs(filled.db, 1, filled.clock.now);
  addMessages(filled.db, filled.clock.now);
  for (const state of ["sent", "failed", "perhaps", "skipped"])
    insertMessage(filled.db, filled.clock.now, state);
  await fillImports(filled, { tried: TRIED, columns: COLUMNS, working: WORKING });
  makeBackup(filled.db, by, filled.backups);
  await filled.backups.ended;
  return filled;
}

/** What the key 50 asks for: a payment of subscriber 1. */
function insertProposal({ db, clock: { now } }: Tenants): void {
  const entry = {
    ...{ id: 9, at: now, ispId: 1, staffId: 50, actor: "books", source: "192.0.2.1" },
    ...{ action: "payment.take", entity: "payment", entityId: "9", before: null, after: '{"number":"R-9"}' },
  };
  db.$client
    .query(
      `INSERT INTO proposals (key_id, call, arguments, entries, created_at, ends_at)
       VALUES (50, 'takePayment', '{"user_id":1,"amount":1,"method":"cash"}', ?, ?, ?)`,
    )
    .run(JSON.stringify([entry]), now, now + 86_400);
}
