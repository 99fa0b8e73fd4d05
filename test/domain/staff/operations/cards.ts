import { createCardBatch, planCardBatch } from "../../../../src/domain/cards/batches.ts";
import { type Call, done, through, world } from "./call.ts";

const hour = {
  kind: "access",
  package_id: 1,
  quantity: 1,
  price: "1.00",
  duration: 1,
  duration_unit: "hour",
};

/** Cards: batches have an ISP and may have a branch; a reseller reaches its own. */
export const ofCards = {
  createCardBatch: {
    call: through((db, by) => createCardBatch(db, by, { ...hour, isp_id: 1, branch_id: 11 }, world)),
    operator: done,
    otherIsp: "forbidden",
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  planCardBatch: {
    call: through((db, by) => planCardBatch(db, by, { ...hour, isp_id: 1, branch_id: 11 }, world)),
    operator: done,
    otherIsp: "forbidden",
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
} satisfies Record<string, Call>;
