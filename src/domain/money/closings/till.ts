import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { staffInWalletScope } from "../payments/payer.ts";
import { type Actor, ownIsp, requireFlag } from "../../core/actor/actor.ts";
import { permissions, permit } from "../../core/actor/permissions.ts";
import { RESELLER } from "../../core/actor/profile-types.ts";
import { staffById } from "../../people/staff/sign-in.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface TillLine {
  readonly method: string;
  readonly payments: number;
  readonly taken: number;
  /** Refunds and reversed payments. */
  readonly returned: number;
}

export interface Till {
  readonly staffId: number;
  readonly name: string;
  readonly ispId: number;
  /** The last close; null: none. */
  readonly since: Seconds | null;
  /** Cash alone, which is counted. */
  readonly taken: number;
  readonly returned: number;
  readonly expected: number;
  /** By method, cash included. */
  readonly lines: readonly TillLine[];
}

/** The actor's till, or for closing managers another's. Throws `not_found`, `forbidden`, `refused`. */
export function openTill(db: Db, by: Actor, { staffId = by.staffId }: { staffId?: number | null }): Till {
  permit(by, "openTill");
  if (staffId !== by.staffId) requireFlag(by, permissions.confirmClosing);
  return readTill(db, by, staffId);
}

/** Throws `forbidden` for a Reseller and `refused` for the command line, which have no till. */
export function readTill(db: Db, by: Actor, staffId: number | null): Till {
  if (staffId === null)
    throw new DomainError("refused", phrase`the command line has no till; name an account with staff_id`, {
      code: "no_till",
    });
  const self = staffId === by.staffId ? staffById(db, staffId) : undefined;
  // the operator has no ISP, so its own account is not in the scope of one
  const account = self?.ispId === null ? self : staffInWalletScope(db, by.scope, staffId);
  const { profileType, name, ispId: own } = account;
  if (profileType === RESELLER)
    throw new DomainError(
      "forbidden",
      phrase`${name} is a Reseller and has no till: the wallet has what was taken`,
      { code: "no_till" },
    );
  const ispId = own ?? tillIsp(db, by);
  const lines = listLines(db, staffId, ispId);
  const { taken, returned } = lines.find(({ method }) => method === "cash") ?? { taken: 0, returned: 0 };
  const since = lastCloseAt(db, staffId, ispId);
  return { staffId, name, ispId, since, taken, returned, expected: taken - returned, lines };
}

/** The till's ISP for an operator, who takes money for all: the named one, or the only one. */
function tillIsp(db: Db, { scope }: Actor): number {
  const ispId = ownIsp(db, scope);
  if (ispId !== null) return ispId;
  throw new DomainError("invalid", phrase`there are several ISPs; name one with isp_id`, {
    code: "isp_required",
    fields: { isp_id: [phrase`is required where there are several ISPs`] },
  });
}

/** A payment counts in the close after it, a reversal in the close after that, whoever reversed it. */
const selectLines = `
  SELECT method, sum(payments) AS payments, sum(taken) AS taken, sum(returned) AS returned FROM (
    SELECT method, 1 AS payments, iif(kind = 'payment', amount, 0) AS taken, iif(kind = 'refund', amount, 0) AS returned
    FROM payments WHERE taken_by = ?1 AND closing_id IS NULL AND isp_id = ?2 AND reseller_id IS NULL
    UNION ALL SELECT method, 0, 0, amount
    FROM payments WHERE taken_by = ?1 AND reversed_at IS NOT NULL AND reversal_closing_id IS NULL AND isp_id = ?2 AND reseller_id IS NULL
  ) GROUP BY method ORDER BY method <> 'cash', method`;

function listLines({ $client }: Db, staffId: number, ispId: number): TillLine[] {
  return $client.query<TillLine, [number, number]>(selectLines).all(staffId, ispId);
}

function lastCloseAt({ $client }: Db, staffId: number, ispId: number): Seconds | null {
  const last = $client
    .query<{ at: number }, [number, number]>(
      "SELECT created_at AS at FROM closings WHERE staff_id = ? AND isp_id = ? ORDER BY id DESC LIMIT 1",
    )
    .get(staffId, ispId);
  return last?.at ?? null;
}
