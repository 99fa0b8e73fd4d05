import type { Child } from "hono/jsx";
import { makerIn } from "../../parts/device.tsx";
import { confines } from "../../../../domain/service/access/outcomes.ts";
import type { SessionInScope } from "../../../../domain/service/sessions/in-scope.ts";
import type { MessageTo } from "../../../../domain/desk/subscriber-page/to-subscriber.ts";
import { seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { ChangeEvent, FieldChange } from "../../../../domain/desk/subscriber-page/timeline-audit.ts";
import type { EntryEvent, TimelineEvent } from "../../../../domain/desk/subscriber-page/timeline-sources.ts";
import type { IconName } from "../../../pages/icons.tsx";
import { drawerLink } from "../../frame.tsx";
import { messageHref } from "../../parts/hrefs.ts";
import { storedTold } from "../../attempt.ts";
import { can, type PageContext } from "./context.ts";
import { actorName } from "../../parts/phrases.ts";

interface Description {
  readonly icon: IconName;
  readonly tone?: "good" | "bad" | "warn";
  readonly title: Child;
  readonly text: Child;
  readonly amount?: string;
}

export function describe(context: PageContext, event: TimelineEvent): Description {
  const { timeline, diagnosis } = context.visit.view.words;
  const { near } = context.phrases;
  const who = (by: string | null) => by && actorName(context.visit.view.words, by);
  switch (event.kind) {
    case "refused": {
      const { times, since, reason, isMore } = event.run;
      const from = times > 1 ? `${timeline.since(near(since))}: ` : "";
      const title = <strong>{timeline.refused(times, isMore)}</strong>;
      return { icon: "close", tone: "bad", title, text: from + diagnosis.reasonOf(reason) };
    }
    case "session":
      return event.is === "started" ? started(context, event.of) : ended(context, event.of);
    case "router":
      return { icon: "router", title: timeline.disconnect, text: timeline.answered(event) };
    case "entry":
      return entry(context, event);
    case "renewal":
      return {
        icon: "close",
        tone: "bad",
        title: timeline.renewal,
        text: storedTold(context.visit.view, event.reason),
      };
    case "change":
      return change(context, event);
    case "freeze":
      return {
        icon: event.is === "frozen" ? "pause" : "play",
        title: timeline.freeze[event.is],
        text: who(event.by),
      };
    case "extension": {
      const text = [timeline.until(near(event.until)), event.reason, who(event.by)]
        .filter(Boolean)
        .join(context.visit.view.words.list.comma);
      return { icon: "history", title: timeline.extension(event.trust === 1), text };
    }
    case "message":
      return message(context, event.message);
    case "note":
      return { icon: "chat", title: <bdi>{event.text}</bdi>, text: who(event.by) };
  }
}

function message(
  { visit }: PageContext,
  { id, state, rule, template, subject, channel, reason }: MessageTo,
): Description {
  const { outbox } = visit.view.words;
  const what = <bdi>{rule ?? (subject || template)}</bdi>;
  const why = state === "sent" || reason === null ? null : storedTold(visit.view, reason);
  const text = [channel, state === "sent" ? null : outbox.states[state], why];
  return {
    icon: "chat",
    ...(state === "failed" && { tone: "bad" as const }),
    ...(state === "perhaps" && { tone: "warn" as const }),
    title: seesWholeIsp(visit.by.scope) ? (
      <a class="plain" href={messageHref(id)} {...drawerLink(messageHref(id))}>
        {what}
      </a>
    ) : (
      what
    ),
    text: <bdi>{text.filter(Boolean).join(visit.view.words.list.comma)}</bdi>,
  };
}

function started({ visit }: PageContext, { session, nasName }: SessionInScope): Description {
  const { timeline } = visit.view.words;
  const isHeld = confines(session.acceptedAs ?? "");
  const maker = session.mac === null ? null : makerIn(visit.view.words, session.mac);
  const text = [nasName ?? session.nasAddress, session.framedIp, maker]
    .filter(Boolean)
    .join(visit.view.words.list.comma);
  return isHeld
    ? { icon: "money", tone: "warn", title: timeline.held, text }
    : { icon: "check", tone: "good", title: timeline.signedIn, text };
}

function ended({ visit, phrases }: PageContext, { session }: SessionInScope): Description {
  const { timeline, diagnosis } = visit.view.words;
  const { startedAt, stoppedAt, terminateCause, inputOctets, outputOctets } = session;
  const lasted = phrases.lasted(Math.max(0, (stoppedAt ?? startedAt) - startedAt));
  const used = phrases.bytes(inputOctets + outputOctets);
  const text = [diagnosis.causeOf(terminateCause), lasted, used].join(visit.view.words.list.comma);
  return { icon: "power", title: timeline.ended, text };
}

function entry(context: PageContext, event: EntryEvent): Description {
  const { visit, phrases } = context;
  const { timeline } = visit.view.words;
  const text = timeline.entry(event);
  // a note without money
  if (event.entry === "history") return { icon: "history", title: text, text: <bdi>{event.reason}</bdi> };
  const sold = event.until === null ? undefined : timeline.renewedUntil(phrases.near(event.until));
  const title =
    event.entry === "activation"
      ? [event.packageName, event.until && timeline.until(phrases.near(event.until))]
      : [text, sold];
  const about = [
    event.by && actorName(visit.view.words, event.by),
    event.receipt ?? event.invoice,
    event.reason,
  ]
    .filter(Boolean)
    .join(context.visit.view.words.list.comma);
  return {
    icon: event.entry === "activation" ? "package" : "money",
    title: (
      <Entry
        context={context}
        event={event}
        title={title.filter(Boolean).join(context.visit.view.words.list.comma)}
      />
    ),
    text: <bdi>{about}</bdi>,
    amount: visit.view.format.amount(event.amount, { plus: true }),
  };
}

/** Links to the wallet, else to the payment, as far as visible. */
function Entry({ context, event, title }: { context: PageContext; event: EntryEvent; title: string }) {
  const payment =
    event.paymentId !== null && can(context, "payment_view")
      ? `/console/money/payments/${event.paymentId}`
      : null;
  const href = can(context, "wallet_view") ? `${context.base}/money` : payment;
  if (href === null) return title;
  return (
    <a class="plain" href={href}>
      {title}
    </a>
  );
}

const FIELDS = 4;

function change(context: PageContext, event: ChangeEvent): Description {
  const { timeline } = context.visit.view.words;
  const { action, fields } = event;
  const by = actorName(context.visit.view.words, event.by);
  const isUpdate = action === "subscriber.update" || action === "subscriber.plant";
  const [one] = fields;
  if (isUpdate && one && fields.length === 1) {
    const { name, text } = fieldWords(context, one);
    return { icon: "edit", title: `${name}`, text: `${text}${context.visit.view.words.list.comma}${by}` };
  }
  const what = fields
    .filter(({ name }) => isUpdate && name !== "password_changed")
    .slice(0, FIELDS)
    .map((field) => {
      const { name, text } = fieldWords(context, field);
      return `${name} ${text}`;
    });
  return {
    icon: "edit",
    title: timeline.action(action),
    text: [...what, by].join(context.visit.view.words.list.comma),
  };
}

/** `Phone`, `0139 to 0142`. */
export function fieldWords(
  { visit }: PageContext,
  { name, before, after }: FieldChange,
): { name: string; text: string } {
  const { timeline, subscriber, trail: auditLog } = visit.view.words;
  const label = subscriber.fields[name] ?? auditLog.fields[name] ?? name;
  return {
    name: label,
    text: timeline.from("", before ?? timeline.nothing, after ?? timeline.nothing).trim(),
  };
}
