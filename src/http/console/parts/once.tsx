import { randomBytes } from "node:crypto";
import type { Tx } from "../../../../db/open.ts";
import type { DomainError } from "../../../domain/core/errors/errors.ts";
import type { Input } from "../../../domain/core/fields/fields.ts";
import { once } from "../../../domain/core/once/once.ts";
import { attempt } from "../attempt.ts";
import type { StaffVisit } from "../guard.ts";

/** What makes a second press, or a reload of the answer, the same as the first; without a value that was sent: a new one. */
export function FormKey({ value }: { value?: string | undefined }) {
  return <input type="hidden" name="key" value={value || randomBytes(16).toString("base64url")} />;
}

/** Does it once for the key of the form: in one transaction with its answer, or the refusal. */
export function doOnce<T>(
  visit: StaffVisit,
  path: string,
  input: Input,
  begin: (tx: Tx) => () => T,
): Promise<T | DomainError> {
  const { db, by, now } = visit;
  const { form_token: _, sure: _sure, key, ...sent } = input; // a question that was answered is no other form
  return attempt(visit, async () =>
    once(db, by, { path, key: typeof key === "string" ? key : "", input: sent }, { now }, begin),
  );
}
