import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import type { Db } from "../../../../db/open.ts";
import { readBefore } from "../activation/before.ts";
import { operator } from "../../core/actor/operator.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Applied, enforceService } from "./apply.ts";
import type { ControlNeeds } from "./disconnect.ts";

export const appliedWords: Record<Applied, Phrase> = {
  changed: phrase`The open session has the current rate and end now.`,
  reconnected: phrase`The session was ended, so that the next login gets the current service.`,
  redials: phrase`The open session has the current service, but its router did not take its new end: it cuts the session at the old one, and the subscriber dials in again once.`,
  unchanged: phrase`The open session has the current service already.`,
  already_offline: phrase`The subscriber is offline; the next login gets the current service.`,
};

/**
 * Applies a committed change of service to the subscriber's open sessions, as the appliance: changing a service needs no
 * permission to disconnect. `gently`: sessions with an unknown grant are left. Returns the outcome in words.
 */
export async function applyChange(
  db: Db,
  { subscriberId, gently = false }: { subscriberId: number; gently?: boolean | undefined },
  { clock, routers }: ControlNeeds,
): Promise<Phrase> {
  return (await changeApplied(db, { subscriberId, gently }, { clock, routers })).words;
}

export interface ChangeApplied {
  readonly words: Phrase;
  /** The session is unchanged, and will be retried. */
  readonly isLeft: boolean;
}

async function changeApplied(
  db: Db,
  { subscriberId, gently = false }: { subscriberId: number; gently?: boolean | undefined },
  { clock, routers }: ControlNeeds,
): Promise<ChangeApplied> {
  const by = operator("gatehouse", "system");
  const whom = gently ? { subscriberId, due: new Set<number>() } : { subscriberId };
  const { outcome, answers } = await enforceService(db, by, whom, { clock, routers });
  const reasons = answers.flatMap(({ answer, untold }) =>
    answer.kind === "failed" ? answer.reason : (untold ?? []),
  );
  const isLeft = answers.some((one) => one.outcome === "failed");
  const words = isLeft
    ? phrase`The open session stays as it is; a running server asks its router again.`
    : appliedWords[outcome];
  const why = [...new Set(reasons)].join("; ");
  return { words: why === "" ? words : phrase`${words} (${why})`, isLeft };
}

/** The same after an extension; gently unless the service had ended, when the session is in the walled garden. */
export async function applyExtension(
  db: Db,
  { subscriberId }: { subscriberId: number },
  needs: ControlNeeds,
): Promise<Phrase> {
  const newest = db.$client
    .query<{ inTime: number }, [number]>(
      "SELECT before > created_at AS inTime FROM extensions WHERE subscriber_id = ? ORDER BY id DESC LIMIT 1",
    )
    .get(subscriberId);
  return applyChange(db, { subscriberId, gently: newest?.inTime === 1 }, needs);
}

/** The same after an activation by payment, by invoice; gently for a renewal in time. */
export async function applySale(
  db: Db,
  sale: { subscriberId: number; invoiceId: number },
  needs: ControlNeeds,
): Promise<Phrase> {
  return (await saleApplied(db, sale, needs)).words;
}

/** Does what `applySale` does, and says whether the router did it. */
export async function saleApplied(
  db: Db,
  { subscriberId, invoiceId }: { subscriberId: number; invoiceId: number },
  needs: ControlNeeds,
): Promise<ChangeApplied> {
  const sale = db.$client
    .query<{ before: string | null; at: Seconds }, [number]>(
      "SELECT service_before AS before, created_at AS at FROM invoices WHERE id = ?",
    )
    .get(invoiceId);
  const service = sale?.before ? readBefore(sale.before).service : undefined;
  const gently = service !== undefined && service.expiresAt > (sale?.at ?? 0);
  return changeApplied(db, { subscriberId, gently }, needs);
}
