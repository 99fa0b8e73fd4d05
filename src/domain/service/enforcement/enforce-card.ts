import type { Db } from "../../../../db/open.ts";
import type { Applied, AppliedSession } from "../control/apply.ts";
import type { ControlNeeds } from "../control/disconnect.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { dueCardSessions } from "./due-cards.ts";
import { endCardSessions, openCardSessions } from "./end-sessions.ts";
import { tellTimeLeft } from "./tell-time.ts";

const OUTCOMES = { acknowledged: "reconnected", gone: "already_offline", failed: "failed" } as const;

/**
 * Ends those of a card's `due` sessions that may not continue; otherwise extends their timeout at the router. Failures are
 * returned, and disconnect_enabled does not apply.
 */
export async function enforceCard(
  db: Db,
  by: Actor,
  { cardId, due }: { cardId: number; due: ReadonlySet<number> },
  needs: ControlNeeds,
): Promise<{ outcome: Applied; answers: readonly AppliedSession[] }> {
  permit(by, "enforceCard");
  const over = new Set(dueCardSessions(db, needs.clock(), cardId).map(({ sessionId }) => sessionId));
  if (over.size === 0) {
    const answers = await tellTimeLeft(db, by, { cardId, due }, needs);
    const isChanged = answers.some(({ outcome }) => outcome === "changed");
    return { outcome: isChanged ? "changed" : "unchanged", answers };
  }
  const open = openCardSessions(db, cardId).filter(({ id }) => over.has(id) && due.has(id));
  const ended = await endCardSessions(db, by, open, needs);
  const requests = ended.flatMap(({ session, answer, took = 0 }) =>
    session ? [{ session, answer, took, outcome: OUTCOMES[answer.kind] }] : [],
  );
  const isEnded = requests.some(({ outcome }) => outcome === "reconnected");
  return { outcome: isEnded ? "reconnected" : "already_offline", answers: requests };
}
