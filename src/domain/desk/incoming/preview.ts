import type { Db } from "../../../../db/open.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { type OutstandingInvoice, openInvoices } from "../../money/billing/statement.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, may, narrow, requireWholeIsp, seesIsp } from "../../core/actor/actor.ts";
import { permissions, permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { type Hit, searchSubscribers } from "../search/search.ts";
import type { Seconds } from "../../core/time/time.ts";
import { tryOut } from "../../core/once/try-out.ts";
import { assignIncoming } from "./assign.ts";
import type { BookedPayment } from "./book.ts";
import { findIncoming, type Incoming, noIncoming } from "./list.ts";
import { whoIs } from "./who.ts";

/** Fewest characters of a search. */
const ENOUGH = 2;

export type Candidate = Pick<Hit, "id" | "name" | "username" | "mobile" | "package"> & {
  /** Exact match of reference, username or invoice number. */
  readonly exact: boolean;
};

/** Candidates by text: named ones first, others with permission to search. Throws `not_found`. */
export function findWhose(
  db: Db,
  by: Actor,
  { id, ispId, q }: Pick<Incoming, "id" | "ispId"> & { q: string },
  { now }: { now: Seconds },
): Candidate[] {
  permit(by, "findWhose");
  requireWholeIsp(by, "payments that arrive");
  if (!seesIsp(by.scope, { ispId })) throw noIncoming(id);
  const needle = q.trim();
  if (needle.length < ENOUGH) return [];
  const own = { ...by, scope: narrow(by.scope, ispId, null) };
  const who = whoIs(db, ispId, { by: "any", text: needle });
  const named = "id" in who ? who.id : undefined;
  const hits = may(by, permissions.searchSubscribers)
    ? searchSubscribers(db, own, { q: needle }, { now }).filter(({ archived }) => !archived)
    : [];
  const found = hits.map((hit) => toCandidate(hit, hit.id === named));
  if (named === undefined) return found;
  const first = found.find(({ exact }) => exact) ?? findCandidate(db, own, named);
  return [first, ...found.filter(({ exact }) => !exact)];
}

function toCandidate({ id, name, username, mobile, package: sold }: Hit, exact: boolean): Candidate {
  return { id, name, username, mobile, package: sold, exact };
}

function findCandidate({ $client }: Db, { scope }: Actor, id: number): Candidate {
  const row = $client
    .query<Omit<Candidate, "exact">, [number, number | null]>(
      `SELECT s.id, s.name, s.username, s.mobile_number AS mobile, p.name AS package
       FROM subscribers s JOIN packages p ON p.id = s.package_id WHERE s.id = ? AND s.isp_id = ?`,
    )
    .get(id, scope.ispId);
  if (!row) throw new DomainError("not_found", phrase`there is no subscriber ${id}`);
  return { ...row, exact: true };
}

/** Minor units. */
export interface AssignmentPreview {
  readonly subscriber: { readonly id: number; readonly name: string; readonly username: string };
  readonly balance: number;
  /** What would be booked, or why not. */
  readonly booked: BookedPayment | DomainError;
  /** Invoices that it would settle. */
  readonly settled: readonly OutstandingInvoice[];
}

/** Throws `not_found`. */
export function previewAssignment(
  db: Db,
  by: Actor,
  { id, subscriberId, method }: { id: number; subscriberId: number; method: string },
  { now }: { now: Seconds },
): AssignmentPreview {
  permit(by, "previewAssignment");
  requireWholeIsp(by, "payments that arrive");
  const { ispId } = findIncoming(db, by.scope, id);
  const scope = narrow(by.scope, ispId, null);
  const { name, username } = subscriberById(db, scope, subscriberId);
  const before = openInvoices(db, subscriberId);
  const tried = tryOut(db, (tx) => {
    const { booked } = assignIncoming(tx, by, { id, subscriberId, method }, { now });
    return { booked, open: new Set(openInvoices(tx, subscriberId).map((one) => one.id)) };
  });
  const isRefused = tried instanceof DomainError;
  return {
    subscriber: { id: subscriberId, name, username },
    balance: readBalance(db, { subscriberId }),
    booked: isRefused ? tried : tried.booked,
    settled: isRefused ? [] : before.filter((one) => !tried.open.has(one.id)),
  };
}
