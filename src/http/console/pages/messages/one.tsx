import { storedTold, told } from "../../attempt.ts";
import { type MessageInFull, messageInFull } from "../../../../domain/around/messages/in-full.ts";
import { type LanguageTag, languageTags } from "../../../../domain/core/fields/languages.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { pathId } from "../../../form.ts";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Action } from "../../../pages/parts/button.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { drawer } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence, textName } from "../../parts/phrases.ts";
import { describeCause } from "./cause.tsx";
import { Whom, messageTitle } from "./rows.tsx";
import { goesAgain } from "./words.ts";
import { messageHref, OUTBOX, outboxHref } from "../../parts/hrefs.ts";

interface Props {
  visit: StaffVisit;
  full: MessageInFull;
}

export function showMessage(visit: StaffVisit): Response {
  const { db, by, view, now, params } = visit;
  const id = pathId("message", params["id"] ?? null);
  const full = messageInFull(db, by, { id, opens: !visit.seeing }, { now, brand: view.brand });
  const { one } = view.words.outbox;
  const { message } = full;
  return drawer(visit, {
    title: one.title(view.format.name(message.name ?? "")),
    lead: <bdi>{messageTitle(visit, message)}</bdi>,
    place: "messages",
    back: OUTBOX,
    children: (
      <>
        <div class="drawer-body">
          <Came visit={visit} full={full} />
          <Words visit={visit} full={full} />
          <Known visit={visit} full={full} />
        </div>
        <Acts visit={visit} full={full} />
      </>
    ),
  });
}

/** The result, its reason, and what to do. */
function Came({ visit, full }: Props) {
  const { outbox } = visit.view.words;
  const { state, reason } = full.message;
  const tone = state === "failed" ? "bad" : state === "perhaps" ? "warn" : "quiet";
  return (
    <section class="stack near">
      <p>
        <Chip tone={tone}>{outbox.states[state]}</Chip>{" "}
        {reason !== null && <strong>{sentence(storedTold(visit.view, reason))}</strong>}
      </p>
      <p>{adviseOn(visit, full)}</p>
    </section>
  );
}

function Words({ visit, full: { message, body, asItIs } }: Props) {
  const { one } = visit.view.words.outbox;
  const Title = visit.isPart ? "h3" : "h2"; // below the title of the drawer, or of the page
  const isAhead = message.state === "waiting" || message.state === "sending";
  const title = asItIs ? one.would : isAhead ? one.says : one.said;
  const words = asItIs
    ? asItIs.words
    : body === null
      ? undefined
      : { subject: message.subject ?? "", body, language: message.language ?? "en" };
  const none = visit.seeing ? one.sealed : asItIs ? one.textGone : one.gone;
  return (
    <section>
      <Title>{title}</Title>
      {words === undefined ? (
        <p class="hint">{none}</p>
      ) : (
        <div class="quoted" lang={words.language} dir="auto">
          {words.subject !== "" && <strong class="line">{words.subject}</strong>}
          {words.body}
        </div>
      )}
    </section>
  );
}

function Known({ visit, full }: Props) {
  const { view, now } = visit;
  const { outbox } = view.words;
  const { one } = outbox;
  const { message, asItIs } = full;
  const { state, endedAt, ruleId, rule, writer, channelId, channel, attempts } = message;
  const near = (at: number) => view.format.timeNear(at, now);
  const address = message.address ?? asItIs?.to ?? null;
  return (
    <Facts
      facts={[
        [outbox.to, <Whom visit={visit} row={message} />],
        [
          one.address,
          address === "" ? (
            one.onePlace
          ) : address === null ? (
            one.noAddress
          ) : (
            <bdi class="breaks">{address}</bdi>
          ),
        ],
        [one.language, languageName(visit, message.language ?? asItIs?.words?.language)],
        [one.happened, describeCause(visit, full.cause)],
        [
          outbox.rule,
          ruleId === null ? (
            <bdi>{writer === null ? outbox.byHand : outbox.writtenBy(writer)}</bdi>
          ) : (
            <a href={outboxHref({ rule: ruleId })}>
              <bdi>{rule}</bdi>
            </a>
          ),
        ],
        [one.text, message.template === "" ? null : <bdi>{textName(view.words, message.template)}</bdi>],
        [
          outbox.channel,
          <a href={outboxHref({ channel: channelId })}>
            <bdi>{channel}</bdi>
          </a>,
        ],
        [one.written, near(message.createdAt)],
        [one.due, near(message.dueAt)],
        [one.nextAt, state === "waiting" ? near(Math.max(message.nextAt, now)) : null],
        [one.attempts, view.format.number(attempts)],
        [
          state === "waiting" || state === "sending" ? "" : one.endedAt[state],
          endedAt === null ? null : near(endedAt),
        ],
        [one.id, <bdi class="mono breaks">{message.uid}</bdi>],
      ]}
    />
  );
}

function languageName({ view }: StaffVisit, tag: string | null | undefined): string | null {
  const known: LanguageTag | undefined = languageTags.find((one) => one === tag);
  return known ? view.words.outbox.languages[known] : (tag ?? null);
}

function Acts({ visit: { by, view, formToken }, full: { message, channel } }: Props) {
  const { outbox } = view.words;
  const { state, id } = message;
  const waits = state === "waiting";
  if (!may(by, "message_manage") || (!waits && !goesAgain(message))) return null;
  const isOff = channel.disabledAt !== null;
  const word = waits ? outbox.sendNow : state === "failed" ? outbox.again : outbox.sendAgain;
  return (
    <div class="drawer-foot">
      <Action
        action={`${messageHref(id)}/again`}
        formToken={formToken}
        kind={state === "failed" && !isOff ? "solid" : "outline"}
        size="large"
        disabled={isOff}
      >
        {word}
      </Action>
      {waits && (
        <Action action={`${messageHref(id)}/cancel`} formToken={formToken} kind="danger" size="large">
          {outbox.cancel}
        </Action>
      )}
    </div>
  );
}

/** What it waits for, or what to do, in a sentence or two. */
function adviseOn(visit: StaffVisit, full: MessageInFull): string {
  const { advice } = visit.view.words.outbox.one;
  const { state } = full.message;
  switch (state) {
    case "waiting":
      return waitsFor(visit, full);
    case "skipped":
      if (full.asItIs?.overtaken !== undefined) return advice.overtaken;
      return full.asItIs?.to === null ? advice.noAddress : advice.skipped;
    default:
      return advice[state];
  }
}

function waitsFor({ view, now }: StaffVisit, { message, channel, asItIs }: MessageInFull): string {
  const { advice } = view.words.outbox.one;
  const near = (at: number) => view.format.timeNear(at, now);
  if (channel.disabledAt !== null) return advice.off;
  if (channel.downSince !== null)
    return advice.down(view.format.name(message.channel), near(channel.downSince));
  if (asItIs?.overtaken !== undefined) return advice.willSkip(told(view, asItIs.overtaken));
  if (asItIs?.to === null) return advice.noAddressYet;
  if (message.nextAt <= now) return advice.waiting;
  return (message.attempts > 0 ? advice.retried : advice.waitingUntil)(near(message.nextAt));
}
