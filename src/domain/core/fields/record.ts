/** What a value is, as readers have it: money in units of the currency, a moment as a time in the server's zone, a flag as 0 or 1. */
export type Kind = "whole" | "real" | "words" | "money" | "moment" | "flag";

/** What whoever reads a noun has of a field of it. Its rule, where it is sent too, stands beside it; its label in the words of the console. */
export interface Reading {
  readonly kind: Kind;
  /** Some have none, which is null. */
  readonly isNullable?: true;
  /** For the documentation of the API and the help of commands: sentences, in which names and values stand in backticks. */
  readonly meaning: string;
  readonly example: string | number | null;
  /** How the help of a command names its value, where a command takes it. */
  readonly placeholder?: string;
}

/** What there is to say of a field of which rows have such a value: so a column does not compile that is not said, or said otherwise. */
export type ReadingOf<V> = Reading & {
  readonly kind: NonNullable<V> extends string ? "words" : "whole" | "real" | "money" | "moment" | "flag";
  readonly isNullable?: null extends V ? true : never;
} & (null extends V ? { readonly isNullable: true } : unknown);

export type RecordOf<Row> = { readonly [N in keyof Row]-?: ReadingOf<Row[N]> };
