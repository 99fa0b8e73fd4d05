import { storedTold } from "../../attempt.ts";
import type { Message } from "../../../../domain/around/messages/outbox.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list, type ListColumn, USUAL } from "../../parts/list.tsx";
import { sentence, textName } from "../../parts/phrases.ts";
import { BesideFilters, buildFilters } from "./filters.tsx";
import { messagePages } from "../../parts/messages-frame.tsx";
import { goesAgain } from "./words.ts";
import { messageHref } from "../../parts/hrefs.ts";

export const Messages = list<Message>((visit) => {
  const { view, by, now, query } = visit;
  const { format, words } = view;
  const { outbox } = words;
  const isAll = !query.has("state");
  const again: ListColumn<Message> = {
    title: <span class="unseen">{outbox.again}</span>,
    cell: (row) => <Act visit={visit} row={row} />,
    end: true,
    narrow: "act",
  };
  return {
    name: words.messages.titles.outbox,
    call: "listMessages",
    kind: `${USUAL} outbox-table`,
    filters: buildFilters(visit),
    beside: <BesideFilters visit={visit} />,
    columns: [
      {
        title: outbox.time,
        cell: ({ endedAt, createdAt }) => format.timeNear(endedAt ?? createdAt, now),
        kind: "soft-text when",
      },
      { title: outbox.to, cell: (row) => <Whom visit={visit} row={row} />, narrow: "lead" },
      {
        title: outbox.what,
        cell: (row) => (
          <>
            <a href={messageHref(row.id)} {...drawerLink(messageHref(row.id))}>
              <bdi>{messageTitle(visit, row)}</bdi>
            </a>{" "}
            {row.writer !== null && <span class="hint">{outbox.by(format.name(row.writer))}</span>}
          </>
        ),
      },
      { title: outbox.channel, cell: ({ channel }) => <bdi>{channel}</bdi>, narrow: "low" },
      {
        title: outbox.state,
        cell: (row) => <State visit={visit} row={row} />,
        kind: ({ reason }) => (reason === null ? "wraps breaks" : "wraps breaks whole"),
      },
      ...(may(by, "message_manage") ? [again] : []),
    ],
    empty: {
      icon: "chat",
      title: isAll ? outbox.none : words.list.none,
      text: isAll ? outbox.noneText : words.list.noneText,
      first: may(by, "message_manage") && isAll && (
        <Button href={messagePages.rules} kind="solid">
          {outbox.toRules}
        </Button>
      ),
    },
  };
});

/** The rule; else the subject, or "by hand". */
export function messageTitle({ view }: StaffVisit, { rule, subject, template }: Message): string {
  return rule ?? (subject || textName(view.words, template) || view.words.outbox.byHand);
}

/** A subscriber, or a member of staff and the subscriber it is about. */
export function Whom({ visit: { view, by }, row }: { visit: StaffVisit; row: Message }) {
  const { outbox } = view.words;
  const { subscriberId, staffId, aboutId, name, username } = row;
  if (subscriberId !== null)
    return may(by, "subscriber_view") ? (
      <a href={`/console/subscribers/${subscriberId}`}>
        <bdi>{name}</bdi>
      </a>
    ) : (
      <bdi>{name}</bdi>
    );
  const about =
    aboutId === null || username === null ? null : may(by, "subscriber_view") ? (
      <a href={`/console/subscribers/${aboutId}`}>{outbox.about(view.format.name(username))}</a>
    ) : (
      outbox.about(view.format.name(username))
    );
  return (
    <>
      {may(by, "staff_view") && staffId !== null ? (
        <a href={`/console/settings/staff/${staffId}`}>
          <bdi>{name}</bdi>
        </a>
      ) : (
        <bdi>{name}</bdi>
      )}{" "}
      <span class="hint">
        {outbox.staff}
        {about !== null && [view.words.list.comma, about]}
      </span>
    </>
  );
}

/** Quiet on success, in words otherwise. */
function State({ visit: { view, now }, row }: { visit: StaffVisit; row: Message }) {
  const { outbox } = view.words;
  const { state, reason, attempts, nextAt } = row;
  const word = outbox.states[state];
  const why = reason === null ? "" : sentence(storedTold(view, reason));
  switch (state) {
    case "sent":
    case "sending":
      return <span class="soft-text">{word}</span>;
    case "waiting": {
      const more = [
        attempts > 0 && outbox.tried(attempts),
        nextAt > now && outbox.next(view.format.timeNear(nextAt, now)),
      ];
      return (
        <>
          {word}
          {why !== "" && `: ${why}`}{" "}
          <span class="hint">{more.filter(Boolean).join(view.words.list.comma)}</span>
        </>
      );
    }
    case "failed":
    case "perhaps":
      return (
        <>
          <Chip tone={state === "failed" ? "bad" : "warn"}>{word}</Chip> {why}
        </>
      );
    case "skipped":
    case "cancelled":
      return (
        <span class="soft-text">
          {word}
          {why !== "" && `: ${why}`}
        </span>
      );
  }
}

function Act({ visit: { view, formToken }, row }: { visit: StaffVisit; row: Message }) {
  const { outbox } = view.words;
  const href = messageHref(row.id);
  if (row.state === "failed")
    return (
      <Action action={`${href}/again`} formToken={formToken} size="small">
        {outbox.again}
      </Action>
    );
  // these need an explanation before another try
  if (goesAgain(row))
    return (
      <Button href={href} size="small" drawer>
        {outbox.look}
      </Button>
    );
  if (row.state !== "waiting") return null;
  return (
    <Action action={`${href}/cancel`} formToken={formToken} size="small" kind="danger">
      {outbox.cancel}
    </Action>
  );
}
