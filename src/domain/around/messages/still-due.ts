import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { isAnyway } from "./by-hand.ts";
import { NO_SMS } from "./by-which.ts";

export interface Planned {
  readonly subscriberId: number | null;
  readonly aboutId: number | null;
  readonly period: string;
  readonly isSms: number;
}

/** Why a message is not due any more; undefined: it still is. */
export function overtaken(db: Db, { subscriberId, aboutId, period, isSms }: Planned): Phrase | undefined {
  const about = subscriberId ?? aboutId;
  if (about === null) return undefined;
  const person = db.$client
    .query<{ archivedAt: Seconds | null; smsStatus: number; messagesOff: number }, [number]>(
      "SELECT archived_at AS archivedAt, sms_status AS smsStatus, messages_off AS messagesOff FROM subscribers WHERE id = ?",
    )
    .get(about);
  if (!person) return phrase`the subscriber is gone`;
  if (subscriberId !== null && !isAnyway(period)) {
    if (person.messagesOff === 1) return phrase`the subscriber does not want messages`;
    if (isSms === 1 && person.smsStatus === 0) return NO_SMS;
  }
  if (person.archivedAt !== null && !period.startsWith("event ")) return phrase`the subscriber left`;
  return overtakenByTime(db, about, period);
}

/** `expiry 1900000000`, `subscriber.expired 42 1900000000`, `invoice 7 1900000000`, `invoice.overdue 7 1900000000`. */
const ofEnd = /^(?:expiry|subscriber\.expir(?:ing|ed) \d+) (\d+)$/;
const ofInvoice = /^invoice(?:\.overdue)? (\d+) \d+$/;

function overtakenByTime(db: Db, subscriberId: number, period: string): Phrase | undefined {
  const end = ofEnd.exec(period)?.[1];
  if (end !== undefined) {
    const service = db.$client
      .query<{ expiresAt: Seconds; frozenAt: Seconds | null }, [number]>(
        "SELECT expires_at AS expiresAt, frozen_at AS frozenAt FROM services WHERE subscriber_id = ?",
      )
      .get(subscriberId);
    if (service?.frozenAt) return phrase`the service was frozen meanwhile`;
    return service?.expiresAt === Number(end)
      ? undefined
      : phrase`the service was renewed meanwhile, or ends at another time`;
  }
  const invoice = ofInvoice.exec(period)?.[1];
  if (invoice === undefined) return undefined;
  const row = db.$client
    .query<{ paidAt: Seconds | null; voidedAt: Seconds | null }, [number]>(
      "SELECT paid_at AS paidAt, voided_at AS voidedAt FROM invoices WHERE id = ?",
    )
    .get(Number(invoice));
  if (!row || row.voidedAt !== null) return phrase`the invoice was made void meanwhile`;
  return row.paidAt === null ? undefined : phrase`the invoice was paid meanwhile`;
}
