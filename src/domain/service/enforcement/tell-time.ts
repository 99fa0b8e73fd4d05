import { type Db, writePatiently } from "../../../../db/open.ts";
import type { AppliedSession } from "../control/apply.ts";
import { bookAnswers, type ControlNeeds } from "../control/disconnect.ts";
import { storeAnnounced } from "../control/announced-ends.ts";
import type { Session } from "../sessions/advance.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { cardHolder, openCardSessions } from "./end-sessions.ts";
import { sessionsCutShort } from "./time-left.ts";

/**
 * Extends the `due` sessions of a card at routers that would cut them short. The caller has checked permissions. On failure the
 * code can still log in again.
 */
export async function tellTimeLeft(
  db: Db,
  by: Actor,
  { cardId, due }: { cardId: number; due: ReadonlySet<number> },
  needs: ControlNeeds,
): Promise<AppliedSession[]> {
  const ends = new Map(
    sessionsCutShort(db, needs.clock(), cardId).map(({ sessionId, until }) => [sessionId, until]),
  );
  const answers = openCardSessions(db, cardId).map(async (session) => {
    const until = due.has(session.id) ? ends.get(session.id) : undefined;
    return until === undefined ? [] : [await tellEnd(db, by, { session, until }, needs)];
  });
  return (await Promise.all(answers)).flat();
}

async function tellEnd(
  db: Db,
  by: Actor,
  { session, until }: { session: Session; until: Seconds },
  { clock, routers }: ControlNeeds,
): Promise<AppliedSession> {
  const holder = cardHolder(db, session);
  const answer = await routers.changeTimeout(holder, session, until - session.startedAt);
  if (answer.kind === "failed") {
    const untold = `${answer.reason}; its card lasts until ${formatTime(until)}, and lets in again whoever is cut off before`;
    return { session, answer, outcome: "redials", untold };
  }
  if (answer.kind === "gone") {
    await bookAnswers(db, holder, [{ session, answer }], { now: clock(), by });
    return { session, answer, outcome: "already_offline" };
  }
  await writePatiently(db, (tx) => storeAnnounced(tx, session, until));
  return { session, answer, outcome: "changed" };
}
