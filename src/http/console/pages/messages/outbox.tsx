import { type OutboxState, outboxState } from "../../../../domain/around/messages/outbox-state.ts";
import { listMessages } from "../../../../domain/around/messages/outbox.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Older, pageOf } from "../../log.tsx";
import { Filters } from "./filters.tsx";
import { MessagesFrame, messagePages } from "./head.tsx";
import { Rows } from "./rows.tsx";
import { choiceOf, counted, OUTBOX, type OutboxChoice, outboxHref } from "./shown.ts";
import { Stuck } from "./stuck.tsx";

/** What was sent to whom, what waits and what failed, the newest first. */
export function showOutbox(visit: StaffVisit): Response {
  const { db, by, query, view, now } = visit;
  const choice = choiceOf(query);
  const { state, channel: channelId, rule: ruleId, user: subscriberId } = choice;
  const { rows, more } = pageOf(query, (paging) =>
    listMessages(db, by, { state, channelId, ruleId, subscriberId }, paging),
  );
  const outbox = outboxState(db, by, { now });
  const isNewest = !query.has("before");
  const here = query.size === 0 ? OUTBOX : `${OUTBOX}?${query}`;
  return page(
    visit,
    <MessagesFrame visit={visit} current="outbox">
      <div
        id="outbox"
        class="stack outbox"
        {...(isNewest && { "data-live": "messages", "data-every": "5", "data-hold": "top" })}
        hx-get={here}
        hx-select="#outbox"
        hx-target="this"
        hx-swap="outerMorph"
        hx-trigger="refresh"
      >
        <p class="sentence" id="outbox-says">
          {says(visit, outbox)}
        </p>
        <Stuck visit={visit} channels={outbox.stuck} chosen={choice.channel} />
        <Filters visit={visit} choice={choice} />
        {rows.length === 0 ? (
          <section class="card">
            <None visit={visit} choice={choice} hasAny={outbox.hasAny} />
          </section>
        ) : (
          <Rows visit={visit} rows={rows} />
        )}
        <Older view={view} href={OUTBOX} query={query} last={more ? rows.at(-1)?.id : undefined} />
      </div>
    </MessagesFrame>,
  );
}

/** How it stands, each part of which leads to its messages. */
function says({ view }: StaffVisit, { waiting, sending, failed, perhaps }: OutboxState) {
  const { outbox } = view.words;
  if (waiting + sending + failed + perhaps === 0) return outbox.calm;
  const counts = { waiting, sending, failed, perhaps };
  const states = ["waiting", "sending", "failed", "perhaps"] as const;
  return (
    <>
      {waiting === 0 && sending === 0 && `${outbox.noneWaits} `}
      {states
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <>
            <a href={outboxHref({ state })}>{outbox.count(counts[state], counted(view, counts[state]))}</a>{" "}
            {outbox.says[state](counts[state])}{" "}
          </>
        ))}
    </>
  );
}

interface NoneProps {
  visit: StaffVisit;
  choice: OutboxChoice;
  hasAny: boolean;
}

function None({ visit: { view, by }, choice, hasAny }: NoneProps) {
  const { outbox } = view.words;
  const isNarrowed = Object.values(choice).some((one) => one !== undefined);
  if (hasAny && isNarrowed)
    return (
      <Empty icon="chat" title={outbox.noneFound} text={outbox.noneFoundText}>
        <Button href={OUTBOX}>{outbox.clear}</Button>
      </Empty>
    );
  return (
    <Empty icon="chat" title={outbox.none} text={outbox.noneText}>
      {may(by, "message_manage") && (
        <Button href={messagePages.rules} kind="solid">
          {outbox.toRules}
        </Button>
      )}
    </Empty>
  );
}
