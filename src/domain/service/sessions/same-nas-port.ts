import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

/** NAS-Port and NAS-Port-Id: the port at the NAS by number or name. */
export interface NasPort {
  nasAddress: string;
  nasPort: number | null;
  nasPortId: string | null;
}

/** An open session that a newer one may replace. */
export interface Rival {
  id: number;
  startedAt: Seconds;
  updatedAt: Seconds;
  subscriberId: number | null;
  cardId: number | null;
  viaBox: number | null;
}

export const RIVAL =
  "id, started_at AS startedAt, updated_at AS updatedAt, subscriber_id AS subscriberId, card_id AS cardId, via_box AS viaBox";

type Row = Rival & Pick<NasPort, "nasPort" | "nasPortId">;

/**
 * Finds the session that a new one of the same subscriber replaces because it is at the same NAS-Port without MAC addresses:
 * its Stop was lost. Many NASes send the same NAS-Port for everybody, so a port with two sessions replaces nothing. Statements
 * are prepared once.
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

  findRival(subscriberId: number, at: NasPort): Rival | undefined {
    if (at.nasPort === null && at.nasPortId === null) return undefined;
    const { nasAddress } = at;
    const [rival, second] = this.#own.all(subscriberId, nasAddress).filter((row) => isSame(row, at));
    if (!rival || second) return undefined;
    return this.#shared.get(nasAddress, rival.nasPort, rival.nasPortId, subscriberId) ? undefined : rival;
  }
}

/** What both have must be equal, and something must be in both. */
function isSame(row: Row, at: NasPort): boolean {
  const number = compare(row.nasPort, at.nasPort);
  const name = compare(row.nasPortId, at.nasPortId);
  return number !== "differs" && name !== "differs" && (number === "same" || name === "same");
}

function compare<T>(one: T | null, other: T | null): "same" | "differs" | "unknown" {
  if (one === null || other === null) return "unknown";
  return one === other ? "same" : "differs";
}
