import type { Db } from "./open.ts";

/*
 * Whoever keeps a copy reads what was changed since: records by (number, id), where a transaction's number is above all that were
 * committed before it, because SQLite has one writer at a time. Seconds would repeat, and a clock may be set back.
 */

/** Numbers of the nouns, as they are stored. */
export const nouns = { subscriber: 1, payment: 2, invoice: 3 } as const;
export type Noun = keyof typeof nouns;

/** SQL: the next number of a noun. */
const next = (noun: Noun) =>
  `(SELECT ifnull(max(\`number\`), 0) + 1 FROM \`record_changes\` WHERE \`noun\` = ${nouns[noun]})`;

/** SQL of a change: of one record, by an expression of its id, or of the `FROM ... WHERE ...` of several. */
export function noteChange(noun: Noun, id: string, among = "WHERE TRUE"): string {
  return `INSERT INTO \`record_changes\` (\`noun\`, \`id\`, \`number\`) SELECT ${nouns[noun]}, ${id}, ${next(noun)} ${among} ON CONFLICT (\`noun\`, \`id\`) DO UPDATE SET \`number\` = excluded.\`number\`;`;
}

/** Notes that a record has changed where no statement changes it: by the clock. */
export function noteChanged({ $client }: Pick<Db, "$client">, noun: Noun, id: number): void {
  $client.query<unknown, [number]>(noteChange(noun, "?")).run(id);
}

const LAST_SESSION_CHANGE =
  "(SELECT ifnull(max(change), 0) FROM sessions INDEXED BY sessions_changed WHERE stopped_at IS NOT NULL)";

/** SQL. */
export const NEXT_SESSION_CHANGE = `${LAST_SESSION_CHANGE} + 1`;

/**
 * SQL that belongs to every UPDATE of `sessions` that ends one, or changes one that has ended. No trigger does it: one on `sessions` makes
 * SQLite copy each page that accounting changes.
 */
export const SESSION_CHANGED = `change = ${NEXT_SESSION_CHANGE}`;

/** SQL: all but the session that was changed last, whose number nothing else may get. */
export const NOT_LAST_CHANGED = `(change = 0 OR change < ${LAST_SESSION_CHANGE})`;

export function nextSessionChange({ $client }: Pick<Db, "$client">): number {
  return $client.query<{ next: number }, []>(`SELECT ${NEXT_SESSION_CHANGE} AS next`).get()?.next ?? 1;
}
