import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

/** The NAS-Port and NAS-Port-Id of a login or a session: where at its NAS it is, by number or by name. */
export interface NasPort {
  nasAddress: string;
  nasPort: number | null;
  nasPortId: string | null;
}

/** An open session, as far as a newer one in its place cares. */
export interface Rival {
  id: number;
  startedAt: Seconds;
  updatedAt: Seconds;
  subscriberId: number | null;
  cardId: number | null;
  viaBox: number | null;
}

/** The columns of a rival. */
export const RIVAL =
  "id, started_at AS startedAt, updated_at AS updatedAt, subscriber_id AS subscriberId, card_id AS cardId, via_box AS viaBox";

type Row = Rival & Pick<NasPort, "nasPort" | "nasPortId">;

/**
 * Finds the session that a new one of the same subscriber takes the place of because it is at the same NAS-Port, where no
 * MAC address tells devices apart: its Stop was lost. Many a NAS names the same NAS-Port for everybody. One that two
 * sessions are at says nothing about the line, so there nothing is replaced. Its statements are prepared once.
 */
export class SameNasPort {
  readonly #own;
  readonly #shared;

  constructor({ $client }: Db) {
    this.#own = $client.query<Row, [number, string]>(
      `SELECT ${RIVAL}, nas_port AS nasPort, nas_port_id AS nasPortId
       FROM sessions WHERE subscriber_id = ? AND nas_address = ? AND mac IS NULL AND stopped_at IS NULL`,
    );
    this.#shared = $client.query<{ found: number }, [string, number | null, string | null, number]>(
      `SELECT 1 AS found FROM sessions WHERE nas_address = ? AND nas_port IS ? AND nas_port_id IS ?
         AND mac IS NULL AND stopped_at IS NULL AND subscriber_id IS NOT ? LIMIT 1`,
    );
  }

  rivalOf(subscriberId: number, at: NasPort): Rival | undefined {
    if (at.nasPort === null && at.nasPortId === null) return undefined;
    const { nasAddress } = at;
    const [rival, second] = this.#own.all(subscriberId, nasAddress).filter((row) => isSame(row, at));
    if (!rival || second) return undefined;
    return this.#shared.get(nasAddress, rival.nasPort, rival.nasPortId, subscriberId) ? undefined : rival;
  }
}

/** What both name has to be the same, and something has to be named by both. */
function isSame(row: Row, at: NasPort): boolean {
  const number = compare(row.nasPort, at.nasPort);
  const name = compare(row.nasPortId, at.nasPortId);
  return number !== "differs" && name !== "differs" && (number === "same" || name === "same");
}

function compare<T>(one: T | null, other: T | null): "same" | "differs" | "unknown" {
  if (one === null || other === null) return "unknown";
  return one === other ? "same" : "differs";
}
