import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { type Channel, listChannels } from "../../../../domain/around/messages/channels.ts";
import {
  cancelMany,
  countMany,
  type Many,
  type ManyChoice,
  sendManyAgain,
} from "../../../../domain/around/messages/outbox-many.ts";
import { ruleById } from "../../../../domain/around/messages/rules.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { drawer, flash } from "../../answers.tsx";
import { DrawerForm } from "../../drawer-form.tsx";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../../parts/phrases.ts";
import { counted, parseId } from "./words.ts";
import { OUTBOX, outboxHref } from "../../parts/hrefs.ts";

/** Hours. */
const spans = [1, 24, 168] as const;
type Span = (typeof spans)[number];
const USUAL = 24;

type What = "again" | "cancel";

interface ManyQuery {
  readonly channel: number | undefined;
  readonly rule: number | undefined;
  readonly hours: Span;
}

function readQuery(value: (name: string) => unknown): ManyQuery {
  const hours = spans.find((one) => String(one) === value("hours")) ?? USUAL;
  return { channel: parseId(value("channel")), rule: parseId(value("rule")), hours };
}

const toChoice = ({ channel, rule, hours }: ManyQuery, now: number): ManyChoice => ({
  channelId: channel,
  ruleId: rule,
  endedAfter: now - hours * 3600,
});

const manyHref = (what: What, { channel, rule, hours }: ManyQuery) => {
  const href = outboxHref({ channel, rule }, `/${what}`);
  return what === "cancel" ? href : `${href}${href.includes("?") ? "&" : "?"}hours=${hours}`;
};

export function askAgain(visit: StaffVisit): Response {
  permit(visit.by, "sendManyAgain");
  return ask(visit, "again");
}

export function askCancel(visit: StaffVisit): Response {
  permit(visit.by, "cancelMany");
  return ask(visit, "cancel");
}

function ask(visit: StaffVisit, what: What): Response {
  const { many } = visit.view.words.outbox;
  const query = readQuery((name) => visit.query.get(name));
  const isChosen = query.channel !== undefined || query.rule !== undefined;
  const channels = listChannels(visit.db, visit.by);
  return drawer(visit, {
    title: what === "again" ? many.againTitle : many.cancelTitle,
    lead: isChosen ? describeChoice(visit, query, channels) : undefined,
    place: "messages",
    back: outboxHref({ state: what === "again" ? "failed" : "waiting" }),
    children: isChosen ? (
      <Sure visit={visit} what={what} query={query} channels={channels} />
    ) : (
      <div class="drawer-body">
        <Choose visit={visit} what={what} channels={channels} />
      </div>
    ),
  });
}

/** The channel or rule. Throws `not_found`. */
function describeChoice(
  { db, by, view }: StaffVisit,
  { channel, rule }: ManyQuery,
  channels: readonly Channel[],
) {
  const { many } = view.words.outbox;
  const names = [
    channel === undefined
      ? undefined
      : many.ofChannel(view.format.name(channels.find(({ id }) => id === channel)?.name ?? "")),
    rule === undefined ? undefined : many.ofRule(view.format.name(ruleById(db, by, { id: rule }).name)),
  ];
  return names.filter((name) => name !== undefined).join(view.words.list.comma);
}

/** Channels with counts. */
function Choose({ visit, what, channels }: { visit: StaffVisit; what: What; channels: readonly Channel[] }) {
  const { db, by, now, view } = visit;
  const { many } = view.words.outbox;
  const hours = 168;
  const found = channels.flatMap((channel): [Channel, Many][] => {
    const query: ManyQuery = { channel: channel.id, rule: undefined, hours };
    const state = what === "again" ? "failed" : "waiting";
    const count = countMany(db, by, { ...toChoice(query, now), state }, { now });
    return count.count === 0 ? [] : [[channel, count]];
  });
  if (found.length === 0)
    return <p class="hint">{what === "again" ? many.nothingFailed : many.nothingWaits}</p>;
  return (
    <>
      <p>
        <strong>{many.choose}</strong> {many.chooseText}
      </p>
      <ul class="pay-hits">
        {found.map(([{ id, name }, { count }]) => {
          const href = manyHref(what, { channel: id, rule: undefined, hours });
          return (
            <li>
              <a href={href} {...drawerLink(href)}>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                <span class="hint">{many.count(count, counted(view, count))}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface SureProps {
  visit: StaffVisit;
  what: What;
  query: ManyQuery;
  channels: readonly Channel[];
}

/** How many that is, and the button that does it. */
function Sure({ visit, what, query, channels }: SureProps) {
  const { db, by, now, view } = visit;
  const { many } = view.words.outbox;
  const isAgain = what === "again";
  const state = isAgain ? "failed" : "waiting";
  const { count, isMore } = countMany(db, by, { ...toChoice(query, now), state }, { now });
  const isOff = isAgain && channels.some(({ id, disabledAt }) => id === query.channel && disabledAt !== null);
  const formatted = counted(view, count);
  const none = isOff ? many.off : isAgain ? many.noneAgain : many.noneCancel;
  return (
    <DrawerForm action={`${OUTBOX}/${what}`} visit={visit}>
      {Object.entries(query).map(
        ([name, value]) => value !== undefined && <input type="hidden" name={name} value={String(value)} />,
      )}
      <div class="drawer-body">
        {isAgain && (
          <div class="stack near">
            <span class="hint">{many.since}</span>
            <Spans visit={visit} query={query} />
          </div>
        )}
        <p class="sentence">{count === 0 ? none : (isAgain ? many.again : many.cancel)(count, formatted)}</p>
        {isMore && <p class="hint">{many.more}</p>}
      </div>
      <footer class="drawer-foot">
        <Button kind={isAgain ? "solid" : "danger"} size="large" disabled={count === 0}>
          {(isAgain ? many.submitAgain : many.submitCancel)(count, formatted)}
        </Button>
      </footer>
    </DrawerForm>
  );
}

function Spans({ visit: { view }, query }: { visit: StaffVisit; query: ManyQuery }) {
  const { many } = view.words.outbox;
  return (
    <Segments
      label={many.since}
      tabs={spans.map((hours) => ({
        href: manyHref("again", { ...query, hours }),
        label: many.spans[hours],
        current: hours === query.hours,
      }))}
      drawer
    />
  );
}

export async function againMany(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const query = readQuery((name) => input[name]);
  const done = await attempt(visit, () => sendManyAgain(db, by, toChoice(query, now), { now }));
  return tell(visit, done, view.words.outbox.many.sentAgain);
}

export async function cancelAll(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { channel: channelId, rule: ruleId } = readQuery((name) => input[name]);
  const done = await attempt(visit, () => cancelMany(db, by, { channelId, ruleId }, { now }));
  return tell(visit, done, view.words.outbox.many.cancelled);
}

function tell(
  visit: StaffVisit,
  done: Many | DomainError,
  words: (count: number, formatted: string) => string,
): Response {
  const { outbox } = visit.view.words;
  if (done instanceof DomainError)
    return flash(visit, { kind: "bad", title: outbox.done.notDone, text: sentence(done.message) }, OUTBOX);
  const title = words(done.count, visit.view.format.number(done.count));
  return flash(visit, { kind: "good", title, ...(done.isMore && { text: outbox.many.left }) }, OUTBOX);
}
