import { SESSION_CHANGED } from "../../../../db/record-changes.ts";
import { type Db, type Tx, writePatiently } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { book } from "../../money/billing/book.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { putAway } from "../../desk/subscriber-page/archive.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { ImportedRows, type Fields } from "./imported-rows.ts";
import { moveById } from "./moves.ts";
import { requireUndoable } from "./may-import.ts";
import { hasCards, voidCards } from "./undo-cards.ts";
import { ours, type StoredPerson, StoredPeople } from "./stored-people.ts";

export type Staying = "money" | "session" | "changed" | "card";

export const stayingReasons: Readonly<Record<Staying, string>> = {
  money: "money or term moved here since",
  session: "has been online here",
  changed: "was changed here since",
  card: "is a card that was sold, used or made void here since",
};

export interface Undone {
  readonly archived: number;
  readonly voided: number;
  /** Usernames, or card numbers. */
  readonly stayed: readonly { readonly username: string; readonly reason: Staying }[];
}

interface Made {
  readonly id: number;
  readonly username: string;
  /** Whether it came with money or paid time. */
  readonly hasMoney: boolean;
  readonly reason: Staying | undefined;
}

/** Subscribers archived in a transaction, for routers wait. */
const STEP = 200;

/**
 * Archives unused subscribers of an import, books their openings away, and voids unused cards. Packages, routers and places
 * stay. Throws `forbidden`, `not_found`, `refused` if it was undone already.
 */
export async function undoMove(
  db: Db,
  by: Actor,
  moveId: number,
  { now }: { now: Seconds },
): Promise<Undone> {
  permit(by, "undoMove");
  requireWholeIsp(by, "moves from other systems");
  const { ispId, source, undoneAt } = moveById(db, by, moveId);
  if (undoneAt !== null)
    throw new DomainError("refused", phrase`the move ${moveId} was undone already`, { code: "already_done" });
  const { made, entry } = db.$client.transaction(() => ({
    made: madeBy(db, { ispId, source, moveId }),
    entry: newestEntry(db),
  }))();
  requireUndoable(by, {
    money: made.some(({ hasMoney }) => hasMoney),
    cards: hasCards(db, moveId),
  });
  const stayed: Undone["stayed"][number][] = [];
  for (let first = 0; first < made.length; first += STEP) {
    const step = made.slice(first, first + STEP);
    const staying = await writePatiently(db, (tx) =>
      step.flatMap(({ id, username, reason: found }) => {
        const reason = found ?? usedSince(tx, id, entry);
        if (!reason) archive(tx, by, id, { moveId, now });
        return reason ? [{ username, reason }] : [];
      }),
    );
    stayed.push(...staying);
  }
  const archived = made.length - stayed.length;
  const cards = await voidCards(db, { staffId: by.staffId, moveId, now });
  stayed.push(...cards.stayed);
  await writePatiently(db, (tx) => {
    tx.$client.query("UPDATE moves SET undone_at = ? WHERE id = ?").run(now, moveId);
    const after = { source, archived, voided: cards.voided, stayed: stayed.length };
    audit(tx, by, now, { action: "data.move_undo", entity: "move", entityId: moveId, ispId, after });
  });
  return { archived, voided: cards.voided, stayed };
}

function madeBy(
  db: Db,
  { ispId, source, moveId }: { ispId: number; source: string; moveId: number },
): Made[] {
  const people = new StoredPeople({ db, ispId });
  const rows = new ImportedRows(db, { ispId, source }).of("subscriber");
  return rows.flatMap(([, row]): Made[] => {
    const person = people.byId(row.rowId);
    if (row.moveId !== moveId || person?.archived_at !== null) return [];
    const { id, username } = person;
    const hasMoney = Boolean(row.fields["balance"]) || (row.fields["term"] ?? null) !== null;
    const made = { id, username, hasMoney };
    if (row.fields["stamp"] !== people.readStamp(id)) return [{ ...made, reason: "money" }];
    return [{ ...made, reason: isOther(person, row.fields) ? "changed" : undefined }];
  });
}

const beside = new Set(["stamp", "term", "balance", "password", "salesperson_id"]);

const isOther = (person: StoredPerson, fields: Fields): boolean =>
  Object.entries(fields).some(([field, value]) => !beside.has(field) && ours(person, field) !== value);

function newestEntry({ $client }: Db): number {
  return $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM ledger_entries").get()?.id ?? 0;
}

/** Changes by staff are in the audit log. */
function usedSince({ $client }: Tx, id: number, entry: number): Staying | undefined {
  const used = $client
    .query<Record<Exclude<Staying, "card">, 0 | 1>, [number, string, number]>(
      `SELECT EXISTS (SELECT 1 FROM sessions WHERE subscriber_id = ?1 AND moved_in = 0) AS session,
         EXISTS (SELECT 1 FROM audit_entries WHERE entity = 'subscriber' AND entity_id = ?2) AS changed,
         EXISTS (SELECT 1 FROM ledger_entries WHERE subscriber_id = ?1 AND id > ?3) AS money`,
    )
    .get(id, String(id), entry);
  return (["money", "session", "changed"] as const).find((reason) => used?.[reason] === 1);
}

function archive(tx: Tx, by: Actor, id: number, { moveId, now }: { moveId: number; now: Seconds }): void {
  const subscriber = subscriberById(tx, by.scope, id);
  const { ispId } = subscriber;
  const balance = tx.$client
    .query<{ balance: number }, [number]>("SELECT balance FROM wallets WHERE subscriber_id = ?")
    .get(id)?.balance;
  const account = { subscriberId: id };
  const reason = `move ${moveId} was undone`;
  if (balance) book(tx, { account, ispId, amount: -balance, kind: "adjustment", reason }, now, by);
  putAway(tx, by, subscriber, now);
  tx.$client
    .query(
      `UPDATE sessions SET stopped_at = ?, closed_by = 'lost', terminate_cause = 'lost', ${SESSION_CHANGED}
       WHERE subscriber_id = ? AND moved_in = 1 AND stopped_at IS NULL`,
    )
    .run(now, id);
  tx.$client.query("DELETE FROM moved_rows WHERE kind = 'subscriber' AND row_id = ?").run(id);
}
