import { type Static, Type } from "@sinclair/typebox";
import { type BulkJob, bulkResults, type BulkRow } from "../domain/around/bulk/jobs.ts";
import type { Preview } from "../domain/around/bulk/preview.ts";
import { declareRecord } from "./record.ts";

export const previewSchema = Type.Object({
  count: Type.Integer(),
  ids: Type.Array(Type.Integer()),
  sample: Type.Array(Type.Object({ id: Type.Integer(), username: Type.String(), name: Type.String() })),
});

export const examplePreview = {
  count: 2,
  ids: [42, 43],
  sample: [
    { id: 42, username: "sam", name: "Sam" },
    { id: 43, username: "kim", name: "Kim" },
  ],
};

export function previewToJson({ ids, sample }: Preview): Static<typeof previewSchema> {
  return { count: ids.length, ids: [...ids], sample: [...sample] };
}

export const {
  schema: bulkJobSchema,
  example: exampleBulkJob,
  toJson: bulkJobToJson,
} = declareRecord<BulkJob>()({
  id: { kind: "whole", example: 12 },
  operation: { kind: "words", example: "package" },
  input: {
    shape: Type.Record(Type.String(), Type.Unknown()),
    of: ({ input }) => JSON.parse(input),
    example: { package_id: 7 },
  },
  started_by: { kind: "words", of: "actor", example: "ada" },
  total: { kind: "whole", example: 1200 },
  done: { kind: "whole", example: 398 },
  refused: { kind: "whole", example: 2 },
  waiting: { kind: "whole", of: ({ total, done, refused }) => total - done - refused, example: 800 },
  created_at: { kind: "moment", example: "2030-01-15 12:00:00" },
  finished_at: { kind: "moment", isNullable: true, example: null },
});

export const {
  schema: bulkRowSchema,
  example: exampleBulkRow,
  toJson: bulkRowToJson,
} = declareRecord<BulkRow>()({
  position: { kind: "whole", example: 1 },
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  username: { kind: "words", isNullable: true, example: "sam" },
  name: { kind: "words", isNullable: true, example: "Sam" },
  result: { shape: Type.String({ enum: [...bulkResults] }), example: "refused" },
  message: { kind: "words", isNullable: true, example: "package_id is not a package of this ISP" },
});
