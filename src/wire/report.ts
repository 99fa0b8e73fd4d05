import { type TObject, Type } from "@sinclair/typebox";
import type { Db } from "../../db/open.ts";
import type { Fields, Values } from "../domain/core/fields/fields.ts";
import type { Range } from "../domain/around/reports/range.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { StaffOperation } from "../domain/core/actor/permissions.ts";
import type { Isps } from "../domain/money/sums/isps.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import type { Cell, CellKind, Column } from "./report-columns.ts";
import { completeRange, type UsualRange } from "./report-range.ts";

/** A row as the API, a file and the command line show it; columns in the report's order. */
export type Row = Record<string, Cell>;

interface ReportContext {
  readonly db: Db;
  readonly by: Actor;
  readonly now: Seconds;
  /** For reports across ISPs. */
  readonly isps?: Isps;
}

/** A report: its parameters, columns and rows. */
export interface Report {
  /** In API paths and at the command line. */
  readonly name: string;
  readonly operation: StaffOperation;
  readonly summary: string;
  readonly description: string;
  readonly filters: Fields;
  /** Schema of a row with all columns. */
  readonly record: TObject;
  readonly kinds: Readonly<Record<string, CellKind>>;
  readonly example: Row;
  /** The report's range; undefined when it has none. */
  readonly range: (values: object, now: Seconds) => Range | undefined;
  /** The columns and rows for these parameters. Throws as the report does. */
  readonly read: (context: ReportContext, values: object) => { columns: string[]; rows: Row[] };
}

interface Declared<F extends Fields, R> extends Pick<
  Report,
  "name" | "operation" | "summary" | "description" | "example"
> {
  readonly filters: F;
  readonly columns: Readonly<Record<string, Column<R>>>;
  /** The groupings chosen by the parameters; without it all columns are always shown. */
  readonly by?: (values: Values<F>) => readonly string[];
  /** The default range; without it the report has no range. */
  readonly usual?: (values: Values<F>) => UsualRange;
  readonly rows: (context: ReportContext & { readonly range: Range }, values: Values<F>) => readonly R[];
}

export type RowOf<F extends (...values: never[]) => { rows: unknown[] }> = ReturnType<F>["rows"][number];

export function declareReport<R>() {
  return <F extends Fields>({ columns, by = () => [], usual, rows, ...declared }: Declared<F, R>): Report => {
    const all = Object.entries(columns);
    const schemas = all.map(([name, { schema, by: only }]) => [name, only ? Type.Optional(schema) : schema]);
    const range = (values: Values<F>, now: Seconds) => usual && completeRange(values, now, usual(values));
    return {
      ...declared,
      range,
      record: Type.Object(Object.fromEntries(schemas)),
      kinds: Object.fromEntries(all.map(([name, { kind }]) => [name, kind])),
      read: (context, values: Values<F>) => {
        const chosen = by(values);
        const visible = all.filter(([, { by: only }]) => only === undefined || chosen.includes(only));
        const shape = (row: R) => Object.fromEntries(visible.map(([name, { of }]) => [name, of(row)]));
        return {
          columns: visible.map(([name]) => name),
          rows: rows({ ...context, range: range(values, context.now) ?? at(context) }, values).map(shape),
        };
      },
    };
  };
}

const at = ({ now }: ReportContext): Range => ({ from: now, to: now });
