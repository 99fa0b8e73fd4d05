import type { entryKinds } from "../../../../db/schema.ts";
import type { Db } from "../../../../db/open.ts";
import { type LoginRun, refusedRuns } from "../../service/access/login-runs.ts";
import { type SessionInScope, sessionsById } from "../../service/sessions/in-scope.ts";
import { may } from "../../core/actor/actor.ts";
import { messagesUntil, type MessageTo } from "./to-subscriber.ts";
import type { Seconds } from "../../core/time/time.ts";
import {
  type ChangeEvent,
  changeEvents,
  type RouterEvent,
  routerEvents,
  type SourceChoice,
} from "./timeline-audit.ts";

/** The place in the timeline: within a second higher ranks are later. */
interface At {
  readonly at: Seconds;
  readonly rank: number;
  readonly id: number;
}

export interface EntryEvent {
  readonly kind: "entry";
  readonly entry: (typeof entryKinds)[number];
  readonly amount: number;
  readonly balanceAfter: number;
  readonly method: string | null;
  readonly receipt: string | null;
  readonly invoice: string | null;
  readonly invoiceId: number | null;
  readonly paymentId: number | null;
  readonly packageName: string | null;
  /** Of the sale. */
  readonly until: Seconds | null;
  readonly reason: string | null;
  readonly by: string | null;
}

export type TimelineEvent = At &
  (
    | { readonly kind: "refused"; readonly run: LoginRun }
    | { readonly kind: "session"; readonly is: "started" | "ended"; readonly of: SessionInScope }
    | RouterEvent
    | EntryEvent
    | { readonly kind: "renewal"; readonly reason: string }
    | ChangeEvent
    | { readonly kind: "freeze"; readonly is: "frozen" | "thawed"; readonly by: string | null }
    | {
        readonly kind: "extension";
        readonly until: Seconds;
        readonly reason: string;
        readonly trust: 0 | 1;
        readonly by: string | null;
      }
    | { readonly kind: "note"; readonly text: string; readonly by: string }
    | { readonly kind: "message"; readonly message: MessageTo }
  );
export type EventKind = TimelineEvent["kind"];

/** `floor`: not scanned further. */
interface Found {
  readonly events: readonly TimelineEvent[];
  readonly floor?: Seconds | null;
}

type Source = (db: Db, choice: SourceChoice) => Found;

const refused: Source = (db, { subscriberId, until, count, by }) => {
  const { runs, floor } = refusedRuns(db, { subscriberId, limit: count, ispId: by.scope.ispId, until });
  return { floor, events: runs.map((run) => ({ kind: "refused", at: run.at, rank: 5, id: run.id, run })) };
};

/** Overlapping sessions read. */
const OVERLAPPING = 20;

const session: Source = (db, { subscriberId, until, count, by, sessions }) => {
  const ids = db.$client
    .query<{ id: number }, [number, Seconds, number]>(
      `SELECT id FROM sessions INDEXED BY sessions_subscriber WHERE subscriber_id = ? AND started_at <= ?
       ORDER BY started_at DESC, id DESC LIMIT ? + 0`,
    )
    .all(subscriberId, until, count + OVERLAPPING)
    .map(({ id }) => id);
  const found = sessionsById(db, by.scope, ids, sessions);
  const events = found.flatMap((of): TimelineEvent[] => {
    const { id, startedAt, stoppedAt } = of.session;
    const started = { kind: "session", is: "started", at: startedAt, rank: 6, id, of } as const;
    if (stoppedAt === null || stoppedAt > until) return [started];
    return [started, { kind: "session", is: "ended", at: stoppedAt, rank: 7, id, of }];
  });
  return { events };
};

type EntryRow = Omit<EntryEvent, "kind"> & { readonly id: number; readonly at: Seconds };

// shown with its payment
const selectEntries = `
  SELECT e.id, e.created_at AS at, e.kind AS entry, e.amount, e.balance_after AS balanceAfter, p.method, p.number AS receipt,
    coalesce(i.number, sold.number) AS invoice, coalesce(i.id, sold.id) AS invoiceId, p.id AS paymentId,
    coalesce(i.package_name, sold.package_name) AS packageName,
    CASE WHEN e.kind = 'activation' THEN i.period_end WHEN e.kind = 'payment' THEN sold.period_end END AS until,
    e.reason, coalesce(a.name, e.actor) AS by
  FROM ledger_entries e LEFT JOIN invoices i ON i.id = e.invoice_id LEFT JOIN payments p ON p.id = e.payment_id
    LEFT JOIN invoices sold ON sold.id = p.invoice_id AND e.kind = 'payment' LEFT JOIN staff a ON a.id = e.acting_staff_id
  WHERE e.subscriber_id = ? AND e.created_at <= ? AND NOT (e.kind = 'activation' AND i.payment_id IS NOT NULL)`;
const ordered = "ORDER BY e.created_at DESC, e.id DESC LIMIT ? + 0";
const allEntries = `${selectEntries} ${ordered}`;
const paymentsAlone = `${selectEntries} AND e.payment_id IS NOT NULL ${ordered}`;

const entry: Source = ({ $client }, { subscriberId, until, count, by }) => {
  const rows = $client
    .query<EntryRow, [number, Seconds, number]>(may(by, "wallet_view") ? allEntries : paymentsAlone)
    .all(subscriberId, until, count);
  return { events: rows.map((row) => Object.assign(row, { kind: "entry", rank: 3 } as const)) };
};

const renewal: Source = ({ $client }, { subscriberId, until, count }) => {
  const rows = $client
    .query<{ at: Seconds; reason: string }, [number, Seconds, number]>(
      `SELECT tried_at AS at, reason FROM auto_renewals
       WHERE subscriber_id = ? AND tried_at <= ? AND renewed_at IS NULL AND reason IS NOT NULL
       ORDER BY tried_at DESC LIMIT ? + 0`,
    )
    .all(subscriberId, until, count);
  return {
    events: rows.map((row) => Object.assign(row, { kind: "renewal", rank: 4, id: row.at } as const)),
  };
};

interface FreezeRow {
  readonly id: number;
  readonly frozenAt: Seconds;
  readonly thawedAt: Seconds | null;
  readonly by: string | null;
}

const freeze: Source = ({ $client }, { subscriberId, until }) => {
  const rows = $client
    .query<FreezeRow, [number, Seconds]>(
      `SELECT f.id, f.frozen_at AS frozenAt, f.thawed_at AS thawedAt, coalesce(a.name, f.actor) AS by
       FROM freezes f LEFT JOIN staff a ON a.id = f.frozen_by WHERE f.subscriber_id = ? AND f.frozen_at <= ?`,
    )
    .all(subscriberId, until);
  const events = rows.flatMap(({ id, frozenAt, thawedAt, by }): TimelineEvent[] => {
    const frozen = { kind: "freeze", is: "frozen", at: frozenAt, rank: 1, id, by } as const;
    if (thawedAt === null || thawedAt > until) return [frozen];
    return [frozen, { kind: "freeze", is: "thawed", at: thawedAt, rank: 2, id, by: null }];
  });
  return { events };
};

interface ExtensionRow {
  readonly id: number;
  readonly at: Seconds;
  readonly until: Seconds;
  readonly reason: string;
  readonly trust: 0 | 1;
  readonly by: string | null;
}

const extension: Source = ({ $client }, { subscriberId, until, count }) => {
  const rows = $client
    .query<ExtensionRow, [number, Seconds, number]>(
      `SELECT x.id, x.created_at AS at, x.after AS until, x.reason, x.trust, coalesce(a.name, x.actor) AS by
       FROM extensions x LEFT JOIN staff a ON a.id = x.acting_staff_id
       WHERE x.subscriber_id = ? AND x.created_at <= ? ORDER BY x.id DESC LIMIT ? + 0`,
    )
    .all(subscriberId, until, count);
  return {
    events: rows.map((row) => Object.assign(row, { kind: "extension", rank: 2 } as const)),
  };
};

const note: Source = ({ $client }, { subscriberId, until, count }) => {
  const rows = $client
    .query<{ id: number; at: Seconds; text: string; by: string }, [number, Seconds, number]>(
      `SELECT n.id, n.created_at AS at, n.note AS text, a.name AS by FROM staff_notes n JOIN staff a ON a.id = n.added_by
       WHERE n.subscriber_id = ? AND n.created_at <= ? ORDER BY n.created_at DESC, n.id DESC LIMIT ? + 0`,
    )
    .all(subscriberId, until, count);
  return { events: rows.map((row) => Object.assign(row, { kind: "note", rank: 2 } as const)) };
};

const message: Source = (db, choice) => ({
  events: messagesUntil(db, choice).map((one) => {
    const { at, id } = one;
    return { kind: "message", at, rank: 2, id, message: one };
  }),
});

const router: Source = (db, choice) => ({ events: routerEvents(db, choice) });
const change: Source = (db, choice) => ({ events: changeEvents(db, choice) });

/** Reads the newest `count` of each kind, by the subscriber's index. */
export const sources: Readonly<Record<EventKind, Source>> = {
  refused,
  session,
  router,
  entry,
  renewal,
  change,
  freeze,
  extension,
  note,
  message,
};
