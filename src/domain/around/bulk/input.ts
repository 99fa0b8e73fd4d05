import { phrase } from "../../core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { field, type Field } from "../../core/fields/fields.ts";

/** Subscribers of one bulk operation at the most. */
export const MAX_ROWS = 50_000;

/** Unique ids: a JSON list, or comma-separated. */
export const subscriberIds: Field<readonly number[]> = field(
  Type.Union([
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems: MAX_ROWS,
    }),
    Type.String({ pattern: "^[0-9]{1,16}(,[0-9]{1,16})*$" }),
  ]),
  phrase`must be 1 to ${MAX_ROWS} ids, as a list or with commas between them`,
  (value) => {
    const ids = [...new Set(typeof value === "string" ? value.split(",").map(Number) : value)];
    const areIds = ids.every((id) => Number.isSafeInteger(id) && id >= 1);
    return areIds && ids.length <= MAX_ROWS ? ids : undefined;
  },
);
