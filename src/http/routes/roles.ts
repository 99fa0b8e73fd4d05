import { Type } from "@sinclair/typebox";
import { flag } from "../../domain/core/fields/fields.ts";
import { readPermissions, updatePermissions } from "../../domain/people/roles/permissions.ts";
import {
  createRole,
  deleteRole,
  listRoles,
  updateRole,
  roleByCode,
  roleCode,
  roleName,
} from "../../domain/people/roles/roles.ts";
import { exampleRole, roleSchema, roleToJson } from "../../wire/role.ts";
import { done } from "../describe.ts";
import { managementForm, noForm } from "../form.ts";
import { shortFile } from "../list.ts";
import { managed, anybodyMayRepeat } from "../operation.ts";

const PREFIX = "/api/v1/role";
const tags: [string] = ["Roles and permissions"];
const ids = { code: "role" };
const unknown = { 404: "There is no such role." };
const narrowedBy = ["isp_id"] as const;

const list = managed({
  method: "GET",
  path: `${PREFIX}/list`,
  operation: "listRoles",
  operationId: "listRoles",
  tags,
  summary: "List roles",
  form: noForm,
  success: { description: "By code.", schema: Type.Array(roleSchema), example: [exampleRole] },
  run: ({ db, by }) => listRoles(db, by).map(roleToJson),
  csv: ({ db, by }, line) => shortFile("listRoles", roleSchema, listRoles(db, by).map(roleToJson), line),
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:code`,
  operation: "roleByCode",
  operationId: "getRole",
  tags,
  summary: "Get a role",
  form: noForm,
  ids,
  success: { description: "The role.", schema: roleSchema, example: exampleRole },
  refusals: unknown,
  run: ({ db, by, ids: { code } }) => roleToJson(roleByCode(db, by, code)),
});

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  operation: "createRole",
  operationId: "createRole",
  tags,
  summary: "Create a role under the next code",
  description:
    "The operator of the box sends isp_id where there are several ISPs. A code is never given out twice. Accounts of one branch read roles and change none: 403.",
  form: { ...managementForm({ name: roleName }, ["name"], { name: "Support" }), narrowedBy: [] },
  success: {
    description: "Created.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer(), code: Type.Integer() }),
    example: { success: "Role created.", id: 5, code: 3 },
  },
  once: anybodyMayRepeat,
  run: ({ db, by, values: { isp_id: ispId, name }, now }) => {
    const { id, code } = createRole(db, by, { ispId, name }, { now });
    return { success: "Role created.", id, code };
  },
});

const update = managed({
  method: "POST",
  path: `${PREFIX}/update`,
  operation: "updateRole",
  operationId: "updateRole",
  tags,
  summary: "Rename a role, and say whether it needs a second factor",
  form: {
    ...managementForm({ code: roleCode, name: roleName, needs_second_factor: flag }, ["code", "name"], {
      code: 3,
      name: "Support, nights",
    }),
    narrowedBy,
  },
  success: done("Role updated."),
  refusals: unknown,
  run: ({ db, by, values: { code, name, needs_second_factor: needsSecondFactor }, now }) => {
    updateRole(db, by, { code, name, needsSecondFactor }, { now });
    return { success: "Role updated." };
  },
});

const remove = managed({
  method: "DELETE",
  path: `${PREFIX}/delete/:code`,
  operation: "deleteRole",
  operationId: "deleteRole",
  tags,
  summary: "Delete a role that no staff have",
  form: { ...noForm, narrowedBy },
  ids,
  success: done("Role deleted."),
  refusals: { ...unknown, 400: "Staff are assigned to the role." },
  run: ({ db, by, ids: { code }, now }) => {
    deleteRole(db, by, { code }, { now });
    return { success: "Role deleted." };
  },
});

const permissions = managed({
  method: "GET",
  path: `${PREFIX}/permissions/:code`,
  operation: "readPermissions",
  operationId: "getPermissions",
  tags,
  summary: "Get the permissions of a role; shows every flag of this installation",
  form: noForm,
  ids,
  success: {
    description: "Every flag as 0 or 1; null when none was ever set.",
    schema: Type.Object({
      role_code: Type.Integer(),
      permissions: Type.Union([
        Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 1 })),
        Type.Null(),
      ]),
    }),
    example: { role_code: 3, permissions: { api_access: 1, subscriber_view: 1, notice_view: 0 } },
  },
  refusals: unknown,
  run: ({ db, by, ids: { code } }) => ({ role_code: code, permissions: readPermissions(db, by, code) }),
});

const permissionsUpdate = managed({
  method: "POST",
  path: `${PREFIX}/permissions_update`,
  operation: "updatePermissions",
  operationId: "updatePermissions",
  tags,
  summary: "Set permission flags of a role",
  description:
    "Recognised flags that are sent are set, all others stay. Nobody changes a flag that they lack: 403; sent as it stands it passes.",
  form: {
    ...managementForm({ role_code: roleCode }, ["role_code"], {
      role_code: 3,
      api_access: 1,
      subscriber_view: 1,
      notice_view: 0,
    }),
    narrowedBy,
    others: { ...flag.schema, description: "A permission flag: 0 or 1. Names that are no flag are ignored." },
  },
  success: {
    description: "Set.",
    schema: Type.Object({ success: Type.String(), updated_fields: Type.Array(Type.String()) }),
    example: {
      success: "Permissions updated.",
      updated_fields: ["api_access", "subscriber_view", "notice_view"],
    },
  },
  refusals: unknown,
  run: ({ db, by, values: { role_code: code }, input: sent, now }) => ({
    success: "Permissions updated.",
    updated_fields: updatePermissions(db, by, { code, sent }, { now }),
  }),
});

export const roleOperations = [list, get, create, update, remove, permissions, permissionsUpdate];
