/** A table of the books whose rows are published as they are after a change. */
export interface BookTable {
  readonly name: string;
  /** Columns that accounting writes: they come home from the boxes' journals, and would count twice. */
  readonly without?: readonly string[];
  /** Rows of it that go, go by age alone. */
  readonly kept?: true;
}

/**
 * What the ISP itself wrote, in an order in which a row comes after those that it refers to. What is left out is what boxes
 * tell again (sessions, decisions, use), what is read off it, and who is signed in. Triggers named `TABLE_booked...` note each change; a
 * test holds them equal to this list.
 */
export const bookTables: readonly BookTable[] = [
  { name: "isps" },
  { name: "branches" },
  { name: "cities" },
  { name: "areas" },
  { name: "subareas" },
  { name: "roles" },
  { name: "role_permissions" },
  { name: "staff" },
  { name: "staff_tokens", kept: true },
  { name: "staff_preferences" },
  { name: "staff_recovery_codes" },
  { name: "nas" },
  { name: "radsec_keys" },
  { name: "radsec_certificates" },
  { name: "address_pools" },
  { name: "packages" },
  { name: "subscribers" },
  { name: "subscriber_tokens", kept: true },
  { name: "moves" },
  { name: "moved_rows" },
  { name: "staff_notes" },
  { name: "services", without: ["quota_used", "quota_crossed_at", "window_start", "free_bytes"] },
  { name: "closings" },
  { name: "card_batches" },
  { name: "cards", without: ["used_seconds", "used_octets"] },
  { name: "card_templates" },
  { name: "invoices" },
  { name: "payments" },
  { name: "ledger_entries" },
  { name: "credit_notes" },
  { name: "extensions" },
  { name: "freezes" },
  { name: "auto_renewals", kept: true },
  { name: "payment_sources" },
  { name: "incoming_payments", kept: true },
  { name: "bank_files" },
  { name: "idempotency_keys", kept: true },
  { name: "settings" },
  { name: "logos" },
  { name: "setup_steps" },
  { name: "webhook_endpoints" },
  { name: "channels" },
  { name: "message_templates" },
  { name: "message_rules" },
  { name: "events", kept: true },
  { name: "webhook_deliveries", kept: true },
  { name: "messages", kept: true },
  { name: "access_boxes", without: ["journal", "heard_at", "state"] },
  // of the row about this store the boxes' key alone: it changes when a box is removed
  {
    name: "access_state",
    without: [
      ...["role", "marking", "epoch", "number", "seed_sealed", "pair_sealed", "over_since", "pending"],
      ...["beat_at", "bucket", "highest", "box_id", "home", "booked", "lineage", "restored_at"],
    ],
  },
  { name: "audit_entries", kept: true },
  // sums and counters, which triggers and operations keep: last, so that they are as they were
  { name: "open_charges" },
  { name: "wallets" },
  { name: "ledger_days" },
  { name: "ledger_months" },
  { name: "card_counts" },
  { name: "card_days" },
  { name: "event_counts" },
  { name: "sequences" },
  { name: "counters" },
  { name: "marks" },
];
