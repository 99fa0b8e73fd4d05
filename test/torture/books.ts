import { Database } from "bun:sqlite";
import { type Prepared } from "../support/radius-client.ts";

/** One accounting session, as its router knows it. Record 0 is the Start, LAST_RECORD the Stop, updates are between. */
export interface ReportedSession {
  readonly user: number;
  /** The newest record that was sent, and the newest that was acknowledged; -1: none. */
  sent: number;
  acknowledged: number;
}

export const LAST_RECORD = 4;
/** Octets up to a record; ten times as many come down. */
export const inputAt = (record: number) => record * 1000;

type ActState = "asked" | "promised";

/** A card of a reseller that pays for each at its first use, and the session that began with it, once one did. */
export interface UsedCard {
  readonly id: number;
  readonly code: string;
  isAsked: boolean;
  session: string | undefined;
}

/** What was asked of the product and what it has promised to keep, written down on this side of the line. */
export class Books {
  readonly sessions = new Map<string, ReportedSession>();
  /** Records that were sent and not acknowledged: the router will send them again. */
  unacknowledged: { session: string; record: number; prepared: Prepared }[] = [];
  /** By subscriber. */
  readonly activations = new Map<number, ActState>();
  /** By amount in minor units, each different. */
  readonly credits = new Map<number, ActState>();
  /** In the order in which they are used. */
  readonly cards: UsedCard[] = [];
  /** By the first id of the subscribers that came together. */
  readonly imports = new Map<number, { count: number; state: ActState }>();

  get records(): number {
    let count = 0;
    for (const { acknowledged } of this.sessions.values()) count += acknowledged + 1;
    return count;
  }

  acknowledgedSessions(): string[] {
    return [...this.sessions].filter(([, { acknowledged }]) => acknowledged >= 0).map(([id]) => id);
  }

  get usedCards(): number {
    return this.cards.filter(({ session }) => session !== undefined).length;
  }

  promised(of: "activations" | "credits"): number {
    return [...this[of].values()].filter((state) => state === "promised").length;
  }

  /** Every promise that a database file does not keep, in words. */
  faultsIn(file: string): string[] {
    using store = new Database(file, { readonly: true, strict: true });
    return [
      ...this.#sessionFaults(store),
      ...usageFaults(store),
      ...this.#activationFaults(store),
      ...this.#creditFaults(store),
      ...this.#importFaults(store),
      ...this.#cardFaults(store),
    ];
  }

  #sessionFaults(store: Database): string[] {
    type Row = { id: string; rows: number; input: number; output: number; open: number };
    const stored = new Map(
      store
        .query<Row, []>(
          `SELECT acct_session_id AS id, count(*) AS rows, sum(input_octets) AS input, sum(output_octets) AS output,
             sum(stopped_at IS NULL) AS open FROM sessions GROUP BY acct_session_id`,
        )
        .all()
        .map((row) => [row.id, row]),
    );
    const faults: string[] = [];
    for (const [id, { acknowledged, sent }] of this.sessions) {
      const row = stored.get(id);
      if (!row) {
        if (acknowledged >= 0)
          faults.push(`session ${id}: record ${acknowledged} was acknowledged and is lost`);
        continue;
      }
      const isRight =
        row.rows === 1 &&
        row.output === 10 * row.input &&
        row.input >= inputAt(Math.max(acknowledged, 0)) &&
        row.input <= inputAt(sent) &&
        (acknowledged < LAST_RECORD || row.open === 0);
      if (!isRight)
        faults.push(`session ${id}: acknowledged to record ${acknowledged}, stored ${JSON.stringify(row)}`);
      stored.delete(id);
    }
    for (const id of stored.keys()) faults.push(`session ${id} was never reported`);
    return faults;
  }

  #activationFaults(store: Database): string[] {
    type Row = { id: number; services: number; invoices: number; entries: number };
    const rows = store
      .query<Row, []>(
        `SELECT s.id, (SELECT count(*) FROM services v WHERE v.subscriber_id = s.id AND v.activated_at IS NOT NULL) AS services,
           (SELECT count(*) FROM invoices i WHERE i.subscriber_id = s.id) AS invoices,
           (SELECT count(*) FROM ledger_entries l WHERE l.subscriber_id = s.id AND l.kind = 'activation') AS entries
         FROM subscribers s`,
      )
      .all();
    const found = new Map(rows.map((row) => [row.id, row]));
    const faults: string[] = [];
    for (const [id, state] of this.activations) {
      const row = found.get(id);
      const { services = 0, invoices = 0, entries = 0 } = row ?? {};
      const isWhole = services === invoices && invoices === entries && entries <= 1;
      if (!isWhole || (state === "promised" && entries !== 1))
        faults.push(`the activation of subscriber ${id} was ${state} and is ${JSON.stringify(row)}`);
    }
    const paid = rows.filter(({ id, invoices }) => invoices > 0 && !this.activations.has(id));
    return [...faults, ...paid.map(({ id }) => `subscriber ${id} was charged without being asked for`)];
  }

  #creditFaults(store: Database): string[] {
    const rows = store
      .query<{ amount: number; entries: number }, []>(
        "SELECT amount, count(*) AS entries FROM ledger_entries WHERE kind = 'adjustment' GROUP BY amount",
      )
      .all();
    const found = new Map(rows.map(({ amount, entries }) => [amount, entries]));
    return [...this.credits].flatMap(([amount, state]) => {
      const entries = found.get(amount) ?? 0;
      if (entries === 1 || (entries === 0 && state === "asked")) return [];
      return [`the credit of ${amount / 100} was ${state} and is there ${entries} times`];
    });
  }

  /** A card is unused or used, by its Start for sure; whoever holds it is charged once, and for used ones alone. */
  #cardFaults(store: Database): string[] {
    type Row = { id: number; state: string; used: number; charged: number; entries: number };
    const rows = store
      .query<Row, []>(
        `SELECT c.id, c.state, c.first_used_at IS NOT NULL AS used, c.charged_at IS NOT NULL AS charged,
           (SELECT count(*) FROM ledger_entries l WHERE l.kind = 'card' AND l.card_id = c.id) AS entries FROM cards c`,
      )
      .all();
    const found = new Map(rows.map((row) => [row.id, row]));
    return this.cards.flatMap(({ id, isAsked, session }) => {
      const row = found.get(id);
      if (!row) return [`card ${id} is gone`];
      const isStarted = session !== undefined && (this.sessions.get(session)?.acknowledged ?? -1) >= 0;
      const isUsed = row.used === 1;
      const isWhole =
        row.state === (isUsed ? "active" : "new") && row.entries === row.charged && row.charged <= row.used;
      if (isWhole && (isUsed ? isAsked : !isStarted)) return [];
      const what = isStarted ? "has begun a session" : isAsked ? "was asked with" : "was not used";
      return [`card ${id} ${what} and is ${JSON.stringify(row)}`];
    });
  }

  #importFaults(store: Database): string[] {
    const query = store.query<{ there: number }, [number, number]>(
      "SELECT count(*) AS there FROM subscribers WHERE id >= ? AND id < ?",
    );
    return [...this.imports].flatMap(([first, { count, state }]) => {
      const there = query.get(first, first + count)?.there ?? 0;
      if (there === count || (there === 0 && state === "asked")) return [];
      return [`an import of ${count} subscribers was ${state} and ${there} are there`];
    });
  }
}

/** Usage by day and quotas are what the sessions add up to: nothing was counted twice. */
function usageFaults(store: Database): string[] {
  const rows = store
    .query<{ id: number; sessions: number; days: number; quota: number }, []>(
      `SELECT v.subscriber_id AS id, v.quota_used AS quota,
         (SELECT ifnull(sum(input_octets + output_octets), 0) FROM sessions s WHERE s.subscriber_id = v.subscriber_id) AS sessions,
         (SELECT ifnull(sum(input_octets + output_octets), 0) FROM usage_days u WHERE u.subscriber_id = v.subscriber_id) AS days
       FROM services v`,
    )
    .all();
  return rows
    .filter(({ sessions, days, quota }) => sessions !== days || sessions !== quota)
    .map((row) => `usage of subscriber ${row.id} does not add up: ${JSON.stringify(row)}`);
}
