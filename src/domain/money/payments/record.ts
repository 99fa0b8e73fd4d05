import type { Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import type { Db, Tx } from "../../../../db/open.ts";
import { payments } from "../../../../db/schema.ts";
import { audit } from "../../core/audit/audit.ts";
import { book } from "../billing/book.ts";
import type { Account } from "../../core/amounts/balance.ts";
import { actingColumns, append } from "../billing/ledger.ts";
import { nextNumber } from "../billing/numbers.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, type Scope, scopeCondition } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";
import { referenceKey } from "./find.ts";
import type { Payer } from "./payer.ts";

export interface Handed {
  readonly kind: "payment" | "refund";
  /** Minor units, above 0. */
  readonly amount: number;
  /** One of the setting payment_methods. */
  readonly method: string;
  readonly reference: string | null;
  readonly note: string | null;
}

export interface Recorded {
  readonly id: number;
  readonly number: string;
}

/**
 * Stores a payment or refund with its receipt, and books it: to the wallet, and a Reseller's own where it took the money.
 * Throws `invalid` for an unknown method, `conflict` for a known reference.
 */
export function recordPayment(
  tx: Tx,
  by: Actor,
  { account, ispId, branchId }: Payer,
  handed: Handed,
  now: Seconds,
): Recorded {
  const { kind, amount, method, reference, note } = handed;
  requireMethod(tx, ispId, method);
  const referenceKey = reference === null ? null : requireKey(reference);
  if (referenceKey !== null) requireNewReference(tx, by.scope, { ispId, method, reference, referenceKey });
  const number = nextNumber(tx, ispId, "R", now);
  const { actingStaffId: takenBy, actor } = actingColumns(by);
  const resellerId = by.scope.salespersonId;
  const id = insert(tx, payments, {
    ...account,
    ispId,
    branchId,
    kind,
    amount,
    currency: setting(tx, "currency", ispId),
    method,
    reference,
    referenceKey,
    note,
    number,
    takenBy,
    actor,
    resellerId,
    createdAt: now,
  });
  const moved = kind === "payment" ? amount : -amount;
  moveMoney(tx, by, { account, ispId, resellerId, moved, kind, paymentId: id }, now);
  return { id, number };
}

interface Postings {
  readonly account: Account;
  readonly ispId: number;
  readonly resellerId: number | null;
  /** Change of the wallet, minor units. */
  readonly moved: number;
  readonly kind: "payment" | "refund";
  readonly paymentId: number;
}

function moveMoney(
  tx: Tx,
  by: Actor,
  { account, ispId, resellerId, moved, kind, paymentId }: Postings,
  now: Seconds,
): void {
  const { id: aboutId } = book(tx, { account, ispId, amount: moved, kind, paymentId }, now, by);
  if (resellerId === null) return;
  const reseller = { staffId: resellerId };
  append(tx, { account: reseller, ispId, amount: -moved, kind: "transfer", paymentId, aboutId }, now, by);
}

function requireMethod(tx: Tx, ispId: number, method: string): void {
  const methods = setting(tx, "payment_methods", ispId);
  if (methods.split(", ").includes(method)) return;
  const message = phrase`must be one of ${methods}`;
  throw new DomainError("invalid", phrase`method ${message}`, { fields: { method: [message] } });
}

/** Throws `invalid` for an empty comparison form. */
function requireKey(reference: string): string {
  const key = referenceKey(reference);
  if (key !== "") return key;
  const message = phrase`must have letters or digits`;
  throw new DomainError("invalid", phrase`reference ${message}`, { fields: { reference: [message] } });
}

interface Reference {
  ispId: number;
  method: string;
  referenceKey: string;
}

/** `name` only where visible. */
export interface KnownReference {
  readonly id: number;
  readonly number: string;
  readonly name: string | undefined;
}

/** The payment with the reference that was not reversed; undefined: none. */
export function knownReference(
  db: Db,
  scope: Scope,
  { ispId, method, referenceKey }: Reference,
): KnownReference | undefined {
  const known = db.$client
    .query<{ id: number; number: string; subscriberId: number | null }, [number, string, string]>(
      `SELECT id, number, subscriber_id AS subscriberId FROM payments
       WHERE isp_id = ? AND method = ? AND reference_key = ? AND reversed_at IS NULL`,
    )
    .get(ispId, method, referenceKey);
  if (!known) return undefined;
  const { id, number, subscriberId } = known;
  return { id, number, name: subscriberId === null ? undefined : nameWithin(db, scope, subscriberId) };
}

function requireNewReference(
  tx: Tx,
  scope: Scope,
  { reference, ...method }: Reference & { reference: string | null },
): void {
  const known = knownReference(tx, scope, method);
  if (!known) return;
  throw new DomainError(
    "conflict",
    phrase`the reference ${reference} was taken already: receipt ${known.number}${known.name === undefined ? "" : phrase` of ${known.name}`}; look at that one first`,
    { code: "reference_taken" },
  );
}

function nameWithin({ $client }: Db, scope: Scope, id: number): string | undefined {
  const { text, values } = scopeCondition(scope);
  const found = $client
    .query<{ name: string }, Value[]>(`SELECT s.name FROM subscribers s WHERE s.id = ? AND ${text}`)
    .get(id, ...values);
  return found?.name;
}

export function auditPayment(
  tx: Tx,
  by: Actor,
  now: Seconds,
  { payer, handed, recorded }: { payer: Payer; handed: Handed; recorded: Recorded },
): void {
  const { amount, method, reference } = handed;
  audit(tx, by, now, {
    action: handed.kind === "payment" ? "payment.take" : "payment.refund",
    entity: "payment",
    entityId: recorded.id,
    ispId: payer.ispId,
    after: {
      number: recorded.number,
      ...accountName(payer.account),
      amount: formatAmount(amount),
      method,
      reference,
    },
  });
}

export function accountName(account: Account): { user_id: number } | { staff_id: number } {
  return "staffId" in account ? { staff_id: account.staffId } : { user_id: account.subscriberId };
}
