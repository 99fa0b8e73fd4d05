import { type Db, writePatiently } from "../../../../db/open.ts";
import { feeds } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface FeedStanding {
  readonly answeredAt: Seconds | null;
  readonly silentSince: Seconds | null;
  readonly behindSince: Seconds | null;
  readonly waiting: number;
}

export async function noteFeed(db: Db, by: Actor, feedId: number, standing: FeedStanding): Promise<void> {
  permit(by, "noteFeed");
  await writePatiently(db, (tx) => update(tx, feeds, standing, { id: feedId }));
}
