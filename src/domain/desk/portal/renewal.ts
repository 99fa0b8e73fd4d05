import { selectColumns } from "../../../../db/columns.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { packages } from "../../../../db/schema.ts";
import { sell } from "../../service/activation/activate.ts";
import { findService, planFor } from "../../service/activation/plan.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { makeReference } from "../incoming/reference.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permitSelf } from "../../core/actor/permissions.ts";
import { isServedOverRadius } from "../../goods/subscribers/connection-types.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Line, readLine } from "./line.ts";

type Package = typeof packages.$inferSelect;

export interface Renewal extends Pick<Package, "price" | "duration" | "durationUnit"> {
  readonly packageName: string;
  readonly balance: number;
  readonly due: number;
  /** Postpaid. */
  readonly isBilledLater: boolean;
  /** On payments. */
  readonly reference: string;
  readonly username: string;
  /** The subscriber can renew now. */
  readonly isOwn: boolean;
  readonly isCovered: boolean;
  /** Online payments renew it. */
  readonly renewsItself: boolean;
}

export function planRenewal(
  db: Db | Tx,
  by: Actor,
  { subscriber, line }: { subscriber: Subscriber; line: Line },
): Renewal {
  permitSelf(by, "planRenewal", subscriber.id);
  const sold = findPackage(db, subscriber);
  const { price, name: packageName, billingType, duration, durationUnit } = sold;
  const balance = readBalance(db, { subscriberId: subscriber.id });
  const isSellable = line.status !== "disabled" && isSold(subscriber, sold);
  const isOwn = line.expiresAt !== null && isSellable && !cutsShort(line, sold);
  const isBilledLater = billingType === "postpaid" && !isOver(line);
  return {
    packageName,
    price,
    duration,
    durationUnit,
    balance,
    due: Math.max(0, isBilledLater ? -balance : price - balance),
    isBilledLater,
    reference: makeReference(subscriber.id),
    username: subscriber.username,
    isOwn,
    isCovered: isOwn && balance >= price,
    renewsItself: isOwn && isOver(line) && hasSources(db, subscriber.ispId),
  };
}

/** Renews at the shown price, from the wallet; postpaid needs staff. Throws as activate, `refused` for another price or too little. */
export function renewOwn(
  db: Db,
  by: Actor,
  { subscriber, price }: { subscriber: Subscriber; price: number },
  { now }: { now: Seconds },
): { invoiceId: number } {
  permitSelf(by, "renewOwn", subscriber.id);
  return write(db, (tx) => {
    const sold = findPackage(tx, subscriber);
    const { id: subscriberId } = subscriber;
    const line = readLine(tx, by, subscriber, { now });
    requireActivated(line);
    if (sold.price !== price)
      throw new DomainError("refused", phrase`the price has changed; look at it again`, {
        code: "price_changed",
      });
    requireWhole(line, sold);
    sell(tx, by, { subscriberId, packageId: sold.id }, { now });
    requireCover(readBalance(tx, { subscriberId }));
    const invoice = tx.$client
      .query<{ id: number }, [number]>(
        "SELECT id FROM invoices WHERE subscriber_id = ? ORDER BY id DESC LIMIT 1",
      )
      .get(subscriberId);
    return { invoiceId: invoice?.id ?? 0 };
  });
}

/** What `renewOwn` would do now at the price of the package; money in minor units. */
export interface OwnQuote {
  readonly packageName: string;
  readonly price: number;
  readonly balance: number;
  /** The new end; null where it would be refused, for `refusal`. */
  readonly expiresAt: Seconds | null;
  readonly refusal: DomainError | null;
}

export function quoteOwnRenewal(
  db: Db,
  by: Actor,
  { subscriber }: { subscriber: Subscriber },
  { now }: { now: Seconds },
): OwnQuote {
  permitSelf(by, "quoteOwnRenewal", subscriber.id);
  const sold = findPackage(db, subscriber);
  const balance = readBalance(db, { subscriberId: subscriber.id });
  const quote = { packageName: sold.name, price: sold.price, balance };
  const line = readLine(db, by, subscriber, { now });
  try {
    requireActivated(line);
    requireWhole(line, sold);
    const service = findService(db, subscriber.id);
    const { expiresAt } = planFor(
      db,
      { subscriber, service },
      { subscriberId: subscriber.id, packageId: sold.id },
      { now },
    );
    requireCover(balance - sold.price);
    return { ...quote, expiresAt, refusal: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...quote, expiresAt: null, refusal: error };
  }
}

function requireActivated({ expiresAt }: Line): void {
  if (expiresAt !== null) return;
  throw new DomainError("refused", phrase`the first activation is for staff to make; ask the provider`, {
    code: "never_activated",
  });
}

function requireWhole(line: Line, sold: Package): void {
  if (!cutsShort(line, sold)) return;
  throw new DomainError("refused", phrase`another package begins when this one is over; ask the provider`, {
    code: "other_package_next",
  });
}

function requireCover(balance: number): void {
  if (balance >= 0) return;
  throw new DomainError("refused", phrase`the balance does not cover the renewal; pay first`, {
    code: "insufficient_balance",
  });
}

function hasSources({ $client }: Pick<Db, "$client">, ispId: number): boolean {
  const source = $client
    .query<{ id: number }, [number]>(
      "SELECT id FROM payment_sources WHERE isp_id = ? AND disabled_at IS NULL LIMIT 1",
    )
    .get(ispId);
  return source !== null;
}

function isOver({ status, quota }: Line): boolean {
  return status !== "active" || (quota?.isUsedUp === true && !quota.slowsDown);
}

/** Another package would end the current one early. */
function cutsShort(line: Line, sold: Package): boolean {
  return !isOver(line) && line.packageId !== sold.id;
}

function isSold({ connectionTypeId, status }: Subscriber, sold: Package): boolean {
  return isServedOverRadius(connectionTypeId) && status === 1 && sold.status === 1;
}

const selectPackage = `SELECT ${selectColumns(packages, "p")} FROM packages p WHERE p.id = ?`;

function findPackage({ $client }: Db | Tx, { packageId }: Subscriber): Package {
  return known(
    $client.query<Package, [number]>(selectPackage).get(packageId),
    phrase`there is no package ${packageId}`,
  );
}
