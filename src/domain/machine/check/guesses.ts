import type { Db } from "../../../../db/open.ts";
import { OF_ROUTER } from "../../service/cards/guesses.ts";
import { GUESSING } from "../../service/cards/guessing.ts";
import { isHiddenSql } from "../../service/cards/reader.ts";
import { commandName } from "../../goods/nas/sources.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Finding, warning } from "./finding.ts";

const HOUR = 3600;
const NAMED = 10;
/** Newest refused logins that are read. */
const LOOKED_AT = 20_000;

interface Row {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly codes: number;
  readonly lastAt: Seconds;
}

/** Guessing of card codes within the hour, behind routers and in forms. */
export function checkGuesses(db: Pick<Db, "$client">, now: Seconds): Finding[] {
  return [...behindRouters(db, now), ...whereGuessed(db, now)];
}

interface Guess {
  readonly who: string;
  readonly times: number;
  readonly lastAt: Seconds;
}

/** Accounts and addresses with too many wrong codes in portal, app or console. */
function whereGuessed({ $client }: Pick<Db, "$client">, now: Seconds): Finding[] {
  return $client
    .query<Guess, [Seconds, string]>(
      `SELECT after ->> 'who' AS who, count(*) AS times, max(at) AS lastAt FROM audit_entries INDEXED BY audit_entries_at
       WHERE at > ? AND action = ? GROUP BY 1 ORDER BY lastAt DESC LIMIT ${NAMED}`,
    )
    .all(now - HOUR, GUESSING)
    .map(({ who, times, lastAt }) =>
      warning(
        "cards",
        `${who} typed more than 20 wrong codes of cards within a minute, ${times === 1 ? "once" : `in ${times} minutes`} of the last hour, the last time at ${formatTime(lastAt)}: somebody is guessing; no code was looked at any more. Ask who that is, and disable the account or block the address`,
        "cards_guessed",
        { who, at: lastAt },
      ),
    );
}

/** Routers with too many wrong codes in a minute. */
function behindRouters({ $client }: Pick<Db, "$client">, now: Seconds): Finding[] {
  return $client
    .query<Row, [Seconds]>(
      `SELECT nas.id, nas.name, nas.address, max(g.codes) AS codes, max(g.lastAt) AS lastAt
       FROM (SELECT nas_id, count(*) AS codes, max(at) AS lastAt
             FROM (SELECT nas_id, at, username FROM auth_log INDEXED BY auth_log_rejected
                   WHERE accepted = 0 AND reason = 'unknown_user' AND at > ? ORDER BY at DESC LIMIT ${LOOKED_AT})
             WHERE ${isHiddenSql("username")} GROUP BY nas_id, at / 60 HAVING codes >= ${OF_ROUTER}) g
         JOIN nas ON nas.id = g.nas_id GROUP BY nas.id ORDER BY nas.id`,
    )
    .all(now - HOUR)
    .map(({ id, name, address, codes, lastAt }) =>
      warning(
        "cards",
        `${name} asked for ${codes} wrong codes of cards within a minute, the last one at ${formatTime(lastAt)}: somebody behind it is guessing; see who: gatehouse logins --nas ${commandName({ name, address })} --reason unknown_user, and block the device at the router`,
        "cards_guessed_behind",
        { id, name, codes, at: lastAt },
      ),
    );
}
