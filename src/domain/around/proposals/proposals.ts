import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { proposals } from "../../../../db/schema.ts";
import type { Actor, Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { staffCondition } from "../../core/actor/reach.ts";
import type { AuditEntry } from "../../core/audit/audit-log.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Seconds that somebody has to press. */
const WAITS = 900;
/** Waiting proposals of a key. */
const MOST_WAITING = 20;
/** Seconds after which what came of it is forgotten: the audit log has what was done. */
const KEPT = 30 * 86_400;

/** A call that a key asks for. */
export interface Proposal {
  readonly id: number;
  readonly keyId: number;
  readonly keyName: string;
  /** Whoever revokes a key wants nothing of it any more, and it has no branch then. */
  readonly isRevoked: 0 | 1;
  /** The key's, within which it is done. */
  readonly ispId: number;
  readonly branchId: number | null;
  readonly call: string;
  readonly sent: Readonly<Record<string, unknown>>;
  /** What it would leave in the audit log, as it was when it was asked for. */
  readonly entries: readonly AuditEntry[];
  readonly createdAt: Seconds;
  readonly endsAt: Seconds;
  readonly pressedAt: Seconds | null;
  readonly pressedBy: string | null;
}

interface At {
  readonly now: Seconds;
}

interface Row extends Omit<Proposal, "sent" | "entries"> {
  readonly sent: string;
  readonly entries: string;
}

const select = `SELECT p.id, p.key_id AS keyId, a.name AS keyName, a.status = 0 AS isRevoked, a.isp_id AS ispId, a.branch_id AS branchId, p.call, p.arguments AS sent, p.entries,
    p.created_at AS createdAt, p.ends_at AS endsAt, p.pressed_at AS pressedAt, b.name AS pressedBy
  FROM proposals p JOIN staff a ON a.id = p.key_id LEFT JOIN staff b ON b.id = p.pressed_by`;

const read = ({ sent, entries, ...row }: Row): Proposal => ({
  ...row,
  sent: JSON.parse(sent) as Proposal["sent"],
  entries: JSON.parse(entries) as Proposal["entries"],
});

/** Proposes by a key, for somebody to press. Throws `forbidden` for anybody else, `too_soon` where too many wait. */
export function propose(
  db: Db,
  by: Actor,
  { call, sent, entries }: Pick<Proposal, "call" | "sent" | "entries">,
  { now }: At,
): Proposal {
  permit(by, "propose");
  return write(db, (tx) => {
    const key = tx.$client.query<{ id: number }, [number | null]>(
      "SELECT id FROM staff WHERE id = ? AND is_key = 1",
    );
    const { id: keyId } = key.get(by.staffId) ?? {};
    if (keyId === undefined)
      throw new DomainError("forbidden", phrase`only a key asks for what somebody else presses`);
    tx.$client.query<unknown, [number]>("DELETE FROM proposals WHERE ends_at < ?").run(now - KEPT);
    if (waiting(tx, { text: "p.key_id = ?", values: [keyId] }, now).length >= MOST_WAITING)
      throw new DomainError(
        "too_soon",
        phrase`${MOST_WAITING} wait for somebody already; let them be pressed`,
        {
          code: "rate_limited",
          retryAfter: WAITS,
        },
      );
    const texts = { arguments: JSON.stringify(sent), entries: JSON.stringify(entries) };
    const row = { keyId, call, ...texts, createdAt: now, endsAt: now + WAITS };
    return proposalById(tx, by.scope, { id: insert(tx, proposals, row) });
  });
}

/** Proposals of the own key, the newest first. */
export function ownProposals({ $client }: Db, by: Actor): Proposal[] {
  permit(by, "ownProposals");
  return $client
    .query<Row, [number | null]>(`${select} WHERE p.key_id = ? ORDER BY p.id DESC LIMIT 20`)
    .all(by.staffId)
    .map(read);
}

/** What somebody has to press still, of keys in the scope, the oldest first: who may press it, the flag of its call says. */
export function waitingProposals(db: Db, scope: Scope, { now }: At): Proposal[] {
  return waiting(db, staffCondition(scope), now);
}

function waiting({ $client }: Db, of: Condition, now: Seconds): Proposal[] {
  const { text, values } = all(
    { text: "p.ends_at > ? AND p.pressed_at IS NULL AND a.status <> 0", values: [now] },
    of,
  );
  return $client
    .query<Row, Value[]>(`${select} WHERE ${text} ORDER BY p.id`)
    .all(...values)
    .map(read);
}

/** Throws `not_found`. */
export function proposalById({ $client }: Db, scope: Scope, { id }: { id: number }): Proposal {
  const { text, values } = all(equal("p.id", id), staffCondition(scope));
  const found = $client.query<Row, Value[]>(`${select} WHERE ${text}`).get(...values);
  if (!found) throw new DomainError("not_found", phrase`there is no request ${id} of an assistant`);
  return read(found);
}

/** Throws `conflict` for one that was pressed or has ended, or whose key was revoked. */
export function requireWaiting({ pressedAt, endsAt, isRevoked }: Proposal, now: Seconds): void {
  if (pressedAt !== null)
    throw new DomainError("conflict", phrase`it was done already`, { code: "already_settled" });
  if (endsAt <= now)
    throw new DomainError("conflict", phrase`its time is over; let the assistant ask anew`, {
      code: "already_settled",
    });
  if (isRevoked === 1)
    throw new DomainError("conflict", phrase`its key was revoked; do it yourself, if it is wanted still`, {
      code: "already_settled",
    });
}

/** Presses in the transaction that does it, which checks what it needs. Throws as `requireWaiting`. */
export function pressProposal(tx: Tx, by: Actor, { id }: { id: number }, { now }: At): void {
  const proposal = proposalById(tx, by.scope, { id });
  requireWaiting(proposal, now);
  const { keyId, call, ispId } = proposal;
  tx.$client
    .query<unknown, [Seconds, number | null, number]>(
      "UPDATE proposals SET pressed_at = ?, pressed_by = ? WHERE id = ?",
    )
    .run(now, by.staffId, id);
  audit(tx, by, now, {
    action: "proposal.press",
    entity: "api_key",
    entityId: keyId,
    ispId,
    after: { request: id, call },
  });
}
