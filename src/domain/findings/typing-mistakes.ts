import { all, equal, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { type Actor, scopeCondition, seesWholeIsp } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { fold } from "../text.ts";
import type { Seconds } from "../time.ts";

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

interface Known {
  readonly subscriberId: number;
  readonly username: string;
  readonly name: string;
  readonly online: boolean;
}

const HOUR = 3600;
/** Refused logins that are looked at, names of these that are, and letters of which a name may be made up. */
const LOGINS = 20_000;
const NAMES = 20;
const LONGEST = 40;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789._-@"];

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
    const meant = likelyMeant(db, by, unknown.username, ispId);
    return meant ? [{ ...unknown, meant }] : [];
  });
}

/** The subscriber in scope whose name is one letter off this one: one more, one less, another, or two swapped. */
function likelyMeant({ $client }: Db, by: Actor, username: string, ispId: number): Known | undefined {
  const key = fold(username.slice(username.lastIndexOf("\\") + 1));
  if (key.length < 3 || key.length > LONGEST) return undefined;
  const { text, values } = all(
    {
      text: "s.username_key IN (SELECT value FROM json_each(?))",
      values: [JSON.stringify([...oneOff(key)])],
    },
    equal("s.isp_id", ispId),
    scopeCondition(by.scope),
  );
  const found = $client
    .query<Omit<Known, "online"> & { online: 0 | 1 }, Value[]>(
      `SELECT s.id AS subscriberId, s.username, s.name,
         EXISTS (SELECT 1 FROM sessions o WHERE o.subscriber_id = s.id AND o.stopped_at IS NULL) AS online
       FROM subscribers s WHERE ${text} ORDER BY online, s.id LIMIT 1`,
    )
    .get(...values);
  return found ? { ...found, online: found.online === 1 } : undefined;
}

/** Every name one letter off. */
export function oneOff(name: string): Set<string> {
  const names = new Set<string>();
  const letters = [...name];
  for (const [index, letter] of letters.entries()) {
    const [before, after] = [letters.slice(0, index).join(""), letters.slice(index + 1).join("")];
    names.add(before + after);
    for (const other of LETTERS) names.add(before + other + after).add(before + other + letter + after);
    const next = letters[index + 1];
    if (next !== undefined) names.add(before + next + letter + letters.slice(index + 2).join(""));
  }
  for (const other of LETTERS) names.add(name + other);
  names.delete(name);
  return names;
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
