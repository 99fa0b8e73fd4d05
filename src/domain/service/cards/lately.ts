import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { type CardRow, requireSeen } from "./list.ts";

export interface CardSession {
  readonly id: number;
  readonly nasId: number | null;
  readonly nasName: string;
  readonly mac: string | null;
  readonly framedIp: string | null;
  readonly startedAt: Seconds;
  readonly stoppedAt: Seconds | null;
  readonly terminateCause: string | null;
  readonly inputOctets: number;
  readonly outputOctets: number;
}

export interface CardLogin {
  readonly at: Seconds;
  readonly accepted: number;
  readonly reason: string;
  readonly mac: string | null;
  readonly nasName: string;
}

export interface CardPayment {
  readonly id: number;
  readonly number: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  readonly reversedAt: Seconds | null;
}

/** A card's history, newest first. */
export interface CardLately {
  readonly sessions: readonly CardSession[];
  readonly logins: readonly CardLogin[];
  /** Payment at the counter. */
  readonly payment: CardPayment | null;
  readonly voiderName: string | null;
}

/** Most sessions and decisions shown of a card. */
const LATELY = 20;

/** Last sessions and decisions of a card, its payment, and who voided it. Throws `not_found`. */
export function cardLately(db: Db, by: Actor, card: CardRow): CardLately {
  permit(by, "cardLately");
  requireSeen(by.scope, card);
  const { id, salePaymentId, voidedBy } = card;
  const voider = db.$client
    .query<{ name: string }, [number | null]>("SELECT name FROM staff WHERE id = ?")
    .get(voidedBy);
  return { ...readLately(db, id), payment: findPayment(db, salePaymentId), voiderName: voider?.name ?? null };
}

/** Sessions of a card, newest first. Throws `not_found`. */
export function cardSessions(
  db: Db,
  by: Actor,
  card: CardRow,
  paging: { limit: number; offset: number },
): CardSession[] {
  permit(by, "cardSessions");
  requireSeen(by.scope, card);
  return listCardSessions(db, card.id, paging);
}

function listCardSessions(
  { $client }: Db,
  id: number,
  { limit, offset }: { limit: number; offset: number },
): CardSession[] {
  return $client
    .query<CardSession, [number, number, number]>(
      `SELECT x.id, x.nas_id AS nasId, coalesce(n.name, x.nas_address) AS nasName, x.mac, x.framed_ip AS framedIp, x.started_at AS startedAt,
         x.stopped_at AS stoppedAt, x.terminate_cause AS terminateCause, x.input_octets AS inputOctets, x.output_octets AS outputOctets
       FROM sessions x LEFT JOIN nas n ON n.id = x.nas_id WHERE x.card_id = ? ORDER BY x.started_at DESC, x.id DESC LIMIT ? + 0 OFFSET ?`,
    )
    .all(id, limit, offset);
}

function findPayment({ $client }: Db, id: number | null): CardPayment | null {
  if (id === null) return null;
  return $client
    .query<CardPayment, [number]>(
      "SELECT id, number, amount, currency, method, reversed_at AS reversedAt FROM payments WHERE id = ?",
    )
    .get(id);
}

function readLately(db: Db, id: number): Pick<CardLately, "sessions" | "logins"> {
  return {
    sessions: listCardSessions(db, id, { limit: LATELY, offset: 0 }),
    logins: db.$client
      .query<CardLogin, [string, number]>(
        `SELECT l.at, l.accepted, l.reason, l.mac, coalesce(n.name, l.nas_address) AS nasName
         FROM auth_log l LEFT JOIN nas n ON n.id = l.nas_id WHERE l.username = ? AND l.card_id = ? ORDER BY l.id DESC LIMIT ${LATELY}`,
      )
      .all(cardNumber(id), id),
  };
}
