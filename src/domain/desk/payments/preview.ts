import type { Db } from "../../../../db/open.ts";
import { findService } from "../../service/activation/plan.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { type OutstandingInvoice, openInvoices } from "../../money/billing/statement.ts";
import { voidSoldInvoice } from "../void/void.ts";
import type { DomainError } from "../../core/errors/errors.ts";
import { invoiceById } from "../../money/invoices/find-invoice.ts";
import { type Actor, may } from "../../core/actor/actor.ts";
import { permissions, permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { tryOut } from "../../core/once/try-out.ts";
import { findPayment } from "../../money/payments/find.ts";
import { reversePayment } from "./reverse.ts";

export interface Standing {
  readonly balance: number;
  readonly open: readonly OutstandingInvoice[];
  readonly service: { readonly packageName: string; readonly expiresAt: Seconds } | null;
}

/** `withVoid` null: nothing to void, or no permission. */
interface ReversalPreview {
  readonly before: Standing;
  readonly plain: Standing | DomainError;
  readonly withVoid: Standing | DomainError | null;
}

/** What a reversal would do, with and without a void. Throws `not_found`. */
export function previewReversal(
  db: Db,
  by: Actor,
  { paymentId }: { paymentId: number },
  { now }: { now: Seconds },
): ReversalPreview {
  permit(by, "previewReversal");
  const { subscriberId, staffId, invoiceId } = findPayment(db, by.scope, paymentId);
  const account = subscriberId === null ? { staffId: staffId ?? 0 } : { subscriberId };
  const tried = (voids: boolean) =>
    tryOut(db, (tx) => {
      reversePayment(tx, by, { paymentId, reason: "tried out", voids }, { now });
      return readStanding(tx, account);
    });
  return {
    before: readStanding(db, account),
    plain: tried(false),
    withVoid: invoiceId !== null && may(by, permissions.voidSoldInvoice) ? tried(true) : null,
  };
}

/** Money alone, or with the service's end. */
interface VoidPreview {
  readonly before: Standing;
  readonly plain: Standing | DomainError;
  readonly withEnd: Standing | DomainError;
}

/** Throws `not_found`. */
export function previewVoid(
  db: Db,
  by: Actor,
  { invoiceId }: { invoiceId: number },
  { now }: { now: Seconds },
): VoidPreview {
  permit(by, "previewVoid");
  const { subscriberId } = invoiceById(db, by.scope, invoiceId);
  const tried = (endService: boolean) =>
    tryOut(db, (tx) => {
      voidSoldInvoice(tx, by, { invoiceId, reason: "tried out", endService }, { now });
      return readStanding(tx, { subscriberId });
    });
  return { before: readStanding(db, { subscriberId }), plain: tried(false), withEnd: tried(true) };
}

function readStanding(db: Db, account: { subscriberId: number } | { staffId: number }): Standing {
  const balance = readBalance(db, account);
  if ("staffId" in account) return { balance, open: [], service: null };
  const { subscriberId } = account;
  const service = findService(db, subscriberId);
  const sold = service && packageName(db, service.packageId);
  return {
    balance,
    open: openInvoices(db, subscriberId),
    service: service ? { packageName: sold ?? "", expiresAt: service.expiresAt } : null,
  };
}

function packageName({ $client }: Db, id: number): string | undefined {
  return $client.query<{ name: string }, [number]>("SELECT name FROM packages WHERE id = ?").get(id)?.name;
}
