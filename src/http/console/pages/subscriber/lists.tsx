import type { Child } from "hono/jsx";
import { loginsOf } from "../../../../domain/service/access/log.ts";
import { sessionsOf } from "../../../../domain/service/sessions/log.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { timelineOf } from "../../../../domain/desk/subscriber-page/timeline.ts";
import { statementTail } from "../../../../domain/money/billing/statement.ts";
import type { StaffVisit } from "../../guard.ts";
import { folded } from "../../folded.ts";
import { beforeOf, Older } from "../../parts/pager.tsx";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { type Column, Table } from "../../../pages/parts/table.tsx";
import { WalletButtons } from "../../parts/wallet-buttons.tsx";
import { Device } from "../../parts/device.tsx";
import { personPage, type Tab } from "./person.tsx";
import { can, sessionsOf as sessionsIn, type PageContext, contextOf } from "./context.ts";
import { fieldWords } from "./timeline-text.tsx";
import { actorName } from "../../parts/phrases.ts";

const LIMIT = 50;
/** Decisions read for a page, where a run of the same is one row. */
const LOGINS = 200;

/** Of a row: what is in each column. */
type Cells = readonly Child[];

interface ListProps {
  context: PageContext;
  tab: Exclude<Tab, "overview">;
  icon: IconName;
  columns: readonly (Column & { readonly title: string })[];
  rows: readonly Cells[];
  next: string | number | null;
  /** What can be done about it, above the list. */
  actions?: Child;
}

function listPage({ context, tab, icon, columns, rows, next, actions }: ListProps): Response {
  const { visit } = context;
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
      <Older visit={visit} last={next ?? undefined} />
    </>
  );
  const nothing = <Empty icon={icon} title={lists[tab]} text={lists[`${tab}Empty`]} />;
  return personPage({
    context,
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
  const context = contextOf(visit);
  const { db, by, view, now } = context.visit;
  const { lists } = view.words.subscriber;
  const choice = { subscriber: context.head.subscriber, known: sessionsIn(context.head) };
  const found = sessionsOf(db, by, choice, { limit: LIMIT + 1, before: beforeOf(visit.query) });
  const rows = found.slice(0, LIMIT);
  return listPage({
    context,
    tab: "sessions",
    icon: "sessions",
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
      context.phrases.lasted(Math.max(0, (s.stoppedAt ?? now) - s.startedAt)),
      s.stoppedAt !== null && view.words.diagnosis.causeOf(s.terminateCause),
      s.framedIp ?? s.framedIpv6Prefix,
      s.mac !== null && <Device mac={s.mac} />,
      nasName ?? s.nasAddress,
      context.phrases.bytes(s.outputOctets),
      context.phrases.bytes(s.inputOctets),
    ]),
    next: found.length > LIMIT ? (rows.at(-1)?.session.id ?? null) : null,
  });
}

export function loginsTab(visit: StaffVisit): Response {
  const context = contextOf(visit);
  const { db, by, view } = context.visit;
  const { diagnosis, subscriber } = view.words;
  const { lists } = subscriber;
  const choice = { subscriber: context.head.subscriber };
  const found = loginsOf(db, by, choice, { limit: LOGINS + 1, before: beforeOf(visit.query) });
  const rows = found.slice(0, LOGINS);
  const runs = folded(rows, ({ accepted, reason, mac, nasId }) => [accepted, reason, mac, nasId]);
  return listPage({
    context,
    tab: "logins",
    icon: "leave",
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
          {accepted ? diagnosis.evidence.accepted : diagnosis.evidence.rejected}
        </span>,
        run.length > 1 && (
          <>
            <strong>{diagnosis.evidence.times(run.length, false)}</strong>{" "}
            <span class="hint">{lists.since(view.format.near(since, visit.now))}</span>
          </>
        ),
        diagnosis.reasonOf(reason),
        mac !== null && <Device mac={mac} />,
        nasName ?? nasAddress,
      ];
    }),
    next: found.length > LOGINS ? (rows.at(-1)?.id ?? null) : null,
  });
}

export function moneyTab(visit: StaffVisit): Response {
  const context = contextOf(visit);
  const { db, by, view } = context.visit;
  const { timeline, subscriber } = view.words;
  const { lists } = subscriber;
  const { subscriber: of } = context.head;
  const choice = { subscriber: of, count: LIMIT + 1, before: beforeOf(visit.query) };
  const found = statementTail(db, by, choice);
  const rows = found.slice(0, LIMIT);
  return listPage({
    context,
    tab: "money",
    icon: "money",
    actions: <MoneyActions context={context} />,
    columns: [
      { title: lists.when },
      { title: lists.what },
      { title: lists.number },
      { title: lists.reason, low: true },
      { title: lists.by, low: true },
      { title: `${lists.amount}, ${context.visit.view.format.currencySign(context.currency)}`, end: true },
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
function MoneyActions({ context }: { context: PageContext }) {
  const { visit, head, base } = context;
  const account = { subscriberId: head.subscriber.id };
  return (
    <div class="actions list-actions">
      {can(context, "wallet_view") && (
        <Button href={`${base}/statement`} icon="print">
          {visit.view.words.subscriber.actions.statement}
        </Button>
      )}
      {head.subscriber.archivedAt === null && <WalletButtons visit={visit} account={account} />}
    </div>
  );
}

export function changesTab(visit: StaffVisit): Response {
  const context = contextOf(visit);
  const { db, by, view } = context.visit;
  requireFlag(by, "audit_view");
  const { timeline, subscriber } = view.words;
  const { lists } = subscriber;
  const choice = { kinds: ["changes"], before: visit.query.get("before"), limit: LIMIT } as const;
  const { events, next } = timelineOf(db, by, { subscriber: context.head.subscriber, ...choice });
  const changes = events.flatMap((event) => (event.kind === "change" ? [event] : []));
  return listPage({
    context,
    tab: "changes",
    icon: "history",
    columns: [{ title: lists.when }, { title: lists.what }, { title: lists.changes }, { title: lists.by }],
    rows: changes.map(({ at, action, fields, by: who }) => [
      view.format.weekTime(at),
      timeline.action(action),
      fields.map((field) => {
        const { name, text } = fieldWords(context, field);
        return (
          <span class="line">
            <span class="soft-text">{name}</span> {text}
          </span>
        );
      }),
      who,
    ]),
    next,
  });
}
