import type { Db } from "../../../../db/open.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Finding, warning } from "./finding.ts";

const DAY = 86_400;
/** Deliveries that are read: the latest retries have failed most often. */
const LOOKED_AT = 200;

interface Off {
  readonly id: number;
  readonly url: string;
  readonly at: Seconds;
  readonly reason: string;
}

interface Failing {
  readonly id: number;
  readonly url: string;
  readonly since: Seconds;
}

interface Last {
  readonly status: number | null;
  readonly error: string | null;
}

/** Webhooks that disabled themselves, or took nothing for a day. */
export function checkWebhooks({ $client }: Pick<Db, "$client">, now: Seconds): Finding[] {
  const off = $client
    .query<Off, []>(
      `SELECT id, url, disabled_at AS at, disabled_reason AS reason FROM webhook_endpoints
       WHERE disabled_at IS NOT NULL AND disabled_reason IS NOT NULL ORDER BY id`,
    )
    .all()
    .map(({ id, url, at, reason }) =>
      warning(
        "webhooks",
        `webhook ${id} (${new URL(url).host}) is off since ${formatTime(at)}: ${reason}; switch it on again, or delete it`,
        "webhook_off",
        { id, name: new URL(url).host, at },
      ),
    );
  const failing = $client
    .query<Failing, [Seconds]>(
      `SELECT id, url, since FROM (
         SELECT w.id, w.url, (
           SELECT min((SELECT a.at FROM webhook_attempts a WHERE a.delivery_id = d.id ORDER BY a.id LIMIT 1))
           FROM (SELECT d.id FROM webhook_deliveries d INDEXED BY webhook_deliveries_due
                 WHERE d.endpoint_id = w.id AND d.state = 'waiting' ORDER BY d.next_at DESC LIMIT ${LOOKED_AT}) d) AS since
         FROM webhook_endpoints w WHERE w.disabled_at IS NULL)
       WHERE since <= ? ORDER BY id`,
    )
    .all(now - DAY)
    .map(({ id, url, since }) => {
      const why = lastWords(findLast($client, id));
      return warning(
        "webhooks",
        `webhook ${id} (${new URL(url).host}) has not taken an event since ${formatTime(since)}${why}; look at what listens there`,
        "webhook_failing",
        { id, name: new URL(url).host, at: since },
      );
    });
  return [...off, ...failing];
}

/** The last attempt of the delivery that failed most often. */
function findLast($client: Db["$client"], endpointId: number): Last | null {
  return $client
    .query<Last, [number]>(
      `SELECT a.status, a.error FROM webhook_attempts a WHERE a.delivery_id = (
         SELECT d.id FROM webhook_deliveries d INDEXED BY webhook_deliveries_due
         WHERE d.endpoint_id = ? AND d.state = 'waiting' ORDER BY d.next_at DESC LIMIT 1)
       ORDER BY a.id DESC LIMIT 1`,
    )
    .get(endpointId);
}

function lastWords(last: Last | null): string {
  if (last?.error) return `: ${last.error}`;
  return last?.status ? `: it answers ${last.status}` : "";
}
