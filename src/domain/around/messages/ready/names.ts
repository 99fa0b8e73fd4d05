export type ReadyName =
  "welcome" | "payment_receipt" | "expires_soon" | "expired" | "quota_80" | "password_changed";

/** The ready texts of one language, short enough for a text message or two. */
export type Ready = Readonly<Record<ReadyName, { readonly subject: string; readonly body: string }>>;
