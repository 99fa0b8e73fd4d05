import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { commandName } from "../../goods/nas/sources.ts";
import { busiest, type Load } from "../../service/router-watch/load.ts";
import { type Finding, warning } from "./finding.ts";

const DAY = 86_400;
/** Days without a configuration copy. */
const UNKEPT = 3;
/** Percent of its processor in the busiest hour, beyond which lines lag however short the queues. */
const BUSY = 80;

interface Unkept {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly seenAt: Seconds | null;
  readonly failure: string | null;
}

/** Routers with a missing configuration copy, and why. */
export function checkConfigs(db: Db, now: Seconds): Finding[] {
  if (!setting(db, "config_nightly")) return [];
  return db.$client
    .query<Unkept, [Seconds, Seconds]>(
      `SELECT n.id, n.name, n.address, max(c.seen_at) AS seenAt, t.failure
       FROM nas n JOIN router_config_tries t ON t.nas_id = n.id LEFT JOIN router_configs c ON c.nas_id = n.id
       WHERE n.kind = 'mikrotik' AND n.routeros_host IS NOT NULL AND t.failure IS NOT NULL AND n.created_at < ?
       GROUP BY n.id HAVING coalesce(max(c.seen_at), 0) < ? ORDER BY n.id`,
    )
    .all(now - UNKEPT * DAY, now - UNKEPT * DAY)
    .map((router) => {
      const since = router.seenAt === null ? "never kept" : `not kept since ${formatTime(router.seenAt)}`;
      return warning(
        "routers",
        `the configuration of ${router.name} was ${since}: ${router.failure}; keep it when that is mended: gatehouse nas config ${commandName(router)} save`,
        "router_unkept",
        { id: router.id, name: router.name, at: router.seenAt },
      );
    });
}

/** Routers with a busy processor and costly queues. */
export function checkLoads({ $client }: Pick<Db, "$client">): Finding[] {
  return $client
    .query<{ id: number; name: string; address: string; load: string }, []>(
      `SELECT n.id, n.name, n.address, json_extract(r.facts, '$.load') AS load FROM nas n JOIN router_readings r ON r.nas_id = n.id
       WHERE n.shaper <> 'none' AND json_extract(r.facts, '$.load') IS NOT NULL ORDER BY n.id`,
    )
    .all()
    .flatMap(({ id, name, address, load: text }) => {
      const load: Load = JSON.parse(text);
      const percent = busiest(load.days) ?? 0;
      if (percent < BUSY) return [];
      const before = load.before === null ? "" : `, ${load.before} % before its lines got other queues`;
      return [
        warning(
          "routers",
          `the processor of ${name} was ${percent} % busy in the busiest hour of the week${before}; give its lines queues that cost less: gatehouse nas set ${commandName({ name, address })} --shaper fq_codel, or none, and gatehouse nas setup`,
          "router_busy",
          { id, name, percent },
        ),
      ];
    });
}
