import { previewBankFile, takeBankFile } from "../../../../../src/domain/desk/incoming/bank/files.ts";
import {
  assignGuessed,
  assignIncoming,
  dismissIncoming,
  openRawIncoming,
} from "../../../../../src/domain/desk/incoming/assign.ts";
import {
  countOpenIncoming,
  incomingById,
  listIncoming,
} from "../../../../../src/domain/desk/incoming/list.ts";
import { findWhose, previewAssignment } from "../../../../../src/domain/desk/incoming/preview.ts";
import { receivePayment } from "../../../../../src/domain/desk/incoming/receive.ts";
import {
  createPaymentSource,
  deletePaymentSource,
  listPaymentSources,
  paymentSourceById,
  rotatePaymentSource,
  setPaymentSourceEnabled,
  updatePaymentSource,
} from "../../../../../src/domain/desk/incoming/sources.ts";
import { type Call, done, nowhere, stray, through, world, written } from "./call.ts";

const first = { id: 1 };
const till = { isp_id: 1, kind: "signed", name: "till", method: "online" };
const file = {
  isp_id: 1,
  name: "a.csv",
  content: "Day,Sum,Text\n2030-01-15,5,x\n",
  date_column: "Day",
  amount_column: "Sum",
  text_column: "Text",
};
const onSource = (work: Call["call"]): Call => ({ call: through(work), operator: done, ...written });

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
  incomingById: { call: through((db, by) => incomingById(db, by, first)), operator: done, ...written },
  countOpenIncoming: {
    call: (db, by) => Array.from({ length: countOpenIncoming(db, by) }, () => 1),
    operator: [1],
    otherIsp: [],
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  findWhose: {
    call: through((db, by) => findWhose(db, by, { ...first, ispId: 1, q: "x1" }, world)),
    operator: done,
    ...written,
  },
  previewAssignment: {
    call: through((db, by) =>
      previewAssignment(db, by, { ...first, subscriberId: 1, method: "online" }, world),
    ),
    operator: done,
    ...written,
  },
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
  openRawIncoming: {
    call: through((db, by) => openRawIncoming(db, by, first, world)),
    operator: done,
    ...written,
  },
  assignGuessed: {
    call: (db, by) =>
      assignGuessed(db, by, { ids: [1], method: "online" }, world).map(({ refusal }) =>
        refusal?.startsWith("there is no payment") === true ? "not_found" : done,
      )[0],
    operator: done,
    ...written,
  },
  previewBankFile: { call: through((db, by) => previewBankFile(db, by, file)), operator: done, ...nowhere },
  takeBankFile: { call: through((db, by) => takeBankFile(db, by, file, world)), operator: done, ...nowhere },
  listPaymentSources: {
    call: (db, by) => listPaymentSources(db, by).map(({ id }) => id),
    operator: [1],
    otherIsp: [],
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  paymentSourceById: onSource((db, by) => paymentSourceById(db, by, first)),
  createPaymentSource: {
    call: through((db, by) => createPaymentSource(db, by, till, world)),
    operator: done,
    ...nowhere,
    also: ["payment_receive"],
  },
  updatePaymentSource: {
    ...onSource((db, by) => updatePaymentSource(db, by, { ...first, input: { method: "bank" } }, world)),
    also: ["payment_receive"],
  },
  rotatePaymentSource: {
    ...onSource((db, by) => rotatePaymentSource(db, by, first, world)),
    also: ["payment_receive"],
  },
  setPaymentSourceEnabled: onSource((db, by) =>
    setPaymentSourceEnabled(db, by, { ...first, enabled: false }, world),
  ),
  deletePaymentSource: onSource((db, by) => deletePaymentSource(db, by, first, world)),
} satisfies Record<string, Call>;
