import type { Db } from "../../../db/open.ts";
import { OF_ROUTER } from "../cards/guesses.ts";
import { isHiddenSql } from "../cards/reader.ts";
import { commandName } from "../nas/sources.ts";
import { formatTime, type Seconds } from "../time.ts";
import { type Finding, warning } from "./finding.ts";

const HOUR = 3600;
/** Refused logins that are looked at, the newest first. */
const LOOKED_AT = 20_000;

interface Row {
  readonly name: string;
  readonly address: string;
  readonly codes: number;
  readonly lastAt: Seconds;
}

/** Routers behind which somebody guessed codes of cards within the hour: so many wrong ones in a minute of the clock. */
export function checkGuesses({ $client }: Pick<Db, "$client">, now: Seconds): Finding[] {
  return $client
    .query<Row, [Seconds]>(
      `SELECT nas.name, nas.address, max(g.codes) AS codes, max(g.lastAt) AS lastAt
       FROM (SELECT nas_id, count(*) AS codes, max(at) AS lastAt
             FROM (SELECT nas_id, at, username FROM auth_log INDEXED BY auth_log_rejected
                   WHERE accepted = 0 AND reason = 'unknown_user' AND at > ? ORDER BY at DESC LIMIT ${LOOKED_AT})
             WHERE ${isHiddenSql("username")} GROUP BY nas_id, at / 60 HAVING codes >= ${OF_ROUTER}) g
         JOIN nas ON nas.id = g.nas_id GROUP BY nas.id ORDER BY nas.id`,
    )
    .all(now - HOUR)
    .map(({ name, address, codes, lastAt }) =>
      warning(
        "cards",
        `${name} asked for ${codes} wrong codes of cards within a minute, the last one at ${formatTime(lastAt)}: somebody behind it is guessing; see who: gatehouse logins --nas ${commandName({ name, address })} --reason unknown_user, and block the device at the router`,
      ),
    );
}
