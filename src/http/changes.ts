import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { Changed, Position } from "../domain/core/changes/changes.ts";
import { text, wholeNumber } from "../domain/core/fields/fields.ts";
import { managementForm, type Place } from "./form.ts";
import { strict } from "./list.ts";
import { type Call, type Declaration, managed, type Managed } from "./operation.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const CURSOR = { after: text(100) };

const form = strict(
  managementForm({ ...CURSOR, limit: wholeNumber(1, MAX_LIMIT) }, [], {
    after: "subscriber-48392011-0-118-42",
    limit: 1000,
  }),
);

interface Followed<R extends TSchema> extends Pick<
  Declaration<Place, string, R, never>,
  "path" | "operation" | "operationId" | "tags" | "summary" | "description"
> {
  readonly record: R;
  readonly example: NoInfer<Static<R>>;
  readonly page: (call: Call<Place, string>, position: Position) => Changed<Static<R>>;
}

/** What was changed of a noun since a cursor, for whoever keeps a copy. */
export function followed<R extends TSchema>({ record, example, page, ...declared }: Followed<R>): Managed {
  return managed({
    ...declared,
    method: "GET",
    form,
    success: {
      description: "The next that were changed, in the order of their last change.",
      schema: Type.Object({
        records: Type.Array(record),
        cursor: Type.String(),
        has_more: Type.Boolean(),
      }),
      example: { records: [example], cursor: "subscriber-48392011-0-119-42", has_more: false },
    },
    run: (call: Call<Place & { after?: string | null; limit?: number | null }, string>) => {
      const { after, limit } = call.values;
      const { records, cursor, hasMore } = page(call, { after, limit: limit ?? DEFAULT_LIMIT });
      return { records, cursor, has_more: hasMore };
    },
  } as never); // the record is not known here
}

/** A list that answers its changes where `changes` is 1. */
export function withChanges(list: Managed, changes: Managed): Managed {
  return {
    ...list,
    answer: (needs, request) => {
      const { changes: asked, ...input } = request.input;
      if (asked === "1") return changes.answer(needs, { ...request, input });
      return list.answer(needs, asked === "" || asked === "0" ? { ...request, input } : request);
    },
  };
}

/** What its description says of it. */
export const CHANGES = (path: string) =>
  `With \`changes=1\` it is GET ${path}: what was changed since a cursor, by \`after\` and \`limit\` alone.`;
