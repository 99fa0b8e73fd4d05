import type { Seconds } from "../../core/time/time.ts";

/** An unsigned claim that a higher epoch counts: a question for a person, nothing more. */
export interface Claim {
  /** A box's name, or null: found in the bucket. */
  readonly who: string | null;
  readonly epoch: number;
  readonly at: Seconds;
}

/** Current claims. */
export class Claims {
  readonly #claims = new Map<string | null, Claim>();

  /** Replaces the claim of `who`; an epoch not above `own` withdraws it. */
  hear({ who, epoch, at }: Claim, own: number): void {
    if (epoch > own) this.#claims.set(who, { who, epoch, at });
    else this.#claims.delete(who);
  }

  all(): readonly Claim[] {
    return [...this.#claims.values()];
  }
}
