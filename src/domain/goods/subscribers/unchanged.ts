import { keyOf } from "../../../../db/columns.ts";
import { subscribers } from "../../../../db/schema.ts";
import { DomainError, type Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formText } from "../../core/fields/fields.ts";
import { columnFields, profileFields } from "./fields.ts";
import type { Subscriber } from "./find.ts";

type EditedName = Exclude<keyof typeof profileFields, "password" | "isp_id">;

/** Original form values, by `storedFormText`. */
export type Expected = Readonly<Record<string, string>>;

export function isEdited(name: string): name is EditedName {
  return Object.hasOwn(profileFields, name) && name !== "password" && name !== "isp_id";
}

/** null is "". */
export function storedFormText(
  subscriber: Omit<Subscriber, "passwordSealed" | "portalPass">,
  name: EditedName,
): string {
  return formText(columnFields[name], Reflect.get(subscriber, keyOf(subscribers, name)));
}

/** Throws `conflict` for fields changed meanwhile. */
export function requireUnchanged(before: Subscriber, expected: Expected): void {
  const fields: Faults = {};
  for (const [name, was] of Object.entries(expected)) {
    if (!isEdited(name)) continue;
    const is = storedFormText(before, name);
    if (is !== was)
      fields[name] = [is === "" ? phrase`was emptied meanwhile` : phrase`was changed to ${is} meanwhile`];
  }
  const names = Object.keys(fields);
  if (names.length === 0) return;
  throw new DomainError(
    "conflict",
    phrase`somebody else has changed ${names.join(", ")} since this form was opened; nothing was saved: look at it again`,
    { code: "stale", fields },
  );
}
