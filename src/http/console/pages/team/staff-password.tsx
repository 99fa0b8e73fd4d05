import { changeStaffPassword } from "../../../../domain/people/staff/accounts.ts";
import { drawer } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { madePassword } from "../../made-password.ts";
import type { FormField } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { readAccount } from "./staff.tsx";
import { STAFF } from "../../parts/hrefs.ts";

/** A generated password, which cannot be read again. */
export function passwordOnce(
  visit: StaffVisit,
  { title, username, password, back }: { title: string; username: string; password: string; back: string },
): Response {
  const { team } = visit.view.words;
  return drawer(visit, {
    title,
    back,
    place: "settings",
    changed: true,
    children: (
      <>
        <div class="drawer-body">
          <p class="label">{team.staff.once}</p>
          <p class="once mono">{password}</p>
          <p>{team.staff.onceText(username)}</p>
        </div>
        <div class="drawer-foot">
          <a class="button solid large" href={back} data-close>
            {team.done}
          </a>
        </div>
      </>
    ),
  });
}

/** Visible while typing, because it is read out; empty generates one. */
export const passwordField = ({ view: { words } }: StaffVisit): FormField => ({
  name: "password",
  label: words.team.staff.password,
  help: words.team.staff.passwordHelp,
  max: 128,
  exact: true,
  attributes: { autocapitalize: "none", spellcheck: "false" },
});

export const staffPassword = form({
  path: `${STAFF}/:id/password`,
  permit: "changeStaffPassword",
  of: readAccount,
  content: (visit, { id, name }) => {
    const { staff } = visit.view.words.team;
    return {
      title: staff.passwordTitle(name),
      back: `${STAFF}/${id}`,
      submit: staff.newPassword,
      text: <p>{staff.passwordLead}</p>,
      fields: [passwordField(visit)],
    };
  },
  save: async ({ db, by, now }, { id }, { password: chosen }) => {
    const password = chosen || madePassword();
    await changeStaffPassword(db, by, { staffId: id, password }, { now });
    return { password, isMade: !chosen };
  },
  done: (visit, { password, isMade }, { id, name, username }) => {
    const title = visit.view.words.team.staff.passwordSet(visit.view.format.name(name));
    return isMade ? passwordOnce(visit, { title, username, password, back: `${STAFF}/${id}` }) : title;
  },
});
