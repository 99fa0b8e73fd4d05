/** What the name of a trigger ends with, by what it follows. */
export const endings = { INSERT: "", UPDATE: "_updated", DELETE: "_deleted" } as const;

interface Following {
  readonly name: string;
  readonly table: string;
  /** For an UPDATE: of one of these columns. */
  readonly event: "INSERT" | "UPDATE" | "DELETE";
  readonly of?: readonly string[] | undefined;
  readonly when?: string | undefined;
}

/** A trigger after the change of a row, as SQLite keeps its text. */
export function after({ name, table, event, of, when }: Following, body: string): string {
  const columns = of ? ` OF ${quoted(of)}` : "";
  const condition = when === undefined ? "" : ` WHEN ${when}`;
  return `CREATE TRIGGER \`${name}\` AFTER ${event}${columns} ON \`${table}\`${condition} BEGIN ${body} END`;
}

export const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

/** Whether one of the columns holds something else than before. */
export const changed = (columns: readonly string[]) =>
  columns.map((name) => `NEW.\`${name}\` IS NOT OLD.\`${name}\``).join(" OR ");

/** Only books that have access boxes. */
export const MARKING = "(SELECT `marking` FROM `access_state`) = 1";
