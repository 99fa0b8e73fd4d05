import { newestDecision } from "../../../../../src/domain/service/access/auth-log.ts";
import { trimAuthLog } from "../../../../../src/domain/service/access/trim-auth-log.ts";
import { dueRenewals, renewDue } from "../../../../../src/domain/service/activation/auto-renew.ts";
import { tellMoments } from "../../../../../src/domain/core/events/moments.ts";
import { thawOverdue } from "../../../../../src/domain/desk/subscriber-page/freeze-service.ts";
import { runBulk } from "../../../../../src/domain/around/bulk/run.ts";
import { checkSetup, checkStore } from "../../../../../src/domain/machine/check/check.ts";
import { checkScrapes } from "../../../../../src/domain/machine/check/scrapes.ts";
import { checkUpkeep } from "../../../../../src/domain/machine/upkeep/upkeep.ts";
import { chargeCards } from "../../../../../src/domain/service/cards/charge.ts";
import { recordGuessing } from "../../../../../src/domain/service/cards/guessing.ts";
import { enforceCard } from "../../../../../src/domain/service/enforcement/enforce-card.ts";
import { enforceService } from "../../../../../src/domain/service/control/apply.ts";
import { beginWindows } from "../../../../../src/domain/service/fair-use/begin-windows.ts";
import { exportDataSet } from "../../../../../src/domain/machine/imports/data-set/export.ts";
import { importDataSet } from "../../../../../src/domain/machine/imports/data-set/import.ts";
import { changePortalPassword } from "../../../../../src/domain/desk/portal/change-password.ts";
import {
  addOwnPush,
  followOwnPush,
  ownPushDevices,
  removeOwnPush,
} from "../../../../../src/domain/people/push/devices.ts";
import { aBrowser } from "../../../../support/push-receiver.ts";
import { changeOwnMessages } from "../../../../../src/domain/desk/portal/own-messages.ts";
import {
  invoiceHistory,
  ownInvoice,
  paymentHistory,
  sessionHistory,
  unpaidInvoices,
} from "../../../../../src/domain/desk/portal/history.ts";
import { readLine } from "../../../../../src/domain/desk/portal/line.ts";
import { messageHistory } from "../../../../../src/domain/around/messages/history.ts";
import { ownDevices, takeOwnDevice } from "../../../../../src/domain/desk/portal/devices.ts";
import { planRenewal, quoteOwnRenewal, renewOwn } from "../../../../../src/domain/desk/portal/renewal.ts";
import { usageByDay } from "../../../../../src/domain/desk/portal/usage-chart.ts";
import { freeExpiredAddresses } from "../../../../../src/domain/goods/address-pools/free.ts";
import { forgetOldRows } from "../../../../../src/domain/machine/retention/forget.ts";
import { closeLostSessions } from "../../../../../src/domain/service/sessions/sweep.ts";
import { signOutEverywhere } from "../../../../../src/domain/goods/subscribers/portal-session.ts";
import { NOW } from "../../../../support/store.ts";
import { type Call, world, asking, one, forOperator, forSelf, own } from "./call.ts";

/** What is the operator's alone, and what a subscriber does itself. */
const newest = { limit: 20, offset: 0 };

export const ofOthers = {
  importDataSet: forOperator((db, by) =>
    importDataSet(db, by, { settings: { portal_name: "North" } }, world),
  ),
  exportDataSet: forOperator((db, by) => exportDataSet(db, by, { secrets: true })),
  newestDecision: forOperator((db, by) => newestDecision(db, by, "user1")),
  checkStore: forOperator((db, by) => checkStore(db, by, world)),
  checkSetup: forOperator((db, by) => checkSetup(db, by, world)),
  checkUpkeep: forOperator((db, by) => checkUpkeep(db, by, ".", world)),
  checkScrapes: forOperator((db, by) => checkScrapes(db, by, { hasToken: false }, world)),
  closeLostSessions: forOperator((db, by) => closeLostSessions(db, by, { since: 0 }, { now: NOW * 2 })),
  trimAuthLog: forOperator((db, by) => trimAuthLog(db, by, { now: NOW * 2 })),
  freeExpiredAddresses: forOperator((db, by) => freeExpiredAddresses(db, by, { now: NOW * 2 })),
  forgetOldRows: forOperator((db, by) => forgetOldRows(db, by, { now: NOW * 2 })),
  runBulk: forOperator((db, by) => runBulk(db, by, { clock: () => NOW })),
  recordGuessing: forOperator((db, by) => recordGuessing(db, by, { who: "subscriber 1", ispId: 1 }, world)),
  chargeCards: forOperator((db, by) => chargeCards(db, by, world)),
  enforceCard: forOperator((db, by) => enforceCard(db, by, { cardId: 1, due: new Set() }, { ...asking })),
  enforceService: forOperator((db, by) => enforceService(db, by, one, { ...asking })),
  beginWindows: forOperator((db, by) => beginWindows(db, by, world)),

  dueRenewals: forOperator((db, by) => dueRenewals(db, by, { all: true }, world)),
  renewDue: forOperator((db, by) => renewDue(db, by, { subscriberIds: [1] }, world)),
  thawOverdue: forOperator((db, by) => thawOverdue(db, by, world)),
  tellMoments: forOperator((db, by) => tellMoments(db, by, world)),

  sessionHistory: forSelf((db, by) => sessionHistory(db, by, { ...one, ...newest })),
  invoiceHistory: forSelf((db, by) => invoiceHistory(db, by, { ...one, ...newest })),
  ownInvoice: forSelf((db, by) => ownInvoice(db, by, { ...one, id: 1 })),
  paymentHistory: forSelf((db, by) => paymentHistory(db, by, { ...one, ...newest })),
  messageHistory: forSelf((db, by) => messageHistory(db, by, { ...one, ...newest })),
  ownDevices: forSelf((db, by, subscriber) => ownDevices(db, by, subscriber)),
  takeOwnDevice: forSelf((db, by) => takeOwnDevice(db, by, { ...one, mac: undefined }, world)),
  quoteOwnRenewal: forSelf((db, by, subscriber) => quoteOwnRenewal(db, by, { subscriber }, world)),
  unpaidInvoices: forSelf((db, by) => unpaidInvoices(db, by, 1)),
  usageByDay: forSelf((db, by) => usageByDay(db, by, { ...one, count: 3 }, world)),
  readLine: forSelf((db, by, subscriber) => readLine(db, by, subscriber, world)),
  planRenewal: forSelf((db, by, subscriber) =>
    planRenewal(db, by, { subscriber, line: readLine(db, { ...own, subscriberId: 1 }, subscriber, world) }),
  ),
  renewOwn: forSelf((db, by, subscriber) => renewOwn(db, by, { subscriber, price: 1500 }, world)),
  changePortalPassword: forSelf((db, by, subscriber) =>
    changePortalPassword(
      db,
      by,
      { subscriber, current: "pw-1", chosen: "portal-1", tokenId: "", source: "192.0.2.1" },
      world,
    ),
  ),
  ownPushDevices: forSelf((db, by) => ownPushDevices(db, by, one)),
  addOwnPush: forSelf((db, by) => addOwnPush(db, by, { ...one, ...aBrowser() }, world)),
  followOwnPush: forSelf((db, by) =>
    followOwnPush(db, by, { ...one, endpoint: "https://push.example/1", tokenId: "t" }),
  ),
  removeOwnPush: forSelf((db, by) => removeOwnPush(db, by, { ...one, id: 1 })),
  changeOwnMessages: forSelf((db, by) =>
    changeOwnMessages(db, by, { ...one, language: "fr", off: true }, world),
  ),
  signOutEverywhere: forSelf((db, by) => signOutEverywhere(db, by, { ...one, source: "192.0.2.1" }, world)),
} satisfies Record<string, Call>;
