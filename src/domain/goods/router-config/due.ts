import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Clock, dayBefore, localDay, momentAt, type Seconds } from "../../core/time/time.ts";
import { findNas } from "../nas/find.ts";
import { readAndKeep } from "./keep.ts";
import type { ReadRouterConfig } from "./read.ts";

/** Seconds of the local day. */
const NIGHT = 3 * 3600;
/** Seconds. */
const AGAIN = 3600;
/** Concurrent reads. */
const AT_ONCE = 4;

export interface NightKept {
  readonly kept: number;
  readonly changed: number;
  readonly failures: readonly string[];
}

/** Reads each router once a night. */
export async function keepDueConfigs(
  db: Db,
  by: Actor,
  { clock, read, signal }: { clock: Clock; read: ReadRouterConfig; signal: AbortSignal },
): Promise<NightKept> {
  permit(by, "keepDueConfigs");
  const failures: string[] = [];
  let [kept, changed] = [0, 0];
  if (!setting(db, "config_nightly")) return { kept, changed, failures };
  const due = dueIds(db, clock());
  const stopped = rejectOnStop(signal);
  const next = async (): Promise<void> => {
    for (let id = due.shift(); id !== undefined && !signal.aborted; id = due.shift()) {
      const router = findNas(db, id);
      if (!router) continue;
      try {
        const { isNew } = await readAndKeep(db, router, {
          now: clock(),
          read: (one) => Promise.race([read(one), stopped]),
        });
        kept++;
        if (isNew) changed++;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof DomainError)) throw error;
        failures.push(error.message);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return { kept, changed, failures };
}

/** Rejects on shutdown, so that nothing is recorded. */
function rejectOnStop(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new DomainError("conflict", phrase`the server stops`));
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  promise.catch(() => {}); // where nobody waits for a router any more
  return promise;
}

/** Routers with an API account, unread since the night began and not just tried. */
function dueIds({ $client }: Db, now: Seconds): number[] {
  return $client
    .query<{ id: number }, [Seconds, Seconds]>(
      `SELECT n.id FROM nas n LEFT JOIN router_config_tries t ON t.nas_id = n.id
       WHERE n.kind = 'mikrotik' AND n.routeros_host IS NOT NULL
         AND (t.nas_id IS NULL OR t.tried_at < iif(t.failure IS NULL, ?, ?)) ORDER BY n.id`,
    )
    .all(nightBegan(now), now - AGAIN)
    .map(({ id }) => id);
}

function nightBegan(now: Seconds): Seconds {
  const today = momentAt(localDay(now), NIGHT);
  return today <= now ? today : momentAt(dayBefore(localDay(now)), NIGHT);
}
