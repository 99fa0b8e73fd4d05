import { Type } from "@sinclair/typebox";
import { email, flag, id, text } from "../../domain/core/fields/fields.ts";
import {
  addStaff,
  changeStaffPassword,
  requiredStaffFields,
  setStaffStatus,
  staffFields,
} from "../../domain/people/staff/accounts.ts";
import { staffAccountById, staffPage, staffSorts } from "../../domain/people/staff/list.ts";
import { profileType } from "../../domain/core/actor/profile-types.ts";
import { changedStaffFields, updateStaff } from "../../domain/people/staff/update.ts";
import { exampleStaff, staffToJson, staffSchema } from "../../wire/staff.ts";
import { done } from "../describe.ts";
import { managementForm, noForm } from "../form.ts";
import { listed } from "../list.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/staff";
const tags: [string] = ["Staff"];
const unknown = { 404: "There is no such account." };
const list = listed({
  path: `${PREFIX}/list`,
  operation: "staffPage",
  operationId: "listStaff",
  tags,
  summary: "List staff accounts",
  description:
    "Of the caller's ISP, and of its branch where it has one; a Reseller sees its own account. All filters that are given must match.",
  filters: { username: text(64), email, profile_type: profileType, role_code: id, status: flag },
  sorts: staffSorts,
  record: staffSchema,
  example: exampleStaff,
  page: ({ db, by, values: value }, paging) => {
    const { username, email, profile_type: profileType, role_code: roleCode, status } = value;
    const { rows, total } = staffPage(db, by, { username, email, profileType, roleCode, status }, paging);
    return { records: rows.map(staffToJson), total };
  },
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "staffAccountById",
  operationId: "getStaff",
  tags,
  summary: "Get a staff account",
  form: noForm,
  ids: { id: "staff account" },
  success: { description: "The account.", schema: staffSchema, example: exampleStaff },
  refusals: unknown,
  run: ({ db, by, ids: { id: staffId } }) => staffToJson(staffAccountById(db, by, staffId)),
});

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  awaits: true,
  operation: "addStaff",
  operationId: "createStaff",
  tags,
  summary: "Create a staff account",
  description:
    "The operator of the box sends isp_id where there are several ISPs; 0 is the operator itself, who is an Admin. An account of one branch makes accounts of that branch. Nobody makes an account that sees or may do more than its maker: 403. Nobody else has its username or e-mail address, be it as the other of the two.",
  form: {
    fields: staffFields,
    required: requiredStaffFields.filter((name) => name !== "isp_id"),
    example: {
      isp_id: 1,
      name: "Grace",
      username: "grace",
      password: "correct-horse",
      profile_type: 2,
      role_code: 3,
    },
    read: () => ({}), // by the operation, which says everything that is wrong at once
    narrowedBy: [],
  },
  clears: true,
  success: {
    description: "Created.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer() }),
    example: { success: "Account created.", id: 7 },
  },
  run: async ({ db, by, input, now }) => ({
    success: "Account created.",
    id: (await addStaff(db, by, input, { now })).id,
  }),
});

const update = managed({
  method: "POST",
  path: `${PREFIX}/update`,
  operation: "updateStaff",
  operationId: "updateStaff",
  tags,
  summary: "Change a staff account",
  description:
    "Fields that are absent stay as they are; email, phone, role_code and credit_limit sent empty are cleared. isp_id is never changed: another one than the account's is 404. Nobody changes an account that may do more, nor gives one more than they have: 403.",
  form: {
    ...managementForm({ id, ...changedStaffFields }, ["id"], {
      id: 7,
      role_code: 4,
      phone: "101",
    }),
    narrowedBy: ["isp_id"] as const,
  },
  clears: true,
  success: done("Account updated."),
  refusals: {
    ...unknown,
    400: "The account is the last Admin of its ISP or of the box, or the salesperson of subscribers, and would not be any more.",
  },
  run: ({ db, by, values: { id: staffId }, input, now }) => {
    updateStaff(db, by, { staffId, input }, { now });
    return { success: "Account updated." };
  },
});

const password = managed({
  method: "POST",
  path: `${PREFIX}/password`,
  awaits: true,
  operation: "changeStaffPassword",
  operationId: "changeStaffPassword",
  tags,
  summary: "Set another password of a staff account",
  description: "Every token of the account is revoked.",
  form: managementForm({ id, password: staffFields.password }, ["id", "password"], {
    id: 7,
    password: "correct-horse",
  }),
  success: done("Password changed."),
  refusals: unknown,
  run: async ({ db, by, values: { id: staffId, password }, now }) => {
    await changeStaffPassword(db, by, { staffId, password }, { now });
    return { success: "Password changed." };
  },
});

const enable = managed({
  method: "POST",
  path: `${PREFIX}/enable`,
  operation: "setStaffStatus",
  operationId: "enableStaff",
  tags,
  summary: "Let a staff account sign in again",
  description: "Its tokens of before stay revoked.",
  form: managementForm({ id }, ["id"], { id: 7 }),
  success: done("Account enabled."),
  refusals: unknown,
  run: ({ db, by, values: { id: staffId }, now }) => {
    setStaffStatus(db, by, { staffId, status: 1 }, { now });
    return { success: "Account enabled." };
  },
});

const disable = managed({
  method: "POST",
  path: `${PREFIX}/disable`,
  operation: "setStaffStatus",
  operationId: "disableStaff",
  tags,
  summary: "Keep a staff account out",
  description: "Its tokens are revoked for good.",
  form: managementForm({ id }, ["id"], { id: 7 }),
  success: done("Account disabled."),
  refusals: {
    ...unknown,
    400: "It is the caller's own account, or the last Admin of its ISP or of the box.",
  },
  run: ({ db, by, values: { id: staffId }, now }) => {
    setStaffStatus(db, by, { staffId, status: 0 }, { now });
    return { success: "Account disabled." };
  },
});

export const staffOperations = [list, get, create, update, password, enable, disable];
