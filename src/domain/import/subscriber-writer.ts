import type { Tx } from "../../../db/open.ts";
import type { Vault } from "../../../db/vault.ts";
import { sealPassword } from "../subscribers/password.ts";
import { revokeTokens } from "../subscribers/status.ts";
import { fold } from "../text.ts";
import type { Seconds } from "../time.ts";
import { type Columns, RowWriter } from "./row-writer.ts";
import { NoteWriter } from "./note-writer.ts";
import { type SealedPassword, type SealedPasswords, ServiceWriter } from "./service-writer.ts";
import type { SubscriberRow } from "./subscribers.ts";

/** Seals the passwords that the file gives, by subscriber id: before the transaction, which it would make long. */
export function sealPasswords(vault: Vault, rows: readonly SubscriberRow[]): SealedPasswords {
  const sealed = new Map<number, SealedPassword>();
  for (const { id, values } of rows)
    if (values.password) sealed.set(id, sealPassword(vault, values.password));
  return sealed;
}

/** Writes the profiles, the services of those that arrive with an expiration, and the staff's notes. */
export function writeSubscribers(
  tx: Tx,
  rows: readonly SubscriberRow[],
  sealed: SealedPasswords,
  now: Seconds,
): void {
  const writer = new RowWriter(tx, "subscribers");
  const services = new ServiceWriter(tx, sealed);
  const notes = new NoteWriter(tx, now);
  for (const row of rows) {
    const { id, known, values } = row;
    const password = sealed.get(id);
    const isNewPassword = known && password !== undefined && changesPassword(tx, row);
    writer.put(row, profileColumns(row, password?.passwordSealed, now), { created_at: now });
    if (isNewPassword) services.changePassword(id, password, now);
    if (isNewPassword || (known && values.status === 0)) revokeTokens(tx, id, now);
    if (values.current_expiration_date) services.write(row, values.current_expiration_date);
    else if (values.current_expiration_date === null && known) services.remove(id);
    if (values.staff_notes) notes.replace(row, values.staff_notes);
  }
}

function profileColumns(
  { values }: SubscriberRow,
  passwordSealed: Buffer | undefined,
  now: Seconds,
): Columns {
  const {
    password: _password,
    balance: _balance,
    current_expiration_date: _expiration,
    staff_notes: _notes,
    branch_id,
    username,
    email,
    ...columns
  } = values;
  return {
    ...columns,
    branch_id: branch_id === 0 ? null : branch_id,
    username,
    username_key: username && fold(username),
    email,
    email_key: email && fold(email),
    password_sealed: passwordSealed,
    updated_at: now,
  };
}

function changesPassword(tx: Tx, { id, values }: SubscriberRow): boolean {
  const stored = tx.$client
    .query<{ sealed: Uint8Array }, [number]>("SELECT password_sealed AS sealed FROM subscribers WHERE id = ?")
    .get(id);
  return stored !== null && tx.vault.openText(stored.sealed) !== values.password;
}
