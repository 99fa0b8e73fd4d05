import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { changeStaffPassword } from "../../../../domain/people/staff/accounts.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import type { StaffLine } from "../../../../domain/people/staff/table.ts";
import { attempt } from "../../attempt.ts";
import { Field } from "../../../pages/parts/field.tsx";
import { said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { madePassword } from "../../made-password.ts";
import { faultOf, formDrawer, typedIn } from "./form.tsx";
import { accountOf } from "./staff.tsx";
import { STAFF } from "./staff-list.tsx";

/** A password that was made, which is nowhere to be read again. */
export function shownOnce(
  visit: StaffVisit,
  { title, username, password, back }: { title: string; username: string; password: string; back: string },
): Response {
  const { team } = visit.view.words;
  return formDrawer(visit, {
    ...{ title, action: back, back, changed: true },
    beside: (
      <a class="button solid large" href={back} data-close>
        {team.done}
      </a>
    ),
    children: (
      <>
        <p class="label">{team.staff.once}</p>
        <p class="once mono">{password}</p>
        <p>{team.staff.onceText(username)}</p>
      </>
    ),
  });
}

function passwordForm(visit: StaffVisit, row: StaffLine, refused?: DomainError): Response {
  const { team } = visit.view.words;
  const href = `${STAFF}/${row.id}`;
  return formDrawer(visit, {
    ...{ title: team.staff.passwordTitle(row.name), refused, submit: team.staff.newPassword },
    ...{ action: `${href}/password`, back: href },
    children: (
      <>
        <p>{team.staff.passwordLead}</p>
        <Field
          name="password"
          label={team.staff.password}
          help={team.staff.passwordHelp}
          fault={faultOf(refused, "password")}
          attributes={{ autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 128 }}
        />
      </>
    ),
  });
}

export function askPassword(visit: StaffVisit): Response {
  permit(visit.by, "changeStaffPassword");
  return passwordForm(visit, accountOf(visit));
}

export async function setPassword(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const row = accountOf(visit);
  const chosen = typedIn(input, "password");
  const password = chosen === "" ? madePassword() : chosen;
  const done = await attempt(visit, () =>
    changeStaffPassword(db, by, { staffId: row.id, password }, { now }),
  );
  if (done instanceof DomainError) return passwordForm(visit, row, done);
  const title = view.words.team.staff.passwordSet(view.format.name(row.name));
  const back = `${STAFF}/${row.id}`;
  if (chosen !== "") return said(visit, { kind: "good", title }, back);
  return shownOnce(visit, { title, username: row.username, password, back });
}
