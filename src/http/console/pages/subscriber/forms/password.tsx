import { DomainError } from "../../../../../domain/core/errors/errors.ts";
import { newPassword } from "../../../../../domain/goods/subscribers/fields.ts";
import { resetPassword } from "../../../../../domain/goods/subscribers/reset-password.ts";
import { madePassword } from "../../../made-password.ts";
import { form } from "../../../parts/form.tsx";
import { readPageContext } from "../context.ts";
import { formAbout, formDrawer } from "./form.tsx";

/** The new password, typed or generated; shown once. */
export const passwordRoutes = form({
  path: "/console/subscribers/:id/password",
  permit: "resetPassword",
  of: readPageContext,
  content: ({ view }, context) => {
    const { forms: words } = view.words.subscriber;
    return {
      ...formAbout(context),
      title: words.passwordTitle,
      submit: words.setPassword,
      text: <p>{words.passwordLead}</p>,
      fields: [
        {
          name: "password",
          label: words.password,
          help: words.passwordHelp,
          max: 20,
          attributes: { autocapitalize: "none", spellcheck: "false" },
        },
      ],
    };
  },
  save: ({ db, by, now }, { head }, { password: text = "" }) => {
    const password = text === "" ? madePassword() : newPassword.read(text);
    if (password === undefined)
      throw new DomainError("invalid", newPassword.message, { fields: { password: [newPassword.message] } });
    resetPassword(db, by, { subscriberId: head.subscriber.id, password }, { now });
    return password;
  },
  done: ({ view }, password, context) => {
    const { forms: words } = view.words.subscriber;
    return formDrawer({
      context,
      to: "password",
      title: words.passwordTitle,
      changed: true,
      beside: (
        <a class="button solid large" href={context.base} data-close>
          {words.done}
        </a>
      ),
      children: (
        <>
          <p class="label">{words.shownOnce}</p>
          <p class="once mono">{password}</p>
          <p>{words.write}</p>
          <p>{words.thenEnter}</p>
        </>
      ),
    });
  },
});
