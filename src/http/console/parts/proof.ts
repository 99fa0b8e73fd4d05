import { DomainError } from "../../../domain/core/errors/errors.ts";
import { countFailure } from "../../account-failures.ts";
import { attempt } from "../attempt.ts";
import type { StaffVisit } from "../guard.ts";

/** The field of a form that a secret is typed into, and what is said of a wrong one. */
interface ProofInput {
  readonly field: string;
  readonly wrong: string;
}

/** What needs a secret that is typed into a form. Throws `invalid`, of its field, where that is wrong or was so too often. */
export async function proven<T>(
  visit: StaffVisit,
  { field, wrong }: ProofInput,
  work: () => Promise<T>,
): Promise<T> {
  const outcome = await attempt(visit, work);
  if (!(outcome instanceof DomainError)) return outcome;
  const { kind, retryAfter = 1 } = outcome;
  if (kind !== "unauthenticated" && kind !== "too_soon") throw outcome;
  const fault = kind === "too_soon" ? visit.view.words.me.tooMany(retryAfter) : wrong;
  throw new DomainError("invalid", fault, { fields: { [field]: [fault] } });
}

/** The same for the own password once more; a wrong one counts like a sign-in that failed. */
export function byOwnPassword<T>(visit: StaffVisit, field: string, work: () => Promise<T>): Promise<T> {
  const { account, needs, source, view } = visit;
  const holder = { holder: `account ${account.id}`, address: source };
  return proven(visit, { field, wrong: view.words.me.wrongPassword }, () =>
    countFailure(needs.accountFailures, holder, work),
  );
}
