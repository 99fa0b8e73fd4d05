import { withArchived } from "../../parts/may.ts";
import type { Evidence, Diagnosis } from "../../../../domain/desk/diagnosis/diagnosis-kinds.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { type Head, readHead } from "../../../../domain/desk/subscriber-page/head.ts";
import type { SessionInScope } from "../../../../domain/service/sessions/in-scope.ts";
import type { Phrases } from "../../../words/console/diagnosis.ts";
import type { StaffVisit } from "../../guard.ts";
import { makePhrases } from "../../parts/phrases.ts";

export interface PageContext {
  readonly visit: StaffVisit;
  readonly head: Head;
  readonly phrases: Phrases;
  readonly currency: string;
  readonly base: string;
}

export interface Found {
  readonly diagnosis: Diagnosis;
  readonly evidence: readonly Evidence[];
}

/** Throws not_found. */
export function readSubscriberId({ params }: Pick<StaffVisit, "params">): number {
  const id = params["id"] ?? "";
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new DomainError("not_found", phrase`there is no subscriber ${id}`);
  return Number(id);
}

export const subscriberPath = (id: number) => `/console/subscribers/${id}`;

export function readPageContext(plain: StaffVisit): PageContext {
  const visit = withArchived(plain);
  const { db, by, now, view } = visit;
  const id = readSubscriberId(visit);
  const head = readHead(db, by, id, { now });
  const { currency } = head;
  return { visit, head, currency, phrases: makePhrases(view, currency), base: subscriberPath(id) };
}

export function shownSessions({ open, ofDay, last }: Head): readonly SessionInScope[] {
  const all = [...open, ...ofDay, ...(last ? [last] : [])];
  return [...new Map(all.map((one) => [one.session.id, one])).values()];
}

/** Whether the reader has a permission. */
export function can({ visit }: PageContext, flag: string): boolean {
  return may(visit.by, flag);
}
