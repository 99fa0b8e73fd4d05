import { readStatement, statementTail } from "../../../../../src/domain/money/billing/statement.ts";
import { diagnose } from "../../../../../src/domain/desk/diagnosis/diagnosis.ts";
import { explainWhy } from "../../../../../src/domain/service/access/why.ts";
import {
  archiveSubscriber,
  restoreSubscriber,
} from "../../../../../src/domain/desk/subscriber-page/archive.ts";
import { listBoxMembers } from "../../../../../src/domain/goods/subscribers/box.ts";
import { setPlant } from "../../../../../src/domain/goods/subscribers/plant.ts";
import { setPortalPassword } from "../../../../../src/domain/goods/subscribers/portal-password.ts";
import { searchSubscribers } from "../../../../../src/domain/desk/search/search.ts";
import { takeDevice } from "../../../../../src/domain/desk/subscriber-page/take-device.ts";
import { explain } from "../../../../../src/domain/service/access/explain.ts";
import { activate, quote } from "../../../../../src/domain/service/activation/activate.ts";
import { quoteTopUp, topUp } from "../../../../../src/domain/service/activation/top-up.ts";
import { extend } from "../../../../../src/domain/service/activation/extend.ts";
import { listRenewals } from "../../../../../src/domain/service/activation/renewals.ts";
import { voidSoldInvoice } from "../../../../../src/domain/desk/void/void.ts";
import { freezeSubscriber } from "../../../../../src/domain/desk/subscriber-page/freeze.ts";
import { thawSubscriber } from "../../../../../src/domain/desk/subscriber-page/freeze-service.ts";
import { credit } from "../../../../../src/domain/money/billing/credit.ts";
import { applyService } from "../../../../../src/domain/service/control/apply.ts";
import { disableSubscriber } from "../../../../../src/domain/service/control/disable.ts";
import { disconnect } from "../../../../../src/domain/service/control/disconnect.ts";
import { endAnswered } from "../../../../../src/domain/service/control/end-answered.ts";
import { endChosenSessions, sessionChoice } from "../../../../../src/domain/service/control/end.ts";
import { usageNow } from "../../../../../src/domain/service/control/usage-router.ts";
import { namesById } from "../../../../../src/domain/core/references/names.ts";
import { readUsage } from "../../../../../src/domain/service/sessions/usage-of.ts";
import { listSessions } from "../../../../../src/domain/service/sessions/list.ts";
import { addressHolders } from "../../../../../src/domain/service/sessions/address-holders.ts";
import { currenciesByIsp } from "../../../../../src/domain/machine/settings/change.ts";
import { readHead } from "../../../../../src/domain/desk/subscriber-page/head.ts";
import { readTimeline } from "../../../../../src/domain/desk/subscriber-page/timeline.ts";
import { createSubscriber } from "../../../../../src/domain/goods/subscribers/create.ts";
import {
  changedSubscribers,
  everyListed,
  listSubscribers,
} from "../../../../../src/domain/goods/subscribers/list.ts";
import { changeMac, lockMac, unlockMac } from "../../../../../src/domain/goods/subscribers/mac.ts";
import { addNote, notesRecord, setGlobalNote } from "../../../../../src/domain/goods/subscribers/notes.ts";
import { subscriberRecord, subscriberRecords } from "../../../../../src/domain/goods/subscribers/record.ts";
import { resetPassword } from "../../../../../src/domain/goods/subscribers/reset-password.ts";
import { setSubscriberStatus } from "../../../../../src/domain/goods/subscribers/status.ts";
import { updateSubscriber } from "../../../../../src/domain/goods/subscribers/update.ts";
import { subscriberToJson } from "../../../../../src/wire/subscriber.ts";
import { NOW } from "../../../../support/store.ts";
import { sam } from "../../../../support/tenants.ts";
import {
  type Call,
  world,
  asking,
  one,
  nobody,
  nowhere,
  done,
  through,
  act,
  known,
  ADDRESS,
} from "./call.ts";

const MAC = "AA:BB:CC:DD:EE:FF";
const byNumber = (a: number | null, b: number | null) => (a ?? 0) - (b ?? 0);

/** Subscribers and their sessions. */
export const ofSubscribers = {
  listSubscribers: {
    call: (db, by) => listSubscribers(db, by, {}, world).records.map(({ id }) => id),
    operator: [1, 2, 9],
    ispOne: [1, 2],
    otherIsp: [9],
    otherBranch: [2],
    otherReseller: [],
  },
  changedSubscribers: {
    call: (db, by) =>
      changedSubscribers(db, by, { limit: 10 }, world)
        .records.map(({ id }) => id)
        .sort(byNumber),
    operator: [1, 2, 9],
    ispOne: [1, 2],
    otherIsp: [9],
    otherBranch: [2],
    otherReseller: [],
  },
  subscriberRecords: {
    call: (db, by) => subscriberRecords(db, by, undefined, world).map(({ id }) => id),
    operator: [1, 2, 9],
    ispOne: [1, 2],
    otherIsp: [9],
    otherBranch: [2],
    otherReseller: [],
  },
  subscriberRecord: act((db, by) => subscriberRecord(db, by, 1, world)),
  usageNow: act((db, by) => usageNow(db, by, 1, asking)),
  notesRecord: act((db, by) => notesRecord(db, by, 1)),
  explain: {
    call: (db, by) => {
      const { status, decisions, online } = explain(db, by, "user1", world);
      return [status, decisions.length, online !== null];
    },
    operator: ["active", 2, true],
    otherIsp: [null, 0, false],
    otherBranch: [null, 0, false],
    otherReseller: [null, 0, false],
  },
  namesById: {
    call: (db, by) => Object.values(namesById(db, by)).map((names) => [...names.keys()].sort(byNumber)),
    operator: [
      [1, 2],
      [11, 12, 21],
      [1, 2, 9],
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50],
      [1, 2],
      [1, 2, 3, 4],
    ],
    ispOne: [[1], [11, 12], [1, 2], [1, 2, 3, 4, 5, 6, 7, 10, 50], [1], [1, 2, 4]],
    otherIsp: [[2], [21], [9], [8], [2], [3]],
  },
  currenciesByIsp: {
    call: (db, by) => [...currenciesByIsp(db, by).keys()],
    operator: [1, 2],
    ispOne: [1],
    otherIsp: [2],
  },
  searchSubscribers: {
    call: (db, by) => searchSubscribers(db, by, { q: "user" }, world).map(({ id }) => id),
    operator: [1, 2, 9],
    ispOne: [1, 2],
    otherIsp: [9],
    otherBranch: [2],
    otherReseller: [],
  },
  listBoxMembers: {
    call: (db, by) => listBoxMembers(db, by, { boxNumber: "B-1" }, world).map(({ id }) => id),
    operator: [1, 9],
    ispOne: [1],
    otherIsp: [9],
    otherBranch: [],
    otherReseller: [],
  },
  explainWhy: act((db, by) => explainWhy(db, by, 1, world)),
  statementTail: act((db, by) => statementTail(db, by, { subscriber: known(db).subscriber, count: 9 })),
  readHead: act((db, by) => readHead(db, by, 1, world)),
  diagnose: act((db, by) => diagnose(db, by, known(db), world)),
  readTimeline: act((db, by) => readTimeline(db, by, { subscriber: known(db).subscriber, limit: 9 })),
  readUsage: act((db, by) =>
    readUsage(db, by, { subscriber: known(db).subscriber, days: 14, months: 3 }, world),
  ),
  readStatement: act((db, by) => readStatement(db, by, { subscriber: 1 })),
  // who is reached has money in its wallet
  archiveSubscriber: {
    call: (db, by) => archiveSubscriber(db, by, one, asking),
    operator: "refused",
    ...nobody,
  },
  everyListed: {
    call: (db, by) => [...everyListed(db, by, {}, world)].flat().map(({ id }) => id),
    operator: [1, 2, 9],
    ispOne: [1, 2],
    otherIsp: [9],
    otherBranch: [2],
    otherReseller: [],
  },
  restoreSubscriber: act((db, by) => restoreSubscriber(db, by, one, world)),
  addNote: act((db, by) => addNote(db, by, { ...one, note: "New", staffId: 1 }, world)),
  setPortalPassword: act((db, by) => setPortalPassword(db, by, { ...one, password: "sunny-day-7" }, asking)),
  setPlant: act((db, by) => setPlant(db, by, { ...one, plant: { box_number: "B-2" } }, world)),
  takeDevice: act((db, by) => takeDevice(db, by, one, world)),
  createSubscriber: {
    call: through((db, by) => createSubscriber(db, by, { ...sam, branch_id: 11, salesperson_id: 2 }, world)),
    operator: done,
    ...nowhere,
  },
  updateSubscriber: act((db, by) =>
    updateSubscriber(db, by, { username: "user1", name: "New" }, { ...world, toJson: subscriberToJson }),
  ),
  setSubscriberStatus: act((db, by) => setSubscriberStatus(db, by, { ...one, enabled: false }, world)),
  disableSubscriber: act((db, by) => disableSubscriber(db, by, one, asking)),
  setGlobalNote: act((db, by) => setGlobalNote(db, by, { ...one, note: "New" }, world)),
  resetPassword: act((db, by) => resetPassword(db, by, { ...one, password: "new" }, world)),
  lockMac: act((db, by) => lockMac(db, by, { ...one, macAddress: MAC }, world)),
  unlockMac: act((db, by) => unlockMac(db, by, one, world)),
  changeMac: act((db, by) => changeMac(db, by, { ...one, macAddress: MAC }, world)),
  activate: act((db, by) => activate(db, by, { ...one, packageId: 1 }, world)),
  credit: act((db, by) => credit(db, by, { ...one, amount: 500 }, world)),

  // package 1 is no top-up
  topUp: { ...act((db, by) => topUp(db, by, { ...one, packageId: 1 }, world)), operator: "refused" },
  quoteTopUp: {
    ...act((db, by) => quoteTopUp(db, by, { ...one, packageId: 1 }, world)),
    operator: "refused",
  },
  quote: act((db, by) => quote(db, by, { ...one, packageId: 1 }, world)),
  extend: act((db, by) => extend(db, by, { ...one, hours: 1, reason: "storm", trust: false }, world)),
  freezeSubscriber: act((db, by) => freezeSubscriber(db, by, one, asking)),
  thawSubscriber: {
    call: (db, by) => thawSubscriber(db, by, one, world),
    operator: "refused", // it is not frozen
    ...nobody,
  },
  listRenewals: {
    call: (db, by) =>
      listRenewals(
        db,
        by,
        { limit: 9, offset: 0, descending: false },
        { now: NOW + 5 * 86_400 },
      ).renewals.map(({ id }) => id),
    operator: [1, 9],
    ispOne: [1],
    otherIsp: [9],
    otherBranch: [],
    otherReseller: [],
  },
  voidSoldInvoice: act((db, by) =>
    voidSoldInvoice(db, by, { invoiceId: 1, reason: "wrong", endService: false }, world),
  ),

  listSessions: {
    call: (db, by) => listSessions(db, by).map(({ session }) => session.username),
    operator: ["user1", "user9", "stranger", "elsewhere", "nowhere"],
    ispOne: ["user1", "stranger"],
    otherIsp: ["user9", "elsewhere"],
    otherBranch: [],
    otherReseller: [],
  },
  addressHolders: {
    call: (db, by) =>
      addressHolders(db, by, { address: ADDRESS, at: world.now }).map(({ session }) => session.username),
    operator: ["nowhere", "elsewhere", "stranger", "user9", "user1"],
    ispOne: ["stranger", "user1"],
    otherIsp: ["elsewhere", "user9"],
    otherBranch: [],
    otherReseller: [],
  },
  endAnswered: act((db, by) => endAnswered(db, by, one, asking)),
  disconnect: act((db, by) => disconnect(db, by, one, asking)),
  applyService: act((db, by) => applyService(db, by, one, asking)),
  sessionChoice: {
    call: (db, by) => sessionChoice(db, by, { who: "user1" }),
    operator: { ...one, sessionId: undefined },
    otherIsp: { sessionId: "user1" },
    otherBranch: { sessionId: "user1" },
    otherReseller: { sessionId: "user1" },
  },
  endChosenSessions: act((db, by) =>
    endChosenSessions(db, by, { choice: { sessionId: "S1" }, inBooksOnly: true }, asking),
  ),
} satisfies Record<string, Call>;
