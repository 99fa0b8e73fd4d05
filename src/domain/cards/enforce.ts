import { type Db, write } from "../../../db/open.ts";
import { sessions } from "../../../db/schema.ts";
import { update } from "../../../db/update.ts";
import { rateFingerprint } from "../access/granted.ts";
import type { Applied, AppliedSession } from "../control/apply.ts";
import { bookAnswers, type ControlNeeds } from "../control/disconnect.ts";
import type { Session } from "../sessions/advance.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { dueCardSessions } from "./due.ts";
import { cardHolder, endCardSessions, openSessionsOfCard } from "./end-sessions.ts";

/**
 * Ends the open sessions of a card that may not go on, or slows them down where its volume is used up and that is what its batch says.
 * Failures are in the answers, and disconnect_enabled does not bind it.
 */
export async function enforceCard(
  db: Db,
  by: Actor,
  { cardId }: { cardId: number },
  needs: ControlNeeds,
): Promise<{ outcome: Applied; asked: readonly AppliedSession[] }> {
  permit(by, "enforceCard");
  const due = new Map(dueCardSessions(db, needs.clock(), cardId).map((one) => [one.sessionId, one]));
  const open = openSessionsOfCard(db, cardId).filter(({ id }) => due.has(id));
  const ending: Session[] = [];
  const slowing: Promise<AppliedSession>[] = [];
  for (const session of open) {
    const rate = due.get(session.id)?.slowerRate ?? null;
    if (rate === null) ending.push(session);
    else slowing.push(slowDown(db, by, { session, rate }, needs));
  }
  const [ended, slowed] = await Promise.all([endAll(db, by, ending, needs), Promise.all(slowing)]);
  const asked = [...ended, ...slowed];
  const outcome = (["reconnected", "changed"] as const).find((one) =>
    asked.some((session) => session.outcome === one),
  );
  return { outcome: outcome ?? "already_offline", asked };
}

async function endAll(
  db: Db,
  by: Actor,
  ending: readonly Session[],
  needs: ControlNeeds,
): Promise<AppliedSession[]> {
  const asked = await endCardSessions(db, by, ending, needs);
  return asked.flatMap(({ session, answer, took = 0 }) =>
    session ? [{ session, answer, took, outcome: OUTCOMES[answer.kind] }] : [],
  );
}

const OUTCOMES = { acknowledged: "reconnected", gone: "already_offline", failed: "failed" } as const;

/** By CoA; a router that does not take it ends the session, and the next login has the slower rate. */
async function slowDown(
  db: Db,
  by: Actor,
  { session, rate }: { session: Session; rate: string },
  { clock, routers }: ControlNeeds,
): Promise<AppliedSession> {
  const holder = cardHolder(db, session);
  const answer = await routers.changeRate(holder, session, rate);
  if (answer.kind === "acknowledged") {
    write(db, (tx) => update(tx, sessions, { grantedRate: rateFingerprint(rate) }, { id: session.id }));
    return { session, answer, outcome: "changed" };
  }
  if (answer.kind === "gone") {
    bookAnswers(db, holder, [{ session, answer }], { now: clock(), by });
    return { session, answer, outcome: "already_offline" };
  }
  const [ended] = await endAll(db, by, [session], { clock, routers });
  return ended ?? { session, answer, outcome: "failed" };
}
