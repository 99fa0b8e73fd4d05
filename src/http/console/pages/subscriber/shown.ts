import type { Evidence, Matter } from "../../../../domain/desk/matter/matter-kinds.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { may, seeingArchived } from "../../../../domain/core/actor/actor.ts";
import { type Head, headOf } from "../../../../domain/desk/subscriber-page/head.ts";
import type { SessionInScope } from "../../../../domain/service/sessions/in-scope.ts";
import type { Say } from "../../../words/console/en/matter.ts";
import type { StaffVisit } from "../../guard.ts";
import { sayOf } from "./say.ts";

/** What every part of the page of one subscriber is written from. */
export interface Shown {
  readonly visit: StaffVisit;
  readonly head: Head;
  readonly say: Say;
  readonly currency: string;
  /** Of the page. */
  readonly base: string;
}

export interface Found {
  readonly matter: Matter;
  readonly evidence: readonly Evidence[];
}

/** The subscriber that a path names. Throws not_found. */
export function idOf({ params }: Pick<StaffVisit, "params">): number {
  const id = params["id"] ?? "";
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new DomainError("not_found", `there is no subscriber ${id}`);
  return Number(id);
}

export const pathOf = (id: number) => `/console/subscribers/${id}`;

/** The visit of somebody who may see those who left too: this page is how they are brought back. */
export function withArchived(visit: StaffVisit): StaffVisit {
  return { ...visit, by: seeingArchived(visit.by, 1) };
}

export function shownOf(plain: StaffVisit): Shown {
  const visit = withArchived(plain);
  const { db, by, now, view } = visit;
  const id = idOf(visit);
  const head = headOf(db, by, id, { now });
  const { currency } = head;
  return { visit, head, currency, say: sayOf(view, currency), base: pathOf(id) };
}

/** Those that the head has, each once. */
export function sessionsOf({ open, ofDay, last }: Head): readonly SessionInScope[] {
  const all = [...open, ...ofDay, ...(last ? [last] : [])];
  return [...new Map(all.map((one) => [one.session.id, one])).values()];
}

/** Whether somebody may do something here, by the flag of its role. */
export function can({ visit }: Shown, flag: string): boolean {
  return may(visit.by, flag);
}
