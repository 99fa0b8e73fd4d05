import type { Db } from "../../../../db/open.ts";
import { type SessionAnswer, type ControlNeeds, type Ended, endSessions } from "../control/disconnect.ts";
import { unknownHolder } from "../control/end.ts";
import { type Session, sessionColumns } from "../sessions/advance.ts";
import type { Actor } from "../../core/actor/actor.ts";

export function openCardSessions({ $client }: Db, cardId: number): Session[] {
  const rows = $client
    .query<Session, [number]>(
      `SELECT ${sessionColumns("o")} FROM sessions o INDEXED BY sessions_open_card
       WHERE o.card_id = ? AND o.stopped_at IS NULL ORDER BY o.id`,
    )
    .all(cardId);
  for (const row of rows) row.class &&= Buffer.from(row.class);
  return rows;
}

/**
 * Ends a card's sessions, for example when voided, whatever disconnect_enabled says. The caller has checked permissions. A
 * failing router undoes nothing; the server retries.
 */
export async function endAllCardSessions(
  db: Db,
  by: Actor,
  { cardId }: { cardId: number },
  needs: ControlNeeds,
): Promise<Ended> {
  const answers = await endCardSessions(db, by, openCardSessions(db, cardId), needs);
  const failures = answers.flatMap(({ answer }) => (answer.kind === "failed" ? [answer.reason] : []));
  return { ended: answers.length - failures.length, failures: [...new Set(failures)] };
}

/** Disconnects a card's sessions and closes them here. Failed ones stay open. */
export async function endCardSessions(
  db: Db,
  by: Actor,
  open: readonly Session[],
  { clock, routers }: ControlNeeds,
): Promise<SessionAnswer[]> {
  const [first] = open;
  if (!first) return [];
  return endSessions(db, cardHolder(db, first), open, { clock, by, routers });
}

export function cardHolder({ $client }: Db, session: Session): ReturnType<typeof unknownHolder> {
  const batch = $client
    .query<{ ispId: number }, [number | null]>(
      "SELECT b.isp_id AS ispId FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = ?",
    )
    .get(session.cardId);
  return unknownHolder({ session, ispId: batch?.ispId ?? null });
}
