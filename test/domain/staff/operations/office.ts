import { applyPackage } from "../../../../src/domain/control/apply-package.ts";
import { apiAccount } from "../../../../src/domain/nas/api-account.ts";
import { addNas, listNas, nasNamed, removeNas, updateNas } from "../../../../src/domain/nas/nas.ts";
import { expiredListsOf } from "../../../../src/domain/nas/script.ts";
import { holdersOnOldTerms, packageNamed } from "../../../../src/domain/packages/terms.ts";
import { permissionsOf, updatePermissions } from "../../../../src/domain/roles/permissions.ts";
import {
  createRole,
  deleteRole,
  listRoles,
  renameRole,
  roleByCode,
} from "../../../../src/domain/roles/roles.ts";
import { changeSetting, listSettings, settingByName } from "../../../../src/domain/settings/change.ts";
import {
  addStaff,
  changeStaffPassword,
  listStaff,
  setStaffStatus,
} from "../../../../src/domain/staff/accounts.ts";
import { type Call, world, asking, nowhere, read, done, through, act, write } from "./call.ts";

const newStaff = { isp_id: 1, name: "New", username: "new", password: "secret-1", profile_type: 2 };
const newNas = { isp_id: 1, name: "edge", address: "10.9.9.9", secret: "hush" };

/** Roles, staff, packages, routers, settings. */
export const ofOffice = {
  listRoles: {
    call: (db, by) => listRoles(db, by).map(({ code }) => code),
    operator: [1, 2, 3, 4],
    ispOne: [1, 2, 4],
    otherIsp: [3],
  },
  roleByCode: { call: (db, by) => roleByCode(db, by, 1).name, operator: "Everything", ...read },
  permissionsOf: { call: (db, by) => permissionsOf(db, by, 1)?.["role_view"], operator: 1, ...read },
  createRole: {
    ...write((db, by) => createRole(db, by, { ispId: 1, name: "New" }, world)),
    otherIsp: "forbidden",
  },
  renameRole: write((db, by) => renameRole(db, by, { code: 4, name: "New" }, world)),
  deleteRole: write((db, by) => deleteRole(db, by, { code: 4 }, world)),
  updatePermissions: write((db, by) =>
    updatePermissions(db, by, { code: 4, sent: { role_manage: 1 } }, world),
  ),

  listStaff: {
    call: (db, by) => listStaff(db, by).map(({ username }) => username),
    operator: ["ada", "box", "max", "mia", "nil", "off", "pat", "rex", "rob", "sue"],
    ispOne: ["ada", "max", "mia", "nil", "off", "pat", "rex", "rob"],
    otherIsp: ["sue"],
    otherBranch: ["max"],
    otherReseller: ["rob"],
  },
  addStaff: {
    call: through((db, by) => addStaff(db, by, { ...newStaff, branch_id: 11 }, world)),
    operator: done,
    ...nowhere,
  },
  changeStaffPassword: act((db, by) =>
    changeStaffPassword(db, by, { username: "pat", password: "secret-2" }, world),
  ),
  setStaffStatus: act((db, by) => setStaffStatus(db, by, { username: "pat", status: 0 }, world)),

  packageNamed: { call: (db, by) => packageNamed(db, by, "1").name, operator: "Home 1", ...read },
  holdersOnOldTerms: {
    call: (db, by) =>
      holdersOnOldTerms(db, by).map(({ package_id, subscribers }) => [package_id, subscribers]),
    operator: [
      [1, 1],
      [9, 1],
    ],
    ispOne: [[1, 1]],
    otherIsp: [[9, 1]],
    otherBranch: [],
    otherReseller: [],
  },
  applyPackage: {
    call: async (db, by) => (await applyPackage(db, by, { packageId: 1, dryRun: true }, asking)).changed,
    operator: 1,
    otherIsp: "not_found",
    otherBranch: 0,
    otherReseller: 0,
  },

  listNas: {
    call: (db, by) => listNas(db, by).map(({ name }) => name),
    operator: ["core", "south"],
    ispOne: ["core"],
    otherIsp: ["south"],
  },
  nasNamed: { call: (db, by) => nasNamed(db, by, "core").id, operator: 1, ...read },
  addNas: { ...write((db, by) => addNas(db, by, newNas, world)), otherIsp: "forbidden" },
  updateNas: write((db, by) => updateNas(db, by, { nasId: 1, input: { name: "new" } }, world)),
  removeNas: write((db, by) => removeNas(db, by, { nasId: 1, detach: true }, world)),
  apiAccount: write((db, by) => apiAccount(db, by, 1, world)),
  expiredListsOf: { call: (db, by) => expiredListsOf(db, by, 1), operator: ["late"], otherIsp: [] },

  listSettings: {
    call: (db, by) => {
      const all: ReadonlySet<string> = new Set(listSettings(db, by).map(({ key }) => key));
      return [all.has("currency"), all.has("auth_log_days")];
    },
    operator: [true, true],
    ispOne: [true, false],
  },
  settingByName: {
    call: (db, by) => settingByName(db, by, { key: "currency", ispId: 1 }),
    operator: "USD",
    ...read,
  },
  changeSetting: write((db, by) => changeSetting(db, by, { key: "tax_name", value: "VAT", ispId: 1 }, world)),
} satisfies Record<string, Call>;
