import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { PrimaryBehind } from "./book-changes.ts";
import type { Claim } from "./claims.ts";

/** How the books' connection to NATS stands, as their link writes it every 10 seconds. */
export interface PrimaryLinkState {
  readonly at: Seconds;
  readonly isConnected: boolean;
  /** Since when it is or is not. */
  readonly since: Seconds;
  readonly waiting: number;
  /** Since when some have always waited; null: all was published a moment ago. */
  readonly behindSince: Seconds | null;
  readonly published: number;
  /** Milliseconds that the last records took until the server had them. */
  readonly lag: number;
  /** Changes of the books that their stream does not have, and since when; `booked`: the number up to which it has all. */
  readonly behind: PrimaryBehind;
  readonly booked: number;
  /** The highest revision of the bucket that was acknowledged: one that has less has lost what came last. */
  readonly reached: number;
  /** When the bucket was found to be another one, or to have lost something, and all was published anew; null: never. */
  readonly rebuiltAt: Seconds | null;
  /** When somebody else was found to write into the bucket, and all was published anew; null: never. */
  readonly spoiltAt: Seconds | null;
  /** Why the last try to connect failed; null: it did not. */
  readonly fault: string | null;
  /** Who says that other books count, which have not signed it. */
  readonly claims: readonly Claim[];
}

export interface NodeLinkState {
  readonly at: Seconds;
  readonly isConnected: boolean;
  readonly since: Seconds;
  /** By its own clock: when it heard the last beat of the books; null: none since it began. */
  readonly heardAt: Seconds | null;
  /** Seconds that the clock of the books was ahead of its own then. */
  readonly ahead: number;
  readonly isComplete: boolean;
  readonly fault: string | null;
  /** The epoch of whoever says last that they are the books, and has not signed it; null: nobody does. */
  readonly unsigned: number | null;
}

export function keepLinkState({ $client }: Db, state: PrimaryLinkState | NodeLinkState): void {
  $client.query<unknown, [string]>("UPDATE access_state SET link = ?").run(JSON.stringify(state));
}

/** How the link of these books stood when it was written last; undefined: it never ran. */
export function primaryLinkState(db: Db): PrimaryLinkState | undefined {
  return linkStateOf<PrimaryLinkState>(db);
}

/** How the link of this box stood when it was written last; undefined: it never ran. */
export function nodeLinkState(db: Db): NodeLinkState | undefined {
  return linkStateOf<NodeLinkState>(db);
}

/** A store has one role all its life, and its own link wrote it. */
function linkStateOf<T>({ $client }: Db): T | undefined {
  const link = $client.query<{ link: string | null }, []>("SELECT link FROM access_state").get()?.link;
  return link ? (JSON.parse(link) as T) : undefined;
}
