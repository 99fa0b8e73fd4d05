import { randomBytes } from "node:crypto";
import type { Tx } from "../../../../db/open.ts";
import type { DomainError } from "../../../domain/core/errors/errors.ts";
import type { Input } from "../../../domain/core/fields/fields.ts";
import { once } from "../../../domain/core/once/once.ts";
import { attempt } from "../attempt.ts";
import type { StaffVisit } from "../guard.ts";

/** The idempotency key: a second press or reload counts as the first. A new one unless sent. */
export function FormKey({ value }: { value?: string | undefined }) {
  return <input type="hidden" name="key" value={value || randomBytes(16).toString("base64url")} />;
}

/** Runs once for the form's key, in one transaction with the stored answer or refusal. */
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
