import { listPlaces } from "../../../../domain/people/places/places.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import { listRoles } from "../../../../domain/people/roles/roles.ts";
import { addStaff } from "../../../../domain/people/staff/accounts.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { listIsps } from "../../../../domain/goods/nas/find.ts";
import { ADMIN, RESELLER, STAFF as STAFF_KIND } from "../../../../domain/core/actor/profile-types.ts";
import type { StaffLine } from "../../../../domain/people/staff/table.ts";
import { updateStaff } from "../../../../domain/people/staff/update.ts";
import type { Option } from "../../../pages/parts/field.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ispFields } from "../../isp-field.tsx";
import { madePassword } from "../../made-password.ts";
import type { FormField } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { readAccount } from "./staff.tsx";
import { STAFF } from "../../parts/hrefs.ts";
import { passwordField, passwordOnce } from "./staff-password.tsx";

const MOST = 1000;

/** All but the password; the ISP on creation only. */
function buildFields(visit: StaffVisit, row?: StaffLine): FormField[] {
  const { view, by } = visit;
  const words = view.words.team.staff;
  const kinds = Object.entries(words.kinds)
    .filter(([type]) => by.admin || Number(type) !== ADMIN)
    .map(([value, label]) => ({ value, label }));
  const plain = { autocapitalize: "none", spellcheck: "false" };
  const limit = row && row.creditLimit !== 0 ? formatAmount(row.creditLimit) : "";
  return [
    { name: "name", label: words.name, value: row?.name, required: true, max: 120 },
    {
      name: "username",
      label: words.username,
      value: row?.username,
      required: true,
      max: 64,
      attributes: plain,
    },
    {
      name: "profile_type",
      label: words.kind,
      help: words.kindHelp,
      value: row?.profileType ?? STAFF_KIND,
      options: kinds,
    },
    ...belongs(visit, row),
    {
      name: "phone",
      label: words.phone,
      value: row?.phone ?? "",
      max: 40,
      attributes: { inputmode: "tel" },
    },
    {
      name: "email",
      label: words.email,
      value: row?.email ?? "",
      max: 254,
      attributes: { inputmode: "email" },
    },
    {
      name: "credit_limit",
      label: words.limit,
      help: words.limitHelp,
      value: limit,
      attributes: { inputmode: "decimal" },
    },
  ];
}

/** ISP, role and branch, where there is a choice. */
function belongs(visit: StaffVisit, row: StaffLine | undefined): FormField[] {
  const { view, by, db } = visit;
  const words = view.words.team.staff;
  const among = { sort: "name", descending: false, limit: MOST, offset: 0 } as const;
  const ispNames = new Map(
    (by.scope.ispId === null && !row ? listIsps(db) : []).map(({ id, name }) => [id, name]),
  );
  const within = <T extends { ispId: number }>(rows: readonly T[]) =>
    rows.filter(({ ispId }) => !row || ispId === (row.ispId ?? 0));
  const option = (value: number, name: string, ispId: number): Option => {
    const isp = ispNames.size > 1 ? ispNames.get(ispId) : undefined;
    return { value, label: isp === undefined ? name : `${name} (${isp})` };
  };
  const roles = may(by, "role_view") ? within(listRoles(db, by)) : undefined;
  const branches = may(by, "place_view") ? within(listPlaces(db, by, "branch", among).records) : [];
  const role = {
    name: "role_code",
    label: words.role,
    help: roles?.length === 0 ? words.noRoleYet : words.roleHelp,
    value: row?.roleCode ?? "",
    options: [
      { value: "", label: words.noRole },
      ...(roles ?? []).map(({ code, name, ispId }) => option(code, name, ispId)),
    ],
  };
  const branch = {
    name: "branch_id",
    label: words.branch,
    help: words.branchHelp,
    value: row?.branchId ?? "",
    options: [
      ...(by.scope.branchId === null ? [{ value: "", label: words.wholeIsp }] : []),
      ...branches.map(({ id, name, ispId }) => option(id, name, ispId)),
    ],
  };
  return [
    ...(!row && by.admin ? ispFields(visit, { besides: { label: words.operator, evenAlone: true } }) : []),
    ...(roles ? [role] : []),
    ...(branches.length > 0 ? [branch] : []),
  ];
}

const add = form({
  path: `${STAFF}/new`,
  permit: "addStaff",
  of: () => undefined,
  content: (visit) => {
    const { team } = visit.view.words;
    return {
      title: team.staff.newTitle,
      back: STAFF,
      submit: team.save,
      fields: [...buildFields(visit), passwordField(visit)],
    };
  },
  save: async ({ db, by, now }, _, { password: chosen, ...values }) => {
    const password = chosen || madePassword();
    return { ...(await addStaff(db, by, { ...values, password }, { now })), password, isMade: !chosen };
  },
  done: (visit, { id, name, username, password, isMade }) => {
    const title = visit.view.words.team.staff.created(visit.view.format.name(name));
    const to = `${STAFF}/${id}`;
    return isMade ? passwordOnce(visit, { title, username, password, back: to }) : { title, to };
  },
});

const edit = form({
  path: `${STAFF}/:id/edit`,
  permit: "updateStaff",
  of: readAccount,
  content: (visit, row) => {
    const { team } = visit.view.words;
    return {
      title: team.staff.editTitle(row.name),
      back: `${STAFF}/${row.id}`,
      submit: team.save,
      fields: buildFields(visit, row),
    };
  },
  save: ({ db, by, now }, row, values) => {
    // only a Reseller has a limit
    const isReseller = Number(values["profile_type"] ?? row.profileType) === RESELLER;
    const input = isReseller ? values : { ...values, credit_limit: "" };
    return updateStaff(db, by, { staffId: row.id, input }, { now });
  },
  done: ({ view }, { name }) => view.words.team.staff.saved(view.format.name(name)),
});

export const staffForms = [...add, ...edit];
