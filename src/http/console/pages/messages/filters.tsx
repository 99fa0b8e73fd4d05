import { messageStates } from "../../../../../db/schema.ts";
import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { listRules } from "../../../../domain/around/messages/rules.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { readHead } from "../../../../domain/desk/subscriber-page/head.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { Filter } from "../../parts/filters.tsx";
import { withArchived } from "../../parts/may.ts";
import { readChoice } from "./words.ts";
import { type OutboxChoice, outboxHref } from "../../parts/hrefs.ts";

interface Props {
  visit: StaffVisit;
  choice: OutboxChoice;
}

export function buildFilters({ db, by, view }: StaffVisit): readonly Filter[] {
  const { outbox } = view.words;
  const options = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  return [
    {
      name: "state",
      kind: "views",
      label: outbox.which,
      options: [
        { value: "", label: outbox.all },
        ...messageStates.map((value) => ({ value, label: outbox.views[value] })),
      ],
    },
    { name: "channel", kind: "choice", label: outbox.channel, options: options(listChannels(db, by)) },
    { name: "rule", kind: "choice", label: outbox.rule, options: options(listRules(db, by)) },
    { name: "user", kind: "kept" },
  ];
}

/** The subscriber filter and the action on all matches. */
export function BesideFilters({ visit }: { visit: StaffVisit }) {
  const choice = readChoice(visit.query);
  return (
    <>
      <Person visit={visit} choice={choice} />
      <Many visit={visit} choice={choice} />
    </>
  );
}

function Person({ visit, choice }: Props) {
  const { db, by, now } = withArchived(visit);
  if (choice.user === undefined || !may(by, "subscriber_view")) return null;
  const { outbox } = visit.view.words;
  const { subscriber } = readHead(db, by, choice.user, { now });
  return (
    <a class="chip quiet" href={outboxHref({ ...choice, user: undefined })}>
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
