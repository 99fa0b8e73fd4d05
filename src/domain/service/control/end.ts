import { nextSessionChange } from "../../../../db/record-changes.ts";
import { all, equal } from "../../../../db/condition.ts";
import { type Db, write } from "../../../../db/open.ts";
import { sessions } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import {
  type ControlNeeds,
  disconnect,
  type Disconnected,
  disconnectSessions,
  requireDisconnectEnabled,
} from "./disconnect.ts";
import type { Holder } from "./routers.ts";
import { audit } from "../../core/audit/audit.ts";
import { cardNumber, parseCardNumber } from "../../goods/codes/codes.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, type Scope, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { RADIUS_HOTSPOT, RADIUS_PPPOE } from "../../goods/subscribers/connection-types.ts";
import { type Subscriber, subscriberById, subscribersWhere } from "../../goods/subscribers/find.ts";
import { fold } from "../../core/fields/text.ts";
import type { Session } from "../sessions/advance.ts";
import { sessionsInScope } from "../sessions/in-scope.ts";

/** Selects open sessions: by subscriber, card number, or name as sent; with `sessionId` (Acct-Session-Id) one of them. */
export interface SessionChoice {
  subscriberId?: number | undefined;
  username?: string | undefined;
  sessionId?: string | undefined;
  id?: number | undefined;
}

export interface EndOrder {
  choice: SessionChoice;
  /** Close here without asking the router, which is gone or no longer knows the session. */
  inBooksOnly: boolean;
}

/** The outcome of a disconnect; `closed`: here only. */
export type EndOutcome = Disconnected | "closed";

interface Found {
  session: Session;
  subscriber: Subscriber | null;
  ispId: number | null;
}

/** Interprets input as username, card number, name as sent, or else Acct-Session-Id. */
export function sessionChoice(
  db: Db,
  by: Actor,
  { who, sessionId }: { who: string; sessionId?: string | undefined },
): SessionChoice {
  permit(by, "sessionChoice");
  const { scope } = by;
  const [subscriber] = subscribersWhere(db, all(equal("s.username_key", fold(who)), scopeCondition(scope)));
  if (subscriber) return { subscriberId: subscriber.id, sessionId };
  const card = parseCardNumber(who);
  const username = card === undefined ? who : cardNumber(card);
  const isName = sessionId !== undefined || findOpen(db, scope, { username }).length > 0;
  return isName ? { username, sessionId } : { sessionId: who };
}

/**
 * Ends sessions at routers and here, or here only; an Interim-Update reopens one that continues. Throws not_found, refused
 * (switched off, ambiguous id), router_failed.
 */
export async function endChosenSessions(
  db: Db,
  by: Actor,
  { choice, inBooksOnly }: EndOrder,
  { clock, routers }: ControlNeeds,
): Promise<EndOutcome> {
  permit(by, "endChosenSessions");
  const { subscriberId, sessionId, id } = choice;
  if (Object.values(choice).every((value) => value === undefined)) throw nothingChosen();
  if (!inBooksOnly) requireDisconnectEnabled(db);
  if (subscriberId !== undefined) subscriberById(db, by.scope, subscriberId);
  if (subscriberId !== undefined && sessionId === undefined && id === undefined && !inBooksOnly)
    return disconnect(db, by, { subscriberId }, { clock, routers });
  if (inBooksOnly) return closeInBooks(db, choice, { now: clock(), by });
  const found = requireOpen(findOpen(db, by.scope, choice), choice);
  const [first] = found;
  if (!first) return "already_offline";
  const targets = found.map(({ session }) => session);
  return disconnectSessions(db, first.subscriber ?? unknownHolder(first), targets, { clock, by, routers });
}

function closeInBooks(
  db: Db,
  choice: SessionChoice,
  { now, by }: { now: number; by: Actor },
): "closed" | "already_offline" {
  return write(db, (tx) => {
    const found = requireOpen(findOpen(tx, by.scope, choice), choice);
    if (found.length === 0) return "already_offline";
    for (const { session, subscriber, ispId } of found) {
      const { id, acctSessionId, username, startedAt } = session;
      const ended = {
        stoppedAt: Math.max(now, startedAt),
        closedBy: "hand",
        terminateCause: "lost",
        change: nextSessionChange(tx),
      } as const;
      update(tx, sessions, ended, { id });
      audit(tx, by, now, {
        action: "session.close",
        entity: "session",
        entityId: id,
        ispId: subscriber?.ispId ?? ispId,
        after: { session_id: acctSessionId, username, user_id: session.subscriberId },
      });
    }
    return "closed";
  });
}

function findOpen(db: Db, scope: Scope, { subscriberId, username, sessionId, id }: SessionChoice): Found[] {
  const matching = all(
    { text: "o.stopped_at IS NULL", values: [] },
    equal("o.subscriber_id", subscriberId),
    equal("o.username", username),
    equal("o.acct_session_id", sessionId),
    equal("o.id", id),
  );
  return sessionsInScope(db, scope, matching, { order: "id" }).map(({ session, nasIspId }) => ({
    session,
    subscriber:
      session.subscriberId === null
        ? null
        : subscriberById(db, { ...scope, archived: true }, session.subscriberId),
    ispId: nasIspId,
  }));
}

/** Throws not_found when a named session is not open, refused for an ambiguous id. */
function requireOpen(found: Found[], { subscriberId, sessionId, id }: SessionChoice): Found[] {
  if (found.length === 0 && id !== undefined)
    throw new DomainError("not_found", phrase`there is no open session ${id}; it may have ended meanwhile`, {
      code: "session_not_open",
    });
  if (found.length === 0 && sessionId !== undefined && subscriberId === undefined)
    throw new DomainError(
      "not_found",
      phrase`there is no open session ${sessionId}, and nobody of that name is online; look up what is open (gatehouse sessions list, or the usage of the subscriber)`,
      { code: "session_not_open" },
    );
  const holders = new Map(found.map(({ session }) => [session.subscriberId ?? session.username, session]));
  if (holders.size <= 1) return found;
  const names = [...holders.values()].map(({ username }) => username);
  throw new DomainError(
    "refused",
    phrase`several open sessions have the id ${sessionId}, those of ${names.slice(0, 3).join(", ")}; name whose is meant (gatehouse sessions end USERNAME --session ${sessionId}, or user_id)`,
    { code: "ambiguous" },
  );
}

function nothingChosen(): DomainError {
  const message = phrase`say whose session, or which: user_id, session_id or both`;
  return new DomainError("invalid", message, {
    fields: { user_id: [phrase`is required without session_id`] },
  });
}

/** Hotspot's NAS-Port-Type. */
const WIRELESS = 19;

/** Holder of an unknown name or card for router requests: hotspot by NAS-Port-Type, else PPP. */
export function unknownHolder({ session, ispId }: Pick<Found, "session" | "ispId">): Holder {
  const { username, nasId, nasPortType } = session;
  const connectionTypeId = nasPortType === WIRELESS ? RADIUS_HOTSPOT : RADIUS_PPPOE;
  // a card works on hotspot and PPPoE, whatever the NAS-Port-Type
  const anyConnection = session.cardId === null ? 0 : 1;
  return { id: null, username, connectionTypeId, anyConnection, macLogin: 0, nasId, ispId };
}
