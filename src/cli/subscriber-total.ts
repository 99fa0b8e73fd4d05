import { formatAmount } from "../domain/core/amounts/money.ts";
import type { SubscriberRecord } from "../domain/goods/subscribers/record.ts";
import { counted, sum } from "./cells.ts";

/** Counts by status, online, and money. */
export function describeSubscribers(
  records: readonly SubscriberRecord[],
  currencies: ReadonlyMap<number, string>,
): string {
  const count = counted(records.length, "subscriber");
  const statuses = ["active", "expired", "inactive", "disabled"] as const;
  const parts = [
    statuses.flatMap((status) => times(records, ({ profile_status }) => profile_status === status, status)),
    times(records, ({ connection_status }) => connection_status === "online", "online"),
    describeSums(records, currencies),
  ];
  const texts = parts.filter((part) => part.length > 0).map((part) => part.join(", "));
  return texts.length === 0 ? count : `${count}: ${texts.join("; ")}`;
}

function times(
  records: readonly SubscriberRecord[],
  isMeant: (record: SubscriberRecord) => boolean,
  word: string,
): string[] {
  const count = records.filter(isMeant).length;
  return count === 0 ? [] : [`${count} ${word}`];
}

function describeSums(
  records: readonly SubscriberRecord[],
  currencies: ReadonlyMap<number, string>,
): string[] {
  const byCurrency = Object.groupBy(records, ({ isp_id }) => currencies.get(isp_id) ?? "");
  return Object.entries(byCurrency).flatMap(([currency, of = []]) => {
    const balances = of.map(({ balance }) => balance);
    const held = sum(balances.filter((balance) => balance > 0));
    const owed = -sum(balances.filter((balance) => balance < 0));
    const inWallets = held > 0 ? `${formatAmount(held)} ${currency} in wallets` : "";
    return [inWallets, owed > 0 ? `${formatAmount(owed)} ${currency} owed` : ""].filter(
      (part) => part !== "",
    );
  });
}
