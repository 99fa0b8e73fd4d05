import type { TSchema } from "@sinclair/typebox";
import { DomainError, type Faults, rejectFaults } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import {
  type Fields,
  flag,
  id,
  type Input,
  readFields,
  scopeId,
  type Values,
} from "../domain/core/fields/fields.ts";

export interface Form<F extends Fields = Fields, R extends keyof F & string = never> {
  readonly fields: F;
  readonly required: readonly R[];
  readonly example: Readonly<Record<string, unknown>>;
  /** Overrides of meanings.ts. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** For parameters with unknown names. */
  readonly others?: TSchema;
}

/** Others may be undefined (absent) or null (empty). */
type Parameters<F extends Fields, R extends keyof F> = Values<F> & {
  [K in R]: NonNullable<Values<F>[K]>;
};

const place = { isp_id: scopeId, branch_id: scopeId };

export type Place = Values<typeof place>;

/** A form with the parameters that narrow the caller to an ISP or branch. */
export interface ManagementForm<V> extends Form<Fields, string> {
  /** Throws `invalid` with every fault. */
  readonly read: (input: Input) => V;
  readonly narrowedBy: readonly (keyof Place & keyof V)[];
}

/** Accepts isp_id and branch_id, which narrow the caller. */
export function managementForm<F extends Fields, R extends keyof F & string>(
  fields: F,
  required: readonly R[],
  example: Readonly<Record<string, unknown>>,
) {
  const form = { fields: { ...place, ...fields }, required, example };
  return {
    ...form,
    read: (input: Input) => read<typeof place & F, R>(form, input),
    narrowedBy: ["isp_id", "branch_id"] as const,
  };
}

export const noForm = managementForm({}, [], {});

/** Archived subscribers are found only with `archived` 1. */
export const archivedToo = managementForm({ archived: flag }, [], {});

/** Throws `invalid` with every fault. */
export function read<F extends Fields, R extends keyof F & string>(
  { fields, required }: Form<F, R>,
  input: Input,
): Parameters<F, R> {
  const faults: Faults = {};
  const values = readFields(fields, input, faults, { required });
  rejectFaults(faults);
  return values as Parameters<F, R>; // a required field that is missing was a fault
}

/** A malformed id counts as unknown. Throws `not_found`. */
export function pathId(noun: string, text: string | null): number {
  if (text === null) throw new DomainError("not_found", phrase`there is no ${noun} with such an id`); // did not decode
  const number = /^[0-9]+$/.test(text) ? id.read(text) : undefined;
  if (number === undefined) throw new DomainError("not_found", phrase`there is no ${noun} ${text}`);
  return number;
}
