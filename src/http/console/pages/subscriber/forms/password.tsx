import { permit } from "../../../../../domain/core/actor/permissions.ts";
import { newPassword } from "../../../../../domain/goods/subscribers/fields.ts";
import { resetPassword } from "../../../../../domain/goods/subscribers/reset-password.ts";
import { Field } from "../../../../pages/parts/field.tsx";
import { madePassword } from "../../../made-password.ts";
import { staffForm, staffPage } from "../../../guard.ts";
import { type Shown, shownOf } from "../shown.ts";
import { formDrawer, textOf } from "./form.tsx";

const PATH = "/console/subscribers/:id/password";

function form(shown: Shown, { typed = "", fault }: { typed?: string; fault?: string } = {}): Response {
  const { forms } = shown.visit.view.words.subscriber;
  return formDrawer({
    ...{ shown, to: "password", title: forms.passwordTitle, submit: forms.setPassword },
    status: fault === undefined ? 200 : 422,
    children: (
      <>
        <p>{forms.passwordLead}</p>
        <Field
          name="password"
          label={forms.password}
          help={forms.passwordHelp}
          value={typed}
          fault={fault}
          attributes={{ autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 20 }}
        />
      </>
    ),
  });
}

export const passwordRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "resetPassword");
    return form(shownOf(visit));
  }),
  staffForm(PATH, (visit, input) => {
    const shown = shownOf(visit);
    const { forms } = visit.view.words.subscriber;
    const typed = textOf(input["password"]);
    const password = typed === "" ? madePassword() : newPassword.read(typed);
    if (password === undefined) return form(shown, { typed, fault: newPassword.message });
    resetPassword(
      visit.db,
      visit.by,
      { subscriberId: shown.head.subscriber.id, password },
      { now: visit.now },
    );
    return formDrawer({
      ...{ shown, to: "password", title: forms.passwordTitle, changed: true },
      beside: (
        <a class="button solid large" href={shown.base} data-close>
          {forms.done}
        </a>
      ),
      children: (
        <>
          <p class="label">{forms.shownOnce}</p>
          <p class="once mono">{password}</p>
          <p>{forms.write}</p>
          <p>{forms.thenEnter}</p>
        </>
      ),
    });
  }),
];
