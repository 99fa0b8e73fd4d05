import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Payer } from "../../money/payments/payer.ts";

const DAYS = 90;

export interface Usual {
  readonly amount: number;
  readonly of: "payment" | "package" | "dearest";
}

/** An amount so far above usual that a zero too many is likelier; nothing was booked. */
export class UnusualAmount extends DomainError {
  readonly amount: number;
  readonly usual: Usual;

  constructor(amount: number, usual: Usual) {
    const times = Math.floor(amount / usual.amount);
    super(
      "refused",
      phrase`${formatAmount(amount)} is ${times} times what is usual, ${formatAmount(usual.amount)}`,
      {
        code: "unusual_amount",
        fields: { amount: [phrase`are there too many zeros?`] },
      },
    );
    this.amount = amount;
    this.usual = usual;
  }
}

interface Candidate {
  readonly amount: number;
  readonly packageId: number | null;
  /** Paying a debt is usual. */
  readonly balance: number;
  /** Confirmed. */
  readonly sure: number | null;
}

/** Throws `UnusualAmount` above a multiple of price and largest payment in 90 days. Debts are exempt. */
export function requireUsual(
  db: Db,
  { account, ispId }: Pick<Payer, "account" | "ispId">,
  { amount, packageId, balance, sure }: Candidate,
  now: Seconds,
): void {
  const times = setting(db, "unusual_payment_times", ispId);
  if (times === 0 || amount === sure) return;
  const price = packageId === null ? 0 : findPrice(db, packageId);
  if (amount <= price - balance) return;
  const largest = findLargest(db, account, now - DAYS * 86_400);
  const own: Usual = largest > price ? { amount: largest, of: "payment" } : { amount: price, of: "package" };
  const usual: Usual = own.amount > 0 ? own : { amount: findDearestPrice(db, ispId), of: "dearest" };
  if (usual.amount > 0 && amount > times * usual.amount) throw new UnusualAmount(amount, usual);
}

function findPrice({ $client }: Db, packageId: number): number {
  return (
    $client.query<{ price: number }, [number]>("SELECT price FROM packages WHERE id = ?").get(packageId)
      ?.price ?? 0
  );
}

/** The largest payment; reversed ones do not count. */
function findLargest({ $client }: Db, account: Payer["account"], since: Seconds): number {
  const [text, id] =
    "staffId" in account
      ? ([largestBy.staff, account.staffId] as const)
      : ([largestBy.subscriber, account.subscriberId] as const);
  return $client.query<{ amount: number | null }, [number, Seconds]>(text).get(id, since)?.amount ?? 0;
}

const largestBy = {
  staff: `SELECT max(amount) AS amount FROM payments WHERE staff_id = ? AND created_at >= ? AND kind = 'payment' AND reversed_at IS NULL`,
  subscriber: `SELECT max(amount) AS amount FROM payments WHERE subscriber_id = ? AND created_at >= ? AND kind = 'payment' AND reversed_at IS NULL`,
};

function findDearestPrice({ $client }: Db, ispId: number): number {
  return (
    $client
      .query<{ price: number | null }, [number]>(
        "SELECT max(price) AS price FROM packages WHERE isp_id = ? AND status = 1",
      )
      .get(ispId)?.price ?? 0
  );
}
