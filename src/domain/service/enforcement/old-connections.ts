import { type Db, writePatiently } from "../../../../db/open.ts";
import { nas } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { DomainError } from "../../core/errors/errors.ts";
import type { Clock, Seconds } from "../../core/time/time.ts";
import { findNas } from "../../goods/nas/find.ts";
import { endFastTracked } from "../../goods/router-setup/garden/connections.ts";
import { storedLogin } from "../../goods/router-setup/memory.ts";
import type { OpenRouter } from "../../goods/router-setup/setup.ts";

/** Seconds that a report may be delayed. */
const LATE = 60;

export interface ConnectionsEnded {
  readonly ended: number;
  /** Routers with too many connections to read. */
  readonly left: readonly string[];
  /** One line per failure. */
  readonly failures: readonly string[];
}

interface Line {
  readonly id: number;
  readonly nasId: number;
  readonly address: string;
}

/**
 * Closes connections of expired lines at routers with a FastTrack rule, where they would bypass the walled garden. Lines that
 * ended since the last run are handled together, so that each router is read once.
 */
export class OldConnections {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #open: OpenRouter;
  /** Handled sessions by stop time. */
  readonly #done = new Map<number, Seconds>();

  constructor(db: Db, { clock, open }: { clock: Clock; open: OpenRouter }) {
    this.#db = db;
    this.#clock = clock;
    this.#open = open;
  }

  async run(): Promise<ConnectionsEnded> {
    const now = this.#clock();
    for (const [id, at] of this.#done) if (at < now - 2 * LATE) this.#done.delete(id);
    const lines = endedLines(this.#db, now).filter(({ id }) => !this.#done.has(id));
    let ended = 0;
    const left: string[] = [];
    const failures: string[] = [];
    const byRouter = Map.groupBy(lines, ({ nasId }) => nasId);
    await Promise.all(
      [...byRouter].map(async ([nasId, those]) => {
        const router = findNas(this.#db, nasId);
        const login = router && storedLogin(this.#db, router);
        if (!router || !login) return;
        try {
          const addresses = new Set(those.map(({ address }) => address));
          const came = await this.#open(router, login, (menus) => endFastTracked(menus, addresses));
          if (came.kind === "ended") ended += came.count;
          else left.push(router.name);
          for (const { id } of those) this.#done.set(id, now);
          const state = came.kind === "left" ? 2 : 1;
          if (router.fastTrackLeft !== state)
            await writePatiently(this.#db, (tx) => update(tx, nas, { fastTrackLeft: state }, { id: nasId }));
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          failures.push(error.message);
        }
      }),
    );
    return { ended, left, failures };
  }
}

/** Recently ended lines that are now in the walled garden. */
function endedLines({ $client }: Db, now: Seconds): Line[] {
  return $client
    .query<Line, [Seconds, Seconds]>(
      `SELECT s.id, s.nas_id AS nasId, s.framed_ip AS address
       FROM sessions s INDEXED BY sessions_stopped JOIN nas n ON n.id = s.nas_id JOIN services v ON v.subscriber_id = s.subscriber_id
       WHERE s.stopped_at > ? AND s.framed_ip IS NOT NULL AND n.fast_track_left > 0
         AND (v.expires_at <= ? OR (v.quota_exceeded = 'reject' AND v.quota_total > 0 AND v.quota_used >= v.quota_total))`,
    )
    .all(now - LATE, now);
}
