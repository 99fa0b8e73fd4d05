import { applyPackage } from "../../../../../src/domain/service/control/apply-package.ts";
import { apiAccount } from "../../../../../src/domain/goods/router-setup/api-account.ts";
import {
  createPool,
  deletePool,
  listPools,
  poolAddresses,
  poolById,
  poolNamed,
  updatePool,
} from "../../../../../src/domain/goods/address-pools/pools.ts";
import { addNas, listNas, nasNamed, removeNas, updateNas } from "../../../../../src/domain/goods/nas/nas.ts";
import { sendHotspotPages } from "../../../../../src/domain/goods/nas/hotspot.ts";
import { buildNasScript } from "../../../../../src/domain/goods/router-setup/script.ts";
import { listChoices } from "../../../../../src/domain/goods/subscribers/choices.ts";
import {
  createPackage,
  deletePackage,
  listPackages,
  packageById,
  setPackageStatus,
  updatePackage,
} from "../../../../../src/domain/goods/packages/packages.ts";
import {
  createPlace,
  deletePlace,
  listPlaces,
  placeById,
  placeNamed,
  updatePlace,
} from "../../../../../src/domain/people/places/places.ts";
import { placeInUse, placeTree } from "../../../../../src/domain/people/places/tree.ts";
import { nasPage, nasWithSources } from "../../../../../src/domain/goods/nas/list.ts";
import { testNas } from "../../../../../src/domain/goods/nas/test.ts";
import { packageSales } from "../../../../../src/domain/around/reports/sales.ts";
import { holdersOnOldTerms, packageNamed } from "../../../../../src/domain/goods/packages/terms.ts";
import {
  createFilledRole,
  readPermissions,
  updatePermissions,
} from "../../../../../src/domain/people/roles/permissions.ts";
import { roleTable } from "../../../../../src/domain/people/roles/table.ts";
import {
  createRole,
  deleteRole,
  listRoles,
  updateRole,
  roleByCode,
  roleNamed,
} from "../../../../../src/domain/people/roles/roles.ts";
import {
  changeLogo,
  changeSetting,
  boxSettings,
  listSettings,
  settingByName,
  trySetting,
} from "../../../../../src/domain/machine/settings/change.ts";
import { listSellers } from "../../../../../src/domain/people/staff/salesperson.ts";
import {
  addStaff,
  changeStaffPassword,
  listStaff,
  setStaffStatus,
} from "../../../../../src/domain/people/staff/accounts.ts";
import { auditLog } from "../../../../../src/domain/core/audit/audit-log.ts";
import { staffAccountById, staffPage } from "../../../../../src/domain/people/staff/list.ts";
import { seeAs, startSeeingAs } from "../../../../../src/domain/people/staff/see-as.ts";
import { staffTable } from "../../../../../src/domain/people/staff/table.ts";
import { updateStaff } from "../../../../../src/domain/people/staff/update.ts";
import { PNG } from "../../../../support/logos.ts";
import { noNasTools } from "../../../../support/routers.ts";
import { type Call, world, asking, nobody, nowhere, read, done, through, act, write } from "./call.ts";

const newStaff = { isp_id: 1, name: "New", username: "new", password: "secret-1", profile_type: 2 };
const newPackage = {
  isp_id: 1,
  name: "New",
  price: 1,
  billing_type: "prepaid",
  duration: 1,
  duration_unit: "day",
};
const firstPage = { descending: false, limit: 10, offset: 0 };
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
  roleNamed: { call: (db, by) => roleNamed(db, by, "Spare").code, operator: 4, ...read },
  readPermissions: { call: (db, by) => readPermissions(db, by, 1)?.["role_view"], operator: 1, ...read },
  createRole: {
    ...write((db, by) => createRole(db, by, { ispId: 1, name: "New" }, world)),
    otherIsp: "forbidden",
  },
  updateRole: write((db, by) => updateRole(db, by, { code: 4, name: "New" }, world)),
  roleTable: {
    call: (db, by) => roleTable(db, by).map(({ name, staff }) => [name, staff]),
    operator: [
      ["Everything", 4],
      ["Idle", 1],
      ["Spare", 0],
      ["South", 0],
    ],
    ispOne: [
      ["Everything", 4],
      ["Idle", 1],
      ["Spare", 0],
    ],
    otherIsp: [["South", 0]],
  },
  createFilledRole: {
    ...write((db, by) => createFilledRole(db, by, { ispId: 1, name: "New", flags: ["role_manage"] }, world)),
    otherIsp: "forbidden",
  },
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
  changeStaffPassword: {
    ...act((db, by) => changeStaffPassword(db, by, { username: "pat", password: "secret-2" }, world)),
    otherReseller: "forbidden",
  },
  setStaffStatus: {
    ...act((db, by) => setStaffStatus(db, by, { username: "pat", status: 0 }, world)),
    otherReseller: "forbidden",
  },
  staffPage: {
    call: (db, by) => {
      const { rows, total } = staffPage(db, by, { profileType: 2 }, { ...firstPage, sort: "username" });
      return [...rows.map(({ username }) => username), total];
    },
    operator: ["max", "mia", "nil", "pat", 4],
    otherIsp: [0],
    otherBranch: ["max", 1],
    otherReseller: [0],
  },
  staffAccountById: { call: (db, by) => staffAccountById(db, by, 10).username, operator: "pat", ...nobody },
  staffTable: {
    call: (db, by) => {
      const { rows, total } = staffTable(db, by, { profileType: 2 }, { ...world, ...firstPage });
      return [rows.map(({ username }) => username), total];
    },
    operator: [["max", "mia", "pat", "nil"], 4],
    ispOne: [["max", "mia", "pat", "nil"], 4],
    otherIsp: [[], 0],
    otherBranch: [["max"], 1],
    otherReseller: [[], 0],
  },
  seeAs: {
    call: (db, by) => seeAs(db, by, { staffId: 10 }).name,
    also: ["role_manage"],
    operator: "Mia",
    ...nobody,
    otherReseller: "forbidden",
  },
  startSeeingAs: {
    ...act((db, by) => startSeeingAs(db, by, { staffId: 10 }, world)),
    also: ["role_manage"],
    otherReseller: "forbidden",
  },
  updateStaff: {
    ...act((db, by) => updateStaff(db, by, { staffId: 10, input: { name: "Pat" } }, world)),
    otherReseller: "forbidden",
  },

  listPlaces: {
    call: (db, by) =>
      listPlaces(db, by, "branch", { ...firstPage, sort: "name" }).records.map(({ id }) => id),
    operator: [11, 12, 21],
    ispOne: [11, 12],
    otherIsp: [21],
    otherBranch: [12],
  },
  placeById: { call: (db, by) => placeById(db, by, "area", 1).name, operator: "East", ...read },
  placeNamed: { call: (db, by) => placeNamed(db, by, "area", "East").id, operator: 1, ...read },
  createPlace: {
    ...write((db, by) => createPlace(db, by, "area", { isp_id: 1, name: "New" }, world)),
    otherIsp: "forbidden",
  },
  updatePlace: write((db, by) => updatePlace(db, by, "area", { id: 1, input: { name: "New" } }, world)),
  deletePlace: write((db, by) => deletePlace(db, by, "subarea", { id: 1 }, world)),
  placeTree: {
    call: (db, by) =>
      placeTree(db, by, { ispId: 1 }).branches.map(({ name, subscribers }) => [name, subscribers]),
    operator: [
      ["Centre", 1],
      ["Harbour", 1],
    ],
    otherIsp: [],
    otherBranch: [["Harbour", 1]],
    otherReseller: [
      ["Centre", 0],
      ["Harbour", 0],
    ],
  },
  placeInUse: write((db, by) => placeInUse(db, by, "branch", 11)),
  listChoices: {
    call: (db, by) =>
      Object.values(listChoices(db, by)).map((rows) => rows.map(({ id }: { id: number }) => id)),
    operator: [
      [11, 12, 21],
      [2, 1],
      [1, 2],
      [1, 2],
      [1, 9, 2],
      [1, 2],
      [1, 7, 2, 3, 8],
      [1, 2, 3, 4],
    ],
    ispOne: [[11, 12], [1], [1], [1], [1, 2], [1], [1, 7, 2, 3], [1, 2, 4]],
    otherIsp: [[21], [2], [2], [2], [9], [2], [8], [3]],
    otherBranch: [[12], [1], [1], [1], [1, 2], [1], [1, 7, 2, 3], [1, 2, 4]],
    otherReseller: [[11, 12], [1], [1], [1], [1, 2], [1], [3], [1, 2, 4]],
  },

  packageSales: {
    call: (db, by) => packageSales(db, by, world).map(({ packageId, active }) => [packageId, active]),
    operator: [
      [1, 1],
      [9, 1],
    ],
    ispOne: [[1, 1]],
    otherIsp: [[9, 1]],
    otherBranch: [],
    otherReseller: [],
  },
  listPackages: {
    call: (db, by) => listPackages(db, by, { ...firstPage, sort: "id" }).records.map(({ id }) => id),
    operator: [1, 2, 9],
    ispOne: [1, 2],
    otherIsp: [9],
  },
  packageById: { call: (db, by) => packageById(db, by, 1).name, operator: "Home 1", ...read },
  createPackage: { ...write((db, by) => createPackage(db, by, newPackage, world)), otherIsp: "forbidden" },
  updatePackage: write((db, by) => updatePackage(db, by, { id: 1, input: { name: "New" } }, world)),
  setPackageStatus: write((db, by) => setPackageStatus(db, by, { id: 1, status: 0 }, world)),
  deletePackage: write((db, by) => deletePackage(db, by, { id: 2 }, world)),
  packageNamed: { call: (db, by) => packageNamed(db, by, "1").name, operator: "Home 1", ...read },
  holdersOnOldTerms: {
    call: (db, by) =>
      holdersOnOldTerms(db, by, world).map(({ package_id, subscribers }) => [package_id, subscribers]),
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

  listPools: {
    call: (db, by) =>
      listPools(db, by, { sort: "name", descending: false, limit: 9, offset: 0 }).records.map(
        ({ pool }) => pool.name,
      ),
    operator: ["homes"],
    ispOne: ["homes"],
    otherIsp: [],
  },
  poolById: { call: (db, by) => poolById(db, by, 1).pool.name, operator: "homes", ...read },
  poolNamed: { call: (db, by) => poolNamed(db, by, "homes").name, operator: "homes", ...read },
  poolAddresses: {
    call: (db, by) => poolAddresses(db, by, 1, { limit: 9, offset: 0 }).total,
    operator: 0,
    ...read,
  },
  createPool: {
    ...write((db, by) => createPool(db, by, { isp_id: 1, name: "flats", range: "10.30.0.0/24" }, world)),
    otherIsp: "forbidden",
  },
  updatePool: write((db, by) => updatePool(db, by, { id: 1, input: { name: "new" } }, world)),
  deletePool: write((db, by) => deletePool(db, by, { id: 1 }, world)),

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
  nasPage: {
    call: (db, by) => {
      const { rows, total } = nasPage(db, by, {}, { ...firstPage, sort: "name" });
      return [...rows.map(({ name }) => name), total];
    },
    operator: ["core", "south", 2],
    ispOne: ["core", 1],
    otherIsp: ["south", 1],
  },
  nasWithSources: { call: (db, by) => nasWithSources(db, by, 1).router.name, operator: "core", ...read },
  testNas: write((db, by) => testNas(db, by, { nasId: 1 }, noNasTools)),
  buildNasScript: write((db, by) =>
    buildNasScript(db, by, 1, {
      ...world,
      findPlace: (nas, lists) => noNasTools.findPlace(nas, lists, undefined),
    }),
  ),
  sendHotspotPages: write((db, by) =>
    sendHotspotPages(
      db,
      by,
      { nasId: 1, source: { url: "http://10.0.0.254:8080/", names: ["login.html"] } },
      { ...world, send: noNasTools.sendHotspot },
    ),
  ),

  listSettings: {
    call: (db, by) => {
      const all: ReadonlySet<string> = new Set(listSettings(db, by).map(({ key }) => key));
      return [all.has("currency"), all.has("auth_log_days")];
    },
    operator: [true, true],
    ispOne: [true, false],
  },
  boxSettings: {
    call: (db, by) => boxSettings(db, by).keys.includes("unique_contacts"),
    operator: true,
    ispOne: true,
    otherIsp: true,
    otherBranch: true,
    otherReseller: true,
  },
  listSellers: {
    call: (db, by) => listSellers(db, by).map(({ username }) => username),
    operator: ["ada", "rex", "rob", "sue"],
    ispOne: ["ada", "rex", "rob"],
    otherIsp: ["sue"],
    otherReseller: ["rob"],
  },
  settingByName: {
    call: (db, by) => settingByName(db, by, { key: "currency", ispId: 1 }),
    operator: "USD",
    ...read,
  },
  trySetting: write((db, by) => trySetting(db, by, { key: "portal_name", value: "North", ispId: 1 })),
  changeLogo: write((db, by) => changeLogo(db, by, { content: PNG, ispId: 1 }, world)),
  changeSetting: write((db, by) => changeSetting(db, by, { key: "tax_name", value: "VAT", ispId: 1 }, world)),

  auditLog: {
    call: (db, by) =>
      auditLog(db, by, { action: "role.look" }, { limit: 10, before: 1000 }).map(({ ispId }) => ispId),
    operator: [null, 2, 1],
    ispOne: [1],
    otherIsp: [2],
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
} satisfies Record<string, Call>;
