import type { Database } from "bun:sqlite";
import { localDay, type Seconds } from "../../src/domain/core/time/time.ts";
import type { Line } from "./lines.ts";
import { DAYS } from "./money.ts";
import { Random } from "./random.ts";

const DAY = 86_400;

/** Bytes of each line and day, what that is of quotas, and its sums. */
export function writeUsage(client: Database, lines: readonly Line[], now: Seconds): void {
  const random = new Random(13);
  const insert = client.query<unknown, number[]>("INSERT INTO usage_days VALUES (?, ?, ?, ?)");
  const days = Array.from({ length: DAYS }, (_, index) => localDay(now - (DAYS - 1 - index) * DAY));
  for (const { id, down } of lines) {
    const usual = down * 9e7 * (0.3 + random.next() * 1.4);
    for (const day of days) {
      if (random.next() < 0.06) continue;
      const bytes = Math.round(usual * (0.4 + random.next() * 1.3));
      insert.run(id, day, Math.round(bytes * 0.1), bytes);
    }
  }
  writeQuotas(client, now);
  client.run(
    `INSERT INTO traffic_days SELECT u.day, s.isp_id, ifnull(s.branch_id, 0), v.package_id, ifnull(s.salesperson_id, 0), count(*),
       sum(u.input_octets), sum(u.output_octets)
     FROM usage_days u JOIN subscribers s ON s.id = u.subscriber_id JOIN services v ON v.subscriber_id = s.id GROUP BY 1, 2, 3, 4, 5`,
  );
}

/** What was used since the activation; a few have used up their volume. */
function writeQuotas(client: Database, now: Seconds): void {
  client.run(
    `UPDATE services SET quota_used = min(quota_total * 0.97, coalesce((SELECT sum(u.input_octets + u.output_octets) FROM usage_days u
       WHERE u.subscriber_id = services.subscriber_id AND u.day >= CAST(strftime('%Y%m%d', coalesce(activated_at, ${now}), 'unixepoch', 'localtime') AS INTEGER)), 0))
     WHERE quota_total > 0`,
  );
  client.run(
    `UPDATE services SET quota_used = quota_total + 150000000, quota_crossed_at = ${now - 7200}
     WHERE quota_total > 0 AND subscriber_id % 61 = 3 AND expires_at > ${now}`,
  );
}
