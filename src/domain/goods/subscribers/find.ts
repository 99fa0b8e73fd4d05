import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Scope, scopeCondition, seesSubscriber } from "../../core/actor/actor.ts";
import { fold } from "../../core/fields/text.ts";

export type Subscriber = typeof subscribers.$inferSelect;
export type ReadSubscriber = Omit<Subscriber, "passwordSealed" | "portalPass">;

const select = `SELECT ${selectColumns(subscribers, "s")} FROM subscribers s`;

/** Throws not_found. */
export function subscriberById(db: Db, scope: Scope, id: number): Subscriber {
  const found = find(db, scope, equal("s.id", id));
  if (!found) throw missing(id);
  return found;
}

/** `which`: an id, or a row that was read already. Throws not_found outside the scope. */
export function subscriberIn(db: Db, scope: Scope, which: number | ReadSubscriber): ReadSubscriber {
  if (typeof which === "number") return subscriberById(db, scope, which);
  if (seesSubscriber(scope, which)) return which;
  throw missing(which.id);
}

const missing = (id: number) => new DomainError("not_found", phrase`there is no subscriber ${id}`);

/** The subscriber by folded name. Throws not_found, which ends with `hint`. */
export function subscriberByUsername(db: Db, scope: Scope, username: string, hint = ""): Subscriber {
  const found = find(db, scope, equal("s.username_key", fold(username)));
  if (!found)
    throw new DomainError("not_found", phrase`there is no subscriber with the username ${username}${hint}`);
  return found;
}

function find(db: Db, scope: Scope, which: Condition | undefined): Subscriber | undefined {
  const [found] = subscribersWhere(db, all(which, scopeCondition(scope)));
  return found;
}

/** Alias `s`; whoever acts. */
export function subscribersWhere({ $client }: Db, { text, values }: Condition): Subscriber[] {
  const rows = $client.query<Subscriber, Value[]>(`${select} WHERE ${text}`).all(...values);
  for (const row of rows) row.passwordSealed = Buffer.from(row.passwordSealed);
  return rows;
}

/** An archived subscriber by username, or by id where several had it. Throws not_found, refused. */
export function archivedNamed(db: Db, scope: Scope, who: string): Subscriber {
  const key = `${fold(who)}\0`;
  const named = { text: "s.username_key >= ? AND s.username_key < ?", values: [key, `${fold(who)}\u0001`] };
  const seen = all(
    { text: "s.archived_at IS NOT NULL", values: [] },
    scopeCondition({ ...scope, archived: true }),
  );
  const found = subscribersWhere(db, all(named, seen));
  if (found.length === 0 && /^[1-9]\d{0,14}$/.test(who))
    found.push(...subscribersWhere(db, all(equal("s.id", Number(who)), seen)));
  const [one, another] = found;
  if (!one) throw new DomainError("not_found", phrase`nobody was archived under the username or id ${who}`);
  if (!another) return one;
  const ids = found.map(({ id }) => id).join(", ");
  throw new DomainError("refused", phrase`several were archived as ${who}; name one by its id: ${ids}`, {
    code: "ambiguous",
  });
}
