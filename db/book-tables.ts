/** A table whose rows go into the change stream. */
export interface BookTable {
  readonly name: string;
  /** Columns that are left out, and why. */
  readonly without?: { readonly columns: readonly string[]; readonly why: string };
  /** A condition on NEW, in SQL; all rows by default. */
  readonly when?: string;
  /** Rows are only deleted by age. */
  readonly kept?: true;
}

const COMES_HOME = "accounting writes them: they come home from the boxes' journals, and would count twice";

/**
 * What the ISP itself wrote, referenced tables first. Left out is what boxes report again (sessions, decisions, usage), what is
 * derived, and who is signed in. The triggers `TABLE_booked...` are made from this list.
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
  {
    name: "api_keys",
    without: { columns: ["used_at", "used_from"], why: "each minute of a busy key would be in the stream" },
  },
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
  {
    name: "services",
    without: { columns: ["quota_used", "quota_crossed_at", "window_start", "free_bytes"], why: COMES_HOME },
  },
  { name: "closings" },
  { name: "card_batches" },
  { name: "cards", without: { columns: ["used_seconds", "used_octets"], why: COMES_HOME } },
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
  { name: "events", when: "NEW.`type` NOT LIKE 'session.%'", kept: true },
  { name: "webhook_deliveries", kept: true },
  { name: "messages", kept: true },
  {
    name: "access_boxes",
    without: {
      columns: ["journal", "heard_at", "cut_off_at", "state", "refused", "refused_at", "refused_what"],
      why: "they say what the box told last, and it goes on; one that was stolen would fill the stream with it",
    },
  },
  // of this store's own row only the boxes' key, which changes when a box is removed
  {
    name: "access_state",
    without: {
      columns: [
        ...["role", "marking", "epoch", "number", "seed_sealed", "pair_sealed", "over_since", "pending"],
        ...["beat_at", "beat_boot", "beat_uptime", "bucket", "highest", "box_id", "home", "link", "booked"],
        ...["lineage", "restored_at", "books_key", "proof"],
      ],
      why: "they are of this machine and of this run of its books",
    },
  },
  { name: "audit_entries", kept: true },
  // sums and counters that triggers keep come last, so that they win
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
