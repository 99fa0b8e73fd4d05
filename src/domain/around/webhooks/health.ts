import type { Db } from "../../../../db/open.ts";
import { type Actor, requireWholeIsp, seesIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Endpoint, noEndpoint } from "./endpoints.ts";

/** Recent deliveries judged. */
const LAST = 100;

export interface EndpointHealth {
  readonly delivered: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly fresh: number;
  readonly retried: number;
  readonly nextAt: Seconds | null;
  /** The newest attempt of them; null: none was made. */
  readonly last: {
    readonly at: Seconds;
    readonly status: number | null;
    readonly error: string | null;
  } | null;
}

/** How the last deliveries of an endpoint went. Throws `not_found` for one that was read outside the scope. */
export function endpointHealth(
  db: Db,
  by: Actor,
  { id, ispId }: Pick<Endpoint, "id" | "ispId">,
): EndpointHealth {
  permit(by, "endpointHealth");
  requireWholeIsp(by, "webhooks");
  if (!seesIsp(by.scope, { ispId })) throw noEndpoint(id);
  const recent = `SELECT id, state, attempts, next_at FROM webhook_deliveries WHERE endpoint_id = ?
    ORDER BY event_id DESC LIMIT ${LAST}`;
  const counts = db.$client
    .query<Omit<EndpointHealth, "last">, [number]>(
      `SELECT ifnull(sum(state = 'delivered'), 0) AS delivered, ifnull(sum(state = 'failed'), 0) AS failed,
         ifnull(sum(state = 'cancelled'), 0) AS cancelled,
         ifnull(sum(state = 'waiting' AND attempts = 0), 0) AS fresh,
         ifnull(sum(state = 'waiting' AND attempts > 0), 0) AS retried,
         min(CASE WHEN state = 'waiting' AND attempts > 0 THEN next_at END) AS nextAt
       FROM (${recent})`,
    )
    .get(id);
  const last = db.$client
    .query<NonNullable<EndpointHealth["last"]>, [number]>(
      `SELECT a.at, a.status, a.error FROM (${recent}) recent JOIN webhook_attempts a ON a.delivery_id = recent.id
       ORDER BY a.id DESC LIMIT 1`,
    )
    .get(id);
  if (!counts) throw new Error("a sum without a row");
  return { ...counts, last };
}
