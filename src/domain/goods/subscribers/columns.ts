import type { Value } from "../../../../db/condition.ts";
import { fieldNames, type Values, without } from "../../core/fields/fields.ts";
import { fold } from "../../core/fields/text.ts";
import { columnFields } from "./fields.ts";

const names = fieldNames(without(columnFields, ["password"]));

/** Columns of values without the password; undefined is not set. */
export function subscriberColumns(values: Values<typeof columnFields>): Record<string, Value | undefined> {
  const columns: Record<string, Value | undefined> = {};
  for (const name of names) columns[name] = values[name];
  const { branch_id, username, email } = values;
  columns["branch_id"] = branch_id === 0 ? null : branch_id;
  columns["username_key"] = username && fold(username);
  columns["email_key"] = email && fold(email);
  return columns;
}

/** Frees the username: no login has a NUL. */
export function archivedKey(id: number, username: string): string {
  return `${fold(username)}\0${id}`;
}
