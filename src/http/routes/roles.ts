import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { flag } from "../../domain/fields.ts";
import { permissionsOf, updatePermissions } from "../../domain/roles/permissions.ts";
import {
  createRole,
  deleteRole,
  listRoles,
  renameRole,
  type Role,
  roleByCode,
  roleCode,
  roleName,
} from "../../domain/roles/roles.ts";
import type { Clock } from "../../domain/time.ts";
import type { basicGuard } from "../guards.ts";
import { describeManaged } from "../describe.ts";
import { managementForm, pathId, read, within } from "../form.ts";

/** Roles and permissions. What changes them is narrowed to an ISP alone, for roles have no branch. */
export function roleRoutes({
  db,
  clock,
  guard,
}: {
  db: Db;
  clock: Clock;
  guard: ReturnType<typeof basicGuard>;
}) {
  return new Elysia({ prefix: "/api/v1/role" })
    .use(guard)
    .get("/list", ({ staff, input }) => listRoles(db, within(staff, read(noForm, input))), describeList)
    .get(
      "/get/:code",
      ({ staff, input, params }) =>
        shown(roleByCode(db, within(staff, read(noForm, input)), pathId("role", params.code))),
      describeGet,
    )
    .post(
      "/create",
      ({ staff, input }) => {
        const { isp_id: ispId, name } = read(createForm, input);
        const { id, code } = createRole(db, staff, { ispId, name }, { now: clock() });
        return { success: "Role created.", id, code };
      },
      describeCreate,
    )
    .post(
      "/update",
      ({ staff, input }) => {
        const { code, name, isp_id } = read(updateForm, input);
        renameRole(db, within(staff, { isp_id }), { code, name }, { now: clock() });
        return { success: "Role updated." };
      },
      describeUpdate,
    )
    .delete(
      "/delete/:code",
      ({ staff, input, params }) => {
        const { isp_id } = read(noForm, input);
        const by = within(staff, { isp_id });
        deleteRole(db, by, { code: pathId("role", params.code) }, { now: clock() });
        return { success: "Role deleted." };
      },
      describeDelete,
    )
    .get(
      "/permissions/:code",
      ({ staff, input, params }) => {
        const code = pathId("role", params.code);
        return { role_code: code, permissions: permissionsOf(db, within(staff, read(noForm, input)), code) };
      },
      describePermissions,
    )
    .post(
      "/permissions_update",
      ({ staff, input }) => {
        const { role_code: code, isp_id } = read(permissionsForm, input);
        const by = within(staff, { isp_id });
        const names = updatePermissions(db, by, { code, sent: input }, { now: clock() });
        return { success: "Permissions updated.", updated_fields: names };
      },
      describePermissionsUpdate,
    );
}

const noForm = managementForm({}, [], {});
const createForm = managementForm({ name: roleName }, ["name"], { name: "Support" });
const updateForm = managementForm({ code: roleCode, name: roleName }, ["code", "name"], {
  code: 3,
  name: "Support, nights",
});
const permissionsForm = {
  ...managementForm({ role_code: roleCode }, ["role_code"], {
    role_code: 3,
    api_access: 1,
    subscriber_view: 1,
    notice_view: 0,
  }),
  others: { ...flag.schema, description: "A permission flag: 0 or 1. Names that are no flag are ignored." },
};

function shown({ id, code, name }: Role) {
  return { id, code, name };
}

const tags: [string] = ["Roles and permissions"];
const path = { code: roleCode };
const unknown = { 404: "There is no such role." };
const roleSchema = Type.Object({
  id: Type.Integer({ description: "Number of the row, for nothing else; roles are named by `code`." }),
  code: Type.Integer(),
  name: Type.String(),
});
const exampleRole = { id: 5, code: 3, name: "Support" };
const done = (message: string) => ({
  description: "Done.",
  schema: Type.Object({ success: Type.String() }),
  example: { success: message },
});

const describeList = describeManaged({
  operationId: "listRoles",
  tags,
  summary: "List roles",
  operation: "listRoles",
  form: noForm,
  success: { description: "By code.", schema: Type.Array(roleSchema), example: [exampleRole] },
});

const describeGet = describeManaged({
  operationId: "getRole",
  tags,
  summary: "Get a role",
  operation: "roleByCode",
  form: noForm,
  path,
  success: { description: "The role.", schema: roleSchema, example: exampleRole },
  refusals: unknown,
});

const describeCreate = describeManaged({
  operationId: "createRole",
  tags,
  summary: "Create a role under the next code",
  description:
    "The operator of the box must send isp_id. A code is never given out twice. Accounts of one branch read roles and change none: 403.",
  operation: "createRole",
  form: createForm,
  success: {
    description: "Created.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer(), code: Type.Integer() }),
    example: { success: "Role created.", id: 5, code: 3 },
  },
});

const describeUpdate = describeManaged({
  operationId: "updateRole",
  tags,
  summary: "Rename a role",
  operation: "renameRole",
  form: updateForm,
  success: done("Role updated."),
  refusals: unknown,
});

const describeDelete = describeManaged({
  operationId: "deleteRole",
  tags,
  summary: "Delete a role that no staff have",
  operation: "deleteRole",
  form: noForm,
  path,
  success: done("Role deleted."),
  refusals: { ...unknown, 400: "Staff are assigned to the role." },
});

const describePermissions = describeManaged({
  operationId: "getPermissions",
  tags,
  summary: "Get the permissions of a role; shows every flag of this installation",
  operation: "permissionsOf",
  form: noForm,
  path,
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
});

const describePermissionsUpdate = describeManaged({
  operationId: "updatePermissions",
  tags,
  summary: "Set permission flags of a role",
  description:
    "Recognised flags that are sent are set, all others stay. Nobody changes a flag that they lack: 403; sent as it stands it passes.",
  operation: "updatePermissions",
  form: permissionsForm,
  success: {
    description: "Set.",
    schema: Type.Object({ success: Type.String(), updated_fields: Type.Array(Type.String()) }),
    example: {
      success: "Permissions updated.",
      updated_fields: ["api_access", "subscriber_view", "notice_view"],
    },
  },
  refusals: unknown,
});
