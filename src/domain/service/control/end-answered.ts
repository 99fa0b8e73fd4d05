import type { Db } from "../../../../db/open.ts";
import type { Session } from "../sessions/advance.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { isConfirmed } from "./confirm.ts";
import { type ControlNeeds, endSessions, listTargets, requireDisconnectEnabled } from "./disconnect.ts";
import type { RouterAnswer } from "./routers.ts";
import { setting } from "../../core/settings/settings.ts";

export interface Answered {
  readonly session: Session | null;
  /** null: outside the scope. */
  readonly nasName: string | null;
  readonly answer: RouterAnswer;
  readonly took: number;
}

interface EndAnswered {
  readonly answers: readonly Answered[];
  /** Whether all acknowledged ones were seen gone, by Stop or the router's list. */
  readonly isConfirmed: boolean;
  readonly open: number;
}

/** Disconnects a subscriber's sessions, or one, and returns each router's answer. Failed ones stay open. Throws refused (switched off), not_found. */
export async function endAnswered(
  db: Db,
  by: Actor,
  { subscriberId, sessionId }: { subscriberId: number; sessionId?: number | undefined },
  { clock, routers }: ControlNeeds,
): Promise<EndAnswered> {
  permit(by, "endAnswered");
  requireDisconnectEnabled(db);
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const targets = listTargets(db, subscriber).filter(
    (session) => sessionId === undefined || session?.id === sessionId,
  );
  const since = performance.now();
  const answers = await endSessions(db, subscriber, targets, { clock, by, routers });
  const done = answers.filter(({ answer }) => answer.kind === "acknowledged").map(({ session }) => session);
  const patience = setting(db, "disconnect_confirm");
  return {
    answers: answers.map(({ session, answer, took = 0 }) => ({
      session,
      answer,
      took,
      nasName: findRouterName(db, by, session?.nasId ?? subscriber.nasId),
    })),
    isConfirmed: done.length > 0 && (await isConfirmed(db, subscriber, done, { routers, since, patience })),
    open: listTargets(db, subscriber).filter((session) => session !== null).length,
  };
}

function findRouterName({ $client }: Db, { scope }: Actor, nasId: number | null): string | null {
  const found = $client
    .query<{ name: string }, [number | null, number | null]>(
      "SELECT name FROM nas WHERE id = ? AND isp_id = coalesce(?, isp_id)",
    )
    .get(nasId, scope.ispId);
  return found?.name ?? null;
}
