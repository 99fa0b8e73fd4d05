import { type OutboxState, outboxState } from "../../../../domain/around/messages/outbox-state.ts";
import { listMessages } from "../../../../domain/around/messages/outbox.ts";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { readPage } from "../../parts/pager.tsx";
import { MessagesFrame } from "../../parts/messages-frame.tsx";
import { Messages } from "./rows.tsx";
import { counted, readChoice } from "./words.ts";
import { OUTBOX, outboxHref } from "../../parts/hrefs.ts";
import { Stuck } from "./stuck.tsx";

export function showOutbox(visit: StaffVisit): Response {
  const { db, by, query, now } = visit;
  const choice = readChoice(query);
  const { state, channel: channelId, rule: ruleId, user: subscriberId } = choice;
  const { rows, last } = readPage(query, (paging) =>
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
          {stateWords(visit, outbox)}
        </p>
        <Stuck visit={visit} channels={outbox.stuck} chosen={choice.channel} />
        <Messages visit={visit} rows={rows} last={last} />
      </div>
    </MessagesFrame>,
  );
}

/** Counts by state, with links. */
function stateWords({ view }: StaffVisit, { waiting, sending, failed, perhaps }: OutboxState) {
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
