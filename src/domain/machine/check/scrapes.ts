import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { operator } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Finding, warning } from "./finding.ts";

const REFUSED = "metrics.refuse";
/** Seconds for which a refused scrape is a finding. */
const FORGOTTEN = 7 * 86_400;

/** A remote request for /metrics without a token set, as by Prometheus after an upgrade. */
export function recordRefusedScrape(db: Db, { source, now }: { source: string; now: Seconds }): void {
  const actor = { ...operator("somebody", "system"), source };
  write(db, (tx) =>
    audit(tx, actor, now, { action: REFUSED, entity: "metrics", entityId: "scrape", ispId: null }),
  );
}

/** Recently refused scrapes. */
export function checkScrapes(
  { $client }: Pick<Db, "$client">,
  by: Actor,
  { hasToken }: { hasToken: boolean },
  { now }: { now: Seconds },
): Finding[] {
  permit(by, "checkScrapes");
  if (hasToken) return [];
  const last = $client
    .query<{ at: number; source: string }, [string, number]>(
      `SELECT at, source FROM audit_entries
       WHERE entity = 'metrics' AND entity_id = 'scrape' AND action = ? AND at > ? ORDER BY id DESC LIMIT 1`,
    )
    .get(REFUSED, now - FORGOTTEN);
  if (!last) return [];
  return [
    warning(
      "metrics",
      `${last.source} was refused /metrics on ${formatTime(last.at)}, which this box alone gets while no token is set; set GATEHOUSE_METRICS_TOKEN in gatehouse.env, restart, and give Prometheus the same as its credentials`,
      "scrape_refused",
      { source: last.source, at: last.at },
    ),
  ];
}
