import type { Value } from "../../../../db/condition.ts";
import { namesOf, type Values, without } from "../../core/fields/fields.ts";
import { fold } from "../../core/fields/text.ts";
import { columnFields } from "./fields.ts";

const names = namesOf(without(columnFields, ["password"]));

/** What is given of a subscriber, the password apart, by the names of its columns; undefined leaves a column as it is. */
export function subscriberColumns(values: Values<typeof columnFields>): Record<string, Value | undefined> {
  const columns: Record<string, Value | undefined> = {};
  for (const name of names) columns[name] = values[name];
  const { branch_id, username, email } = values;
  columns["branch_id"] = branch_id === 0 ? null : branch_id;
  columns["username_key"] = username && fold(username);
  columns["email_key"] = email && fold(email);
  return columns;
}

/** What an archived subscriber's username is found by, for the store: no login has a NUL in its name, so the name is free. */
export function archivedKey(id: number, username: string): string {
  return `${fold(username)}\0${id}`;
}
