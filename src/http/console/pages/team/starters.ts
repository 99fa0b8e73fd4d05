import type { FlagName } from "../../parts/flags.ts";

interface Starter {
  readonly key: "clerk" | "technician" | "reseller" | "accountant" | "manager";
  readonly flags: readonly FlagName[];
}

const business: readonly FlagName[] = [
  ...([
    "subscriber_view",
    "subscriber_add",
    "subscriber_edit",
    "subscriber_status",
    "subscriber_note",
  ] as const),
  ...(["subscriber_password", "subscriber_bulk", "subscriber_mac", "subscriber_plant"] as const),
  ...(["session_view", "subscriber_disconnect", "subscriber_activate", "subscriber_extend"] as const),
  ...(["payment_view", "payment_take", "payment_reverse", "payment_refund"] as const),
  ...(["invoice_view", "invoice_void", "wallet_view", "wallet_adjust"] as const),
  ...(["closing_own", "closing_manage", "report_view", "package_view", "package_manage"] as const),
  ...(["nas_view", "staff_view", "role_view", "audit_view", "place_view", "place_manage"] as const),
  ...(["message_view", "message_send"] as const),
];

/** Roles to begin with, each with the permissions that its job needs. */
export const starters: readonly Starter[] = [
  {
    key: "clerk",
    flags: [
      ...(["subscriber_view", "subscriber_add", "subscriber_note", "subscriber_activate"] as const),
      ...(["subscriber_edit", "subscriber_password", "invoice_view", "card_view", "card_sell"] as const),
      ...(["payment_view", "payment_take", "closing_own", "package_view", "message_send"] as const),
    ],
  },
  {
    key: "technician",
    flags: [
      ...(["subscriber_view", "subscriber_note", "subscriber_plant", "subscriber_mac"] as const),
      ...(["session_view", "subscriber_disconnect"] as const),
    ],
  },
  {
    key: "reseller",
    flags: [
      ...(["subscriber_view", "subscriber_add", "subscriber_edit", "subscriber_note"] as const),
      ...(["subscriber_activate", "subscriber_disconnect", "session_view", "package_view"] as const),
      ...(["payment_view", "payment_take", "wallet_view", "card_view", "card_sell"] as const),
    ],
  },
  {
    key: "accountant",
    flags: [
      ...(["subscriber_view", "payment_view", "payment_reverse", "payment_refund"] as const),
      ...(["invoice_view", "invoice_void", "wallet_view", "wallet_adjust"] as const),
      ...(["closing_own", "closing_manage", "report_view", "package_view", "audit_view"] as const),
    ],
  },
  { key: "manager", flags: business },
];
