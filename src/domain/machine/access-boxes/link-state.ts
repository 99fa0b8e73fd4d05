import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { PrimaryBehind } from "./book-changes.ts";
import type { Claim } from "./claims.ts";

export interface PrimaryLinkState {
  readonly at: Seconds;
  readonly isConnected: boolean;
  readonly since: Seconds;
  readonly waiting: number;
  /** When the oldest waiting record was marked; null: none. */
  readonly behindSince: Seconds | null;
  readonly published: number;
  /** Milliseconds until the server acknowledged the last records. */
  readonly lag: number;
  /** Changes missing in the stream; `booked`: the number up to which it is complete. */
  readonly behind: PrimaryBehind;
  readonly booked: number;
  /** The highest acknowledged revision: a bucket with a lower one has lost records. */
  readonly reached: number;
  /** When a replaced or damaged bucket was filled again; null: never. */
  readonly rebuiltAt: Seconds | null;
  /** When a foreign writer was found and the bucket filled again; null: never. */
  readonly spoiltAt: Seconds | null;
  /** Of the last try to connect; null: none. */
  readonly fault: string | null;
  /** Unsigned claims to be primary. */
  readonly claims: readonly Claim[];
}

export interface NodeLinkState {
  readonly at: Seconds;
  readonly isConnected: boolean;
  readonly since: Seconds;
  /** By the box's clock; null: none since the start. */
  readonly heardAt: Seconds | null;
  /** Seconds that the primary's clock was ahead. */
  readonly ahead: number;
  readonly isComplete: boolean;
  readonly fault: string | null;
  /** The epoch of an unsigned claim; null: none. */
  readonly unsigned: number | null;
}

export function keepLinkState({ $client }: Db, state: PrimaryLinkState | NodeLinkState): void {
  $client.query<unknown, [string]>("UPDATE access_state SET link = ?").run(JSON.stringify(state));
}

/** How the primary's link stood last; undefined: it never ran. */
export function primaryLinkState(db: Db): PrimaryLinkState | undefined {
  return readLinkState<PrimaryLinkState>(db);
}

/** How a box's link stood last; undefined: it never ran. */
export function nodeLinkState(db: Db): NodeLinkState | undefined {
  return readLinkState<NodeLinkState>(db);
}

/** The store's only link wrote it, for its role never changes. */
function readLinkState<T>({ $client }: Db): T | undefined {
  const link = $client.query<{ link: string | null }, []>("SELECT link FROM access_state").get()?.link;
  return link ? (JSON.parse(link) as T) : undefined;
}
