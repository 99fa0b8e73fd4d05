import type { Db } from "../../../../db/open.ts";
import { type Known, likeKnown } from "../../service/access/like-known.ts";
import { type Actor, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

/** A name that nobody has, one letter off a name that somebody has. */
export interface TypingMistake {
  /** As the router sent it. */
  readonly username: string;
  readonly attempts: number;
  readonly firstAt: Seconds;
  readonly lastAt: Seconds;
  readonly mac: string | null;
  readonly nasId: number;
  readonly nasName: string;
  /** Whom it looks like, and whether that one is online, as which it would not be the same. */
  readonly meant: Known;
}

const HOUR = 3600;
/** Refused logins that are looked at, and names of these. */
const LOGINS = 20_000;
const NAMES = 20;

interface Unknown {
  readonly username: string;
  readonly attempts: number;
  readonly firstAt: Seconds;
  readonly lastAt: Seconds;
  readonly mac: string | null;
  readonly nasId: number;
  readonly nasName: string;
  readonly ispId: number;
}

/**
 * Names that were refused within the hour because nobody has them, and that are one letter off one that somebody has, the most
 * frequent first. Seen by who sees an ISP as a whole, as every login of a name that is nobody's.
 */
export function typingMistakes(db: Db, by: Actor, { now }: { now: Seconds }): TypingMistake[] {
  permit(by, "typingMistakes");
  if (!seesWholeIsp(by.scope)) return [];
  return unknownNames(db, by.scope.ispId, now).flatMap(({ ispId, ...unknown }) => {
    const meant = likeKnown(db, { ...by.scope, ispId }, [unknown.username]).get(unknown.username);
    return meant ? [{ ...unknown, meant }] : [];
  });
}

function unknownNames({ $client }: Db, ispId: number | null, now: Seconds): Unknown[] {
  return $client
    .query<Unknown, (number | null)[]>(
      `SELECT g.username, g.attempts, g.firstAt, g.lastAt, a.mac, a.nas_id AS nasId, nas.name AS nasName, nas.isp_id AS ispId
       FROM (SELECT username, count(*) AS attempts, min(at) AS firstAt, max(at) AS lastAt
             FROM (SELECT username, at FROM auth_log INDEXED BY auth_log_rejected
                   WHERE accepted = 0 AND reason = 'unknown_user' AND at > ? ORDER BY at DESC LIMIT ${LOGINS})
             GROUP BY username) g
         JOIN auth_log a ON a.id = (SELECT max(id) FROM auth_log WHERE username = g.username)
         JOIN nas ON nas.id = a.nas_id AND nas.isp_id = coalesce(?, nas.isp_id)
       ORDER BY g.attempts DESC, g.lastAt DESC LIMIT ${NAMES}`,
    )
    .all(now - HOUR, ispId);
}
