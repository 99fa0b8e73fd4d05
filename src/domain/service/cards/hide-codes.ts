import { SESSION_CHANGED } from "../../../../db/record-changes.ts";
import type { Tx } from "../../../../db/open.ts";
import { CardReader, hiddenCode, parseCode } from "./reader.ts";

interface Unknown {
  readonly id: number;
  readonly username: string;
}

/**
 * Hides just imported codes in past logins and sessions, where they were ordinary names; only their beginning stays. In the
 * importing transaction.
 */
export function hideCodesInBooks(tx: Tx): void {
  const { $client } = tx;
  const reader = new CardReader(tx);
  const isCode = (name: string) => reader.card(parseCode(name)) !== undefined;
  const logins = $client
    .query<Pick<Unknown, "username">, []>(
      "SELECT DISTINCT username FROM auth_log INDEXED BY auth_log_rejected WHERE accepted = 0 AND reason = 'unknown_user'",
    )
    .all();
  const hideLogins = $client.query<unknown, [string, string]>(
    "UPDATE auth_log SET username = ? WHERE username = ? AND subscriber_id IS NULL AND card_id IS NULL",
  );
  for (const { username } of logins)
    if (isCode(username)) hideLogins.run(hiddenCode(parseCode(username)), username);

  const sessions = $client
    .query<Unknown, []>(
      "SELECT id, username FROM sessions INDEXED BY sessions_subscriber WHERE subscriber_id IS NULL AND card_id IS NULL",
    )
    .all();
  const hideSession = $client.query<unknown, [string, number]>(
    `UPDATE sessions SET username = ?, ${SESSION_CHANGED} WHERE id = ?`,
  );
  for (const { id, username } of sessions)
    if (isCode(username)) hideSession.run(hiddenCode(parseCode(username)), id);
}
