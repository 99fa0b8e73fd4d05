import type { Seconds } from "../../core/time/time.ts";

/** That somebody says that books of a higher epoch count, which these have not signed: a question to a person, and no more. */
export interface Claim {
  /** The name of a box, or null: it lies in the bucket on nats-server. */
  readonly who: string | null;
  readonly epoch: number;
  readonly at: Seconds;
}

/** Who says so now. */
export class Claims {
  readonly #claims = new Map<string | null, Claim>();

  /** Keeps what `who` says last; an epoch that is not above `own` takes back what was said before. */
  hear({ who, epoch, at }: Claim, own: number): void {
    if (epoch > own) this.#claims.set(who, { who, epoch, at });
    else this.#claims.delete(who);
  }

  all(): readonly Claim[] {
    return [...this.#claims.values()];
  }
}
