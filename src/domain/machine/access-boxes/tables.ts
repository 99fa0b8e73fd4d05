/** Base64 in records; other sealed columns are text. */
export const byteColumns: ReadonlySet<string> = new Set(["ntHashSealed", "class"]);

export const filled = {
  subscriber: { name: "", createdAt: 0, updatedAt: 0 },
  batch: { price: 0, createdAt: 0 },
} as const;

/** Settings that access boxes need. */
export const replicatedSettings = [
  "acct_interim_interval",
  "expired_session_timeout",
  "garden_rate",
  "dhcp_lease",
  "dhcp_password",
  "stale_session_after",
  "max_coa_wait",
  "coa_message_authenticator",
  "disconnect_enabled",
  "time_zone",
] as const;
