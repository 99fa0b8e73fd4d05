import type { Db } from "../../../../db/open.ts";
import type { Scope } from "../../core/actor/actor.ts";
import { unpackReports } from "./reported.ts";
import { ofWholeIsp, StoreWatch } from "./store-watch.ts";
import type { Owned, Owner, Topic } from "./topics.ts";

interface Happened {
  readonly subscriberId?: number | null | undefined;
  readonly cardId?: number | null | undefined;
  readonly nasId?: number | null | undefined;
}

/** A packet from a router; from none, for everybody who waits for one. */
interface SeenNow {
  readonly nasId: number | null;
}

/** Number of events by topic visible to a viewer. */
export type Counts = Partial<Record<Topic, number>>;
export type Tell = (counts: Counts) => void;

interface Viewer {
  readonly scope: Scope;
  readonly tell: Tell;
}

/** Milliseconds over which events are grouped. */
const EVERY = 1000;
/** Rounds after which sessions count as changed anyway: displayed ages change, and silent ones were closed. */
const AGES_EVERY = 30;
/** Most events of a topic per round; more are announced to everybody. */
const MOST = 2000;

class Bucket {
  readonly subscribers: number[] = [];
  readonly cards: number[] = [];
  readonly routers: number[] = [];
  beyond = 0;

  get size(): number {
    return this.subscribers.length + this.cards.length + this.routers.length;
  }

  add({ subscriberId, cardId, nasId }: Happened): void {
    if (this.size >= MOST) this.beyond++;
    else if (subscriberId) this.subscribers.push(subscriberId);
    else if (cardId) this.cards.push(cardId);
    else if (nasId) this.routers.push(nasId);
  }

  addToAll(times: number): void {
    this.beyond += times;
  }
}

/** Notifies open pages that their data changed, so that they reload their part. Nothing is collected without viewers. */
export class LiveFeed {
  readonly #db: Db;
  readonly #viewers = new Set<Viewer>();
  readonly #watch: StoreWatch;
  #buckets = new Map<Topic, Bucket>();
  readonly #sent = new Map<number, number>();
  #timer: Timer | undefined;
  #flushes = 0;

  constructor(db: Db) {
    this.#db = db;
    this.#watch = new StoreWatch(db);
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  /** Returns the function that unsubscribes. */
  watch(scope: Scope, tell: Tell): () => void {
    const viewer = { scope, tell };
    if (this.#viewers.size === 0) this.#begin();
    this.#viewers.add(viewer);
    return () => {
      this.#viewers.delete(viewer);
      if (this.#viewers.size === 0) this.stop();
    };
  }

  /** Login decisions; of cards visible with the router's whole ISP, as in the log. */
  decided(decisions: readonly Happened[]): void {
    if (!this.#timer) return;
    const withoutCards = decisions.map(({ subscriberId, nasId }) => ({ subscriberId, nasId }));
    this.#add("logins", withoutCards);
  }

  /** Session reports, packed by a ReportTally. */
  reported(packed: Float64Array): void {
    if (this.#timer) this.#add("sessions", unpackReports(packed));
  }

  /** Packets from these addresses. */
  arrived(arrivals: readonly SeenNow[]): void {
    this.#add("routers", arrivals);
    const strangers = arrivals.filter(({ nasId }) => nasId === null).length;
    if (strangers > 0) this.#buckets.get("routers")?.addToAll(strangers);
  }

  sent({ ispId }: { readonly ispId: number }): void {
    if (this.#timer) this.#sent.set(ispId, (this.#sent.get(ispId) ?? 0) + 1);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#buckets.clear();
    this.#sent.clear();
  }

  #begin(): void {
    this.#watch.begin();
    this.#timer = setInterval(() => this.flush(), EVERY);
  }

  #add(topic: Topic, happened: Iterable<Happened>): void {
    if (!this.#timer) return;
    const bucket = this.#buckets.get(topic) ?? new Bucket();
    this.#buckets.set(topic, bucket);
    for (const one of happened) bucket.add(one);
  }

  /** Sends what was collected; called by a timer. */
  flush(): void {
    const gathered = this.#buckets;
    this.#buckets = new Map();
    const happened = [...gathered].map(([topic, bucket]): [Topic, Owned[]] => [topic, this.#owned(bucket)]);
    happened.push(...this.#watch.look());
    happened.push(["messages", [...this.#sent].map(([ispId, times]) => ofWholeIsp(ispId, times))]);
    this.#sent.clear();
    if (++this.#flushes % AGES_EVERY === 0)
      happened.push(["sessions", [{ owner: { ispId: null }, times: 1 }]]);
    if (happened.every(([, owned]) => owned.length === 0)) return;
    for (const { scope, tell } of this.#viewers) {
      const counts = countsFor(scope, happened);
      if (Object.keys(counts).length > 0) tell(counts);
    }
  }

  #owned({ subscribers, cards, routers, beyond }: Bucket): Owned[] {
    const rest = beyond > 0 ? [{ owner: { ispId: null }, times: beyond }] : [];
    return [...listOwners(this.#db, { subscribers, cards, routers }), ...rest];
  }
}

function countsFor(scope: Scope, happened: readonly [Topic, readonly Owned[]][]): Counts {
  const counts: Counts = {};
  for (const [topic, owned] of happened) {
    let count = counts[topic] ?? 0;
    for (const { owner, times } of owned) if (sees(scope, owner)) count += times;
    if (count > 0) counts[topic] = count;
  }
  return counts;
}

function sees(scope: Scope, { ispId, branchId, salespersonId }: Owner): boolean {
  const fits = (limit: number | null, of: number | null | undefined) =>
    limit === null || of === undefined || of === limit;
  return (
    fits(scope.ispId, ispId ?? undefined) &&
    fits(scope.branchId, branchId) &&
    fits(scope.salespersonId, salespersonId)
  );
}

interface Row {
  readonly ispId: number;
  readonly branchId: number | null;
  readonly salespersonId: number | null;
  readonly times: number;
}

const OF_SUBSCRIBERS = `
  SELECT s.isp_id AS ispId, s.branch_id AS branchId, s.salesperson_id AS salespersonId, count(*) AS times
  FROM json_each(?) j JOIN subscribers s ON s.id = j.value GROUP BY 1, 2, 3`;
/** Cards are visible by batch: its branch, or the reseller holding it. */
const OF_CARDS = `
  SELECT b.isp_id AS ispId, b.branch_id AS branchId, b.reseller_id AS salespersonId, count(*) AS times
  FROM json_each(?) j JOIN cards c ON c.id = j.value JOIN card_batches b ON b.id = c.batch_id GROUP BY 1, 2, 3`;
/** Unknown names are visible with the whole ISP. */
const OF_ROUTERS = `
  SELECT nas.isp_id AS ispId, NULL AS branchId, NULL AS salespersonId, count(*) AS times
  FROM json_each(?) j JOIN nas ON nas.id = j.value GROUP BY 1`;

function listOwners(
  { $client }: Db,
  { subscribers, cards, routers }: Record<"subscribers" | "cards" | "routers", readonly number[]>,
): Owned[] {
  const read = (sql: string, ids: readonly number[]) =>
    ids.length === 0 ? [] : $client.query<Row, [string]>(sql).all(JSON.stringify(ids));
  return [...read(OF_SUBSCRIBERS, subscribers), ...read(OF_CARDS, cards), ...read(OF_ROUTERS, routers)].map(
    ({ times, ...owner }) => ({ owner, times }),
  );
}
