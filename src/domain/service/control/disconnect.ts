import { nextSessionChange } from "../../../../db/record-changes.ts";
import { type Db, writePatiently } from "../../../../db/open.ts";
import { sessions } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, verbatim } from "../../core/errors/phrase.ts";
import { type Session, sessionColumns } from "../sessions/advance.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { isRouterUser, isServedOverRadius } from "../../goods/subscribers/connection-types.ts";
import { type Subscriber, subscriberById } from "../../goods/subscribers/find.ts";
import type { Clock } from "../../core/time/time.ts";
import { isConfirmed } from "./confirm.ts";
import type { Holder, RouterAnswer, Routers } from "./routers.ts";

/** `disconnected`: acknowledged by the router; `confirmed`: and seen gone. */
export type Disconnected = "confirmed" | "disconnected" | "already_offline";

/** Reason in the audit trail: too many sessions through several access boxes. */
export type EndReason = "too_many_sessions";

export interface ControlNeeds {
  clock: Clock;
  routers: Routers;
}

/**
 * Disconnects all sessions of a subscriber at the router, then closes them here. Throws refused (switched off), not_found,
 * router_failed: failed ones stay open here.
 */
export async function disconnect(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { clock, routers }: ControlNeeds,
): Promise<Disconnected> {
  permit(by, "disconnect");
  requireDisconnectEnabled(db);
  const subscriber = subscriberById(db, by.scope, subscriberId);
  return disconnectSessions(db, subscriber, listTargets(db, subscriber), { clock, by, routers });
}

/** Disconnects one holder's sessions at the router, then closes them here. Throws router_failed. */
export async function disconnectSessions(
  db: Db,
  holder: Holder,
  targets: readonly (Session | null)[],
  { clock, by, routers }: ControlNeeds & { by: Actor },
): Promise<Disconnected> {
  const since = performance.now();
  const answers = await endSessions(db, holder, targets, { clock, by, routers });
  requireNoFailure(answers);
  const acknowledged = answers.filter(({ answer }) => answer.kind === "acknowledged");
  if (acknowledged.length === 0) return "already_offline";
  const patience = setting(db, "disconnect_confirm");
  const ended = acknowledged.map(({ session }) => session);
  return (await isConfirmed(db, holder, ended, { routers, since, patience })) ? "confirmed" : "disconnected";
}

/** Ended sessions, and why others remain. */
export interface Ended {
  ended: number;
  failures: string[];
}

/** Ends sessions of somebody who may no longer be online, whatever disconnect_enabled says. A failing router undoes nothing; the server retries. */
export async function endOpenSessions(
  db: Db,
  subscriber: Subscriber,
  needs: ControlNeeds & { by: Actor },
): Promise<Ended> {
  const answers = await endSessions(db, subscriber, openSessions(db, subscriber.id), needs);
  const failures = answers.flatMap(({ answer }) => (answer.kind === "failed" ? [answer.reason] : []));
  return { ended: answers.length - failures.length, failures: [...new Set(failures)] };
}

/** Throws `refused` while disconnecting by staff is switched off. */
export function requireDisconnectEnabled(db: Db): void {
  if (setting(db, "disconnect_enabled")) return;
  throw new DomainError(
    "refused",
    phrase`disconnecting is switched off; switch it on with: gatehouse settings set disconnect_enabled true`,
    { code: "disconnect_disabled" },
  );
}

export interface SessionAnswer {
  session: Session | null;
  answer: RouterAnswer;
  /** Milliseconds until the answer; absent when nothing was asked. */
  took?: number;
}

/** Throws `router_failed` with every reason. */
export function requireNoFailure(answers: readonly SessionAnswer[]): void {
  const reasons = answers.flatMap(({ answer }) => (answer.kind === "failed" ? [answer.reason] : []));
  if (reasons.length > 0) throw new DomainError("router_failed", verbatim([...new Set(reasons)].join("; ")));
}

/** Disconnects at routers and books the result. Failed ones stay open. */
export async function endSessions(
  db: Db,
  holder: Holder,
  targets: readonly (Session | null)[],
  {
    clock,
    by,
    routers,
    silence,
    why,
  }: { clock: Clock; by: Actor; routers: Routers; silence?: RouterAnswer; why?: EndReason | undefined },
): Promise<SessionAnswer[]> {
  const answers = await Promise.all(
    targets.map(async (session) => {
      const since = performance.now();
      const answer = await routers.disconnect(holder, session, silence);
      return { session, answer, took: Math.round(performance.now() - since) };
    }),
  );
  await bookAnswers(db, holder, answers, { now: clock(), by, why });
  return answers;
}

/** Sessions to end; null: known only to the router. */
export function listTargets(db: Db, { id, connectionTypeId }: Subscriber): (Session | null)[] {
  if (isServedOverRadius(connectionTypeId)) return openSessions(db, id);
  return isRouterUser(connectionTypeId) ? [null] : [];
}

export function openSessions({ $client }: Db, subscriberId: number): Session[] {
  const rows = $client.query<Session, [number]>(selectOpen).all(subscriberId);
  for (const row of rows) row.class &&= Buffer.from(row.class);
  return rows;
}

const selectOpen = `
  SELECT ${sessionColumns("o")} FROM sessions o WHERE o.subscriber_id = ? AND o.stopped_at IS NULL ORDER BY o.id`;

/** A Stop after the ACK brings the final counters; until then the last known ones count. */
export async function bookAnswers(
  db: Db,
  holder: Holder,
  answers: readonly SessionAnswer[],
  { now, by, why }: { now: number; by: Actor; why?: EndReason | undefined },
): Promise<void> {
  if (answers.length === 0) return;
  await writePatiently(db, (tx) => {
    for (const { session, answer } of answers) {
      if (!session || answer.kind === "failed") continue;
      const ended = {
        stoppedAt: Math.max(now, session.startedAt),
        closedBy: "disconnect",
        terminateCause: answer.kind === "acknowledged" ? "Admin-Reset" : "lost",
        change: nextSessionChange(tx),
      } as const;
      update(tx, sessions, ended, { id: session.id, stoppedAt: null });
    }
    audit(tx, by, now, {
      action: "subscriber.disconnect",
      entity: holder.id === null ? "session" : "subscriber",
      entityId: holder.id ?? answers[0]?.session?.id ?? holder.username,
      ispId: holder.ispId,
      after: {
        ...(why && { why }),
        answers: answers.map(({ session, answer, took }) => ({
          session_id: session?.acctSessionId,
          ...answer,
          milliseconds: took,
        })),
      },
    });
  });
}
