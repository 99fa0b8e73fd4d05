import { type Db, write } from "../../../../db/open.ts";
import type { Seconds } from "../time/time.ts";
import { readSessionListeners } from "./event-filter.ts";
import { announce, timestamp } from "./announce.ts";
import type { EventData, sessionTypes } from "./types.ts";

type Session = EventData<"session.started">["session"];
type Row = Omit<Session, "started" | "stopped" | "seconds"> & {
  subscriberId: number | null;
  ispId: number | null;
  startedAt: Seconds;
  stoppedAt: Seconds | null;
  seconds: number;
};

/** Announces sessions of subscribers while somebody listens; otherwise one lookup. */
export class SessionEvents {
  readonly #db: Db;
  readonly #listeners;
  readonly #session;

  constructor(db: Db) {
    this.#db = db;
    this.#listeners = readSessionListeners(db);
    this.#session = db.$client.query<Row, [number]>(
      `SELECT o.id, o.acct_session_id AS session_id, o.nas_id, o.framed_ip AS ip_address, o.mac AS mac_address,
         o.started_at AS startedAt, o.stopped_at AS stoppedAt, o.session_time AS seconds, o.input_octets AS octets_up,
         o.output_octets AS octets_down, o.terminate_cause AS cause, o.subscriber_id AS subscriberId, s.isp_id AS ispId
       FROM sessions o LEFT JOIN subscribers s ON s.id = o.subscriber_id WHERE o.id = ?`,
    );
  }

  isRequested(type: (typeof sessionTypes)[number]): boolean {
    return this.#listeners().has(type);
  }

  /** Sessions of cards and unknown names are skipped. */
  tell(
    type: (typeof sessionTypes)[number],
    sessionId: number,
    { now, at }: { now: Seconds; at: Seconds },
  ): void {
    const isps = this.#listeners().get(type);
    if (!isps) return;
    const row = this.#session.get(sessionId);
    if (!row || row.subscriberId === null || !(isps.has(null) || isps.has(row.ispId))) return;
    const { subscriberId, ispId: _, startedAt, stoppedAt, ...rest } = row;
    const session = {
      ...rest,
      started: timestamp(startedAt),
      stopped: stoppedAt === null ? null : timestamp(stoppedAt),
    };
    write(this.#db, (tx) => announce(tx, now, { type, subscriberId, at, beside: { session } }));
  }
}
