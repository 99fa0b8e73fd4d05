import type { Tx } from "../../../../../db/open.ts";
import { archivedKey, subscriberColumns } from "../../../goods/subscribers/columns.ts";
import { fold } from "../../../core/fields/text.ts";
import type { StoredRow } from "./change-log.ts";
import { sealPassword } from "../../../goods/subscribers/password.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { NoteStaging } from "./note-staging.ts";
import { HistoryStaging, UsageStaging } from "./past-staging.ts";
import { ServiceStaging } from "./service-staging.ts";
import { type Columns, StagedRows, type Staging } from "./staging.ts";
import type { SubscriberRow } from "./subscribers.ts";

/** The profiles, and with them the services of those that arrive with an expiration, and the staff's notes. */
export function stageSubscribers(
  staging: Staging,
  rows: readonly SubscriberRow[],
  findPackage: (id: number) => Columns,
  now: Seconds,
) {
  const staged = new StagedRows(staging, "subscribers");
  const services = new ServiceStaging(staging, findPackage);
  const notes = new NoteStaging(staging);
  const usage = new UsageStaging(staging, now);
  const history = new HistoryStaging(staging);
  const signedOut = staging.inserter("signed_out", ["id INTEGER PRIMARY KEY"]);
  const left = staging.inserter("left_addresses", ["id INTEGER PRIMARY KEY", "ip", "prefix"]);
  for (const row of rows) {
    const { id, values } = row;
    const stored = staged.find(row);
    const before = stored && staging.openPassword(stored);
    const password = values.password ?? before ?? "";
    const sealed = password === before ? undefined : sealPassword(staging.db.vault, password);
    const packageId = values.package_id ?? Number(stored?.["package_id"]);
    const isServiceNew = services.put(row, { name: stored?.["username"], packageId, password, sealed });
    const replaced = values.staff_notes ? notes.put(row, values.staff_notes) : undefined;
    if (stored && replaced)
      staging.changes.add("subscribers", id, stored["username"], "staff_notes/count", replaced);
    usage.put(row, values);
    history.put(row, values.history);
    const columns = {
      ...subscriberColumns(values),
      username_key: usernameKey(row, stored),
      password_sealed: sealed?.passwordSealed,
    };
    staged.put(id, stored, columns, {
      onInsert: { created_at: values.created_at ?? now },
      onChange: { updated_at: now },
      touched: isServiceNew || replaced !== undefined,
    });
    const leaves = (name: "pool_ip" | "pool_prefix") =>
      values[name] !== undefined && stored?.[name] !== values[name];
    if (stored && (leaves("pool_ip") || leaves("pool_prefix")))
      left.insert.run(id, leaves("pool_ip"), leaves("pool_prefix"));
    const isDisabled = values.status === 0 && stored?.["status"] !== 0;
    if (stored && (sealed || isDisabled)) signedOut.insert.run(id);
  }
  const write = (tx: Tx) => {
    leaveAddresses(tx, left.table);
    staged.write(tx);
    services.write(tx, now);
    notes.write(tx, now);
    usage.write(tx);
    tx.$client
      .query(
        `UPDATE subscriber_tokens SET revoked_at = ?
         WHERE revoked_at IS NULL AND subscriber_id IN (SELECT id FROM ${signedOut.table})`,
      )
      .run(now);
  };
  return { rows: staged, write, history, moved: services.moved };
}

/** Clears addresses that change, so that rows can swap them. */
function leaveAddresses({ $client }: Tx, left: string): void {
  $client.run(
    `UPDATE subscribers SET pool_ip_from = iif(l.ip, NULL, pool_ip_from), pool_prefix_from = iif(l.prefix, NULL, pool_prefix_from)
     FROM ${left} AS l WHERE subscribers.id = l.id`,
  );
}

/** The name of who left is free for others. */
function usernameKey({ id, values }: SubscriberRow, stored: StoredRow | undefined): string {
  const username = values.username ?? String(stored?.["username"]);
  const { archived_at: value } = values;
  const isArchived = value === undefined ? stored?.["archived_at"] : value;
  return isArchived ? archivedKey(id, username) : fold(username);
}
