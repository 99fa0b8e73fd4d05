/** Suffixes of trigger names. */
export const endings = { INSERT: "", UPDATE: "_updated", DELETE: "_deleted" } as const;

interface Following {
  readonly name: string;
  readonly table: string;
  /** UPDATE of these columns only. */
  readonly event: "INSERT" | "UPDATE" | "DELETE";
  readonly of?: readonly string[] | undefined;
  readonly when?: string | undefined;
}

/** An AFTER trigger, formatted as SQLite stores it. */
export function after({ name, table, event, of, when }: Following, body: string): string {
  const columns = of ? ` OF ${quoted(of)}` : "";
  const condition = when === undefined ? "" : ` WHEN ${when}`;
  return `CREATE TRIGGER \`${name}\` AFTER ${event}${columns} ON \`${table}\`${condition} BEGIN ${body} END`;
}

export const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

/** The condition that a value of one of the columns changes. */
export const changed = (columns: readonly string[]) =>
  columns.map((name) => `NEW.\`${name}\` IS NOT OLD.\`${name}\``).join(" OR ");

/** The condition that this is a primary with access boxes. */
export const MARKING = "(SELECT `marking` FROM `access_state`) = 1";
