import type { Db } from "../../../../db/open.ts";
import type { Owned, Topic } from "./topics.ts";

/** Ledger entries read at a time; more are announced to everybody. */
const MOST = 500;
/** The system in place of an ISP: its events concern only its operator. */
const OF_THE_BOX = 0;
/** Owner without branch and seller: who sees only one of them does not see it. */
export const ofWholeIsp = (ispId: number, times: number): Owned => ({
  owner: { ispId, branchId: null, salespersonId: null },
  times,
});

/** Watches rows for money and outages, which requests, jobs and other processes write. */
export class StoreWatch {
  readonly #db: Db;
  #entry = 0;
  #change = 0;
  #message = 0;
  #outages = new Map<number | null, string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Existing rows are no news. */
  begin(): void {
    this.#entry = this.#lastEntry();
    this.#change = this.#lastChange();
    this.#message = this.#lastMessage();
    this.#outages = this.#openOutages();
  }

  /** Events since the last check. */
  look(): [Topic, Owned[]][] {
    return [
      ["money", this.#money()],
      ["findings", this.#findings()],
      ["trail", this.#trail()],
      ["messages", this.#messages()],
    ];
  }

  #money(): Owned[] {
    const last = this.#lastEntry();
    if (last === this.#entry) return [];
    const from = Math.max(this.#entry, last - MOST);
    const rows = this.#db.$client
      .query<Entry, [number, number]>(ENTRIES)
      .all(from, last)
      .map(({ times, ...owner }) => ({ owner, times }));
    const beyond = from - this.#entry;
    this.#entry = last;
    return beyond > 0 ? [...rows, { owner: { ispId: null }, times: beyond }] : rows;
  }

  #lastEntry(): number {
    const row = this.#db.$client
      .query<{ id: number | null }, []>("SELECT max(id) AS id FROM ledger_entries")
      .get();
    return row?.id ?? 0;
  }

  /** Audit entries by ISP; those of the whole system belong to none. */
  #trail(): Owned[] {
    const last = this.#lastChange();
    if (last === this.#change) return [];
    const from = Math.max(this.#change, last - MOST);
    const rows = this.#db.$client
      .query<{ ispId: number | null; times: number }, [number, number]>(
        "SELECT isp_id AS ispId, count(*) AS times FROM audit_entries WHERE id > ? AND id <= ? GROUP BY 1",
      )
      .all(from, last);
    this.#change = last;
    return rows.map(({ ispId, times }) => ofWholeIsp(ispId ?? OF_THE_BOX, times));
  }

  /** New messages; their results are announced by the sender. */
  #messages(): Owned[] {
    const last = this.#lastMessage();
    if (last === this.#message) return [];
    const from = Math.max(this.#message, last - MOST);
    this.#message = last;
    return this.#db.$client
      .query<{ ispId: number; times: number }, [number, number]>(
        "SELECT isp_id AS ispId, count(*) AS times FROM messages NOT INDEXED WHERE id > ? AND id <= ? GROUP BY 1",
      )
      .all(from, last)
      .map(({ ispId, times }) => ofWholeIsp(ispId, times));
  }

  #lastMessage(): number {
    const row = this.#db.$client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM messages").get();
    return row?.id ?? 0;
  }

  #lastChange(): number {
    const row = this.#db.$client
      .query<{ id: number | null }, []>("SELECT max(id) AS id FROM audit_entries")
      .get();
    return row?.id ?? 0;
  }

  #findings(): Owned[] {
    const before = this.#outages;
    this.#outages = this.#openOutages();
    const isps = new Set([...before.keys(), ...this.#outages.keys()]);
    return [...isps]
      .filter((ispId) => before.get(ispId) !== this.#outages.get(ispId))
      .map((ispId) => ({ owner: { ispId }, times: 1 }));
  }

  /** By ISP, a text that changes when an outage begins, grows or ends. */
  #openOutages(): Map<number | null, string> {
    const rows = this.#db.$client.query<{ ispId: number | null; state: string }, []>(OUTAGES).all();
    return new Map(rows.map(({ ispId, state }) => [ispId, state]));
  }
}

interface Entry {
  readonly ispId: number | null;
  readonly branchId: number | null;
  readonly salespersonId: number | null;
  readonly times: number;
}

/** A subscriber's wallet, or a Reseller's, who is its own salesperson. */
const ENTRIES = `
  SELECT ifnull(s.isp_id, t.isp_id) AS ispId, ifnull(s.branch_id, t.branch_id) AS branchId,
    ifnull(s.salesperson_id, t.id) AS salespersonId, count(*) AS times
  FROM ledger_entries e LEFT JOIN subscribers s ON s.id = e.subscriber_id LEFT JOIN staff t ON t.id = e.staff_id
  WHERE e.id > ? AND e.id <= ? GROUP BY 1, 2, 3`;

const OUTAGES = `
  SELECT isp_id AS ispId, group_concat(id || ' ' || lines) AS state
  FROM outages INDEXED BY outages_open WHERE ended_at IS NULL GROUP BY isp_id`;
