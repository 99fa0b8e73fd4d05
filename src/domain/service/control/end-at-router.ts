import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { nasById } from "../../goods/nas/find.ts";
import type { Session } from "../sessions/advance.ts";
import { sessionsInScope } from "../sessions/in-scope.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { type ControlNeeds, endSessions, requireDisconnectEnabled } from "./disconnect.ts";
import { unknownHolder } from "./end.ts";
import type { Holder, RouterAnswer } from "./routers.ts";

/** Parallel requests to the router. */
const AT_ONCE = 20;
/** Milliseconds in which requests are started. */
const LONGEST = 20_000;

export interface EndedAtRouter {
  ended: number;
  gone: number;
  failed: number;
  reasons: { reason: string; sessions: number }[];
  /** Not tried: the router does not answer, or time ran out. */
  notAsked: number;
  /** Outside the scope. */
  outside: number;
}

/**
 * Ends every session at a router in scope. `confirm` has to be the router's name, as it may be a whole town. Throws not_found,
 * invalid, refused (switched off).
 */
export async function endSessionsAt(
  db: Db,
  by: Actor,
  { nasId, confirm }: { nasId: number; confirm: string | null | undefined },
  { clock, routers }: ControlNeeds,
): Promise<EndedAtRouter> {
  permit(by, "endSessionsAt");
  const router = nasById(db, by.scope, nasId);
  if (confirm !== router.name) {
    const fields = { confirm: [phrase`must be the name of the router, ${router.name}`] };
    throw new DomainError(
      "invalid",
      phrase`to end every session of the router, send confirm=${router.name}`,
      {
        fields,
      },
    );
  }
  requireDisconnectEnabled(db);
  const { holders, outside } = openAt(db, by, nasId);
  const answers: RouterAnswer[] = [];
  let isSilent = false;
  const end = performance.now() + LONGEST;
  const waiting = holders.toReversed();
  let unanswered = 0;
  const work = async (limit: number) => {
    for (let count = 0; count < limit; count++) {
      if (isSilent || performance.now() > end) return;
      const next = waiting.pop();
      if (!next) return;
      const requests = await endSessions(db, next.holder, next.sessions, { clock, by, routers });
      for (const { answer } of requests) {
        answers.push(answer);
        isSilent ||= answer.kind === "failed" && answer.isSilent === true;
      }
    }
  };
  await work(1); // alone, for a router that does not answer is asked once
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(Infinity)));
  for (const { sessions } of waiting) unanswered += sessions.length;
  return { ...summed(answers), notAsked: unanswered, outside };
}

interface Held {
  readonly holder: Holder;
  readonly sessions: Session[];
}

function openAt(db: Db, by: Actor, nasId: number): { holders: readonly Held[]; outside: number } {
  const matching = { text: "o.stopped_at IS NULL AND o.nas_id = ?", values: [nasId] };
  const found = sessionsInScope(db, by.scope, matching, { order: "id" });
  const all = db.$client
    .query<{ n: number }, [number]>(
      "SELECT count(*) AS n FROM sessions INDEXED BY sessions_open_board WHERE stopped_at IS NULL AND nas_id = ?",
    )
    .get(nasId);
  const holders = new Map<number | string, Held>();
  for (const { session, nasIspId } of found) {
    const key = session.subscriberId ?? session.username;
    const known = holders.get(key);
    if (known) {
      known.sessions.push(session);
      continue;
    }
    const holder =
      session.subscriberId === null
        ? unknownHolder({ session, ispId: nasIspId })
        : subscriberById(db, by.scope, session.subscriberId);
    holders.set(key, { holder, sessions: [session] });
  }
  return { holders: [...holders.values()], outside: Math.max(0, (all?.n ?? 0) - found.length) };
}

function summed(
  answers: readonly RouterAnswer[],
): Pick<EndedAtRouter, "ended" | "gone" | "failed" | "reasons"> {
  const reasons = new Map<string, number>();
  for (const answer of answers)
    if (answer.kind === "failed") reasons.set(answer.reason, (reasons.get(answer.reason) ?? 0) + 1);
  const count = (kind: RouterAnswer["kind"]) => answers.filter((answer) => answer.kind === kind).length;
  return {
    ended: count("acknowledged"),
    gone: count("gone"),
    failed: count("failed"),
    reasons: [...reasons].map(([reason, sessions]) => ({ reason, sessions })),
  };
}
