import type { Child } from "hono/jsx";
import {
  type TimelineChoice,
  type TimelineKind,
  timelineKinds,
  timelineOf,
} from "../../../../domain/desk/subscriber-page/timeline.ts";
import type { TimelineEvent } from "../../../../domain/desk/subscriber-page/timeline-sources.ts";
import { localDay } from "../../../../domain/core/time/time.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { TrailLink } from "../trail/link.tsx";
import { can, sessionsOf, type Shown } from "./shown.ts";
import { toldOf } from "./timeline-told.tsx";

const LIMIT = 15;

/** What happened, by days, the newest first; one kind alone where it is chosen. */
export function TimelineCard({ shown }: { shown: Shown }) {
  const { visit, base, head } = shown;
  const { timeline } = visit.view.words;
  const kind = kindOf(visit.query.get("kind"));
  const choice: TimelineChoice = {
    subscriber: head.subscriber,
    kinds: kind && [kind],
    before: visit.query.get("before"),
    limit: LIMIT,
    sessions: sessionsOf(head),
  };
  const { events, next } = timelineOf(visit.db, visit.by, choice);
  const narrowed = kind === undefined ? "" : `kind=${kind}`;
  return (
    <Card
      title={timeline.title}
      aside={
        <>
          <Kinds shown={shown} kind={kind} />
          <TrailLink visit={visit} entity="subscriber" entityId={head.subscriber.id} />
        </>
      }
      id="timeline"
      kind="timeline"
    >
      {events.length === 0 ? <p class="hint">{timeline.empty}</p> : <Days shown={shown} events={events} />}
      {next !== null && (
        <p class="pages">
          <a href={`${base}?${[narrowed, `before=${next}`].filter(Boolean).join("&")}#timeline`}>
            {visit.view.words.log.older}
          </a>
        </p>
      )}
    </Card>
  );
}

function kindOf(text: string | null): TimelineKind | undefined {
  return timelineKinds.find((kind) => kind === text);
}

function Kinds({ shown, kind }: { shown: Shown; kind: TimelineKind | undefined }) {
  const { kinds, narrow } = shown.visit.view.words.timeline;
  const hidden: Partial<Record<TimelineKind, boolean>> = {
    money: !can(shown, "wallet_view") && !can(shown, "payment_view"),
    messages: !can(shown, "message_view"),
  };
  return (
    <Segments
      label={narrow}
      tabs={[
        { href: `${shown.base}#timeline`, label: kinds.all, current: kind === undefined },
        ...timelineKinds
          .filter((one) => !hidden[one])
          .map((one) => ({
            href: `${shown.base}?kind=${one}#timeline`,
            label: kinds[one],
            current: kind === one,
          })),
      ]}
    />
  );
}

function Days({ shown, events }: { shown: Shown; events: readonly TimelineEvent[] }) {
  const days = Map.groupBy(events, ({ at }) => localDay(at));
  return [...days.values()].map((ofDay) => <Day shown={shown} events={ofDay} />);
}

function Day({ shown, events }: { shown: Shown; events: readonly TimelineEvent[] }) {
  const { view, now } = shown.visit;
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
          <Event shown={shown} event={event} />
        ))}
      </ol>
    </section>
  );
}

function Event({ shown, event }: { shown: Shown; event: TimelineEvent }) {
  const { icon, tone, title, text, amount } = toldOf(shown, event);
  return (
    <li>
      <time>{shown.visit.view.format.near(event.at, event.at)}</time>
      <span class={`event-mark ${tone ?? ""}`}>
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
