/** Indexes of what is under way, which is little however much there was. */
export const few: ReadonlySet<string> = new Set([
  "access_marks_soon",
  "bulk_jobs_unfinished",
  "incoming_payments_open",
  "messages_due",
  "messages_sending",
  "outages_open",
  "payments_reversed_till",
  "payments_till",
  "services_frozen",
  "sessions_open_refused",
  "webhook_deliveries_due",
  "webhook_deliveries_order",
]);

/** Tables that grow with the subscribers or with time. */
export const growing: ReadonlySet<string> = new Set([
  "access_keys",
  "access_told",
  "audit_entries",
  "auth_log",
  "auto_renewals",
  "book_changes",
  "bulk_rows",
  "card_days",
  "cards",
  "credit_notes",
  "event_counts",
  "events",
  "extensions",
  "freezes",
  "idempotency_keys",
  "incoming_payments",
  "invoices",
  "journal",
  "ledger_days",
  "ledger_entries",
  "login_days",
  "login_stamps",
  "messages",
  "moved_rows",
  "nas_hours",
  "nas_minutes",
  "open_charges",
  "outage_lines",
  "outages",
  "payments",
  "record_changes",
  "services",
  "sessions",
  "staff_notes",
  "subscriber_tokens",
  "subscribers",
  "told_ends",
  "traffic_days",
  "usage_days",
  "usage_months",
  "wallets",
  "webhook_attempts",
  "webhook_deliveries",
]);

interface Scan {
  /** A file, or a folder. */
  readonly in: string;
  readonly tables: readonly string[];
  readonly why: string;
}

const everything = "reads all that there is, in the background or at the command line";
const everyoneOnline = "reads who is online, by an index of that";
const everyoneCounted = "counts subscribers, by an index that has all of it";
const whoRefers = "looks once for what refers to a row that is to go";
const byAnyFilter = "lists by any of their filters: an index that has all of it is gone through";

/** What goes through a table that grows, and why it may. */
export const scans: readonly Scan[] = [
  {
    in: "src/domain/machine/check/",
    tables: [
      ...["card_days", "cards", "credit_notes", "invoices", "ledger_days", "ledger_entries", "open_charges"],
      ...["payments", "sessions", "subscribers", "wallets"],
    ],
    why: everything,
  },
  {
    in: "src/domain/machine/imports/data-set/",
    tables: [
      ...["audit_entries", "cards", "invoices", "ledger_entries", "payments", "services", "sessions"],
      ...["staff_notes", "subscribers", "usage_days"],
    ],
    why: everything,
  },
  { in: "src/domain/machine/imports/", tables: ["subscribers"], why: everything },
  {
    in: "src/domain/core/references/references.ts",
    tables: ["subscribers"],
    why: "an import reads all that there is",
  },
  {
    in: "src/domain/goods/subscribers/line-id.ts",
    tables: ["subscribers"],
    why: "what an import wrote is looked through",
  },
  {
    in: "src/domain/goods/address-pools/settle.ts",
    tables: ["subscribers"],
    why: "what an import wrote is looked through",
  },
  {
    in: "src/domain/machine/backup/trial.ts",
    tables: ["invoices", "ledger_entries", "payments", "subscribers"],
    why: everything,
  },
  { in: "src/domain/machine/backup/continue-events.ts", tables: ["event_counts"], why: everything },
  {
    in: "src/domain/machine/access-boxes/deeds.ts",
    tables: ["events"],
    why: "reads a store that was put aside",
  },
  {
    in: "src/domain/machine/access-boxes/apply.ts",
    tables: ["access_keys", "ledger_entries", "messages", "outages", "payments", "usage_months"],
    why: "an access box has no books: all but its keys are empty there, and those are read when it is told everything anew",
  },
  {
    in: "src/domain/machine/access-boxes/book-changes.ts",
    tables: ["book_changes"],
    why: "what is not in the stream yet is little",
  },
  { in: "src/domain/machine/access-boxes/hearing.ts", tables: ["sessions"], why: everyoneOnline },
  { in: "src/domain/service/box-standing/standing.ts", tables: ["sessions"], why: everyoneOnline },
  { in: "src/domain/machine/access-boxes/knows.ts", tables: ["subscribers"], why: everyoneCounted },
  { in: "src/domain/goods/address-pools/free.ts", tables: ["subscribers"], why: "once a night" },
  {
    in: "src/domain/service/fair-use/begin-windows.ts",
    tables: ["services"],
    why: "begins the windows of all, by an index of who has some",
  },
  {
    in: "src/domain/service/enforcement/fair-due.ts",
    tables: ["services"],
    why: "looks at who is online of all who have some fair use, by an index of them",
  },
  { in: "src/domain/service/enforcement/due.ts", tables: ["sessions"], why: everyoneOnline },
  {
    in: "src/domain/service/control/apply-package.ts",
    tables: ["subscribers"],
    why: "a change of all who have a package, within a scope",
  },
  {
    in: "src/domain/around/bulk/preview.ts",
    tables: ["subscribers"],
    why: "what is to be done with all is counted by who they are",
  },
  { in: "src/domain/desk/incoming/sources.ts", tables: ["incoming_payments"], why: whoRefers },
  { in: "src/domain/goods/nas/nas.ts", tables: ["outages"], why: whoRefers },
  { in: "src/domain/goods/packages/packages.ts", tables: ["invoices"], why: whoRefers },
  { in: "src/domain/people/places/places.ts", tables: ["ledger_entries", "outages"], why: whoRefers },
  {
    in: "src/domain/core/references/uses.ts",
    tables: ["invoices", "ledger_entries", "outages"],
    why: whoRefers,
  },
  { in: "src/domain/people/places/tree.ts", tables: ["subscribers"], why: everyoneCounted },
  { in: "src/domain/around/today/standing.ts", tables: ["subscribers"], why: everyoneCounted },
  {
    in: "src/domain/service/outages/ordinary.ts",
    tables: ["outages"],
    why: "of a router that has lost lines, and there are few outages",
  },
  {
    in: "src/domain/service/outages/find.ts",
    tables: ["outages"],
    why: "the newest of them, and there are few",
  },
  { in: "src/domain/service/outages/suspects.ts", tables: ["sessions"], why: everyoneOnline },
  {
    in: "src/domain/around/reports/owed.ts",
    tables: ["invoices", "open_charges"],
    why: "adds up what is open, by an index of that",
  },
  {
    in: "src/domain/service/sessions/in-scope.ts",
    tables: ["sessions"],
    why: "the newest until there are enough, or who is online",
  },
  {
    in: "src/domain/service/sessions/log.ts",
    tables: ["sessions"],
    why: "the newest until there are enough, or who is online",
  },
  { in: "src/domain/service/sessions/online-routers.ts", tables: ["sessions"], why: everyoneOnline },
  { in: "src/domain/service/sessions/online.ts", tables: ["sessions"], why: everyoneOnline },
  { in: "src/domain/service/sessions/sweep.ts", tables: ["sessions"], why: everyoneOnline },
  { in: "src/domain/money/sums/minutes.ts", tables: ["sessions"], why: everyoneOnline },
  { in: "src/domain/machine/access-boxes/report.ts", tables: ["sessions"], why: everyoneOnline },
  { in: "src/domain/machine/settings/figures.ts", tables: ["sessions"], why: everyoneOnline },
  { in: "src/domain/machine/appliance/figures.ts", tables: ["sessions"], why: everyoneOnline },
  {
    in: "src/domain/desk/subscriber-table/",
    tables: ["sessions", "subscribers", "wallets"],
    why: byAnyFilter,
  },
  {
    in: "src/domain/goods/subscribers/",
    tables: ["services", "sessions", "subscribers", "wallets"],
    why: byAnyFilter,
  },
];
