import type { Tx } from "../../../../db/open.ts";
import { formatMinor } from "../amounts/money.ts";
import type { Actor } from "../actor/actor.ts";
import type { Seconds } from "../time/time.ts";
import { announce, announceOther } from "../events/announce.ts";
import { announceInvoice } from "../events/invoices.ts";
import type { EventData } from "../events/types.ts";

export interface AuditEvent {
  /** noun.verb: `subscriber.create`. */
  action: string;
  entity: string;
  entityId: number | string;
  ispId: number | null;
  /** Changed fields; never a secret. */
  before?: object | undefined;
  after?: object | undefined;
}

type Tell = (tx: Tx, entry: AuditEvent & { by: Actor }, now: Seconds) => void;

const plain =
  (
    type:
      | "subscriber.created"
      | "subscriber.extended"
      | "subscriber.disabled"
      | "subscriber.enabled"
      | "subscriber.archived",
  ): Tell =>
  (tx, { entityId }, now) =>
    announce(tx, now, { type, subscriberId: Number(entityId), beside: {} });

const updated: Tell = (tx, { entityId, before = {}, after = {} }, now) => {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  announce(tx, now, { type: "subscriber.updated", subscriberId: Number(entityId), beside: { changed } });
};

const changedPassword =
  (which: "line" | "portal"): Tell =>
  (tx, entry, now) => {
    updated(tx, entry, now);
    const subscriberId = Number(entry.entityId);
    announce(tx, now, { type: "subscriber.password_changed", subscriberId, beside: { which } });
  };

const paid =
  (type: "payment.received" | "payment.reversed" | "payment.refunded"): Tell =>
  (tx, { entityId }, now) => {
    const { subscriberId, ...payment } = findPayment(tx, Number(entityId));
    if (subscriberId !== null) announce(tx, now, { type, subscriberId, beside: { payment } });
  };

const signedIn: Tell = (tx, { entityId, ispId, by: { name, source } }, now) =>
  announceOther(tx, now, {
    type: "staff.signed_in",
    ispId,
    data: { staff_id: Number(entityId), name, source },
  });

/** Audit entries that are also events. */
const handlers: Readonly<Record<string, Tell>> = {
  "subscriber.create": plain("subscriber.created"),
  "subscriber.update": updated,
  "subscriber.plant": updated,
  "subscriber.mac_lock": updated,
  "subscriber.mac_unlock": updated,
  "subscriber.change_mac": updated,
  "subscriber.take_device": updated,
  "subscriber.reset_password": changedPassword("line"),
  "subscriber.portal_password": changedPassword("portal"),
  "subscriber.change_portal_password": changedPassword("portal"),
  "subscriber.freeze": updated,
  "subscriber.thaw": updated,
  "subscriber.restore": updated,
  "subscriber.extend": plain("subscriber.extended"),
  "subscriber.disable": plain("subscriber.disabled"),
  "subscriber.enable": plain("subscriber.enabled"),
  "subscriber.archive": plain("subscriber.archived"),
  "subscriber.activate": (tx, { entityId, after }, now) => {
    const charged = Number(Object(after)["charged"]);
    announce(tx, now, {
      type: "subscriber.activated",
      subscriberId: Number(entityId),
      beside: { charged },
    });
  },
  "payment.take": paid("payment.received"),
  "payment.reverse": paid("payment.reversed"),
  "payment.refund": paid("payment.refunded"),
  "invoice.void": (tx, { entityId }, now) =>
    announceInvoice(tx, now, { type: "invoice.void", invoiceId: Number(entityId) }),
  "card_batch.create": (tx, { entityId, ispId }, now) =>
    announceOther(tx, now, {
      type: "card.batch_made",
      ispId,
      data: { batch: findBatch(tx, Number(entityId)) },
    }),
  "staff.sign_in": signedIn,
  "staff.console_sign_in": (tx, entry, now) => {
    // a sign-in counts once its code was given
    if (Object(entry.after)["needs"] !== "code") signedIn(tx, entry, now);
  },
  "staff.second_factor": signedIn,
  "staff.recovery_code": signedIn,
};

/** Announces an audit entry that is also an event. */
export function announceAudited(tx: Tx, entry: AuditEvent & { by: Actor }, now: Seconds): void {
  handlers[entry.action]?.(tx, entry, now);
}

function findPayment(
  { $client }: Tx,
  id: number,
): EventData<"payment.received">["payment"] & { subscriberId: number | null } {
  const row = $client
    .query<EventData<"payment.received">["payment"] & { subscriberId: number | null }, [number]>(
      "SELECT id, number, amount, currency, method, reference, subscriber_id AS subscriberId FROM payments WHERE id = ?",
    )
    .get(id);
  if (!row) throw new Error(`there is no payment ${id} to tell of`);
  return { ...row, amount: formatMinor(row.amount) };
}

function findBatch({ $client }: Tx, id: number): EventData<"card.batch_made">["batch"] {
  const row = $client
    .query<EventData<"card.batch_made">["batch"], [number]>(
      "SELECT id, isp_id, kind, quantity, package_id FROM card_batches WHERE id = ?",
    )
    .get(id);
  if (!row) throw new Error(`there is no batch ${id} to tell of`);
  return row;
}
