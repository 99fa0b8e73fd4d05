import type { Db } from "../../../../../db/open.ts";
import type { Fields, ViewOf } from "../../../core/fields/fields.ts";

/** What is no column of its name: where its value comes from, in SQL (`t` is the row), and how it is written. */
interface Own {
  readonly sql?: string;
  show(value: unknown, id: number): unknown;
}

type ExportedRow<F extends Fields, O> = { id: number } & {
  [K in keyof F | keyof O]: K extends keyof O
    ? O[K] extends { show(...args: never): infer S }
      ? S
      : never
    : K extends keyof F
      ? ViewOf<F[K]>
      : never;
};

/**
 * Every row of a table by its id as the import format has it: its columns by the names of the fields, in their order, with what is
 * `own` in its place or behind them. `joined` follows the table in the query.
 */
export function exportRows<F extends Fields, O extends Readonly<Record<string, Own>> = Record<never, never>>(
  { $client }: Db,
  { table, fields, joined = "", own }: { table: string; fields: F; joined?: string; own?: O },
): ExportedRow<F, O>[] {
  const special: Readonly<Record<string, Own | undefined>> = own ?? {};
  const names = Object.keys({ ...fields, ...own });
  const list = names.map(
    (name) => `${special[name] ? (special[name].sql ?? "NULL") : `t.${name}`} AS ${name}`,
  );
  const rows = $client
    .query<ExportedRow<F, O>, []>(
      `SELECT t.id, ${list.join(", ")} FROM ${table} AS t ${joined} ORDER BY t.id`,
    )
    .all();
  for (const name of names) {
    const { show } = special[name] ?? fields[name] ?? {};
    if (show) for (const row of rows) Object.assign(row, { [name]: show(Reflect.get(row, name), row.id) });
  }
  return rows;
}
