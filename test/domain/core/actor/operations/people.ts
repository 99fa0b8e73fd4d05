import { tryBulk } from "../../../../../src/domain/around/bulk/try.ts";
import { findAnything } from "../../../../../src/domain/desk/search/find-anything.ts";
import { checkSignUp } from "../../../../../src/domain/desk/sign-up/check.ts";
import { signUp } from "../../../../../src/domain/desk/sign-up/sign-up.ts";
import { setTableColumns, tableColumns } from "../../../../../src/domain/people/staff/table-columns.ts";
import {
  everyTableRow,
  subscriberTable,
  tableIds,
} from "../../../../../src/domain/desk/subscriber-table/table.ts";
import { countSilent } from "../../../../../src/domain/desk/subscriber-table/table-views.ts";
import {
  createKey,
  keyById,
  keyNamed,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from "../../../../../src/domain/people/api-keys/api-keys.ts";
import { keyCalls, recordKeyCalls } from "../../../../../src/domain/people/api-keys/calls.ts";
import { rolesForKeys } from "../../../../../src/domain/people/api-keys/roles.ts";
import { act, done, forOperator, nobody, nowhere, through, type Call, world } from "./call.ts";

/** What everybody sees of subscribers 1, 2 and 9. */
const seen = {
  operator: [1, 2, 9],
  ispOne: [1, 2],
  otherIsp: [9],
  otherBranch: [2],
  otherReseller: [],
};
const newcomer = {
  isp_id: "1",
  name: "New Comer",
  username: "new.comer",
  password: "secret",
  package_id: "1",
  connection_type_id: "1",
  salesperson_id: "2",
  nas_id: "1",
  nic_number: "N77",
  mobile_number: "M77",
};

/** The table of subscribers, the one box, and signing up. */
export const ofPeople = {
  listKeys: {
    call: (db, by) => listKeys(db, by).map(({ name }) => name),
    operator: ["books"],
    otherIsp: [],
    otherBranch: [],
    otherReseller: [],
  },
  keyNamed: { call: (db, by) => keyNamed(db, by, "books").id, operator: 50, ...nobody },
  keyById: { call: (db, by) => keyById(db, by, { id: 50 }).name, operator: "books", ...nobody },
  keyCalls: {
    call: (db, by) => keyCalls(db, by, { key: 50 }, { limit: 9, before: 99 }).map(({ path }) => path),
    operator: ["/a"],
    ...nobody,
  },
  rolesForKeys: {
    call: (db, by) => rolesForKeys(db, by).map(({ code }) => code),
    operator: [1, 2, 3],
    ispOne: [1, 2],
    otherIsp: [3],
  },
  recordKeyCalls: forOperator((db, by) => recordKeyCalls(db, by, [])),
  createKey: {
    call: through((db, by) =>
      createKey(db, by, { isp_id: 1, branch_id: 11, name: "new", role_code: 2 }, world),
    ),
    also: ["api_access"],
    operator: done,
    ...nowhere,
  },
  updateKey: {
    ...act((db, by) => updateKey(db, by, { id: 50, input: { name: "other" } }, world)),
    also: ["api_access"],
  },
  rotateKey: { ...act((db, by) => rotateKey(db, by, { id: 50, input: {} }, world)), also: ["api_access"] },
  revokeKey: { ...act((db, by) => revokeKey(db, by, { id: 50 }, world)), also: ["api_access"] },
  subscriberTable: {
    call: (db, by) => subscriberTable(db, by, {}, world).rows.map(({ id }) => id),
    ...seen,
  },
  tableIds: { call: (db, by) => tableIds(db, by, {}, world), ...seen },
  everyTableRow: {
    call: (db, by) => [...everyTableRow(db, by, {}, world)].flat().map(({ id }) => id),
    ...seen,
  },
  countSilent: {
    call: (db, by) => countSilent(db, by, world),
    operator: 0,
    ispOne: 0,
    otherIsp: 0,
    otherBranch: 0,
    otherReseller: 0,
  },
  tableColumns: { call: (db, by) => tableColumns(db, by).length, operator: 8 },
  setTableColumns: {
    call: through((db, by) => setTableColumns(db, { ...by, staffId: 1 }, { columns: ["box"] })),
    operator: done,
  },
  findAnything: {
    call: (db, by) => findAnything(db, by, { q: "user" }, world).people.map(({ id }) => id),
    ...seen,
  },
  tryBulk: {
    call: async (db, by) => {
      const { tried } = await tryBulk(db, by, { operation: "disable", ids: [1, 9], values: {} }, world);
      return tried.filter(({ outcome }) => outcome.kind === "done").map(({ id }) => id);
    },
    also: ["subscriber_status"],
    operator: [1, 9],
    ispOne: [1],
    otherIsp: [9],
    otherBranch: [],
    otherReseller: [],
  },
  checkSignUp: {
    call: (db, by) => checkSignUp(db, by, { mobile_number: "M1", package_id: "1" }, world).sale !== null,
    operator: true,
    otherIsp: false,
  },
  signUp: {
    call: through((db, by) => signUp(db, by, { input: newcomer, key: "form-1" }, world)),
    operator: done,
    otherIsp: "forbidden",
    otherBranch: done,
    otherReseller: "forbidden",
  },
} satisfies Record<string, Call>;
