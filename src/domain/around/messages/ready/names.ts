export type ReadyName =
  | "welcome"
  | "payment_receipt"
  | "expires_soon"
  | "expired"
  | "quota_80"
  | "password_changed"
  | "online_again"
  | "router_silent"
  | "router_back"
  | "payment_unmatched";

export type Ready = Readonly<Record<ReadyName, { readonly subject: string; readonly body: string }>>;
