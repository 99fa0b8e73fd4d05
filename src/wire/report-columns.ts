import { type TSchema, Type } from "@sinclair/typebox";
import { formatMinor } from "../domain/core/amounts/money.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import { nullable } from "./kinds.ts";
import { writeTimeOrNull } from "./time.ts";
import { money } from "./money.ts";

export type Cell = string | number | null;
/** How a cell is formatted at a terminal. */
export type CellKind = "id" | "text" | "count" | "amount" | "octets";

/** A report's column: its value, its schema, and whether it appears only when grouped by it. */
export interface Column<R> {
  readonly kind: CellKind;
  readonly schema: TSchema;
  readonly of: (row: R) => Cell;
  readonly by?: string;
}

type Of<R, T> = (row: R) => T;

export const number = <R>(of: Of<R, number>): Column<R> => ({ kind: "count", schema: Type.Integer(), of });
export const someNumber = <R>(of: Of<R, number | null>): Column<R> => ({
  kind: "count",
  schema: nullable(Type.Integer()),
  of,
});
export const octets = <R>(of: Of<R, number>): Column<R> => ({ kind: "octets", schema: Type.Integer(), of });
export const amount = <R>(of: Of<R, number>): Column<R> => ({
  kind: "amount",
  schema: money,
  of: (row) => formatMinor(of(row)),
});
export const text = <R>(of: Of<R, string>): Column<R> => ({ kind: "text", schema: Type.String(), of });
export const someText = <R>(of: Of<R, string | null>): Column<R> => ({
  kind: "text",
  schema: nullable(Type.String()),
  of,
});
export const id = <R>(of: Of<R, number | null>): Column<R> => ({
  kind: "id",
  schema: nullable(Type.Integer()),
  of: (row) => of(row) || null,
});
export const time = <R>(of: Of<R, Seconds | null>): Column<R> => ({
  kind: "text",
  schema: nullable(Type.String()),
  of: (row) => {
    const at = of(row);
    return writeTimeOrNull(at);
  },
});
/** A local day, 20260131 as 2026-01-31, or a month, 202601 as 2026-01. */
export const period = <R>(of: Of<R, number | null>): Column<R> => ({
  kind: "text",
  schema: Type.String(),
  of: (row) => periodToJson(of(row) ?? 0),
});

function periodToJson(number: number): string {
  const digits = String(number);
  return [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)].filter((part) => part !== "").join("-");
}

/** Columns that appear only when the report is grouped by them. */
export function onlyBy<R>(
  by: string,
  columns: Readonly<Record<string, Column<R>>>,
): Record<string, Column<R>> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, { ...column, by }]));
}

interface OfIsp {
  ispId: number;
  isp: string | null;
}

export function ofIsp<R extends OfIsp>(): Record<string, Column<R>> {
  return { isp_id: number((row) => row.ispId), isp: someText((row) => row.isp) };
}

/** The same, with the currency of its amounts. */
export function ispMoney<R extends OfIsp & { currency: string }>(): Record<string, Column<R>> {
  return { ...ofIsp<R>(), currency: text((row) => row.currency) };
}
