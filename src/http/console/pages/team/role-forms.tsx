import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { createFilledRole } from "../../../../domain/people/roles/permissions.ts";
import { deleteRole, roleName, updateRole } from "../../../../domain/people/roles/roles.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { sentence } from "../subscriber/say.ts";
import { faultOf, formDrawer, typedIn } from "./form.tsx";
import { roleIn } from "./role.tsx";
import { ROLES } from "./roles.tsx";
import { STAFF } from "./staff-list.tsx";
import { starters } from "./starters.ts";

interface Typed {
  readonly name: string;
  readonly like: string;
  readonly isp: string;
}

function Name({
  visit,
  name,
  refused,
}: {
  visit: StaffVisit;
  name: string;
  refused?: DomainError | undefined;
}) {
  return (
    <Field
      name="name"
      label={visit.view.words.team.roles.called}
      value={name}
      fault={faultOf(refused, "name")}
      required
      attributes={{ maxlength: 120, autocomplete: "off" }}
    />
  );
}

/** A name as every call reads it. Throws `invalid`. */
function nameOf(typed: string): string {
  const name = typed.trim() === "" ? undefined : roleName.read(typed.trim());
  if (name !== undefined) return name;
  throw new DomainError("invalid", "check name", { fields: { name: [roleName.message] } });
}

function newForm(visit: StaffVisit, { name, like, isp }: Typed, refused?: DomainError): Response {
  const words = visit.view.words.team.roles;
  return formDrawer(visit, {
    ...{ title: words.newTitle, refused, submit: words.create, action: `${ROLES}/new`, back: ROLES },
    leaves: true,
    children: (
      <>
        <Name visit={visit} name={name} refused={refused} />
        <Select
          name="like"
          label={words.start}
          value={like}
          options={[
            { value: "", label: words.startEmpty },
            ...starters.map(({ key }) => ({
              value: key,
              label: `${words.starters[key].name}: ${words.starters[key].what}`,
            })),
          ]}
        />
        <IspField visit={visit} typed={isp} fault={faultOf(refused, "isp_id")} />
      </>
    ),
  });
}

export function newRole(visit: StaffVisit): Response {
  permit(visit.by, "createFilledRole");
  const starter = starters.find(({ key }) => key === visit.query.get("like"));
  const name = starter ? visit.view.words.team.roles.starters[starter.key].name : "";
  return newForm(visit, { name, like: starter?.key ?? "", isp: "" });
}

export async function addRole(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const typed = { name: typedIn(input, "name"), like: typedIn(input, "like"), isp: typedIn(input, "isp_id") };
  const flags = starters.find(({ key }) => key === typed.like)?.flags ?? [];
  const ispId = /^[1-9]\d{0,14}$/.test(typed.isp) ? Number(typed.isp) : null;
  const done = await attempt(visit, async () =>
    createFilledRole(db, by, { ispId, name: nameOf(typed.name), flags }, { now }),
  );
  if (done instanceof DomainError) return newForm(visit, typed, done);
  const title = view.words.team.roles.created(view.format.name(done.name));
  return said(visit, { kind: "good", title }, `${ROLES}/${done.code}`);
}

function copyForm(visit: StaffVisit, name?: string, refused?: DomainError): Response {
  const role = roleIn(visit);
  const words = visit.view.words.team.roles;
  const href = `${ROLES}/${role.code}`;
  return formDrawer(visit, {
    ...{ title: words.copyTitle(role.name), refused, submit: words.create },
    ...{ action: `${href}/copy`, back: href, leaves: true },
    children: (
      <>
        <p>{words.copyLead(visit.view.format.name(role.name))}</p>
        <Name visit={visit} name={name ?? words.copyName(role.name)} refused={refused} />
      </>
    ),
  });
}

export function askCopy(visit: StaffVisit): Response {
  permit(visit.by, "createFilledRole");
  return copyForm(visit);
}

export async function copyRole(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { ispId, flags, needsSecondFactor } = roleIn(visit);
  const name = typedIn(input, "name");
  const done = await attempt(visit, async () => {
    const role = { ispId, name: nameOf(name), flags: [...flags], needsSecondFactor };
    return createFilledRole(db, by, role, { now });
  });
  if (done instanceof DomainError) return copyForm(visit, name, done);
  const title = view.words.team.roles.created(view.format.name(done.name));
  return said(visit, { kind: "good", title }, `${ROLES}/${done.code}`);
}

function renameForm(visit: StaffVisit, name?: string, refused?: DomainError): Response {
  const role = roleIn(visit);
  const { team } = visit.view.words;
  const href = `${ROLES}/${role.code}`;
  return formDrawer(visit, {
    ...{ title: team.roles.renameTitle(role.name), refused, submit: team.save },
    ...{ action: `${href}/rename`, back: href },
    children: <Name visit={visit} name={name ?? role.name} refused={refused} />,
  });
}

export function askName(visit: StaffVisit): Response {
  permit(visit.by, "updateRole");
  return renameForm(visit);
}

export async function rename(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { code } = roleIn(visit);
  const typed = typedIn(input, "name");
  const done = await attempt(visit, async () => {
    const name = nameOf(typed);
    updateRole(db, by, { code, name }, { now });
    return name;
  });
  if (done instanceof DomainError) return renameForm(visit, typed, done);
  const title = view.words.team.roles.renamed(view.format.name(done));
  return said(visit, { kind: "good", title }, `${ROLES}/${code}`);
}

/** Says who has it, which stands in the way; else the button. */
export function askDeletion(visit: StaffVisit): Response {
  permit(visit.by, "deleteRole");
  const role = roleIn(visit);
  const { team } = visit.view.words;
  const words = team.roles;
  const href = `${ROLES}/${role.code}`;
  const held = role.staff > 0;
  return formDrawer(visit, {
    ...{
      title: words.deleteTitle(role.name),
      action: `${href}/delete`,
      back: href,
      danger: true,
      leaves: true,
    },
    ...(!held && { submit: words.remove }),
    children: held ? (
      <>
        <p>{role.staff === 1 ? words.heldOne : words.held(team.people(role.staff))}</p>
        <div class="actions">
          <Button href={`${STAFF}?role=${role.code}`} size="small">
            {words.seeHolders}
          </Button>
        </div>
      </>
    ) : (
      <p>{words.deleteText}</p>
    ),
  });
}

export async function removeRole(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const { code, name } = roleIn(visit);
  const done = await attempt(visit, async () => deleteRole(db, by, { code }, { now }));
  if (done instanceof DomainError) {
    const what = { title: view.words.team.staff.notDone, text: sentence(done.message) };
    return said(visit, { kind: "bad", ...what }, `${ROLES}/${code}`);
  }
  const title = view.words.team.roles.deleted(view.format.name(name));
  return said(visit, { kind: "good", title }, ROLES);
}
