import type { Db } from "../../../../db/open.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import { subscriberActor } from "../../goods/subscribers/tokens.ts";
import type { Clock } from "../../core/time/time.ts";
import { enforceService } from "./apply.ts";
import { tellLimits } from "./apply-top-up.ts";
import type { Routers } from "./routers.ts";

/** Milliseconds for the response page to reach its reader, whose line may be cut. */
const GRACE = 2000;

interface Needs {
  clock: Clock;
  routers: Routers;
  /** Called when a router failed; the session stays as it is until its next login. */
  failed: (reason: string) => void;
  grace?: number;
}

/** Applies self-service renewals to open sessions, a moment later. */
export class ApplyLater {
  readonly #db: Db;
  readonly #needs: Needs;
  readonly #waiting = new Set<Timer>();
  readonly #underWay = new Set<Promise<void>>();
  #isStopped = false;

  constructor(db: Db, needs: Needs) {
    this.#db = db;
    this.#needs = needs;
  }

  add(subscriber: Subscriber): void {
    if (this.#isStopped) return;
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      const work = this.#apply(subscriber).finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
    }, this.#needs.grace ?? GRACE);
    this.#waiting.add(timer);
  }

  /** Starts nothing more, and resolves when routers have answered or timed out. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#waiting) clearTimeout(timer);
    await Promise.all(this.#underWay);
  }

  async #apply(subscriber: Subscriber): Promise<void> {
    const { clock, routers, failed } = this.#needs;
    try {
      const { answers } = await enforceService(
        this.#db,
        subscriberActor(subscriber, "portal"),
        { subscriberId: subscriber.id },
        { clock, routers },
      );
      for (const { session, answer, untold } of answers) {
        const reason = answer.kind === "failed" ? answer.reason : untold;
        if (reason !== undefined) failed(`${session.username}: ${reason}`);
      }
      const refused = await tellLimits(this.#db, subscriber.id, { clock, routers });
      if (refused !== undefined) failed(`${subscriber.username}: ${refused}`);
    } catch (error) {
      failed(String(error));
    }
  }
}
