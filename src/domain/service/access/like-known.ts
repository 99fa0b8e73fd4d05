import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { isHiddenCode } from "../cards/reader.ts";
import { type Scope, scopeCondition } from "../../core/actor/actor.ts";
import { fold } from "../../core/fields/text.ts";

export interface Known {
  readonly subscriberId: number;
  readonly username: string;
  readonly name: string;
  /** An online subscriber is unlikely to be the one rejected. */
  readonly online: boolean;
}

/** Shorter names are one letter away from too many others. */
const SHORTEST = 4;
const LONGEST = 64;
/** Most names looked up at a time. */
const MOST = 30;
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789._-@";

/**
 * For unknown names, the username in scope that differs by one mistake: a letter more, less or different, or two swapped. With
 * several candidates, the only one not online; else none. Each variant is looked up in the index of usernames.
 */
export function likeKnown({ $client }: Db, scope: Scope, names: readonly string[]): Map<string, Known> {
  const { text, values } = scopeCondition(scope);
  const statement = $client.query<Omit<Known, "online"> & { online: 0 | 1 }, Value[]>(
    `SELECT s.id AS subscriberId, s.username, s.name,
       EXISTS (SELECT 1 FROM sessions o WHERE o.subscriber_id = s.id AND o.stopped_at IS NULL) AS online
     FROM json_each(?) near CROSS JOIN subscribers s INDEXED BY subscribers_username ON s.username_key = near.value
     WHERE ${text} ORDER BY online LIMIT 2`,
  );
  const found = new Map<string, Known>();
  for (const name of [...new Set(names)].slice(0, MOST)) {
    if (isHiddenCode(name)) continue;
    const key = fold(name.slice(name.lastIndexOf("\\") + 1)); // without the realm before it
    if (key.length < SHORTEST || key.length > LONGEST) continue;
    const [first, second] = statement.all(JSON.stringify(oneMistakeFrom(key)), ...values);
    if (first && first.online !== second?.online) found.set(name, { ...first, online: first.online === 1 });
  }
  return found;
}

function oneMistakeFrom(name: string): string[] {
  const near = new Set<string>();
  for (let i = 0; i <= name.length; i++) {
    const [before, after] = [name.slice(0, i), name.slice(i)];
    near.add(before + after.slice(1));
    near.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of LETTERS) {
      near.add(before + letter + after);
      near.add(before + letter + after.slice(1));
    }
  }
  near.delete(name);
  return [...near];
}
