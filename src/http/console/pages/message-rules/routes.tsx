import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { deleteRule, updateRule } from "../../../../domain/around/messages/rules.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { said } from "../../answers.tsx";
import { type ConsoleRoute, staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { sentence } from "../subscriber/say.ts";
import { formDrawer, typedIn } from "../team/form.tsx";
import { create, editRule, newRule, save } from "./form.tsx";
import { showRules } from "./list.tsx";
import { ruleHref, ruleOf, RULES } from "./shown.ts";
import { addUsual, askUsual } from "./usual.tsx";

async function switchRule(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const words = view.words.messageRules;
  const { id } = ruleOf(visit);
  const sent = { is_enabled: typedIn(input, "on") === "1" ? 1 : 0 };
  const done = await attempt(visit, async () => updateRule(db, by, { id, input: sent }, { now }));
  if (done instanceof DomainError)
    return said(visit, { kind: "bad", title: words.notDone, text: sentence(done.message) }, RULES);
  return said(
    visit,
    { kind: "good", title: sent.is_enabled === 1 ? words.switchedOn : words.switchedOff },
    RULES,
  );
}

function askRemoval(visit: StaffVisit): Response {
  permit(visit.by, "deleteRule");
  const rule = ruleOf(visit);
  const words = visit.view.words.messageRules;
  return formDrawer(visit, {
    title: words.deleteTitle(visit.view.format.name(rule.name)),
    ...{ action: `${ruleHref(rule)}/delete`, back: RULES, danger: true, leaves: true, submit: words.delete },
    ...{ place: "messages", children: <p>{words.deleteText}</p> },
  });
}

function remove(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  deleteRule(db, by, { id: ruleOf(visit).id }, { now });
  return said(visit, { kind: "good", title: view.words.messageRules.deleted }, RULES);
}

/** Who is told what, when. */
export const messageRuleRoutes: readonly ConsoleRoute[] = [
  staffPage(RULES, showRules),
  staffPage(`${RULES}/new`, newRule),
  staffForm(`${RULES}/new`, create),
  staffPage(`${RULES}/usual`, askUsual),
  staffForm(`${RULES}/usual`, addUsual),
  staffPage(`${RULES}/:id/edit`, editRule),
  staffForm(`${RULES}/:id/edit`, save),
  staffForm(`${RULES}/:id/switch`, switchRule),
  staffPage(`${RULES}/:id/delete`, askRemoval),
  staffForm(`${RULES}/:id/delete`, remove),
];
