import type { Db } from "../../../../db/open.ts";
import { formatTime } from "../../core/time/time.ts";
import { type Finding, warning } from "./finding.ts";

export function checkIncoming({ $client }: Pick<Db, "$client">): Finding[] {
  return $client
    .query<{ isp: string; open: number; back: number; oldest: number }, []>(
      `SELECT p.name AS isp, count(*) AS open, sum(i.state = 'told') AS back, min(i.received_at) AS oldest
       FROM incoming_payments i JOIN isps p ON p.id = i.isp_id
       WHERE i.state IN ('unmatched', 'told') AND i.ended_at IS NULL GROUP BY i.isp_id ORDER BY i.isp_id`,
    )
    .all()
    .map(({ isp, open, back, oldest }) => {
      const what = open === 1 ? "1 payment that arrived waits" : `${open} payments that arrived wait`;
      const taken = back === 0 ? "" : `, ${back} of them taken back or disputed`;
      return warning(
        "payments",
        `${what} for somebody of ${isp}${taken}, the first since ${formatTime(oldest)}; say whose they are on the console under Money, Arrived`,
        "payments_arrived",
        { isp, count: open, at: oldest },
      );
    });
}
