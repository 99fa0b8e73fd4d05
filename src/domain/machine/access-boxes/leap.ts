import type { Tx } from "../../../../db/open.ts";
import { accessState, renewBoxesKeys } from "./state.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

/** More than the numbers used after the last known change. */
const LEAP = 1000;
/** The leap of event counts, of which receivers ignore lower ones. */
const EVENTS_LEAP = 1_000_000;

/** Advances all numbers and ids by 1,000, for unknown ones may be in use, and renews the boxes' keys: they may have later records than this store. */
export function leapNumbers(tx: Tx, now: Seconds): void {
  const { $client } = tx;
  renewBoxesKeys(tx, { keyNumber: accessState(tx).keyNumber + LEAP, mayShare: true });
  $client
    .query<unknown, [number]>(
      `INSERT INTO counters (isp_id, series, year, letter, last)
       SELECT i.id, s.series, ?,
         ifnull((SELECT letter FROM counters ORDER BY length(letter) DESC, letter DESC LIMIT 1), ''), ${LEAP}
       FROM isps i, (SELECT 'I' AS series UNION ALL SELECT 'R') s WHERE true
       ON CONFLICT (isp_id, series) DO UPDATE SET
         last = CASE WHEN year < excluded.year THEN 0 ELSE last END + ${LEAP}, year = max(year, excluded.year)`,
    )
    .run(Math.floor(localDay(now) / 10_000));
  $client.run(`UPDATE sequences SET last = last + ${LEAP}`);
  $client.run(`UPDATE sqlite_sequence SET seq = seq + ${LEAP}`);
  $client.run(
    `INSERT INTO sqlite_sequence (name, seq)
     SELECT name, ${LEAP} FROM sqlite_master
     WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)`,
  );
  $client.run(
    `INSERT INTO event_counts SELECT id, ${EVENTS_LEAP} FROM subscribers WHERE true
     ON CONFLICT (subscriber_id) DO UPDATE SET seq = seq + ${EVENTS_LEAP}`,
  );
}
