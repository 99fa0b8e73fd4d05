import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { updateRule } from "../../../../domain/around/messages/rules.ts";
import { attempt } from "../../attempt.ts";
import { flash } from "../../answers.tsx";
import { type ConsoleRoute, staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { sentence } from "../../parts/phrases.ts";
import { ruleForms } from "./form.tsx";
import { showRules } from "./list.tsx";
import { readRule, RULES } from "./words.ts";
import { usualForm } from "./usual.tsx";

async function switchRule(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const words = view.words.messageRules;
  const { id } = readRule(visit);
  const sent = { is_enabled: input["on"] === "1" ? 1 : 0 };
  const done = await attempt(visit, async () => updateRule(db, by, { id, input: sent }, { now }));
  if (done instanceof DomainError)
    return flash(visit, { kind: "bad", title: words.notDone, text: sentence(done.message) }, RULES);
  return flash(
    visit,
    { kind: "good", title: sent.is_enabled === 1 ? words.switchedOn : words.switchedOff },
    RULES,
  );
}

export const messageRuleRoutes: readonly ConsoleRoute[] = [
  staffPage(RULES, showRules),
  ...ruleForms,
  ...usualForm,
  staffForm(`${RULES}/:id/switch`, switchRule),
];
