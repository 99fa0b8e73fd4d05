import type { TSchema } from "@sinclair/typebox";
import { DomainError, type FieldErrors, rejectFaults } from "../domain/core/errors/errors.ts";
import {
  type Fields,
  flag,
  id,
  type Input,
  readFields,
  scopeId,
  type Values,
} from "../domain/core/fields/fields.ts";

/** The parameters of an operation: what its handler reads and what the OpenAPI document says it takes. */
export interface Form<F extends Fields = Fields, R extends keyof F & string = never> {
  readonly fields: F;
  readonly required: readonly R[];
  readonly example: Readonly<Record<string, unknown>>;
  /** What a parameter means here, where that is not what its name means elsewhere (meanings.ts). */
  readonly meanings?: Readonly<Record<string, string>>;
  /** The schema of parameters whose names are not known beforehand. */
  readonly others?: TSchema;
}

/** Required parameters have a value, the others may be absent (undefined) or empty (null). */
type Parameters<F extends Fields, R extends keyof F> = Values<F> & {
  [K in R]: NonNullable<Values<F>[K]>;
};

const place = { isp_id: scopeId, branch_id: scopeId };

/** Where a call says that its rows are. */
export type Place = Values<typeof place>;

/** A form of HTTP Basic calls: how it is read, and which of its parameters limit the caller to an ISP or a branch. */
export interface ManagementForm<V> extends Form<Fields, string> {
  /** Throws `invalid` with every fault. */
  readonly read: (input: Input) => V;
  readonly narrowedBy: readonly (keyof Place & keyof V)[];
}

/** A form of HTTP Basic calls: isp_id and branch_id are accepted on every one, and limit the caller. */
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

/** Of calls that take nothing else. */
export const noForm = managementForm({}, [], {});

/** Of calls about one subscriber, who is not found where it was archived unless `archived` is 1. */
export const archivedToo = managementForm({ archived: flag }, [], {});

/** Reads the parameters of a form. Throws `invalid` with every fault. */
export function read<F extends Fields, R extends keyof F & string>(
  { fields, required }: Form<F, R>,
  input: Input,
): Parameters<F, R> {
  const faults: FieldErrors = {};
  const values = readFields(fields, input, faults, { required });
  rejectFaults(faults);
  return values as Parameters<F, R>; // a required field that is missing was a fault
}

/** An id in a path; a malformed one is as unknown as a missing row. Throws `not_found`. */
export function pathId(noun: string, text: string | null): number {
  if (text === null) throw new DomainError("not_found", `there is no ${noun} with such an id`); // did not decode
  const number = /^[0-9]+$/.test(text) ? id.read(text) : undefined;
  if (number === undefined) throw new DomainError("not_found", `there is no ${noun} ${text}`);
  return number;
}
