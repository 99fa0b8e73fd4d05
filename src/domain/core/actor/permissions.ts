import { DomainError } from "../errors/errors.ts";
import { type Actor, requireFlag } from "./actor.ts";

/** For the operator of the box, and the appliance itself. */
export const OPERATOR = Symbol("operator");
/** For a subscriber, of itself. */
export const SELF = Symbol("self");
/** For every member of staff, of the own account; of others, with staff_manage, as far as they are managed. */
export const OWN = Symbol("own");

/**
 * Every operation, and the flag of the role that it needs; an Admin needs none. Operations check theirs themselves, by name,
 * whoever calls them: HTTP, pages, jobs, the command line. What they reach is limited by the actor's scope.
 */
export const permissions = {
  listRoles: "role_view",
  roleByCode: "role_view",
  roleNamed: "role_view",
  permissionsOf: "role_view",
  roleTable: "role_view",
  createFilledRole: "role_manage",
  createRole: "role_manage",
  updateRole: "role_manage",
  deleteRole: "role_manage",
  updatePermissions: "role_manage",

  listStaff: "staff_view",
  addStaff: "staff_manage",
  changeStaffPassword: "staff_manage",
  setStaffStatus: "staff_manage",
  staffPage: "staff_view",
  staffOfId: "staff_view",
  updateStaff: "staff_manage",
  staffTable: "staff_view",
  seeAs: "staff_manage", // and role_manage
  startSeeingAs: "staff_manage", // and role_manage

  listConsoleSessions: OWN,
  endConsoleSession: OWN,
  endOtherConsoleSessions: OWN,
  changeOwnPassword: OWN,
  startEnrolment: OWN,
  continueEnrolment: OWN,
  confirmEnrolment: OWN,
  recoveryCodesLeft: OWN,
  renewRecoveryCodes: OWN,
  removeSecondFactor: OWN,
  ownPreference: OWN,
  setOwnPreference: OWN,
  needSecondFactor: "role_manage",

  listSubscribers: "subscriber_view",
  subscriberRecords: "subscriber_view",
  subscriberRecord: "subscriber_view",
  usageNow: "subscriber_view",
  notesRecord: "subscriber_view",
  explain: "subscriber_view",
  namesById: "subscriber_view",
  currenciesByIsp: "subscriber_view",
  everyListed: "subscriber_view",
  searchSubscribers: "subscriber_view",
  boxOf: "subscriber_view",
  whyOf: "subscriber_view",
  statementOf: "wallet_view",
  statementTail: "wallet_view",
  headOf: "subscriber_view",
  diagnose: "subscriber_view",
  timelineOf: "subscriber_view",
  usageOf: "subscriber_view",
  endAnswered: "subscriber_disconnect",
  archiveSubscriber: "subscriber_status",
  restoreSubscriber: "subscriber_status",
  addNote: "subscriber_note",
  setPortalPassword: "subscriber_password",
  setPlant: "subscriber_plant",
  takeDevice: "subscriber_mac",
  createSubscriber: "subscriber_add",
  updateSubscriber: "subscriber_edit",
  setSubscriberStatus: "subscriber_status",
  disableSubscriber: "subscriber_status",
  setGlobalNote: "subscriber_note",
  resetPassword: "subscriber_password",
  lockMac: "subscriber_mac",
  unlockMac: "subscriber_mac",
  changeMac: "subscriber_mac",
  activate: "subscriber_activate",
  credit: "wallet_adjust",

  quote: "subscriber_activate",
  topUp: "subscriber_activate",
  quoteTopUp: "subscriber_activate",
  extend: "subscriber_extend",
  freezeSubscriber: "subscriber_status",
  thawSubscriber: "subscriber_status",
  listRenewals: "subscriber_view",
  voidSoldInvoice: "invoice_void",
  dueRenewals: OPERATOR,
  renewDue: OPERATOR,
  thawOverdue: OPERATOR,
  tellMoments: OPERATOR,

  listEndpoints: "webhook_manage",
  endpointOfId: "webhook_manage",
  endpointHealth: "webhook_manage",
  createEndpoint: "webhook_manage",
  updateEndpoint: "webhook_manage",
  setEndpointEnabled: "webhook_manage",
  rotateEndpointSecret: "webhook_manage",
  endpointSecret: "webhook_manage",
  deleteEndpoint: "webhook_manage",
  testEndpoint: "webhook_manage",
  listDeliveries: "webhook_manage",
  deliveryOfId: "webhook_manage",
  replayDelivery: "webhook_manage",
  planDeliveries: OPERATOR,
  tellLockedLogin: OPERATOR,
  tellBackupFailed: OPERATOR,

  listChannels: "message_view",
  channelOfId: "message_view",
  createChannel: "message_manage",
  updateChannel: "message_manage",
  setChannelSecret: "message_manage",
  setChannelEnabled: "message_manage",
  deleteChannel: "message_manage",
  testChannel: "message_manage",
  setUpChannel: "message_manage",
  secretTimes: "message_view",
  usesOfChannel: "message_view",
  listTemplates: "message_view",
  templateOfId: "message_view",
  saveTemplate: "message_manage",
  deleteTemplate: "message_manage",
  addReadyTemplates: "message_manage",
  previewTemplate: "message_manage",
  someoneToShow: "message_manage",
  listRules: "message_view",
  momentsAhead: "message_view",
  withoutSms: "message_view",
  addUsualRules: "message_manage",
  ruleOfId: "message_view",
  createRule: "message_manage",
  updateRule: "message_manage",
  deleteRule: "message_manage",
  listMessages: "message_view",
  messageOfId: "message_view",
  sendAgain: "message_manage",
  cancelMessage: "message_manage",
  messageChoices: "message_send",
  previewMessage: "message_send",
  writeMessage: "message_send",
  outboxState: "message_view",
  messageInFull: "message_view",
  messagesTo: "message_view",
  countMany: "message_view",
  sendManyAgain: "message_manage",
  cancelMany: "message_manage",
  planMessages: OPERATOR,
  takeNext: OPERATOR,
  bookMessage: OPERATOR,
  recoverMessages: OPERATOR,

  receivePayment: "payment_receive",
  listIncoming: "payment_match",
  incomingOfId: "payment_match",
  countOpenIncoming: "payment_match",
  findWhose: "payment_match",
  previewAssignment: "payment_match",
  assignIncoming: "payment_match",
  dismissIncoming: "payment_match",
  assignGuessed: "payment_match",
  rawOfIncoming: "payment_match",
  previewBankFile: "payment_match",
  takeBankFile: "payment_match",

  listPaymentSources: "setting_manage",
  paymentSourceOfId: "setting_manage",
  createPaymentSource: "setting_manage", // and payment_receive
  updatePaymentSource: "setting_manage", // and payment_receive
  rotatePaymentSource: "setting_manage", // and payment_receive
  setPaymentSourceEnabled: "setting_manage", // and payment_receive, to enable it
  deletePaymentSource: "setting_manage",

  takePayment: "payment_take",
  paymentDesk: "payment_take",
  referenceUse: "payment_take",
  payAtDesk: "payment_take",
  previewReversal: "payment_reverse",
  previewVoid: "invoice_void",
  paymentSums: "payment_view",
  packageSales: "package_view",
  resellerWallets: "wallet_view",
  listPayments: "payment_view",
  paymentById: "payment_view",
  reversePayment: "payment_reverse",
  refundPayment: "payment_refund",
  walletEntries: "wallet_view",
  adjustWallet: "wallet_adjust",
  openTill: "closing_own",
  closeTill: "closing_own",
  listClosings: "closing_own",
  confirmClosing: "closing_manage",
  listInvoices: "invoice_view",
  invoiceById: "invoice_view",

  openOutages: "subscriber_view",
  listOutages: "subscriber_view",
  outageById: "subscriber_view",
  outagesOf: "subscriber_view",
  listBoxes: "subscriber_view",
  boxPage: "subscriber_view",
  needsSomeone: "subscriber_view", // and the flag of each kind of what it finds
  newDevices: "session_view",
  newDeviceAt: "session_view",
  twoHouses: "session_view",
  typingMistakes: "session_view",
  failingRenewals: "wallet_view",
  paceOfData: "subscriber_view",

  listSessions: "session_view",
  addressHolders: "session_view",
  sessionLog: "session_view",
  sessionsOf: "session_view",
  loginLog: "session_view",
  loginsOf: "session_view",
  endSessionsAt: "subscriber_disconnect",
  rateHistory: "session_view",
  onlineLines: "session_view",
  onlineLine: "session_view",
  onlineNow: "session_view",
  devicesOf: "session_view",
  decisions: "session_view",
  decisionsNow: "session_view",
  lastHour: "session_view",
  reportOnline: "report_view",
  reportTraffic: "report_view",
  reportTopUsers: "report_view",
  reportLogins: "report_view",
  reportGrowth: "report_view",
  reportSales: "report_view",
  reportTax: "report_view",
  reportCollections: "report_view",
  reportOwed: "report_view",
  reportDebtors: "report_view",
  reportExpiring: "report_view",
  reportRenewals: "report_view",
  reportResellers: "report_view",
  reportConcessions: "report_view",
  reportCards: "report_view",
  reportCardStock: "report_view",

  standingNow: "subscriber_view",
  countsNow: "subscriber_view",
  expirationsAhead: "subscriber_view",
  expiringToday: "subscriber_view",
  routersNow: "session_view",
  onlineCurve: "session_view",
  trafficCurve: "session_view",
  rejectedOften: "session_view",
  takenToday: "payment_view",
  takenByDay: "payment_view",
  owedNow: "report_view",
  ownWallet: "wallet_view",
  applianceNow: "setting_manage", // of an Admin of all that is on the box
  applianceStore: "setting_manage", // likewise

  disconnect: "subscriber_disconnect",
  applyService: "subscriber_disconnect",
  sessionChoice: "subscriber_disconnect",
  endSessionsOf: "subscriber_disconnect",

  listPlaces: "place_view",
  placeById: "place_view",
  placeNamed: "place_view",
  createPlace: "place_manage",
  updatePlace: "place_manage",
  deletePlace: "place_manage",
  placeTree: "place_view",
  placeInUse: "place_manage",
  listChoices: "subscriber_view",

  listPackages: "package_view",
  packageById: "package_view",
  createPackage: "package_manage",
  updatePackage: "package_manage",
  setPackageStatus: "package_manage",
  deletePackage: "package_manage",
  packageNamed: "package_view",
  holdersOnOldTerms: "package_view",
  applyPackage: "package_manage",

  createCardBatch: "card_make",
  planCardBatch: "card_make",
  cardChoices: "card_view",
  cardStock: "card_view",
  cardLately: "card_view",
  cardSessions: "card_view",
  printableBatch: "card_make",
  printCards: "card_make",
  reprintCard: "card_make",
  listCardBatches: "card_view",
  cardBatchById: "card_view",
  voidCardBatch: "card_void",
  listCards: "card_view",
  cardById: "card_view",
  findCard: "card_view",
  sellCard: "card_sell",
  sellCards: "card_sell",
  unlockCard: "card_sell",
  voidCard: "card_void",
  listCardTemplates: "card_make",
  cardTemplateOfId: "card_make",
  createCardTemplate: "card_make",
  updateCardTemplate: "card_make",
  deleteCardTemplate: "card_make",
  previewCard: "payment_take",
  redeemCard: "payment_take",

  listPools: "nas_view",
  poolById: "nas_view",
  poolNamed: "nas_view",
  poolAddresses: "nas_view",
  createPool: "nas_manage",
  updatePool: "nas_manage",
  deletePool: "nas_manage",
  freeExpiredAddresses: OPERATOR,

  listNas: "nas_view",
  nasNamed: "nas_view",
  listAccessBoxes: "setting_manage", // of an Admin of all
  boxesOverview: "setting_manage", // of an Admin of all
  accessBox: "setting_manage", // of an Admin of all
  addAccessBox: "setting_manage", // of an Admin of all
  removeAccessBox: "setting_manage", // of an Admin of all
  promoteBooks: "setting_manage", // of an Admin of all
  recoverBooks: "setting_manage", // of an Admin of all
  declineRecovery: "setting_manage", // of an Admin of all
  deedsOnlyIn: "setting_manage", // of an Admin of all
  addNas: "nas_manage",
  updateNas: "nas_manage",
  removeNas: "nas_manage",
  apiAccount: "nas_manage",
  nasPage: "nas_view",
  nasOfId: "nas_view",
  testNas: "nas_manage",
  scriptOfNas: "nas_manage",
  sendHotspotPages: "nas_manage",
  radsecOf: "nas_view",
  issueRadsec: "nas_manage",
  takeBundle: "nas_manage",
  revokeRadsec: "nas_manage",
  setupDifference: "nas_manage",
  setUpRouter: "nas_manage",
  proveSetup: "nas_manage",
  watchRouters: "nas_manage",
  watchAfterSetup: "nas_manage",
  routerFindings: "nas_view",
  mendDifference: "nas_manage",
  mendFindings: "nas_manage",
  hideFinding: "nas_manage",
  showFinding: "nas_manage",
  listFeeds: "nas_view",
  feedNamed: "nas_view",
  addFeed: "nas_manage",
  updateFeed: "nas_manage",
  removeFeed: "nas_manage",
  noteFeed: OPERATOR,
  setBoxCapacity: "nas_manage",
  shaperFiles: "nas_manage",
  configCopies: "nas_manage",
  keepConfig: "nas_manage",
  configText: "nas_manage",
  configChanges: "nas_manage",
  keepDueConfigs: OPERATOR,
  commandsFor: "nas_manage",
  firstWords: "nas_view",
  routerStates: "nas_view",
  silentRouters: "nas_view",
  strangersLately: "nas_view",
  tryLogin: "session_view",

  subscriberTable: "subscriber_view",
  tableIds: "subscriber_view",
  everyTableRow: "subscriber_view",
  countSilent: "subscriber_view",
  tableColumns: "subscriber_view",
  setTableColumns: "subscriber_view",
  findAnything: "subscriber_view", // and the flag of each kind of what is found beside subscribers
  checkSignUp: "subscriber_add",
  signUp: "subscriber_add", // and those of payment and activation, where these are part of it

  previewBulk: "subscriber_bulk",
  tryBulk: "subscriber_bulk", // and the flag of what is tried
  startBulk: "subscriber_bulk", // and the flag of what is done to each
  listBulkJobs: "subscriber_bulk",
  bulkJob: "subscriber_bulk",
  listBulkRows: "subscriber_bulk",

  listSellers: "setting_manage",
  boxSettings: "setting_manage",
  listSettings: "setting_manage",
  settingByName: "setting_manage",
  changeSetting: "setting_manage",
  changeSettings: "setting_manage",
  plannedSettings: "setting_manage",
  resetSetting: "setting_manage",
  settingFigure: "setting_manage",
  settingIsps: "setting_manage",
  trySetting: "setting_manage",
  changeLogo: "setting_manage",

  auditLog: "audit_view",

  setupState: OPERATOR,
  settleSetupStep: OPERATOR,
  setBackupPassphrase: OPERATOR,
  backupOverview: "setting_manage", // of an Admin of all that is on the box
  makeBackup: "setting_manage", // likewise
  tryBackup: "setting_manage", // likewise
  takeBackupAway: OPERATOR,
  setupFacts: OPERATOR,

  moveIn: "data_import", // and those of money and cards, for balances, ends and codes
  listMoves: "data_import",
  moveById: "data_import",
  undoMove: "data_import", // and those, where it brought any

  importDataSet: OPERATOR,
  exportDataSet: OPERATOR,
  newestDecision: OPERATOR,
  checkStore: OPERATOR,
  checkSetup: OPERATOR,
  checkUpkeep: OPERATOR,
  checkScrapes: OPERATOR,
  closeLostSessions: OPERATOR,
  trimAuthLog: OPERATOR,
  keepRadsec: OPERATOR,
  forgetOldRows: OPERATOR,
  enforceService: OPERATOR,
  beginWindows: OPERATOR,
  enforceCard: OPERATOR,
  chargeCards: OPERATOR,
  recordGuessing: OPERATOR,
  runBulk: OPERATOR,

  watchOutages: OPERATOR,
  watchBoxes: OPERATOR,
  sampleMinute: OPERATOR,
  keepCarried: OPERATOR,
  rollUpHours: OPERATOR,
  sumDays: OPERATOR,

  sessionHistory: SELF,
  invoiceHistory: SELF,
  ownInvoice: SELF,
  paymentHistory: SELF,
  messageHistory: SELF,
  ownDevices: SELF,
  takeOwnDevice: SELF,
  quoteOwnRenewal: SELF,
  unpaidInvoices: SELF,
  usageByDay: SELF,
  lineOf: SELF,
  renewalOf: SELF,
  renewOwn: SELF,
  previewOwnCard: SELF,
  redeemOwn: SELF,
  topUpOwn: SELF,
  ownCards: SELF,
  changePortalPassword: SELF,
  changeOwnMessages: SELF,
  signOutEverywhere: SELF,
} as const;

export type Operation = keyof typeof permissions;
type With<R> = { [O in Operation]: (typeof permissions)[O] extends R ? O : never }[Operation];
/** What staff do, as far as their role says so. */
export type StaffOperation = With<string>;

/** Throws `forbidden` unless the actor may do this to what its scope reaches. */
export function permit(by: Actor, operation: Exclude<Operation, With<typeof SELF>>): void {
  if (by.subscriberId !== null)
    throw new DomainError("forbidden", "this is for staff to do; ask the provider", { code: "staff_only" });
  const needed = permissions[operation];
  if (needed === OWN) return;
  if (needed !== OPERATOR) return requireFlag(by, needed);
  requireOperator(by);
}

/** Throws `forbidden` unless the actor is the operator of the box. */
export function requireOperator(by: Actor): void {
  if (!isOperator(by))
    throw new DomainError("forbidden", "this is for the operator of the box; ask somebody who is", {
      code: "operator_only",
    });
}

/** Throws `forbidden` unless the actor is this subscriber. The operation is named so that the table has it. */
export function permitSelf(by: Actor, _operation: With<typeof SELF>, subscriberId: number): void {
  if (by.subscriberId === subscriberId) return;
  throw new DomainError("forbidden", "this is for the subscriber itself to do", { code: "subscriber_only" });
}

/** Whether it is the operator of the box. */
export function isOperator({ admin, scope }: Actor): boolean {
  return admin && scope.ispId === null && scope.branchId === null && scope.salespersonId === null;
}
