import type { ConsoleWords } from "../../words/console.ts";

export type FlagName = keyof ConsoleWords["team"]["flags"];

/** Permissions by subject, in the order of the pages. */
export const flagGroups = {
  subscribers: [
    ...(["subscriber_view", "subscriber_add", "subscriber_edit", "subscriber_status"] as const),
    ...(["subscriber_note", "subscriber_password", "subscriber_bulk"] as const),
  ],
  lines: ["session_view", "subscriber_disconnect", "subscriber_mac", "subscriber_plant"],
  money: [
    ...(["payment_view", "payment_take", "payment_reverse", "payment_refund"] as const),
    ...(["subscriber_activate", "subscriber_extend", "invoice_view", "invoice_void"] as const),
    ...(["wallet_view", "wallet_adjust", "closing_own", "closing_manage", "report_view"] as const),
    ...(["package_view", "package_manage", "payment_match", "payment_receive"] as const),
  ],
  cards: ["card_view", "card_make", "card_sell", "card_void"],
  messages: ["message_view", "message_send", "message_manage", "webhook_manage"],
  routers: ["nas_view", "nas_manage"],
  staff: ["staff_view", "staff_manage", "role_view", "role_manage", "audit_view"],
  settings: ["place_view", "place_manage", "setting_manage", "data_import", "api_access", "api_key_manage"],
  programs: ["hrm_module", "notice_view", "notice_add_new"],
} as const satisfies Readonly<Record<keyof ConsoleWords["team"]["groups"], readonly FlagName[]>>;

export type FlagGroup = keyof typeof flagGroups;
export const groupNames = Object.keys(flagGroups) as FlagGroup[]; // the keys of a constant
export const flagNames: readonly FlagName[] = groupNames.flatMap(
  (group): readonly FlagName[] => flagGroups[group],
);

/** Permissions that only read. */
export function looksOnly(flag: FlagName): boolean {
  return flag.endsWith("_view");
}

/** What a permission allows; undefined: unknown. */
export function flagDoes({ flags }: Pick<ConsoleWords["team"], "flags">, flag: string): string | undefined {
  const known: Readonly<Record<string, { readonly does: string } | undefined>> = flags;
  return Object.hasOwn(known, flag) ? known[flag]?.does : undefined;
}
