import { messagesTo, type MessageTo } from "../../../../domain/desk/subscriber-page/to-subscriber.ts";
import { seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { drawerLink } from "../../frame.tsx";
import { messageHref, outboxHref } from "../../parts/hrefs.ts";
import { can, type PageContext } from "./context.ts";
import { storedTold } from "../../attempt.ts";

const LAST = 4;

export function MessagesCard({ context }: { context: PageContext }) {
  const { visit, head } = context;
  if (!can(context, "message_view")) return null;
  const { card } = visit.view.words.outbox;
  const { subscriber } = head;
  const { id, messagesOff, smsStatus } = subscriber;
  const messages = messagesTo(visit.db, visit.by, { subscriber, limit: LAST });
  const seesAll = seesWholeIsp(visit.by.scope) && messages.length > 0;
  return (
    <Card
      id="messages"
      title={card.title}
      aside={seesAll && <a href={outboxHref({ user: id })}>{card.all}</a>}
    >
      {messagesOff === 1 && <p class="person-message">{card.off}</p>}
      {messagesOff === 0 && smsStatus === 0 && <p class="person-message hint">{card.noSms}</p>}
      {messages.length === 0 && <p class="hint">{card.none}</p>}
      {messages.map((message) => (
        <One context={context} message={message} />
      ))}
    </Card>
  );
}

function One({ context: { visit }, message }: { context: PageContext; message: MessageTo }) {
  const { view, now, by } = visit;
  const { list, outbox } = view.words;
  const { id, at, state, rule, subject, template, channel, reason } = message;
  const what = <bdi>{rule ?? (subject || template || outbox.byHand)}</bdi>;
  const href = messageHref(id);
  const isWrong = state === "failed" || state === "perhaps";
  return (
    <div class="person-message">
      <p>
        {seesWholeIsp(by.scope) ? (
          <a class="plain" href={href} {...drawerLink(href)}>
            {what}
          </a>
        ) : (
          what
        )}{" "}
        {isWrong && <Chip tone={state === "failed" ? "bad" : "warn"}>{outbox.states[state]}</Chip>}
      </p>
      <p class="hint">
        <bdi>{channel}</bdi>
        {list.comma}
        {view.format.near(at, now)}
        {!isWrong && list.comma + outbox.states[state]}
        {state !== "sent" && reason !== null && list.semicolon + storedTold(view, reason)}
      </p>
    </div>
  );
}
