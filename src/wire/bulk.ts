import { type Static, Type } from "@sinclair/typebox";
import { type BulkJob, bulkResults, type BulkRow } from "../domain/around/bulk/jobs.ts";
import type { Preview } from "../domain/around/bulk/preview.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { text } from "./kinds.ts";

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

export function shownPreview({ ids, sample }: Preview): Static<typeof previewSchema> {
  return { count: ids.length, ids: [...ids], sample: [...sample] };
}

export const bulkJobSchema = Type.Object({
  id: Type.Integer(),
  operation: Type.String(),
  input: Type.Record(Type.String(), Type.Unknown()),
  started_by: Type.String(),
  total: Type.Integer(),
  done: Type.Integer(),
  refused: Type.Integer(),
  waiting: Type.Integer(),
  created_at: Type.String(),
  finished_at: text,
});

export const exampleBulkJob = {
  id: 12,
  operation: "package",
  input: { package_id: 7 },
  started_by: "ada",
  total: 1200,
  done: 398,
  refused: 2,
  waiting: 800,
  created_at: "2030-01-15 12:00:00",
  finished_at: null,
};

export function shownBulkJob(job: BulkJob): Static<typeof bulkJobSchema> {
  const { id, operation, actor, total, done, refused, createdAt, finishedAt } = job;
  return {
    id,
    operation,
    input: JSON.parse(job.input),
    started_by: actor,
    total,
    done,
    refused,
    waiting: total - done - refused,
    created_at: formatTime(createdAt),
    finished_at: finishedAt === null ? null : formatTime(finishedAt),
  };
}

export const bulkRowSchema = Type.Object({
  position: Type.Integer(),
  user_id: Type.Integer(),
  username: text,
  name: text,
  result: Type.String({ enum: [...bulkResults] }),
  message: text,
});

export const exampleBulkRow = {
  position: 1,
  user_id: 42,
  username: "sam",
  name: "Sam",
  result: "refused",
  message: "package_id is not a package of this ISP",
};

export function shownBulkRow({ subscriberId, ...row }: BulkRow): Static<typeof bulkRowSchema> {
  const { position, username, name, result, message } = row;
  return { position, user_id: subscriberId, username, name, result, message };
}
