import { bulkJob, listBulkJobs, listBulkRows } from "../../../../../src/domain/around/bulk/jobs.ts";
import { previewBulk } from "../../../../../src/domain/around/bulk/preview.ts";
import { startBulk } from "../../../../../src/domain/around/bulk/start.ts";
import { type Call, world } from "./call.ts";

const page = { descending: false, limit: 10, offset: 0 };
/** The job of ada, who sees all of ISP 1: of those who see a part of it nobody else. */
const hers = { otherIsp: "not_found", otherBranch: "not_found", otherReseller: "not_found" };

/** Operations on many subscribers. */
export const ofBulk = {
  previewBulk: {
    call: (db, by) => previewBulk(db, by, {}, world).ids,
    operator: [1, 2, 9],
    ispOne: [1, 2],
    otherIsp: [9],
    otherBranch: [2],
    otherReseller: [],
  },
  startBulk: {
    call: (db, by) => {
      const id = startBulk(db, by, { operation: "enable", ids: [1, 9], values: {} }, world);
      return db.$client.query("SELECT subscriber_id AS id, message FROM bulk_rows WHERE job_id = ?").all(id);
    },
    operator: [
      { id: 1, message: null },
      { id: 9, message: null },
    ],
    also: ["subscriber_status"], // of what is done to each
    ispOne: [
      { id: 1, message: null },
      { id: 9, message: "there is no subscriber 9" },
    ],
    otherIsp: [
      { id: 1, message: "there is no subscriber 1" },
      { id: 9, message: null },
    ],
    otherBranch: "not_found",
    otherReseller: "not_found",
  },
  listBulkJobs: {
    call: (db, by) => listBulkJobs(db, by, { operation: null, before: 9, limit: 9 }).map(({ id }) => id),
    operator: [1],
    otherIsp: [],
    otherBranch: [1], // whoever it is here is account 1, who began it
    otherReseller: [],
  },
  bulkJob: { call: (db, by) => bulkJob(db, by, 1).total, operator: 2, ...hers, otherBranch: 2 },
  listBulkRows: {
    call: (db, by) => listBulkRows(db, by, 1, { result: null, ...page }).rows.map(({ username }) => username),
    operator: ["user1", "user2"],
    ...hers,
    otherBranch: [null, "user2"], // its own job, of which it sees one any more
  },
} satisfies Record<string, Call>;
