import { applyExtension } from "../../../../../domain/service/control/apply-change.ts";
import { Check, Field } from "../../../../pages/parts/field.tsx";
import { said } from "../../../answers.tsx";
import { staffForm, staffPage } from "../../../guard.ts";
import { permit } from "../../../../../domain/core/actor/permissions.ts";
import { extendOnce } from "../extend-once.ts";
import { type Shown, shownOf } from "../shown.ts";
import { formDrawer, textOf } from "./form.tsx";

const PATH = "/console/subscribers/:id/extend";
const MOST_HOURS = 87_600;

interface Sent {
  readonly hours?: string;
  readonly reason?: string;
  readonly faults?: { readonly hours?: string; readonly reason?: string };
}

function form(shown: Shown, { hours = "24", reason = "", faults }: Sent = {}): Response {
  const { forms } = shown.visit.view.words.subscriber;
  return formDrawer({
    ...{ shown, to: "extend", title: forms.extendTitle, submit: forms.extend, status: faults ? 422 : 200 },
    children: (
      <>
        <Field
          name="hours"
          label={forms.hours}
          help={forms.hoursHelp}
          value={hours}
          fault={faults?.hours}
          attributes={{ inputmode: "numeric" }}
        />
        <Field
          name="reason"
          label={forms.reason}
          help={forms.reasonHelp}
          value={reason}
          fault={faults?.reason}
        />
        <Check name="trust" label={forms.trust} />
        <input type="hidden" name="key" value={crypto.randomUUID()} />
      </>
    ),
  });
}

export const extendRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "extend");
    return form(shownOf(visit));
  }),
  staffForm(PATH, async (visit, input) => {
    const shown = shownOf(visit);
    const { db, view, needs } = visit;
    const { forms, said: words } = view.words.subscriber;
    const [hours, reason] = [textOf(input["hours"]), textOf(input["reason"])];
    const count = /^[1-9]\d{0,4}$/.test(hours) && Number(hours) <= MOST_HOURS ? Number(hours) : undefined;
    if (count === undefined || reason === "")
      return form(shown, {
        ...{ hours, reason },
        faults: {
          ...(count === undefined && { hours: forms.hoursHelp }),
          ...(reason === "" && { reason: forms.reasonHelp }),
        },
      });
    const trust = input["trust"] === "1";
    const { id: subscriberId } = shown.head.subscriber;
    const extension = { subscriberId, hours: count, reason: reason.slice(0, 500), trust };
    const { expiresAt } = extendOnce(visit, extension, input["key"]);
    const { clock, routers } = needs;
    const session = await applyExtension(db, { subscriberId }, { clock, routers });
    const text = [trust ? words.onTrust : "", session].filter(Boolean).join(" ");
    return said(
      visit,
      { kind: "good", title: words.extended(view.format.weekTime(expiresAt)), text },
      shown.base,
    );
  }),
];
