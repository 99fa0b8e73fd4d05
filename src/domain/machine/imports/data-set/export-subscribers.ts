import type { Db } from "../../../../../db/open.ts";
import { time } from "../../../core/fields/fields.ts";
import { formatAmount } from "../../../core/amounts/money.ts";
import { exportRows } from "./export-rows.ts";
import { stamps } from "./stamps.ts";
import { subscriberFields } from "./subscriber-fields.ts";
import { wallets } from "./wallets.ts";

/** Subscribers with wallet, expiration and notes. */
export function exportSubscribers(db: Db, { secrets }: { secrets: boolean }) {
  const readWallet = wallets(db, "subscriber_id");
  const readStamp = stamps(db, "subscribers");
  const notes = Map.groupBy(
    db.$client
      .query<{ subscriber: number; note: string; added_by: number }, []>(
        "SELECT subscriber_id AS subscriber, note, added_by FROM staff_notes ORDER BY id",
      )
      .all(),
    ({ subscriber }) => subscriber,
  );
  return exportRows(db, {
    table: "subscribers",
    fields: subscriberFields,
    joined: "LEFT JOIN services ON services.subscriber_id = t.id",
    own: {
      password: {
        sql: "t.password_sealed",
        show: (sealed: unknown) =>
          secrets && sealed instanceof Uint8Array ? db.vault.openText(sealed) : undefined,
      },
      portal_pass: {
        sql: "t.portal_pass",
        show: (hash: unknown) => (secrets ? hash : undefined),
      },
      balance: { show: (_: unknown, id: number) => formatAmount(readWallet(id).balance) },
      current_expiration_date: { sql: "services.expires_at", show: time.show },
      frozen_at: { sql: "services.frozen_at", show: time.show },
      paid_until: { sql: "services.paid_until", show: time.show },
      renews_from: { sql: "services.renews_from", show: time.show },
      stamp: { show: (_: unknown, id: number) => readStamp(id) },
      staff_notes: {
        show: (_: unknown, id: number) =>
          (notes.get(id) ?? []).map(({ note, added_by }) => ({ note, added_by })),
      },
    },
  });
}
