import type { Phrase } from "../../../../domain/core/errors/phrase.ts";
import type { CarriedOut } from "../../../../domain/goods/router-setup/carry-out.ts";
import type { EndedConnections } from "../../../../domain/goods/router-setup/garden/connections.ts";
import type { NamedPlace } from "../../../../domain/goods/router-setup/places.ts";
import type { ProofStep } from "../../../../domain/goods/router-setup/prove.ts";
import type { Difference, SetupRequest } from "../../../../domain/goods/router-setup/setup.ts";

/** Minutes that a login waits for its answer. */
export const WAITS = 5;

type Phase =
  /** Waiting for an answer; `request` has the login, which goes with this phase. */
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
  /** It became unreachable. */
  | { readonly kind: "refused"; readonly reason: Phrase }
  /** A bug, reported at the next look. */
  | { readonly kind: "broken"; readonly error: unknown };

export interface SetupRun {
  readonly nasId: number;
  readonly mode: SetupRequest["mode"];
  /** Distinguishes it from a later one. */
  readonly begun: string;
  readonly difference: Difference;
  readonly phase: Phase;
}

/** Sessions whose set-ups are remembered. */
const MOST = 100;

/** Set-ups in memory, one for each console session. */
export class SetupRuns {
  readonly #runs = new Map<string, SetupRun>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** Of a router in a session. */
  of(sessionKey: string, nasId: number): SetupRun | undefined {
    const run = this.#runs.get(sessionKey);
    return run?.nasId === nasId ? run : undefined;
  }

  /** Stores the phase; a waiting one is forgotten with its login after a while. */
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

  /** Advances a run, unless another one replaced it. */
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
