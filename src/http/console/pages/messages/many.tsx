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
import { ruleOfId } from "../../../../domain/around/messages/rules.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { drawer, said } from "../../answers.tsx";
import { DrawerForm } from "../../drawer-form.tsx";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../subscriber/say.ts";
import { counted, idOf, OUTBOX, outboxHref } from "./shown.ts";

/** Hours in which it failed. */
const spans = [1, 24, 168] as const;
type Span = (typeof spans)[number];
const USUAL = 24;

type What = "again" | "cancel";

/** What is asked for: of which channel or rule, and of what failed, since when. */
interface Asked {
  readonly channel: number | undefined;
  readonly rule: number | undefined;
  readonly hours: Span;
}

function askedOf(value: (name: string) => unknown): Asked {
  const hours = spans.find((one) => String(one) === value("hours")) ?? USUAL;
  return { channel: idOf(value("channel")), rule: idOf(value("rule")), hours };
}

const choiceOf = ({ channel, rule, hours }: Asked, now: number): ManyChoice => ({
  ...{ channelId: channel, ruleId: rule, endedAfter: now - hours * 3600 },
});

const hrefOf = (what: What, { channel, rule, hours }: Asked) => {
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
  const asked = askedOf((name) => visit.query.get(name));
  const isChosen = asked.channel !== undefined || asked.rule !== undefined;
  return drawer(visit, {
    title: what === "again" ? many.againTitle : many.cancelTitle,
    lead: isChosen ? nameOf(visit, asked) : undefined,
    ...{ place: "messages", back: outboxHref({ state: what === "again" ? "failed" : "waiting" }) },
    children: isChosen ? (
      <Sure visit={visit} what={what} asked={asked} />
    ) : (
      <div class="drawer-body">
        <Choose visit={visit} what={what} />
      </div>
    ),
  });
}

/** The channel, or the rule, by its name. Throws `not_found`. */
function nameOf({ db, by, view }: StaffVisit, { channel, rule }: Asked) {
  const { many } = view.words.outbox;
  const names = [
    channel === undefined
      ? undefined
      : many.ofChannel(view.format.name(listChannels(db, by).find(({ id }) => id === channel)?.name ?? "")),
    rule === undefined ? undefined : many.ofRule(view.format.name(ruleOfId(db, by, { id: rule }).name)),
  ];
  return names.filter((name) => name !== undefined).join(", ");
}

/** Of which channel, each with how many. */
function Choose({ visit, what }: { visit: StaffVisit; what: What }) {
  const { db, by, now, view } = visit;
  const { many } = view.words.outbox;
  const hours = 168;
  const found = listChannels(db, by).flatMap((channel): [Channel, Many][] => {
    const asked: Asked = { channel: channel.id, rule: undefined, hours };
    const state = what === "again" ? "failed" : "waiting";
    const count = countMany(db, by, { ...choiceOf(asked, now), state }, { now });
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
          const href = hrefOf(what, { channel: id, rule: undefined, hours });
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

/** How many that is, and the button that does it. */
function Sure({ visit, what, asked }: { visit: StaffVisit; what: What; asked: Asked }) {
  const { db, by, now, view } = visit;
  const { many } = view.words.outbox;
  const isAgain = what === "again";
  const state = isAgain ? "failed" : "waiting";
  const { count, isMore } = countMany(db, by, { ...choiceOf(asked, now), state }, { now });
  const channels = listChannels(db, by);
  const isOff = isAgain && channels.some(({ id, disabledAt }) => id === asked.channel && disabledAt !== null);
  const said = counted(view, count);
  const none = isOff ? many.off : isAgain ? many.noneAgain : many.noneCancel;
  return (
    <DrawerForm action={`${OUTBOX}/${what}`} visit={visit}>
      {Object.entries(asked).map(
        ([name, value]) => value !== undefined && <input type="hidden" name={name} value={String(value)} />,
      )}
      <div class="drawer-body">
        {isAgain && (
          <div class="stack-small">
            <span class="hint">{many.since}</span>
            <Spans visit={visit} asked={asked} />
          </div>
        )}
        <p class="sentence">{count === 0 ? none : (isAgain ? many.again : many.cancel)(count, said)}</p>
        {isMore && <p class="hint">{many.more}</p>}
      </div>
      <footer class="drawer-foot">
        <Button kind={isAgain ? "solid" : "danger"} size="large" disabled={count === 0}>
          {(isAgain ? many.submitAgain : many.submitCancel)(count, said)}
        </Button>
      </footer>
    </DrawerForm>
  );
}

function Spans({ visit: { view }, asked }: { visit: StaffVisit; asked: Asked }) {
  const { many } = view.words.outbox;
  return (
    <Segments
      label={many.since}
      tabs={spans.map((hours) => ({
        href: hrefOf("again", { ...asked, hours }),
        label: many.spans[hours],
        current: hours === asked.hours,
      }))}
      drawer
    />
  );
}

/** Does it, and says how many there were. */
export async function againMany(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const asked = askedOf((name) => input[name]);
  const done = await attempt(visit, () => sendManyAgain(db, by, choiceOf(asked, now), { now }));
  return tell(visit, done, view.words.outbox.many.sentAgain);
}

export async function cancelAll(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { channel: channelId, rule: ruleId } = askedOf((name) => input[name]);
  const done = await attempt(visit, () => cancelMany(db, by, { channelId, ruleId }, { now }));
  return tell(visit, done, view.words.outbox.many.cancelled);
}

function tell(
  visit: StaffVisit,
  done: Many | DomainError,
  words: (count: number, said: string) => string,
): Response {
  const { outbox } = visit.view.words;
  if (done instanceof DomainError)
    return said(visit, { kind: "bad", title: outbox.done.notDone, text: sentence(done.message) }, OUTBOX);
  const title = words(done.count, visit.view.format.number(done.count));
  return said(visit, { kind: "good", title, ...(done.isMore && { text: outbox.many.left }) }, OUTBOX);
}
