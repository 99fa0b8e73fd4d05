import type { SettingKey } from "../../../../domain/core/settings/settings.ts";
import type { SettingUnit } from "../../../words/console/settings.ts";

/** What settings are about, in the order of the page. */
export const groups = [
  "money",
  "renewal",
  "people",
  "lines",
  "hotspot",
  "security",
  "kept",
  "backups",
  "portal",
  "box",
] as const;
export type SettingGroup = (typeof groups)[number];

type Kind =
  | "seller"
  | "zone"
  | "number"
  | "switch"
  | "unique"
  | "text"
  | "lines"
  | "color"
  | "logo"
  | "methods"
  | "path";

interface Control {
  readonly group: SettingGroup;
  readonly kind: Kind;
  readonly unit?: SettingUnit;
  /** Touches money, lines or retention, so it is confirmed first. */
  readonly asks?: true;
}

const number = (group: SettingGroup, unit: SettingUnit, asks?: true): Control => ({
  group,
  kind: "number",
  unit,
  ...(asks && { asks }),
});

const durations: ReadonlySet<string> = new Set(["seconds", "minutes", "hours", "days"]);

/** What a setting counts that counts time; undefined: it counts none. */
export function settingTimeUnit(key: SettingKey): "second" | "minute" | "hour" | "day" | undefined {
  const { unit = "" } = controls[key];
  return durations.has(unit) ? (unit.slice(0, -1) as "second" | "minute" | "hour" | "day") : undefined;
}

/** The group of each setting, and how it is typed. */
export const controls: Readonly<Record<SettingKey, Control>> = {
  currency: { group: "money", kind: "text", asks: true },
  tax_name: { group: "money", kind: "text" },
  tax_percent: number("money", "percent", true),
  payment_methods: { group: "money", kind: "methods", asks: true },
  activate_on_payment: { group: "money", kind: "switch", asks: true },
  check_references: { group: "money", kind: "switch" },
  money_waits: { group: "money", kind: "switch" },
  unusual_payment_times: number("money", "times"),
  reverse_days: number("money", "days"),
  isp_address: { group: "money", kind: "lines" },
  isp_tax_number: { group: "money", kind: "text" },

  auto_renew_lead: number("renewal", "minutes", true),
  extend_days_max: number("renewal", "days"),
  freeze_days_max: number("renewal", "days", true),

  expiring_days: number("renewal", "days"),
  low_balance: { group: "renewal", kind: "text" },
  payment_link: { group: "money", kind: "text" },
  message_language: { group: "people", kind: "text" },

  sign_up_salesperson: { group: "people", kind: "seller" },
  unique_contacts: { group: "people", kind: "unique" },

  disconnect_enabled: { group: "lines", kind: "switch" },
  acct_interim_interval: number("lines", "seconds", true),
  stale_session_after: number("lines", "reports", true),
  expired_session_timeout: number("lines", "seconds", true),
  garden_rate: { group: "lines", kind: "text" },
  garden_dns: { group: "lines", kind: "text" },
  config_nightly: { group: "lines", kind: "switch" },
  config_ftp: { group: "lines", kind: "switch", asks: true },
  watch_minutes: number("lines", "minutes"),
  dhcp_lease: number("lines", "seconds"),
  dhcp_password: { group: "lines", kind: "text" },
  address_kept_days: number("lines", "days"),
  max_coa_wait: number("lines", "seconds"),
  disconnect_confirm: number("lines", "seconds"),
  coa_message_authenticator: { group: "lines", kind: "switch", asks: true },

  hotspot_address: { group: "hotspot", kind: "text" },
  hotspot_https: { group: "hotspot", kind: "switch" },
  wifi_name: { group: "hotspot", kind: "text" },
  wifi_password: { group: "hotspot", kind: "text" },

  console_idle_minutes: number("security", "minutes"),
  admins_need_second_factor: { group: "security", kind: "switch", asks: true },

  auth_log_days: number("kept", "days", true),
  auth_log_rows: number("kept", "decisions", true),
  session_days: number("kept", "days", true),
  usage_days: number("kept", "days", true),
  audit_days: number("kept", "days", true),

  backup_every_hours: number("backups", "hours"),
  backup_keep: number("backups", "backups", true),
  backup_try_days: number("backups", "days"),
  backup_folder: { group: "backups", kind: "path" },
  backup_to_nats: { group: "backups", kind: "switch" },

  portal_name: { group: "portal", kind: "text" },
  portal_color: { group: "portal", kind: "color" },
  portal_logo: { group: "portal", kind: "logo" },
  portal_url: { group: "portal", kind: "text" },
  portal_contact: { group: "portal", kind: "lines" },
  portal_phone: { group: "portal", kind: "text" },
  portal_chat: { group: "portal", kind: "text" },
  portal_pay_text: { group: "portal", kind: "lines" },
  portal_pay_link: { group: "portal", kind: "text" },
  portal_expired_text: { group: "portal", kind: "text" },
  app_origins: { group: "portal", kind: "text", asks: true },

  start_without_nats: { group: "box", kind: "switch" },
  time_zone: { group: "box", kind: "zone", asks: true },
  checkpoint_megabytes: number("box", "megabytes"),
  sample_write_minutes: number("box", "minutes"),
  languages_read: { group: "box", kind: "text" },
  demo_data: { group: "box", kind: "switch" },
};
