/** Bytes, which a record has as base64; what else is sealed is text. */
export const bytesOf: ReadonlySet<string> = new Set(["ntHashSealed", "class"]);

/** What columns that a box is not told have there, where they cannot be empty. */
export const filled = {
  subscriber: { name: "", createdAt: 0, updatedAt: 0 },
  batch: { price: 0, createdAt: 0 },
} as const;

/** The settings that access boxes work by; each of the others is the books' alone. */
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
