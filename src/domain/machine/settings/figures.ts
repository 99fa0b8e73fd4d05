import type { Db } from "../../../../db/open.ts";
import { dataFolderOf } from "../../core/files/files.ts";
import { backupFolder, readableBackups } from "../backup/schedule.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { SettingKey } from "../../core/settings/settings.ts";

const OPEN_SESSIONS = "SELECT count(*) AS n FROM sessions WHERE stopped_at IS NULL";
const ROUTERS = "SELECT count(*) AS n FROM nas";
const PACKAGES = "SELECT count(*) AS n FROM packages WHERE isp_id = coalesce(?1, isp_id)";
const kept = (table: "auth_log" | "audit_entries") =>
  `SELECT ifnull((SELECT max(id) FROM ${table}) - (SELECT min(id) FROM ${table}) + 1, 0) AS n`;

const counts: Partial<Record<SettingKey, string>> = {
  disconnect_enabled: OPEN_SESSIONS,
  acct_interim_interval: OPEN_SESSIONS,
  stale_session_after: OPEN_SESSIONS,
  expired_session_timeout: OPEN_SESSIONS,
  max_coa_wait: ROUTERS,
  coa_message_authenticator: ROUTERS,
  disconnect_confirm: ROUTERS,
  currency: PACKAGES,
  tax_percent: PACKAGES,
  auto_renew_lead:
    "SELECT count(*) AS n FROM subscribers WHERE auto_renew = 1 AND isp_id = coalesce(?1, isp_id)",
  auth_log_days: kept("auth_log"),
  auth_log_rows: kept("auth_log"),
  audit_days: kept("audit_entries"),
  console_idle_minutes: "SELECT count(*) AS n FROM staff_sessions",
  admins_need_second_factor:
    "SELECT count(*) AS n FROM staff WHERE profile_type = 1 AND status = 1 AND totp_secret IS NULL",
};

/** How many things a change reaches in the actor's ISP; null: nothing counted. */
export function settingFigure(db: Db, by: Actor, { key }: { key: SettingKey }): number | null {
  permit(by, "settingFigure");
  if (key === "backup_keep") return readableBackups(backupFolder(db, dataFolderOf(db))).length;
  const text = counts[key];
  if (text === undefined) return null;
  const values = text.includes("?1") ? [by.scope.ispId] : [];
  return db.$client.query<{ n: number }, (number | null)[]>(text).get(...values)?.n ?? 0;
}
