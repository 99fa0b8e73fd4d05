import { listSubscriberLogins } from "../../../../domain/service/access/log.ts";
import { listSubscriberSessions } from "../../../../domain/service/sessions/log.ts";
import { may, requireFlag } from "../../../../domain/core/actor/actor.ts";
import { readTimeline } from "../../../../domain/desk/subscriber-page/timeline.ts";
import { statementTail } from "../../../../domain/money/billing/statement.ts";
import type { StaffVisit } from "../../guard.ts";
import { folded } from "../../folded.ts";
import { LABELLED, list } from "../../parts/list.tsx";
import { readBefore } from "../../parts/pager.tsx";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { WalletButtons } from "../../parts/wallet-buttons.tsx";
import { Device } from "../../parts/device.tsx";
import { personPage } from "./person.tsx";
import { can, shownSessions as sessionsIn, type PageContext, readPageContext } from "./context.ts";
import { fieldWords } from "./timeline-text.tsx";
import { actorName } from "../../parts/phrases.ts";

const LIMIT = 50;
/** Decisions read for a page, on which runs are folded. */
const LOGINS = 200;

interface SessionRow {
  readonly session: ReturnType<typeof listSubscriberSessions>[number]["session"];
  readonly nasName: string | null;
}

export const Sessions = list<SessionRow>(({ view: { format, words }, now }) => {
  const { lists } = words.subscriber;
  return {
    name: lists.sessions,
    kind: LABELLED,
    columns: [
      { title: lists.start, narrow: "lead", cell: ({ session }) => format.weekTime(session.startedAt) },
      {
        title: lists.end,
        cell: ({ session: s }) => (s.stoppedAt === null ? lists.open : format.weekTime(s.stoppedAt)),
      },
      {
        title: lists.lasted,
        end: true,
        cell: ({ session: s }) => format.duration(Math.max(0, (s.stoppedAt ?? now) - s.startedAt)),
      },
      {
        title: lists.cause,
        cell: ({ session: s }) => s.stoppedAt !== null && words.diagnosis.causeOf(s.terminateCause),
      },
      { title: lists.address, cell: ({ session }) => session.framedIp ?? session.framedIpv6Prefix },
      {
        title: lists.device,
        narrow: "low",
        cell: ({ session: { mac } }) => mac !== null && <Device words={words} mac={mac} />,
      },
      { title: lists.router, narrow: "low", cell: ({ session, nasName }) => nasName ?? session.nasAddress },
      { title: lists.down, end: true, cell: ({ session }) => format.bytes(session.outputOctets) },
      { title: lists.up, end: true, cell: ({ session }) => format.bytes(session.inputOctets) },
    ],
    empty: { icon: "sessions", title: lists.sessions, text: lists.sessionsEmpty },
  };
});

export function sessionsTab(visit: StaffVisit): Response {
  const context = readPageContext(visit);
  const { db, by, query } = context.visit;
  const choice = { subscriber: context.head.subscriber, known: sessionsIn(context.head) };
  const found = listSubscriberSessions(db, by, choice, { limit: LIMIT + 1, before: readBefore(query) });
  const rows = found.slice(0, LIMIT);
  const last = found.length > LIMIT ? rows.at(-1)?.session.id : undefined;
  const children = <Sessions visit={context.visit} rows={rows} last={last} />;
  return personPage({ context, tab: "sessions", children });
}

type Login = ReturnType<typeof listSubscriberLogins>[number];

/** A run of decisions that are the same is one row. */
export const Logins = list<[Login, ...Login[]]>(({ view: { format, words }, now }) => {
  const { diagnosis, subscriber } = words;
  const { lists } = subscriber;
  const { evidence } = diagnosis;
  return {
    name: lists.logins,
    kind: LABELLED,
    columns: [
      {
        title: lists.when,
        narrow: "lead",
        cell: ([{ at }]) => (
          <>
            {format.weekTime(at)}
            <span class="soft-text">{format.clock(at).slice(-3)}</span>
          </>
        ),
      },
      {
        title: lists.decision,
        cell: ([{ accepted }]) => (
          <span class={accepted ? "good-text" : "bad-text"}>
            <Icon name={accepted ? "check" : "close"} /> {accepted ? evidence.accepted : evidence.rejected}
          </span>
        ),
      },
      {
        title: lists.times,
        end: true,
        cell: (run) =>
          run.length > 1 && (
            <>
              <strong>{evidence.times(run.length, false)}</strong>{" "}
              <span class="hint">{lists.since(format.near(run.at(-1)?.at ?? run[0].at, now))}</span>
            </>
          ),
      },
      { title: lists.why, cell: ([{ reason }]) => diagnosis.reasonOf(reason) },
      { title: lists.device, cell: ([{ mac }]) => mac !== null && <Device words={words} mac={mac} /> },
      { title: lists.router, narrow: "low", cell: ([{ nasName, nasAddress }]) => nasName ?? nasAddress },
    ],
    empty: { icon: "leave", title: lists.logins, text: lists.loginsEmpty },
  };
});

export function loginsTab(visit: StaffVisit): Response {
  const context = readPageContext(visit);
  const { db, by, query } = context.visit;
  const choice = { subscriber: context.head.subscriber };
  const found = listSubscriberLogins(db, by, choice, { limit: LOGINS + 1, before: readBefore(query) });
  const rows = found.slice(0, LOGINS);
  const runs = folded(rows, ({ accepted, reason, mac, nasId }) => [accepted, reason, mac, nasId]);
  const last = found.length > LOGINS ? rows.at(-1)?.id : undefined;
  const children = <Logins visit={context.visit} rows={runs} last={last} />;
  return personPage({ context, tab: "logins", children });
}

interface BookedRow {
  readonly entry: ReturnType<typeof statementTail>[number];
  readonly currency: string;
}

export const Entries = list<BookedRow>(({ view: { brand, format, words }, by }, rows) => {
  const { timeline, subscriber } = words;
  const numberOf = ({ receipt, paymentId, invoice, invoiceId }: BookedRow["entry"]) => {
    const isPayment = receipt !== null;
    const href = isPayment ? `/console/money/payments/${paymentId}` : `/console/money/invoices/${invoiceId}`;
    const number = receipt ?? invoice;
    return number !== null && may(by, isPayment ? "payment_view" : "invoice_view") ? (
      <a href={href}>{number}</a>
    ) : (
      number
    );
  };
  const { lists } = subscriber;
  return {
    name: lists.money,
    kind: LABELLED,
    columns: [
      { title: lists.when, narrow: "lead", cell: ({ entry }) => format.weekTime(entry.createdAt) },
      {
        title: lists.what,
        cell: ({ entry: { kind, method, packageName } }) =>
          kind === "activation" ? packageName : timeline.entry({ entry: kind, method }),
      },
      { title: lists.number, cell: ({ entry }) => numberOf(entry) },
      { title: lists.reason, narrow: "low", cell: ({ entry }) => entry.reason },
      {
        title: lists.by,
        narrow: "low",
        cell: ({ entry: { by } }) => (by === null ? null : actorName(words, by)),
      },
      {
        title: `${lists.amount}${words.list.comma}${format.currencySign(rows[0]?.currency ?? brand.currency)}`,
        end: true,
        cell: ({ entry: { amount } }) => (
          <span class={amount > 0 ? "good-text" : ""}>{format.amount(amount, { plus: true })}</span>
        ),
      },
      {
        title: lists.balance,
        end: true,
        cell: ({ entry }) => <span class="soft-text">{format.amount(entry.balanceAfter)}</span>,
      },
    ],
    empty: { icon: "money", title: lists.money, text: lists.moneyEmpty },
  };
});

export function moneyTab(visit: StaffVisit): Response {
  const context = readPageContext(visit);
  const { db, by, query } = context.visit;
  const { currency, head } = context;
  const choice = { subscriber: head.subscriber, count: LIMIT + 1, before: readBefore(query) };
  const found = statementTail(db, by, choice);
  const rows = found.slice(0, LIMIT).map((entry) => ({ entry, currency }));
  const last = found.length > LIMIT ? rows.at(-1)?.entry.id : undefined;
  const children = (
    <>
      <MoneyActions context={context} />
      <Entries visit={context.visit} rows={rows} last={last} />
    </>
  );
  return personPage({ context, tab: "money", children });
}

/** Links to the wallet that no other button has. */
function MoneyActions({ context }: { context: PageContext }) {
  const { visit, head, base } = context;
  const account = { subscriberId: head.subscriber.id };
  return (
    <div class="actions">
      {can(context, "wallet_view") && (
        <Button href={`${base}/statement`} icon="print">
          {visit.view.words.subscriber.actions.statement}
        </Button>
      )}
      {head.subscriber.archivedAt === null && <WalletButtons visit={visit} account={account} />}
    </div>
  );
}

type Change = Extract<ReturnType<typeof readTimeline>["events"][number], { kind: "change" }>;

interface ChangeRow {
  readonly change: Change;
  readonly context: PageContext;
}

export const Changes = list<ChangeRow>(({ view: { format, words } }) => {
  const { timeline, subscriber } = words;
  const { lists } = subscriber;
  return {
    name: lists.changes,
    kind: LABELLED,
    columns: [
      { title: lists.when, narrow: "lead", cell: ({ change }) => format.weekTime(change.at) },
      { title: lists.what, cell: ({ change }) => timeline.action(change.action) },
      {
        title: lists.changes,
        cell: ({ change, context }) =>
          change.fields.map((field) => {
            const { name, text } = fieldWords(context, field);
            return (
              <span class="line">
                <span class="soft-text">{name}</span> {text}
              </span>
            );
          }),
      },
      { title: lists.by, cell: ({ change }) => change.by },
    ],
    empty: { icon: "history", title: lists.changes, text: lists.changesEmpty },
  };
});

export function changesTab(visit: StaffVisit): Response {
  const context = readPageContext(visit);
  const { db, by, query } = context.visit;
  requireFlag(by, "audit_view");
  const choice = { kinds: ["changes"], before: query.get("before"), limit: LIMIT } as const;
  const { events, next } = readTimeline(db, by, { subscriber: context.head.subscriber, ...choice });
  const rows = events.flatMap((event) => (event.kind === "change" ? [{ change: event, context }] : []));
  const children = <Changes visit={context.visit} rows={rows} last={next ?? undefined} />;
  return personPage({ context, tab: "changes", children });
}
