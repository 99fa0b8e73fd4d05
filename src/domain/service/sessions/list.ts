import { all, type Condition, equal } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { parseCardNumber } from "../../goods/codes/codes.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type SessionInScope, sessionsInScope } from "./in-scope.ts";

export interface SessionFilter {
  /** A username ignoring case, a card's number, or a name as sent. */
  username?: string | undefined;
  nas?: string | undefined;
  mac?: string | undefined;
  framedIp?: string | undefined;
  all?: boolean | undefined;
  /** Open at some time in between. */
  from?: Seconds | undefined;
  until?: Seconds | undefined;
  limit?: number | undefined;
}

/** Online sessions in scope, oldest first; with `all` every session, newest first. */
export function listSessions(db: Db, by: Actor, filter: SessionFilter = {}): SessionInScope[] {
  permit(by, "listSessions");
  const order = filter.all ? "newest" : "oldest";
  return sessionsInScope(db, by.scope, matches(filter), { order, limit: filter.limit ?? null });
}

function matches({ username, nas, mac, framedIp, all: closedToo, from, until }: SessionFilter): Condition {
  const matching = (value: string | number | undefined, text: string): Condition | undefined =>
    value === undefined ? undefined : { text, values: Array(text.split("?").length - 1).fill(value) };
  return all(
    closedToo ? undefined : { text: "o.stopped_at IS NULL", values: [] },
    username === undefined ? undefined : named(username),
    matching(nas, "(nas.name = ? OR o.nas_address = ? OR o.nas_ip = ?)"),
    equal("o.mac", mac),
    equal("o.framed_ip", framedIp),
    matching(from, "(o.stopped_at IS NULL OR o.stopped_at >= ?)"),
    matching(until, "o.started_at <= ?"),
  );
}

function named(username: string): Condition {
  const card = parseCardNumber(username);
  const others = "o.username = ? OR o.subscriber_id IN (SELECT id FROM subscribers WHERE username_key = ?)";
  const values = [username, fold(username)];
  return card === undefined
    ? { text: `(${others})`, values }
    : { text: `(${others} OR o.card_id = ?)`, values: [...values, card] };
}
