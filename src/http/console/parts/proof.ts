import { DomainError } from "../../../domain/core/errors/errors.ts";
import { verbatim } from "../../../domain/core/errors/phrase.ts";
import { countFailure } from "../../account-failures.ts";
import { attempt } from "../attempt.ts";
import type { StaffVisit } from "../guard.ts";

/** The field of a secret, and the message for a wrong one. */
interface ProofInput {
  readonly field: string;
  readonly wrong: string;
}

/** Runs work that needs a typed secret. Throws `invalid` of its field for a wrong one or too many. */
export async function proven<T>(
  visit: StaffVisit,
  { field, wrong }: ProofInput,
  work: () => Promise<T>,
): Promise<T> {
  const outcome = await attempt(visit, work);
  if (!(outcome instanceof DomainError)) return outcome;
  const { kind, retryAfter = 1 } = outcome;
  if (kind !== "unauthenticated" && kind !== "too_soon") throw outcome;
  const fault = verbatim(kind === "too_soon" ? visit.view.words.me.tooMany(retryAfter) : wrong);
  throw new DomainError("invalid", fault, { fields: { [field]: [fault] } });
}

/** Work proven by the own password; wrong ones count as failed sign-ins. */
export function byOwnPassword<T>(visit: StaffVisit, field: string, work: () => Promise<T>): Promise<T> {
  const { account, needs, source, view } = visit;
  const holder = { holder: `account ${account.id}`, address: source };
  return proven(visit, { field, wrong: view.words.me.wrongPassword }, () =>
    countFailure(needs.accountFailures, holder, work),
  );
}
