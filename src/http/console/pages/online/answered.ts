import type { RouterAnswer, Routers } from "../../../../domain/service/control/routers.ts";
import type { Session } from "../../../../domain/service/sessions/advance.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";

export interface TimedAnswer {
  readonly session: Session | null;
  readonly answer: RouterAnswer;
  readonly took: number;
}

/** Wraps routers to record each answer's time. */
export function timed(routers: Routers): { routers: Routers; answers: TimedAnswer[] } {
  const answers: TimedAnswer[] = [];
  const disconnect: Routers["disconnect"] = async (holder, session, silence) => {
    const since = performance.now();
    const answer = await routers.disconnect(holder, session, silence);
    answers.push({ session, answer, took: performance.now() - since });
    return answer;
  };
  return { routers: { ...routers, disconnect }, answers };
}

export interface NotedAnswer extends Pick<TimedAnswer, "answer" | "took"> {
  readonly sessionId: number;
  readonly at: Seconds;
}

/** Seconds that an answer stays in its session's row. */
const STANDS = 60;
const MOST_SESSIONS = 1000;
const MOST_ANSWERS = 200;

/** Recent answers of routers, by person. */
export class Answered {
  readonly #answers = new Map<string, NotedAnswer[]>();

  add(sessionKey: string, noted: readonly NotedAnswer[]): void {
    const ids = new Set(noted.map(({ sessionId }) => sessionId));
    const before = (this.#answers.get(sessionKey) ?? []).filter(({ sessionId }) => !ids.has(sessionId));
    this.#answers.delete(sessionKey);
    this.#answers.set(sessionKey, [...before, ...noted].slice(-MOST_ANSWERS));
    const [oldest = ""] = this.#answers.keys();
    if (this.#answers.size > MOST_SESSIONS) this.#answers.delete(oldest);
  }

  /** Those that are new enough, by the session that they are about. */
  of(sessionKey: string, now: Seconds): ReadonlyMap<number, NotedAnswer> {
    const fresh = (this.#answers.get(sessionKey) ?? []).filter(({ at }) => now - at < STANDS);
    return new Map(fresh.map((noted) => [noted.sessionId, noted]));
  }
}
