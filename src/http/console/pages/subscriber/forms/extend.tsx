import { DomainError, type Faults } from "../../../../../domain/core/errors/errors.ts";
import { phrase, verbatim } from "../../../../../domain/core/errors/phrase.ts";
import { extend } from "../../../../../domain/service/activation/extend.ts";
import { applyExtension } from "../../../../../domain/service/control/apply-change.ts";
import { durationFault, durationField, durationText, wholeIn } from "../../../parts/duration.ts";
import { told } from "../../../attempt.ts";
import { form } from "../../../parts/form.tsx";
import { readPageContext } from "../context.ts";
import { formAbout } from "./form.tsx";

const MOST_HOURS = 87_600;

interface Extended {
  readonly expiresAt: number;
  readonly onTrust: boolean;
}

export const extendRoutes = form({
  path: "/console/subscribers/:id/extend",
  permit: "extend",
  of: readPageContext,
  content: ({ view }, context) => {
    const { forms: words } = view.words.subscriber;
    return {
      ...formAbout(context),
      title: words.extendTitle,
      submit: words.extend,
      fields: [
        {
          ...durationField(view, "hour"),
          name: "duration",
          faultOf: "hours",
          label: words.by,
          value: durationText(view, 86_400),
        },
        { name: "reason", label: words.reason, help: words.reasonHelp, max: 500 },
        { name: "trust", label: words.trust, as: "tick" },
      ],
    };
  },
  once: (done: Extended) => done,
  save: ({ db, by, now, view }, { head }, { duration = "", reason = "", trust }) => {
    const { reasonHelp } = view.words.subscriber.forms;
    const count = wholeIn(view, duration, "hour") ?? 0;
    const fields: Faults = {
      ...((count === 0 || count > MOST_HOURS) && { hours: [verbatim(durationFault(view, "hour"))] }),
      ...(reason === "" && { reason: [verbatim(reasonHelp)] }),
    };
    if (Object.keys(fields).length > 0)
      throw new DomainError("invalid", phrase`check the fields`, { fields });
    const { id: subscriberId } = head.subscriber;
    const extension = { subscriberId, hours: count, reason, trust: trust === "1" };
    const { expiresAt } = extend(db, by, extension, { now });
    return { expiresAt, onTrust: extension.trust };
  },
  done: async ({ db, needs, view }, { expiresAt, onTrust }, { head }) => {
    const { said: words } = view.words.subscriber;
    const { clock, routers } = needs;
    const session = await applyExtension(db, { subscriberId: head.subscriber.id }, { clock, routers });
    const text = [onTrust ? words.onTrust : "", told(view, session)].filter(Boolean).join(" ");
    return { title: words.extended(view.format.weekTime(expiresAt)), text };
  },
});
