import type { Child } from "hono/jsx";
import { loginsOf } from "../../../../domain/access/log.ts";
import { makerOf } from "../../../../domain/devices/maker.ts";
import { sessionsOf } from "../../../../domain/sessions/log.ts";
import { requireFlag } from "../../../../domain/staff/actor.ts";
import { timelineOf } from "../../../../domain/subscribers/timeline.ts";
import { statementTail } from "../../../../domain/billing/statement.ts";
import type { StaffVisit } from "../../guard.ts";
import { beforeOf, Older } from "../../log.tsx";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { type Column, Table } from "../../../pages/parts/table.tsx";
import { WalletButtons } from "../money/wallet-moves.tsx";
import { personPage, type Tab } from "./person.tsx";
import { can, type Shown, shownOf } from "./shown.ts";
import { fieldWords } from "./timeline-told.tsx";

const LIMIT = 50;

interface ListProps {
  shown: Shown;
  tab: Exclude<Tab, "overview">;
  icon: IconName;
  columns: readonly Column[];
  rows: Child[];
  /** The cursor of the next page. */
  next: string | number | null;
  /** What can be done about it, above the list. */
  actions?: Child;
}

function listPage({ shown, tab, icon, columns, rows, next, actions }: ListProps): Response {
  const { visit } = shown;
  const { lists } = visit.view.words.subscriber;
  const list = (
    <>
      <Table caption={lists[tab]} columns={columns}>
        {rows}
      </Table>
      <Older view={visit.view} href={`${shown.base}/${tab}`} query={visit.query} last={next ?? undefined} />
    </>
  );
  const nothing = <Empty icon={icon} title={lists[tab]} text={lists[`${tab}Empty`]} />;
  return personPage({
    shown,
    tab,
    children: (
      <>
        {actions}
        {rows.length === 0 ? <div class="card">{nothing}</div> : list}
      </>
    ),
  });
}

export function sessionsTab(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { db, by, view, now } = shown.visit;
  const { lists } = view.words.subscriber;
  const choice = { subscriberId: shown.head.subscriber.id };
  const found = sessionsOf(db, by, choice, { limit: LIMIT + 1, before: beforeOf(visit.query) });
  const rows = found.slice(0, LIMIT);
  return listPage({
    ...{ shown, tab: "sessions", icon: "sessions" },
    columns: [
      { title: lists.start },
      { title: lists.end },
      { title: lists.lasted, end: true },
      { title: lists.cause },
      { title: lists.address },
      { title: lists.device, low: true },
      { title: lists.router, low: true },
      { title: lists.down, end: true },
      { title: lists.up, end: true },
    ],
    rows: rows.map(({ session: s, nasName }) => (
      <tr>
        <td>{view.format.weekTime(s.startedAt)}</td>
        <td>{s.stoppedAt === null ? lists.open : view.format.weekTime(s.stoppedAt)}</td>
        <td class="end">{shown.say.lasted(Math.max(0, (s.stoppedAt ?? now) - s.startedAt))}</td>
        <td>{s.stoppedAt !== null && view.words.matter.causeOf(s.terminateCause)}</td>
        <td>{s.framedIp ?? s.framedIpv6Prefix}</td>
        <td class="low">
          <span class="mono">{s.mac}</span> <span class="hint">{s.mac !== null && makerOf(s.mac)}</span>
        </td>
        <td class="low">{nasName ?? s.nasAddress}</td>
        <td class="end">{shown.say.bytes(s.outputOctets)}</td>
        <td class="end">{shown.say.bytes(s.inputOctets)}</td>
      </tr>
    )),
    next: found.length > LIMIT ? (rows.at(-1)?.session.id ?? null) : null,
  });
}

export function loginsTab(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { db, by, view } = shown.visit;
  const { matter, subscriber } = view.words;
  const { lists } = subscriber;
  const choice = { subscriberId: shown.head.subscriber.id };
  const found = loginsOf(db, by, choice, { limit: LIMIT + 1, before: beforeOf(visit.query) });
  const rows = found.slice(0, LIMIT);
  return listPage({
    ...{ shown, tab: "logins", icon: "leave" },
    columns: [
      { title: lists.when },
      { title: lists.decision },
      { title: lists.why },
      { title: lists.device },
      { title: lists.router, low: true },
    ],
    rows: rows.map(({ at, accepted, reason, mac, nasName, nasAddress }) => (
      <tr>
        <td>
          {view.format.weekTime(at)}
          <span class="soft-text">{view.format.clock(at).slice(-3)}</span>
        </td>
        <td class={accepted ? "good-text" : "bad-text"}>
          <Icon name={accepted ? "check" : "close"} />{" "}
          {accepted ? matter.evidence.accepted : matter.evidence.rejected}
        </td>
        <td>{matter.reasonOf(reason)}</td>
        <td>
          <span class="mono">{mac}</span> <span class="hint">{mac !== null && makerOf(mac)}</span>
        </td>
        <td class="low">{nasName ?? nasAddress}</td>
      </tr>
    )),
    next: found.length > LIMIT ? (rows.at(-1)?.id ?? null) : null,
  });
}

export function moneyTab(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { db, by, view } = shown.visit;
  const { timeline, subscriber } = view.words;
  const { lists } = subscriber;
  const choice = { subscriberId: shown.head.subscriber.id, count: LIMIT + 1, before: beforeOf(visit.query) };
  const found = statementTail(db, by, choice);
  const rows = found.slice(0, LIMIT);
  return listPage({
    ...{ shown, tab: "money", icon: "money" },
    actions: <MoneyActions shown={shown} />,
    columns: [
      { title: lists.when },
      { title: lists.what },
      { title: lists.number },
      { title: lists.reason, low: true },
      { title: lists.by, low: true },
      { title: `${lists.amount}, ${shown.visit.view.format.currencySign(shown.currency)}`, end: true },
      { title: lists.balance, end: true },
    ],
    rows: rows.map((entry) => (
      <tr>
        <td>{view.format.weekTime(entry.createdAt)}</td>
        <td>
          {entry.kind === "activation"
            ? entry.packageName
            : timeline.entry({ entry: entry.kind, method: entry.method })}
        </td>
        <td>{entry.receipt ?? entry.invoice}</td>
        <td class="low">{entry.reason}</td>
        <td class="low">{entry.by}</td>
        <td class={entry.amount > 0 ? "end good-text" : "end"}>
          {view.format.amount(entry.amount, { plus: true })}
        </td>
        <td class="end soft-text">{view.format.amount(entry.balanceAfter)}</td>
      </tr>
    )),
    next: found.length > LIMIT ? (rows.at(-1)?.id ?? null) : null,
  });
}

/** The ways to the wallet that no other button of the page has. */
function MoneyActions({ shown }: { shown: Shown }) {
  const { visit, head, base } = shown;
  const account = { subscriberId: head.subscriber.id };
  return (
    <div class="actions list-actions">
      {can(shown, "wallet_view") && (
        <Button href={`${base}/statement`} icon="print">
          {visit.view.words.subscriber.actions.statement}
        </Button>
      )}
      {head.subscriber.archivedAt === null && <WalletButtons visit={visit} account={account} />}
    </div>
  );
}

export function changesTab(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { db, by, view } = shown.visit;
  requireFlag(by, "audit_view");
  const { timeline, subscriber } = view.words;
  const { lists } = subscriber;
  const subscriberId = shown.head.subscriber.id;
  const before = visit.query.get("before");
  const { events, next } = timelineOf(db, by, { subscriberId, kinds: ["changes"], before, limit: LIMIT });
  const changes = events.flatMap((event) => (event.kind === "change" ? [event] : []));
  return listPage({
    ...{ shown, tab: "changes", icon: "history" },
    columns: [{ title: lists.when }, { title: lists.what }, { title: lists.changes }, { title: lists.by }],
    rows: changes.map(({ at, action, fields, by: who }) => (
      <tr>
        <td>{view.format.weekTime(at)}</td>
        <td>{timeline.action(action)}</td>
        <td>
          {fields.map((field) => {
            const { name, text } = fieldWords(shown, field);
            return (
              <div>
                <span class="soft-text">{name}</span> {text}
              </div>
            );
          })}
        </td>
        <td>{who}</td>
      </tr>
    )),
    next,
  });
}
