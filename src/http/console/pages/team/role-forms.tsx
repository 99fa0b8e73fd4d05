import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { createFilledRole } from "../../../../domain/people/roles/permissions.ts";
import { deleteRole, roleName, updateRole } from "../../../../domain/people/roles/roles.ts";
import { Button } from "../../../pages/parts/button.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ispFields } from "../../isp-field.tsx";
import type { FormField } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { roleIn } from "./role.tsx";
import { ROLES } from "./roles.tsx";
import { STAFF } from "../../parts/hrefs.ts";
import { starters } from "./starters.ts";

const ROLE = `${ROLES}/:code`;
const roleHref = ({ code }: { code: number }) => `${ROLES}/${code}`;

const nameField = ({ view }: StaffVisit, value: string): FormField => ({
  name: "name",
  label: view.words.team.roles.called,
  value,
  required: true,
  max: 120,
});

/** Throws `invalid`. */
function readName(text: string | undefined): string {
  const name = text === undefined || text === "" ? undefined : roleName.read(text);
  if (name !== undefined) return name;
  throw new DomainError("invalid", phrase`check name`, { fields: { name: [roleName.message] } });
}

const starterNamed = (name: string | null | undefined) => starters.find(({ key }) => key === name);

interface Named {
  readonly code: number;
  readonly name: string;
}

const add = form({
  path: `${ROLES}/new`,
  permit: "createFilledRole",
  of: ({ query }) => starterNamed(query.get("like")),
  content: (visit, starter) => {
    const words = visit.view.words.team.roles;
    const choices = starters.map(({ key }) => {
      const { name, what } = words.starters[key];
      return { value: key, label: `${name}${visit.view.words.list.colon}${what}` };
    });
    const options = [{ value: "", label: words.startEmpty }, ...choices];
    return {
      title: words.newTitle,
      back: ROLES,
      submit: words.create,
      leaves: true,
      fields: [
        nameField(visit, starter ? words.starters[starter.key].name : ""),
        { name: "like", label: words.start, value: starter?.key ?? "", options },
        ...ispFields(visit),
      ],
    };
  },
  once: ({ code, name }: Named) => ({ code, name }),
  save: ({ db, by, now }, _, { name, like, isp_id: isp = "" }): Named => {
    const ispId = /^[1-9]\d{0,14}$/.test(isp) ? Number(isp) : null;
    const flags = starterNamed(like)?.flags ?? [];
    return createFilledRole(db, by, { ispId, name: readName(name), flags }, { now });
  },
  done: ({ view }, { code, name }) => ({
    title: view.words.team.roles.created(view.format.name(name)),
    to: roleHref({ code }),
  }),
});

const copy = form({
  path: `${ROLE}/copy`,
  permit: "createFilledRole",
  of: roleIn,
  content: (visit, role) => {
    const words = visit.view.words.team.roles;
    return {
      title: words.copyTitle(role.name),
      back: roleHref(role),
      submit: words.create,
      leaves: true,
      text: <p>{words.copyLead(visit.view.format.name(role.name))}</p>,
      fields: [nameField(visit, words.copyName(role.name))],
    };
  },
  once: ({ code, name }: Named) => ({ code, name }),
  save: ({ db, by, now }, { ispId, flags, needsSecondFactor }, { name }): Named =>
    createFilledRole(db, by, { ispId, name: readName(name), flags: [...flags], needsSecondFactor }, { now }),
  done: ({ view }, { code, name }) => ({
    title: view.words.team.roles.created(view.format.name(name)),
    to: roleHref({ code }),
  }),
});

const rename = form({
  path: `${ROLE}/rename`,
  permit: "updateRole",
  of: roleIn,
  content: (visit, role) => {
    const { team } = visit.view.words;
    return {
      title: team.roles.renameTitle(role.name),
      back: roleHref(role),
      submit: team.save,
      fields: [nameField(visit, role.name)],
    };
  },
  save: ({ db, by, now }, { code }, values) => {
    const name = readName(values["name"]);
    updateRole(db, by, { code, name }, { now });
    return name;
  },
  done: ({ view }, name) => view.words.team.roles.renamed(view.format.name(name)),
});

/** Names the holders that keep it from being deleted; else the button. */
const removal = form({
  path: `${ROLE}/delete`,
  permit: "deleteRole",
  of: roleIn,
  content: ({ view: { words } }, role) => {
    const { team } = words;
    const question = {
      title: team.roles.deleteTitle(role.name),
      back: roleHref(role),
      danger: true,
      leaves: true,
    };
    if (role.staff === 0)
      return { ...question, submit: team.roles.remove, text: <p>{team.roles.deleteText}</p> };
    const held = (
      <>
        <p>{role.staff === 1 ? team.roles.heldOne : team.roles.held(team.people(role.staff))}</p>
        <div class="actions">
          <Button href={`${STAFF}?role=${role.code}`} size="small">
            {team.roles.seeHolders}
          </Button>
        </div>
      </>
    );
    return { ...question, text: held };
  },
  save: ({ db, by, now }, { code }) => deleteRole(db, by, { code }, { now }),
  done: ({ view }, _, { name }) => ({
    title: view.words.team.roles.deleted(view.format.name(name)),
    to: ROLES,
  }),
});

export const roleForms = [...add, ...copy, ...rename, ...removal];
