import type { Child } from "hono/jsx";
import { loginsOf } from "../../../../domain/service/access/log.ts";
import { sessionsOf } from "../../../../domain/service/sessions/log.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { timelineOf } from "../../../../domain/desk/subscriber-page/timeline.ts";
import { statementTail } from "../../../../domain/money/billing/statement.ts";
import type { StaffVisit } from "../../guard.ts";
import { folded } from "../../folded.ts";
import { beforeOf, Older } from "../../log.tsx";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { type Column, Table } from "../../../pages/parts/table.tsx";
import { WalletButtons } from "../money/wallet-moves.tsx";
import { Device } from "../online/table.tsx";
import { personPage, type Tab } from "./person.tsx";
import { can, type Shown, shownOf } from "./shown.ts";
import { fieldWords } from "./timeline-told.tsx";
import { actorName } from "./say.ts";

const LIMIT = 50;
/** Decisions read for a page, where a run of the same is one row. */
const LOGINS = 200;

/** Of a row: what is in each column. */
type Cells = readonly Child[];

interface ListProps {
  shown: Shown;
  tab: Exclude<Tab, "overview">;
  icon: IconName;
  columns: readonly (Column & { readonly title: string })[];
  rows: readonly Cells[];
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
      <Table caption={lists[tab]} columns={columns} kind="labelled">
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, index) => (
              <Cell column={columns[index]}>{cell}</Cell>
            ))}
          </tr>
        ))}
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

/** On a phone, where columns have no heads, each value has its own; what is empty is left out. */
function Cell({ column, children }: { column: ListProps["columns"][number] | undefined; children?: Child }) {
  const names = [column?.end && "end", column?.low && "low"].filter(Boolean).join(" ");
  return (
    <td class={names} data-label={column?.title}>
      {children !== null && children !== undefined && children !== "" && children !== false && (
        <span>{children}</span>
      )}
    </td>
  );
}

export function sessionsTab(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { db, by, view, now } = shown.visit;
  const { lists } = view.words.subscriber;
  const choice = { subscriber: shown.head.subscriber };
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
    rows: rows.map(({ session: s, nasName }) => [
      view.format.weekTime(s.startedAt),
      s.stoppedAt === null ? lists.open : view.format.weekTime(s.stoppedAt),
      shown.say.lasted(Math.max(0, (s.stoppedAt ?? now) - s.startedAt)),
      s.stoppedAt !== null && view.words.matter.causeOf(s.terminateCause),
      s.framedIp ?? s.framedIpv6Prefix,
      s.mac !== null && <Device mac={s.mac} />,
      nasName ?? s.nasAddress,
      shown.say.bytes(s.outputOctets),
      shown.say.bytes(s.inputOctets),
    ]),
    next: found.length > LIMIT ? (rows.at(-1)?.session.id ?? null) : null,
  });
}

export function loginsTab(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { db, by, view } = shown.visit;
  const { matter, subscriber } = view.words;
  const { lists } = subscriber;
  const choice = { subscriber: shown.head.subscriber };
  const found = loginsOf(db, by, choice, { limit: LOGINS + 1, before: beforeOf(visit.query) });
  const rows = found.slice(0, LOGINS);
  const runs = folded(rows, ({ accepted, reason, mac, nasId }) => [accepted, reason, mac, nasId]);
  return listPage({
    ...{ shown, tab: "logins", icon: "leave" },
    columns: [
      { title: lists.when },
      { title: lists.decision },
      { title: lists.times, end: true },
      { title: lists.why },
      { title: lists.device },
      { title: lists.router, low: true },
    ],
    rows: runs.map((run) => {
      const [{ at, accepted, reason, mac, nasName, nasAddress }] = run;
      const since = run.at(-1)?.at ?? at;
      return [
        <>
          {view.format.weekTime(at)}
          <span class="soft-text">{view.format.clock(at).slice(-3)}</span>
        </>,
        <span class={accepted ? "good-text" : "bad-text"}>
          <Icon name={accepted ? "check" : "close"} />{" "}
          {accepted ? matter.evidence.accepted : matter.evidence.rejected}
        </span>,
        run.length > 1 && (
          <>
            <strong>{matter.evidence.times(run.length, false)}</strong>{" "}
            <span class="hint">{lists.since(view.format.near(since, visit.now))}</span>
          </>
        ),
        matter.reasonOf(reason),
        mac !== null && <Device mac={mac} />,
        nasName ?? nasAddress,
      ];
    }),
    next: found.length > LOGINS ? (rows.at(-1)?.id ?? null) : null,
  });
}

export function moneyTab(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { db, by, view } = shown.visit;
  const { timeline, subscriber } = view.words;
  const { lists } = subscriber;
  const { subscriber: of } = shown.head;
  const choice = { subscriber: of, count: LIMIT + 1, before: beforeOf(visit.query) };
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
    rows: rows.map((entry) => [
      view.format.weekTime(entry.createdAt),
      entry.kind === "activation"
        ? entry.packageName
        : timeline.entry({ entry: entry.kind, method: entry.method }),
      entry.receipt ?? entry.invoice,
      entry.reason,
      entry.by === null ? null : actorName(view.words, entry.by),
      <span class={entry.amount > 0 ? "good-text" : ""}>
        {view.format.amount(entry.amount, { plus: true })}
      </span>,
      <span class="soft-text">{view.format.amount(entry.balanceAfter)}</span>,
    ]),
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
  const choice = { kinds: ["changes"], before: visit.query.get("before"), limit: LIMIT } as const;
  const { events, next } = timelineOf(db, by, { subscriber: shown.head.subscriber, ...choice });
  const changes = events.flatMap((event) => (event.kind === "change" ? [event] : []));
  return listPage({
    ...{ shown, tab: "changes", icon: "history" },
    columns: [{ title: lists.when }, { title: lists.what }, { title: lists.changes }, { title: lists.by }],
    rows: changes.map(({ at, action, fields, by: who }) => [
      view.format.weekTime(at),
      timeline.action(action),
      fields.map((field) => {
        const { name, text } = fieldWords(shown, field);
        return (
          <span class="change-line">
            <span class="soft-text">{name}</span> {text}
          </span>
        );
      }),
      who,
    ]),
    next,
  });
}
