import type { Db } from "../../../db/open.ts";
import { type FeedStanding, noteFeed } from "../../domain/around/feeds/note.ts";
import { lastSession, openedSince, type DueFeed, dueFeeds } from "../../domain/around/feeds/due.ts";
import type { Actor } from "../../domain/core/actor/actor.ts";
import type { Clock, Seconds } from "../../domain/core/time/time.ts";
import { CoaClient } from "./coa.ts";
import { ShaperFeed } from "./shaper-feed.ts";

/** Seconds between two updates of the stored state while it does not change. */
const NOTED_EVERY = 30;
const INTERIM = 300;

interface Needs {
  readonly db: Db;
  readonly by: Actor;
  readonly clock: Clock;
  /** Called with errors that are not a shaper's. */
  readonly failed: (error: unknown) => void;
  readonly interim?: Seconds;
}

/** Tells shapers about sessions from the store, so that accounting neither knows of them nor answers routers later because of them. */
export class FeedSender {
  readonly #needs: Needs;
  readonly #client: CoaClient;
  readonly #feeds = new Map<number, ShaperFeed>();
  readonly #noted = new Map<number, { readonly standing: FeedStanding; readonly at: Seconds }>();
  readonly #noting = new Set<Promise<void>>();
  #last: number | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#client = new CoaClient({ clock: needs.clock });
  }

  /** Sends what is new. Called each second. */
  run(): void {
    const { db } = this.#needs;
    const target = dueFeeds(db);
    this.#follow(target);
    if (target.length === 0) {
      this.#last = undefined;
      return;
    }
    const opened = this.#last === undefined ? [] : openedSince(db, this.#last);
    this.#last = opened.at(-1)?.id ?? this.#last ?? lastSession(db);
    for (const feed of this.#feeds.values()) {
      for (const { id, nasId } of opened) feed.opened(id, nasId);
      feed.look();
      this.#note(feed);
    }
  }

  /** Cancels what is under way: it is sent again after the next start. */
  async stop(): Promise<void> {
    for (const feed of this.#feeds.values()) feed.stop();
    this.#client.close();
    await Promise.allSettled(this.#noting);
  }

  #follow(target: readonly DueFeed[]): void {
    const ids = new Set(target.map(({ id }) => id));
    for (const [id, feed] of this.#feeds)
      if (!ids.has(id)) {
        feed.stop();
        this.#feeds.delete(id);
      }
    for (const feed of target) {
      const known = this.#feeds.get(feed.id);
      if (known && isSame(known.feed, feed)) known.feed = feed;
      else {
        known?.stop();
        const { db, clock, failed, interim = INTERIM } = this.#needs;
        this.#feeds.set(feed.id, new ShaperFeed(feed, { db, clock, failed, interim, client: this.#client }));
      }
    }
  }

  #note(feed: ShaperFeed): void {
    const { db, by, clock, failed } = this.#needs;
    const { id } = feed.feed;
    const { standing } = feed;
    const noted = this.#noted.get(id);
    const turns =
      !noted ||
      (noted.standing.silentSince === null) !== (standing.silentSince === null) ||
      (noted.standing.behindSince === null) !== (standing.behindSince === null);
    if (!turns && clock() - noted.at < NOTED_EVERY) return;
    this.#noted.set(id, { standing, at: clock() });
    const noting = noteFeed(db, by, id, standing).catch(failed);
    this.#noting.add(noting);
    noting.finally(() => this.#noting.delete(noting));
  }
}

/** Whether it is the same shaper: one with a new address is told everything. */
function isSame(one: DueFeed, other: DueFeed): boolean {
  return one.address === other.address && one.port === other.port && one.secret.equals(other.secret);
}
