import { listPlaces } from "../../../../domain/people/places/places.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import { listRoles } from "../../../../domain/people/roles/roles.ts";
import { addStaff } from "../../../../domain/people/staff/accounts.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { ispsOfBox } from "../../../../domain/goods/nas/find.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { ADMIN, RESELLER, STAFF as STAFF_KIND } from "../../../../domain/core/actor/profile-types.ts";
import type { StaffLine } from "../../../../domain/people/staff/table.ts";
import { updateStaff } from "../../../../domain/people/staff/update.ts";
import { attempt } from "../../attempt.ts";
import { Field, type Option, Select } from "../../../pages/parts/field.tsx";
import { said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { madePassword } from "../../made-password.ts";
import { faultOf, formDrawer, typedIn } from "./form.tsx";
import { accountOf } from "./staff.tsx";
import { STAFF } from "./staff-list.tsx";
import { shownOnce } from "./staff-password.tsx";

/** Places, roles and ISPs that one chooses among at the most. */
const MOST = 1000;
const names = [
  ...(["name", "username", "email", "phone", "profile_type", "role_code"] as const),
  ...(["branch_id", "credit_limit", "isp_id"] as const),
];
type Typed = Readonly<Record<(typeof names)[number], string>>;

const typedOf = (input: Input): Typed => ({
  name: typedIn(input, "name"),
  username: typedIn(input, "username"),
  email: typedIn(input, "email"),
  phone: typedIn(input, "phone"),
  profile_type: typedIn(input, "profile_type"),
  role_code: typedIn(input, "role_code"),
  branch_id: typedIn(input, "branch_id"),
  credit_limit: typedIn(input, "credit_limit"),
  isp_id: typedIn(input, "isp_id"),
});

const typedFrom = (row: StaffLine): Typed => ({
  name: row.name,
  username: row.username,
  email: row.email ?? "",
  phone: row.phone ?? "",
  profile_type: String(row.profileType),
  role_code: row.roleCode === null ? "" : String(row.roleCode),
  branch_id: row.branchId === null ? "" : String(row.branchId),
  credit_limit: row.creditLimit === 0 ? "" : formatAmount(row.creditLimit),
  isp_id: String(row.ispId ?? 0),
});

interface FieldsProps {
  visit: StaffVisit;
  typed: Typed;
  refused?: DomainError | undefined;
  /** Of an account that there is; undefined: it is a new one, and its ISP is chosen. */
  ofIsp?: number | undefined;
  isNew: boolean;
}

/** Everything but the password. */
function Fields(props: FieldsProps) {
  const { visit, typed, refused, isNew } = props;
  const { view, by } = visit;
  const words = view.words.team.staff;
  const text = (name: keyof Typed & string, label: string, attributes: Record<string, string | number>) => (
    <Field
      name={name}
      label={label}
      value={typed[name]}
      fault={faultOf(refused, name)}
      required={name === "name" || name === "username"}
      attributes={{ autocomplete: "off", ...attributes }}
    />
  );
  const kinds = Object.entries(words.kinds)
    .filter(([type]) => by.admin || Number(type) !== ADMIN)
    .map(([value, label]) => ({ value, label }));
  return (
    <>
      {text("name", words.name, { maxlength: 120 })}
      {text("username", words.username, { maxlength: 64, autocapitalize: "none", spellcheck: "false" })}
      <Select
        name="profile_type"
        label={words.kind}
        value={typed.profile_type}
        fault={faultOf(refused, "profile_type")}
        help={words.kindHelp}
        options={kinds}
      />
      <Belongs {...props} />
      {text("phone", words.phone, { maxlength: 40, inputmode: "tel" })}
      {text("email", words.email, { maxlength: 254, inputmode: "email" })}
      <Field
        name="credit_limit"
        label={words.limit}
        value={typed.credit_limit}
        fault={faultOf(refused, "credit_limit")}
        help={words.limitHelp}
        attributes={{ inputmode: "decimal", autocomplete: "off" }}
      />
      {isNew && (
        <Field
          name="password"
          label={words.password}
          help={words.passwordHelp}
          fault={faultOf(refused, "password")}
          attributes={{ autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 128 }}
        />
      )}
    </>
  );
}

/** Its ISP, role and branch, as far as there are any to choose from. */
function Belongs({ visit, typed, refused, ofIsp, isNew }: FieldsProps) {
  const { view, by, db } = visit;
  const words = view.words.team.staff;
  const among = { sort: "name", descending: false, limit: MOST, offset: 0 } as const;
  const ispNames = new Map(
    (by.scope.ispId === null && isNew ? ispsOfBox(db) : []).map(({ id, name }) => [id, name]),
  );
  const within = <T extends { ispId: number }>(rows: readonly T[]) =>
    rows.filter(({ ispId }) => ofIsp === undefined || ispId === ofIsp);
  const option = (value: number, name: string, ispId: number): Option => {
    const isp = ispNames.size > 1 ? ispNames.get(ispId) : undefined;
    return { value, label: isp === undefined ? name : `${name} (${isp})` };
  };
  const roles = may(by, "role_view") ? within(listRoles(db, by)) : undefined;
  const branches = may(by, "place_view") ? within(listPlaces(db, by, "branch", among).records) : undefined;
  return (
    <>
      {isNew && by.admin && (
        <IspField
          visit={visit}
          typed={typed.isp_id}
          fault={faultOf(refused, "isp_id")}
          besides={{ label: words.operator, evenAlone: true }}
        />
      )}
      {roles && (
        <Select
          name="role_code"
          label={words.role}
          value={typed.role_code}
          fault={faultOf(refused, "role_code")}
          help={words.roleHelp}
          options={[
            { value: "", label: words.noRole },
            ...roles.map(({ code, name, ispId }) => option(code, name, ispId)),
          ]}
        />
      )}
      {branches && branches.length > 0 && (
        <Select
          name="branch_id"
          label={words.branch}
          value={typed.branch_id}
          fault={faultOf(refused, "branch_id")}
          help={words.branchHelp}
          options={[
            ...(by.scope.branchId === null ? [{ value: "", label: words.wholeIsp }] : []),
            ...branches.map(({ id, name, ispId }) => option(id, name, ispId)),
          ]}
        />
      )}
    </>
  );
}

/** The fields that the form had: what it has not is left as it is. */
function sent(input: Input): Input {
  return Object.fromEntries(
    names.filter((name) => name in input).map((name) => [name, typedIn(input, name).trim()]),
  );
}

const fresh: Typed = {
  ...{ name: "", username: "", email: "", phone: "", role_code: "", branch_id: "", credit_limit: "" },
  profile_type: String(STAFF_KIND),
  isp_id: "",
};

function newForm(visit: StaffVisit, typed: Typed, refused?: DomainError): Response {
  const { team } = visit.view.words;
  return formDrawer(visit, {
    ...{ title: team.staff.newTitle, refused, submit: team.save, action: `${STAFF}/new`, back: STAFF },
    children: <Fields visit={visit} typed={typed} refused={refused} isNew />,
  });
}

export function newAccount(visit: StaffVisit): Response {
  permit(visit.by, "addStaff");
  return newForm(visit, fresh);
}

export async function addAccount(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const typed = typedOf(input);
  const chosen = typedIn(input, "password");
  const password = chosen === "" ? madePassword() : chosen;
  const done = await attempt(visit, () => addStaff(db, by, { ...sent(input), password }, { now }));
  if (done instanceof DomainError) return newForm(visit, typed, done);
  const title = view.words.team.staff.created(view.format.name(done.name));
  const back = `${STAFF}/${done.id}`;
  if (chosen !== "") return said(visit, { kind: "good", title }, back);
  return shownOnce(visit, { title, username: done.username, password, back });
}

function editForm(visit: StaffVisit, row: StaffLine, typed: Typed, refused?: DomainError): Response {
  const { team } = visit.view.words;
  const href = `${STAFF}/${row.id}`;
  return formDrawer(visit, {
    ...{ title: team.staff.editTitle(row.name), refused, submit: team.save },
    ...{ action: `${href}/edit`, back: href },
    children: <Fields visit={visit} typed={typed} refused={refused} ofIsp={row.ispId ?? 0} isNew={false} />,
  });
}

export function editAccount(visit: StaffVisit): Response {
  permit(visit.by, "updateStaff");
  const row = accountOf(visit);
  return editForm(visit, row, typedFrom(row));
}

export async function saveAccount(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const row = accountOf(visit);
  const fields = sent(input);
  // a limit is a Reseller's alone: it goes with the kind
  const isReseller = Number(fields["profile_type"] ?? row.profileType) === RESELLER;
  const changes = isReseller ? fields : { ...fields, credit_limit: "" };
  const done = await attempt(visit, async () =>
    updateStaff(db, by, { staffId: row.id, input: changes }, { now }),
  );
  if (done instanceof DomainError) return editForm(visit, row, typedOf(input), done);
  const title = view.words.team.staff.saved(view.format.name(done.name));
  return said(visit, { kind: "good", title }, `${STAFF}/${row.id}`);
}
