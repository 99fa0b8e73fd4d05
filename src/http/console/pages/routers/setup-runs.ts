import type { CarriedOut } from "../../../../domain/goods/router-setup/carry-out.ts";
import type { EndedConnections } from "../../../../domain/goods/router-setup/garden/connections.ts";
import type { NamedPlace } from "../../../../domain/goods/router-setup/places.ts";
import type { ProofStep } from "../../../../domain/goods/router-setup/prove.ts";
import type { Difference, SetupRequest } from "../../../../domain/goods/router-setup/setup.ts";

/** Minutes for which a login waits for the answer of who gave it. */
export const WAITS = 5;

type Phase =
  /** Somebody looks at the difference; `request` has the login, which is forgotten with this phase. */
  | {
      readonly kind: "asked";
      readonly request: SetupRequest;
      readonly places: readonly NamedPlace[];
      readonly isOther: boolean;
    }
  | { readonly kind: "running"; readonly done: number; readonly all: number }
  | { readonly kind: "proving" }
  | {
      readonly kind: "ended";
      readonly outcome: CarriedOut;
      readonly proof: readonly ProofStep[];
      readonly connections?: EndedConnections;
    }
  /** It could not be reached any more. */
  | { readonly kind: "refused"; readonly reason: string }
  /** A bug, which the next who looks hears of. */
  | { readonly kind: "broken"; readonly error: unknown };

export interface SetupRun {
  readonly nasId: number;
  readonly mode: SetupRequest["mode"];
  /** Tells it from one that is begun after it. */
  readonly begun: string;
  readonly difference: Difference;
  readonly phase: Phase;
}

/** Sessions whose set-ups are remembered. */
const MOST = 100;

/** Set-ups of routers that are asked about, under way or over, in memory: each session of the console has one. */
export class SetupRuns {
  readonly #runs = new Map<string, SetupRun>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** That of a router in a session. */
  of(sessionKey: string, nasId: number): SetupRun | undefined {
    const run = this.#runs.get(sessionKey);
    return run?.nasId === nasId ? run : undefined;
  }

  /** Keeps how far it is; one that asks is forgotten with its login after a while. */
  keep(sessionKey: string, run: SetupRun): void {
    this.forget(sessionKey);
    this.#runs.set(sessionKey, run);
    if (run.phase.kind === "asked") {
      const timer = setTimeout(() => this.forget(sessionKey), WAITS * 60_000);
      timer.unref();
      this.#timers.set(sessionKey, timer);
    }
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MOST && oldest !== undefined) this.forget(oldest);
  }

  /** A run, further on; what is left of one that somebody turned away from is no business of the one after it. */
  advance(sessionKey: string, { nasId, begun }: SetupRun, phase: Phase, difference?: Difference): void {
    const run = this.#runs.get(sessionKey);
    if (run?.nasId !== nasId || run.begun !== begun) return;
    this.keep(sessionKey, { ...run, phase, difference: difference ?? run.difference });
  }

  forget(sessionKey: string): void {
    clearTimeout(this.#timers.get(sessionKey));
    this.#timers.delete(sessionKey);
    this.#runs.delete(sessionKey);
  }
}
