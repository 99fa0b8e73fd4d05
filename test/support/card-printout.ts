import type { Db } from "../../db/open.ts";
import { createCardTemplate } from "../../src/domain/service/cards/templates.ts";
import type { Seconds } from "../../src/domain/core/time/time.ts";
import { by } from "./isp.ts";

export function insertTemplate(db: Db, now: Seconds): void {
  createCardTemplate(db, by, { isp_id: 1, name: "Kiosk", sheet: "a4-10", wifi_qr: 1 }, { now });
}
