import type { Child } from "hono/jsx";
import type { Diagnosis } from "../../../../domain/desk/diagnosis/diagnosis-kinds.ts";
import { isServedOverRadius } from "../../../../domain/goods/subscribers/connection-types.ts";
import { makeInitials } from "../../frame.tsx";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { CallLink } from "../../../pages/parts/call-link.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip, Dot, type LineState, type Tone } from "../../../pages/parts/chip.tsx";
import { Menu } from "../../../pages/parts/menu.tsx";
import { loginTestHref } from "../../parts/hrefs.ts";
import { FormAction } from "./form-action.tsx";
import { HeaderFacts } from "./header-facts.tsx";
import { can, type PageContext } from "./context.ts";

interface Props {
  context: PageContext;
  diagnosis: Diagnosis;
}

export function Header({ context, diagnosis }: Props) {
  const { head, visit } = context;
  const { subscriber } = head;
  const { words } = visit.view;
  const number = subscriber.mobileNumber;
  return (
    <header class="card">
      <div>
        <span class="avatar large" aria-hidden="true">
          {makeInitials(subscriber.name)}
        </span>
        <div class="person-name">
          <h1>
            <bdi>{subscriber.name}</bdi>
          </h1>
          <Standing context={context} />
          <LineChip context={context} diagnosis={diagnosis} />
          <p class="hint">
            <span class="mono">{subscriber.username}</span>{" "}
            <CallLink
              number={number}
              missing={words.subscriber.noNumber}
              label={number === null ? undefined : words.subscriber.call(number)}
            />{" "}
            {subscriber.address !== null && <bdi>{subscriber.address}</bdi>}
          </p>
        </div>
        <Actions context={context} />
      </div>
      <HeaderFacts context={context} />
    </header>
  );
}

const tones: Readonly<Record<PageContext["head"]["status"], Tone>> = {
  active: "good",
  expired: "bad",
  disabled: "quiet",
  inactive: "warn",
};

function Standing({ context: { head, visit } }: { context: PageContext }) {
  const { subscriber: words } = visit.view.words;
  const { archivedAt } = head.subscriber;
  if (archivedAt !== null) return <Chip>{words.archived}</Chip>;
  if (head.service?.frozenAt && head.subscriber.status === 1) return <Chip>{words.frozen}</Chip>;
  return <Chip tone={tones[head.status]}>{words.statuses[head.status]}</Chip>;
}

/** Diagnoses of refused logins. */
const REFUSED = new Set<Diagnosis["code"]>([
  "new_device",
  "wrong_password",
  "router_secret",
  "other_isp",
  "wrong_connection_type",
  "router_login",
  "no_credentials",
]);
const HELD = new Set<Diagnosis["code"]>(["online_held_expired", "online_held_data", "online_held_paid"]);

function headerState(
  { head }: PageContext,
  diagnosis: Diagnosis,
): [LineState, Tone, keyof typeof stateNames] {
  if (head.open.length > 0) {
    if (HELD.has(diagnosis.code)) return ["half", "warn", "held"];
    if (diagnosis.code === "online_unheard") return ["half", "warn", "unsure"];
    return ["online", "quiet", "online"];
  }
  return REFUSED.has(diagnosis.code) ? ["refused", "bad", "refused"] : ["offline", "quiet", "offline"];
}
const stateNames = { online: 0, offline: 0, refused: 0, held: 0, unsure: 0 };

function LineChip({ context, diagnosis }: Props) {
  if (!isServedOverRadius(context.head.subscriber.connectionTypeId)) return null;
  const [dot, tone, name] = headerState(context, diagnosis);
  return (
    <Chip tone={tone}>
      <Dot state={dot} />
      {context.visit.view.words.subscriber.states[name]}
    </Chip>
  );
}

function Actions({ context }: { context: PageContext }) {
  const { head, base, visit } = context;
  const { actions } = visit.view.words.subscriber;
  const isHere = head.subscriber.archivedAt === null;
  const isServed = isServedOverRadius(head.subscriber.connectionTypeId);
  const notNow = head.subscriber.status !== 1 || Boolean(head.service?.frozenAt);
  if (!isHere) return <div class="actions" />;
  const mayActivate = isServed && can(context, "subscriber_activate");
  const all: readonly (readonly [isThere: boolean, action: Child])[] = [
    [
      can(context, "payment_take"),
      <Button href={`${base}/pay`} icon="money" drawer dataKey="p" showKey="P">
        {actions.pay}
      </Button>,
    ],
    [
      mayActivate,
      <Button href={`${base}/renew`} icon="renew" drawer disabled={notNow}>
        {actions.renew}
      </Button>,
    ],
    [
      mayActivate,
      <Button href={`${base}/package`} icon="swap" drawer disabled={notNow}>
        {actions.package}
      </Button>,
    ],
    [
      can(context, "subscriber_disconnect"),
      <FormAction
        context={context}
        to="disconnect"
        icon="power"
        disabled={isServed && head.open.length === 0}
      >
        {actions.disconnect}
      </FormAction>,
    ],
    [
      can(context, "message_send"),
      <Button href={`${base}/message`} icon="chat" drawer>
        {visit.view.words.messageWriting.action}
      </Button>,
    ],
  ];
  const there = all.flatMap(([isThere, action]) => (isThere ? [action] : []));
  const beside = there.slice(0, BESIDE);
  const folded = there.slice(BESIDE);
  return (
    <div class="actions person-actions">
      {beside}
      <span class="wide-only">{folded}</span>
      <More context={context} folded={folded} />
    </div>
  );
}

/** Actions in a row of a phone; others are in its menu. */
const BESIDE = 2;

type Item = readonly [isThere: boolean, to: string, icon: IconName, label: string];

function More({ context, folded }: { context: PageContext; folded: readonly Child[] }) {
  const { head, visit } = context;
  const { actions, more } = visit.view.words.subscriber;
  const isOn = head.subscriber.status === 1;
  const isFrozen = Boolean(head.service?.frozenAt);
  const status = can(context, "subscriber_status");
  const edits = can(context, "subscriber_edit") || can(context, "subscriber_plant");
  const drawers: Item[] = [
    [can(context, "payment_take"), "card", "card", actions.card],
    [edits, "edit", "edit", actions.edit],
    [can(context, "subscriber_mac"), "device", "lock", actions.device],
    [can(context, "subscriber_password"), "password", "key", actions.password],
    [
      can(context, "subscriber_activate") && head.status === "active",
      "top-up",
      "plus",
      visit.view.words.fairUse.topUp,
    ],
    [can(context, "subscriber_extend") && head.service !== null, "extend", "history", actions.extend],
    [can(context, "subscriber_note"), "note", "chat", actions.note],
    [status && isOn && !isFrozen && head.status === "active", "freeze", "pause", actions.freeze],
    [status && isOn, "disable", "power", actions.disable],
    [status, "archive", "box", actions.archive],
  ];
  const direct: Item[] = [
    [status && isFrozen, "thaw", "play", actions.thaw],
    [status && !isOn, "enable", "check", actions.enable],
  ];
  const tests = can(context, "session_view") && isServedOverRadius(head.subscriber.connectionTypeId);
  const statement = can(context, "wallet_view");
  const isEmpty = ![...drawers, ...direct].some(([isThere]) => isThere) && !statement && !tests;
  if (isEmpty && folded.length === 0) return null;
  return (
    <Menu label="" icon="more" title={more} atEnd>
      <span class="phone-only">{folded}</span>
      {drawers.filter(([isThere]) => isThere).map(([, to, icon, label]) => item(context, to, icon, label))}
      {direct
        .filter(([isThere]) => isThere)
        .map(([, to, icon, label]) => (
          <FormAction context={context} to={to} icon={icon} kind="quiet">
            {label}
          </FormAction>
        ))}
      {tests && itemAt(loginTestHref(head.subscriber.username), "key", visit.view.words.routers.login.action)}
      {statement && (
        <a href={`${context.base}/statement`}>
          <Icon name="print" />
          {actions.statement}
        </a>
      )}
    </Menu>
  );
}

function item({ base }: PageContext, to: string, icon: IconName, label: Child) {
  return itemAt(`${base}/${to}`, icon, label);
}

function itemAt(href: string, icon: IconName, label: Child) {
  return (
    <a href={href} hx-get={href} hx-target="#drawer" hx-swap="innerHTML">
      <Icon name={icon} />
      {label}
    </a>
  );
}
