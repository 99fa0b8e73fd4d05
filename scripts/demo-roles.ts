/** What an account needs to call the API at all, and to see whom it works for. */
const common = ["api_access", "subscriber_view"];

/** The roles of the demo ISP: what people at a counter, on a ladder, on commission and in charge need, and no more. */
export const demoRoles = {
  Clerk: [
    ...common,
    ...["payment_take", "payment_view", "subscriber_activate", "closing_own"],
    ...["card_view", "card_sell", "message_send"],
  ],
  Technician: [...common, "session_view", "subscriber_plant", "subscriber_mac", "subscriber_disconnect"],
  Reseller: [
    ...common,
    "subscriber_add",
    "subscriber_edit",
    "subscriber_activate",
    "subscriber_disconnect",
    "package_view",
    "payment_take",
    "payment_view",
    "wallet_view",
    "card_view",
    "card_sell",
  ],
  /** All of the business; roles, accounts, routers and settings are the Admin's. */
  Manager: [
    ...common,
    ...["subscriber_add", "subscriber_edit", "subscriber_note", "subscriber_password", "subscriber_mac"],
    ...["subscriber_activate", "subscriber_disconnect", "subscriber_status", "subscriber_extend"],
    ...["subscriber_bulk", "subscriber_plant", "session_view"],
    ...[
      "place_view",
      "place_manage",
      "package_view",
      "package_manage",
      "nas_view",
      "staff_view",
      "role_view",
    ],
    ...["payment_view", "payment_take", "payment_reverse", "payment_refund", "invoice_view", "invoice_void"],
    ...["wallet_view", "wallet_adjust", "closing_own", "closing_manage", "report_view", "audit_view"],
    ...["card_view", "card_make", "card_sell", "card_void"],
    ...["message_view", "message_manage", "message_send", "payment_match"],
  ],
} satisfies Record<string, readonly string[]>;

/** As the import format has the permissions of a role. */
export function rolePermissions(role: keyof typeof demoRoles): Record<string, 1> {
  return Object.fromEntries(demoRoles[role].map((flag) => [flag, 1]));
}
