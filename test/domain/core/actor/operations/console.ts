import type { Db } from "../../../../../db/open.ts";
import { ownProposals, propose } from "../../../../../src/domain/around/proposals/proposals.ts";
import { setBackupPassphrase } from "../../../../../src/domain/machine/backup/passphrase.ts";
import { needSecondFactor } from "../../../../../src/domain/people/roles/roles.ts";
import type { Actor } from "../../../../../src/domain/core/actor/actor.ts";
import {
  endConsoleSession,
  endOtherConsoleSessions,
  listConsoleSessions,
} from "../../../../../src/domain/people/staff/console-sessions.ts";
import {
  confirmEnrolment,
  continueEnrolment,
  startEnrolment,
} from "../../../../../src/domain/people/staff/enrolment.ts";
import { changeOwnPassword } from "../../../../../src/domain/people/staff/own-password.ts";
import {
  addStaffPush,
  followStaffPush,
  removeStaffPush,
  staffPushDevices,
} from "../../../../../src/domain/people/push/devices.ts";
import { aBrowser } from "../../../../support/push-receiver.ts";
import {
  ownLanguages,
  ownPreference,
  setOwnPreference,
} from "../../../../../src/domain/people/staff/preferences.ts";
import {
  recoveryCodesLeft,
  removeSecondFactor,
  renewRecoveryCodes,
} from "../../../../../src/domain/people/staff/second-factor.ts";
import { totpCode } from "../../../../../src/domain/people/staff/totp.ts";
import { setupFacts } from "../../../../../src/domain/machine/setup/facts.ts";
import { setupState, settleSetupStep } from "../../../../../src/domain/machine/setup/setup.ts";
import { type Call, forOperator, ofOneself, ofPat, PAT_SECRET, world, write } from "./call.ts";

const issuer = "Northlink";
const pat = { staffId: 10 };

/** What people do with their own account at the console, and who manages them. */
export const ofConsole = {
  listConsoleSessions: ofPat((db, by) => listConsoleSessions(db, by, pat, world)),
  endConsoleSession: ofPat((db, by) => endConsoleSession(db, by, { ...pat, key: "K1" }, world)),
  endOtherConsoleSessions: ofPat((db, by) => endOtherConsoleSessions(db, by, pat, world)),
  removeSecondFactor: ofPat((db, by) =>
    removeSecondFactor(db, by, { ...pat, proof: { code: totpCode(PAT_SECRET, world.now) } }, world),
  ),
  changeOwnPassword: ofOneself((db, by) =>
    changeOwnPassword(db, by, { current: "secret-1", password: "secret-2", key: "K1" }, world),
  ),
  startEnrolment: ofOneself((db, by) => startEnrolment(db, by, { issuer }, world)),
  continueEnrolment: ofOneself((db, by) => {
    const { sealed } = startEnrolment(db, by, { issuer }, world);
    return continueEnrolment(db, by, { sealed, issuer }, world);
  }),
  confirmEnrolment: ofOneself((db, by) => enrol(db, by)),
  recoveryCodesLeft: ofOneself((db, by) => recoveryCodesLeft(db, by)),
  renewRecoveryCodes: ofOneself((db, by) => {
    const code = totpCode(enrol(db, by), world.now + 30);
    return renewRecoveryCodes(db, by, { code }, world);
  }),
  propose: {
    call: (db, by) => propose(db, by, { call: "activate", sent: {}, entries: [] }, world),
    operator: "forbidden",
  },
  ownProposals: { call: (db, by) => ownProposals(db, by), operator: [] },
  staffPushDevices: ofOneself((db, by) => staffPushDevices(db, by)),
  addStaffPush: ofOneself((db, by) => addStaffPush(db, by, aBrowser(), world)),
  followStaffPush: ofOneself((db, by) =>
    followStaffPush(db, by, { endpoint: "https://push.example/1", tokenId: "t" }),
  ),
  removeStaffPush: ofOneself((db, by) => removeStaffPush(db, by, { id: 1 })),
  ownPreference: ofOneself((db, by) => ownPreference(db, by, "keys")),
  ownLanguages: ofOneself((db, by) => ownLanguages(db, by)),
  setOwnPreference: ofOneself((db, by) => setOwnPreference(db, by, { key: "keys", value: false })),
  setupState: forOperator((db, by) => setupState(db, by)),
  settleSetupStep: forOperator((db, by) => settleSetupStep(db, by, { step: "isp", state: "skipped" }, world)),
  setBackupPassphrase: forOperator((db, by) => {
    const passphrase = "written on paper";
    return setBackupPassphrase(db, by, { passphrase, again: passphrase }, world);
  }),
  setupFacts: forOperator((db, by) => setupFacts(db, by)),
  needSecondFactor: write((db, by) => needSecondFactor(db, by, { code: 4, needed: 1 }, world)),
} satisfies Record<string, Call>;

/** Gets the own account a second factor, and answers its secret. */
function enrol(db: Db, by: Actor): string {
  const { sealed, secret } = startEnrolment(db, by, { issuer }, world);
  confirmEnrolment(db, by, { sealed, code: totpCode(secret, world.now), key: "" }, world);
  return secret;
}
