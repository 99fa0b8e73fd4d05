import { DomainError, type FieldErrors } from "../../../../../domain/core/errors/errors.ts";
import { extend } from "../../../../../domain/service/activation/extend.ts";
import { applyExtension } from "../../../../../domain/service/control/apply-change.ts";
import { form } from "../../../parts/form.tsx";
import { contextOf } from "../context.ts";
import { aboutOf } from "./form.tsx";

const MOST_HOURS = 87_600;

interface Extended {
  readonly expiresAt: number;
  readonly onTrust: boolean;
}

export const extendRoutes = form({
  path: "/console/subscribers/:id/extend",
  permit: "extend",
  of: contextOf,
  content: ({ view }, context) => {
    const { forms: words } = view.words.subscriber;
    return {
      ...aboutOf(context),
      title: words.extendTitle,
      submit: words.extend,
      fields: [
        {
          name: "hours",
          label: words.hours,
          help: words.hoursHelp,
          value: 24,
          attributes: { inputmode: "numeric" },
        },
        { name: "reason", label: words.reason, help: words.reasonHelp, max: 500 },
        { name: "trust", label: words.trust, as: "tick" },
      ],
    };
  },
  once: (done: Extended) => done,
  save: ({ db, by, now, view }, { head }, { hours = "", reason = "", trust }) => {
    const { hoursHelp, reasonHelp } = view.words.subscriber.forms;
    const count = /^[1-9]\d{0,4}$/.test(hours) ? Number(hours) : MOST_HOURS + 1;
    const fields: FieldErrors = {
      ...(count > MOST_HOURS && { hours: [hoursHelp] }),
      ...(reason === "" && { reason: [reasonHelp] }),
    };
    if (Object.keys(fields).length > 0) throw new DomainError("invalid", "check the fields", { fields });
    const { id: subscriberId } = head.subscriber;
    const extension = { subscriberId, hours: count, reason, trust: trust === "1" };
    const { expiresAt } = extend(db, by, extension, { now });
    return { expiresAt, onTrust: extension.trust };
  },
  done: async ({ db, needs, view }, { expiresAt, onTrust }, { head }) => {
    const { said: words } = view.words.subscriber;
    const { clock, routers } = needs;
    const session = await applyExtension(db, { subscriberId: head.subscriber.id }, { clock, routers });
    const text = [onTrust ? words.onTrust : "", session].filter(Boolean).join(" ");
    return { title: words.extended(view.format.weekTime(expiresAt)), text };
  },
});
