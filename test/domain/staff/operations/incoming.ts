import { assignIncoming, dismissIncoming } from "../../../../src/domain/incoming/assign.ts";
import { incomingOfId, listIncoming } from "../../../../src/domain/incoming/list.ts";
import { receivePayment } from "../../../../src/domain/incoming/receive.ts";
import { type Call, done, nowhere, stray, through, world, written } from "./call.ts";

const first = { id: 1 };

/** Payments that arrive are the whole ISP's. */
export const ofIncoming = {
  receivePayment: {
    call: through((db, by) =>
      receivePayment(db, by, { ...stray, externalId: "T-2" }, { ...world, onOther: "keep" }),
    ),
    operator: done,
    ...nowhere,
  },
  listIncoming: {
    call: (db, by) =>
      listIncoming(db, by, { view: "open" }, { before: Number.MAX_SAFE_INTEGER, limit: 10 }).map(
        ({ id }) => id,
      ),
    operator: [1],
    otherIsp: [],
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  incomingOfId: { call: through((db, by) => incomingOfId(db, by, first)), operator: done, ...written },
  assignIncoming: {
    call: through((db, by) => assignIncoming(db, by, { ...first, subscriberId: 1, method: "online" }, world)),
    operator: done,
    ...written,
  },
  dismissIncoming: {
    call: through((db, by) => dismissIncoming(db, by, { ...first, reason: "x" }, world)),
    operator: done,
    ...written,
  },
} satisfies Record<string, Call>;
