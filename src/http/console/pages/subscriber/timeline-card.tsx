import type { Child } from "hono/jsx";
import {
  readTimeline,
  type TimelineChoice,
  type TimelineKind,
  timelineKinds,
} from "../../../../domain/desk/subscriber-page/timeline.ts";
import type { TimelineEvent } from "../../../../domain/desk/subscriber-page/timeline-sources.ts";
import { localDay } from "../../../../domain/core/time/time.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { Older } from "../../parts/pager.tsx";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { can, shownSessions, type PageContext } from "./context.ts";
import { describe } from "./timeline-text.tsx";

const LIMIT = 15;

/** What happened, by days from the newest, or of one kind. */
export function TimelineCard({ context }: { context: PageContext }) {
  const { visit, head } = context;
  const { timeline } = visit.view.words;
  const kind = parseKind(visit.query.get("kind"));
  const choice: TimelineChoice = {
    subscriber: head.subscriber,
    kinds: kind && [kind],
    before: visit.query.get("before"),
    limit: LIMIT,
    sessions: shownSessions(head),
  };
  const { events, next } = readTimeline(visit.db, visit.by, choice);
  return (
    <Card
      title={timeline.title}
      aside={
        <>
          <Kinds context={context} kind={kind} />
          <AuditLogLink visit={visit} entity="subscriber" entityId={head.subscriber.id} />
        </>
      }
      id="timeline"
      kind="timeline"
    >
      {events.length === 0 ? (
        <p class="hint">{timeline.empty}</p>
      ) : (
        <Days context={context} events={events} />
      )}
      <Older visit={visit} last={next ?? undefined} at="#timeline" />
    </Card>
  );
}

function parseKind(text: string | null): TimelineKind | undefined {
  return timelineKinds.find((kind) => kind === text);
}

function Kinds({ context, kind }: { context: PageContext; kind: TimelineKind | undefined }) {
  const { kinds, narrow } = context.visit.view.words.timeline;
  const hidden: Partial<Record<TimelineKind, boolean>> = {
    money: !can(context, "wallet_view") && !can(context, "payment_view"),
    messages: !can(context, "message_view"),
  };
  return (
    <Segments
      label={narrow}
      tabs={[
        { href: `${context.base}#timeline`, label: kinds.all, current: kind === undefined },
        ...timelineKinds
          .filter((one) => !hidden[one])
          .map((one) => ({
            href: `${context.base}?kind=${one}#timeline`,
            label: kinds[one],
            current: kind === one,
          })),
      ]}
    />
  );
}

function Days({ context, events }: { context: PageContext; events: readonly TimelineEvent[] }) {
  const days = Map.groupBy(events, ({ at }) => localDay(at));
  return [...days.values()].map((ofDay) => <Day context={context} events={ofDay} />);
}

function Day({ context, events }: { context: PageContext; events: readonly TimelineEvent[] }) {
  const { view, now } = context.visit;
  const [first] = events;
  if (!first) return null;
  const isToday = localDay(first.at) === localDay(now);
  const isThisYear = Math.floor(localDay(first.at) / 10_000) === Math.floor(localDay(now) / 10_000);
  const name = isThisYear ? view.format.longDay(first.at) : view.format.date(first.at);
  return (
    <section>
      <h3>{isToday ? view.words.timeline.today : name}</h3>
      <ol>
        {events.map((event) => (
          <Event context={context} event={event} />
        ))}
      </ol>
    </section>
  );
}

function Event({ context, event }: { context: PageContext; event: TimelineEvent }) {
  const { icon, tone, title, text, amount } = describe(context, event);
  return (
    <li>
      <time>{context.visit.view.format.near(event.at, event.at)}</time>
      <span class={`disc ${tone ?? ""}`}>
        <Icon name={icon} />
      </span>
      <p>
        {title} <Soft>{text}</Soft>
      </p>
      {amount !== undefined && <strong class={amount.startsWith("+") ? "good-text" : ""}>{amount}</strong>}
    </li>
  );
}

function Soft({ children }: { children: Child }) {
  return <span class="soft-text">{children}</span>;
}
