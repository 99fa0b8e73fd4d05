import { messageStates } from "../../../../../db/schema.ts";
import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { listRules } from "../../../../domain/around/messages/rules.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { headOf } from "../../../../domain/desk/subscriber-page/head.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { PillSelect } from "../../../pages/parts/pill.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { FilterForm } from "../../filter-form.tsx";
import type { StaffVisit } from "../../guard.ts";
import { withArchived } from "../subscriber/shown.ts";
import { OUTBOX, type OutboxChoice, outboxHref } from "./shown.ts";

interface Props {
  visit: StaffVisit;
  choice: OutboxChoice;
}

/** By state, channel and rule, to whom; and what can be done with all of what is left. */
export function Filters({ visit, choice }: Props) {
  const { outbox } = visit.view.words;
  const states = [undefined, ...messageStates];
  return (
    <div class="outbox-bar">
      <Segments
        label={outbox.which}
        tabs={states.map((state) => ({
          href: outboxHref({ ...choice, state }),
          label: state === undefined ? outbox.all : outbox.views[state],
          current: state === choice.state,
        }))}
      />
      <Choices visit={visit} choice={choice} />
      <Person visit={visit} choice={choice} />
      <Many visit={visit} choice={choice} />
    </div>
  );
}

function Choices({ visit: { db, by, view }, choice }: Props) {
  const { outbox } = view.words;
  const any = { value: "", label: outbox.any };
  const options = (rows: readonly { id: number; name: string }[]) => [
    any,
    ...rows.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <FilterForm href={OUTBOX} kind="filters">
      {choice.state !== undefined && <input type="hidden" name="state" value={choice.state} />}
      {choice.user !== undefined && <input type="hidden" name="user" value={String(choice.user)} />}
      <PillSelect
        name="channel"
        label={outbox.channel}
        value={choice.channel ?? ""}
        chosen={choice.channel !== undefined}
        options={options(listChannels(db, by))}
      />
      <PillSelect
        name="rule"
        label={outbox.rule}
        value={choice.rule ?? ""}
        chosen={choice.rule !== undefined}
        options={options(listRules(db, by))}
      />
      <noscript>
        <Button size="small">{outbox.show}</Button>
      </noscript>
    </FilterForm>
  );
}

/** That it is about one subscriber alone, and the way back to all. */
function Person({ visit, choice }: Props) {
  const { db, by, now } = withArchived(visit);
  if (choice.user === undefined || !may(by, "subscriber_view")) return null;
  const { outbox } = visit.view.words;
  const { subscriber } = headOf(db, by, choice.user, { now });
  return (
    <a class="chip quiet outbox-person" href={outboxHref({ ...choice, user: undefined })}>
      {outbox.only(visit.view.format.name(subscriber.name))}
      <Icon name="close" />
      <span class="unseen">{outbox.toAll}</span>
    </a>
  );
}

function Many({ visit: { by, view }, choice }: Props) {
  const { outbox } = view.words;
  const { state, channel, rule, user } = choice;
  if (!may(by, "message_manage") || user !== undefined) return null;
  if (state === "failed")
    return (
      <Button href={outboxHref({ channel, rule }, "/again")} icon="renew" drawer>
        {outbox.againAll}
      </Button>
    );
  if (state !== "waiting") return null;
  return (
    <Button href={outboxHref({ channel, rule }, "/cancel")} kind="danger" drawer>
      {outbox.cancelAll}
    </Button>
  );
}
