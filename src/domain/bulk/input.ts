import { Type } from "@sinclair/typebox";
import type { FieldErrors } from "../errors.ts";
import { addFault, field, type Field, type Fields, type Input } from "../fields.ts";

/** Subscribers of one bulk operation at the most. */
export const MAX_ROWS = 50_000;

/** Subscribers by their ids, each once: a list in JSON, or text with commas between. */
export const subscriberIds: Field<readonly number[]> = field(
  Type.Union([
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems: MAX_ROWS,
    }),
    Type.String({ pattern: "^[0-9]{1,16}(,[0-9]{1,16})*$" }),
  ]),
  `must be 1 to ${MAX_ROWS} ids, as a list or with commas between them`,
  (value) => {
    const ids = [...new Set(typeof value === "string" ? value.split(",").map(Number) : value)];
    const areIds = ids.every((id) => Number.isSafeInteger(id) && id >= 1);
    return areIds && ids.length <= MAX_ROWS ? ids : undefined;
  },
);

/** Adds a fault for each name that is no field: of thousands of subscribers nothing is to be guessed. */
export function findUnknownNames(
  fields: Fields,
  input: Input,
  faults: FieldErrors,
  { message }: { message: string },
): void {
  for (const name of Object.keys(input)) if (!Object.hasOwn(fields, name)) addFault(faults, name, message);
}
