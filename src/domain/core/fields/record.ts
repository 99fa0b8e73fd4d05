export type Kind = "whole" | "real" | "words" | "money" | "moment" | "flag";

/** A field of a noun for its readers. Its rule stands beside it, its label in the console's words. */
export interface Reading {
  readonly kind: Kind;
  /** May be null. */
  readonly isNullable?: true;
  /** For API documentation and command help; names and values in backticks. */
  readonly meaning: string;
  readonly example: string | number | null;
  /** In the command's help. */
  readonly placeholder?: string;
}

/** Derives from the row type, so that a column has to be described correctly. */
export type ReadingOf<V> = Reading & {
  readonly kind: NonNullable<V> extends string ? "words" : "whole" | "real" | "money" | "moment" | "flag";
  readonly isNullable?: null extends V ? true : never;
} & (null extends V ? { readonly isNullable: true } : unknown);

export type RecordOf<Row> = { readonly [N in keyof Row]-?: ReadingOf<Row[N]> };
