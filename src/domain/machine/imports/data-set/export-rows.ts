import type { Db } from "../../../../../db/open.ts";
import type { Fields, ViewOf } from "../../../core/fields/fields.ts";

/** A field that is no column: its SQL (`t` is the row), and its format. */
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

/** A table in import format, by id: columns in field order, `own` fields replacing or following them. `joined` continues FROM. */
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
