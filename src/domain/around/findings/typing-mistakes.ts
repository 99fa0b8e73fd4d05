import type { Db } from "../../../../db/open.ts";
import { type Known, likeKnown } from "../../service/access/like-known.ts";
import { type Actor, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

/** An unknown name, one letter off a known one. */
export interface TypingMistake {
  readonly username: string;
  readonly attempts: number;
  readonly firstAt: Seconds;
  readonly lastAt: Seconds;
  readonly mac: string | null;
  readonly nasId: number;
  readonly nasName: string;
  /** The similar one, and whether it is online. */
  readonly meant: Known;
}

const HOUR = 3600;
/** Rows scanned, names reported. */
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

/** Mistakes refused within the hour, most frequent first. Only for who sees a whole ISP, as all unknown names. */
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
