import { MOST, withoutSms } from "../../../domain/around/messages/ahead.ts";
import { may } from "../../../domain/core/actor/actor.ts";
import { Button } from "../../pages/parts/button.tsx";
import type { StaffVisit } from "../guard.ts";
import { smsOnHref } from "./hrefs.ts";

/** How many could get text messages and do not, with the fix: imports leave them off. */
export function WithoutSms({ visit: { db, by, view } }: { visit: StaffVisit }) {
  const words = view.words.messageRules;
  const count = withoutSms(db, by);
  if (count === 0) return null;
  const text = view.format.number(Math.min(count, MOST));
  const maySwitch = may(by, "subscriber_bulk") && may(by, "subscriber_edit");
  return (
    <div class="actions">
      <p class="sentence">{count > MOST ? words.withoutSmsMore(text) : words.withoutSms(count)}</p>
      {maySwitch && <Button href={smsOnHref()}>{words.switchOnSms}</Button>}
    </div>
  );
}
