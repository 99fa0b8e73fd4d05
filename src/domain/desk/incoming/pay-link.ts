import type { Db } from "../../../../db/open.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { setting } from "../../core/settings/settings.ts";
import { makeReference } from "./reference.ts";

/** `payment_link`, else the portal's; undefined: none. Minor units. */
export function payLink(
  db: Db,
  { ispId, subscriberId, amount }: { ispId: number; subscriberId: number; amount: number },
): string | undefined {
  const link = setting(db, "payment_link", ispId) || setting(db, "portal_pay_link", ispId);
  if (link === "") return undefined;
  const values: Readonly<Record<string, string>> = {
    reference: makeReference(subscriberId),
    amount: formatAmount(amount),
    currency: setting(db, "currency", ispId),
    username: findUsername(db, subscriberId),
  };
  return link.replaceAll(/\{(reference|amount|currency|username)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
}

function findUsername({ $client }: Db, subscriberId: number): string {
  const row = $client
    .query<{ username: string }, [number]>("SELECT username FROM subscribers WHERE id = ?")
    .get(subscriberId);
  return row?.username ?? "";
}
