import { keyOf } from "../../../../db/columns.ts";
import { subscribers } from "../../../../db/schema.ts";
import { DomainError, type FieldErrors } from "../../core/errors/errors.ts";
import { formText } from "../../core/fields/fields.ts";
import { columnFields, profileFields } from "./fields.ts";
import type { Subscriber } from "./find.ts";

/** What is written of a subscriber in one form; the password is not, for nobody reads it back. */
type EditedName = Exclude<keyof typeof profileFields, "password" | "isp_id">;

/** Values as a form had them when it was opened, by field: `textOf`. */
export type Expected = Readonly<Record<string, string>>;

export function isEdited(name: string): name is EditedName {
  return Object.hasOwn(profileFields, name) && name !== "password" && name !== "isp_id";
}

/** A stored value as a form shows it; nothing is "". */
export function textOf(
  subscriber: Omit<Subscriber, "passwordSealed" | "portalPass">,
  name: EditedName,
): string {
  return formText(columnFields[name], Reflect.get(subscriber, keyOf(subscribers, name)));
}

/** Throws `conflict` with each field that somebody else has changed since: what is sent of it would overwrite that. */
export function requireUnchanged(before: Subscriber, expected: Expected): void {
  const fields: FieldErrors = {};
  for (const [name, was] of Object.entries(expected)) {
    if (!isEdited(name)) continue;
    const is = textOf(before, name);
    if (is !== was) fields[name] = [is === "" ? "was emptied meanwhile" : `was changed to ${is} meanwhile`];
  }
  const names = Object.keys(fields);
  if (names.length === 0) return;
  throw new DomainError(
    "conflict",
    `somebody else has changed ${names.join(", ")} since this form was opened; nothing was saved: look at it again`,
    { code: "stale", fields },
  );
}
