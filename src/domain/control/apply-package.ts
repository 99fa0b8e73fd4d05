import { and, count, eq, exists, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { packages, services, sessions, subscribers } from "../../../db/schema.ts";
import { type AppliedSession, applyTerms } from "./apply.ts";
import type { ControlNeeds } from "./disconnect.ts";
import { packageTerms } from "../activation/service.ts";
import { audit } from "../audit.ts";
import { DomainError } from "../errors.ts";
import { type Actor, subscriberInScope } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { hasOtherTerms } from "../packages/terms.ts";

/** Sessions that a router is asked about at once. */
const AT_ONCE = 10;

export interface PackageApplication {
  packageId: number;
  /** Only those whose profile names this router, or who are online at it. */
  nasId?: number | undefined;
  dryRun?: boolean | undefined;
}

interface ApplyNeeds extends ControlNeeds {
  by: Actor;
}

/**
 * What became of the open sessions: `changed` to the new rate by CoA, `ended` so that they redial, `unchanged` have what they should have
 * or were gone, `left` must redial by themselves, `refused` by a router or not answered.
 */
export type SessionCounts = Record<"changed" | "ended" | "unchanged" | "left" | "refused", number>;

export interface PackageApplied {
  /** Holders whose terms were other ones. */
  changed: number;
  sessions: SessionCounts;
  /** One line per failure. */
  failures: string[];
}

type Package = typeof packages.$inferSelect;

/**
 * Gives the holders of a package its present terms (rate, pools, lists, quota; not price, nor expiration), and their open
 * sessions what follows from that: the rate by CoA, a new login where the pool or the list is another one. A dry run counts;
 * all open sessions are `left` then. Throws not_found.
 */
export async function applyPackage(
  db: Db,
  by: Actor,
  application: PackageApplication,
  { clock, routers }: ControlNeeds,
): Promise<PackageApplied> {
  permit(by, "applyPackage");
  const { changed, online } = changeTerms(db, by, application, { now: clock() });
  const untouched = { changed: 0, ended: 0, unchanged: 0, left: 0, refused: 0 };
  const applied: PackageApplied = { changed, sessions: untouched, failures: [] };
  if (application.dryRun) {
    applied.sessions.left = openOf(online);
    return applied;
  }
  const byRouter = Map.groupBy(online, ({ nasAddress }) => nasAddress);
  await Promise.all(
    [...byRouter].map(([nasAddress, holders]) =>
      applyAtRouter(db, nasAddress, holders, { by, clock, routers }, applied),
    ),
  );
  return applied;
}

/** A holder with open sessions; `nasAddress` is the router of its first. */
interface Online {
  subscriberId: number;
  nasAddress: string;
  open: number;
}

function changeTerms(
  db: Db,
  by: Actor,
  { packageId, nasId, dryRun }: PackageApplication,
  { now }: { now: Seconds },
): { changed: number; online: Online[] } {
  return write(db, (tx) => {
    const sold = packageOf(tx, by, packageId);
    const holders = holdersOf(tx, sold, by, nasId);
    const online = onlineAmong(tx, holders);
    if (dryRun) {
      const row = tx.select({ changed: count() }).from(services).where(holders).get();
      return { changed: row?.changed ?? 0, online };
    }
    const terms = packageTerms(sold);
    const isUsedUp = sql`${terms.quotaTotal} > 0 AND ${services.quotaUsed} >= ${terms.quotaTotal}`;
    const changed = tx
      .update(services)
      .set({
        ...terms,
        quotaCrossedAt: sql`CASE WHEN ${isUsedUp} THEN ifnull(${services.quotaCrossedAt}, ${now}) END`,
      })
      .where(holders)
      .returning({ id: services.subscriberId })
      .all().length;
    if (changed > 0)
      audit(tx, by, now, {
        action: "package.apply",
        entity: "package",
        entityId: packageId,
        ispId: sold.ispId,
        after: { subscribers: changed, ...(nasId !== undefined && { nas_id: nasId }) },
      });
    return { changed, online };
  });
}

function packageOf(tx: Tx, { scope }: Actor, packageId: number): Package {
  const own = scope.ispId === null ? undefined : eq(packages.ispId, scope.ispId);
  const found = tx
    .select()
    .from(packages)
    .where(and(eq(packages.id, packageId), own))
    .get();
  if (!found) throw new DomainError("not_found", `there is no package ${packageId}`);
  return found;
}

function holdersOf(tx: Tx, sold: Package, { scope }: Actor, nasId: number | undefined): SQL | undefined {
  const isOnlineThere = and(
    eq(sessions.subscriberId, subscribers.id),
    isNull(sessions.stoppedAt),
    eq(sessions.nasId, nasId ?? 0),
  );
  const atRouter =
    nasId === undefined
      ? undefined
      : or(
          eq(subscribers.nasId, nasId),
          exists(
            tx
              .select({ found: sql`1` })
              .from(sessions)
              .where(isOnlineThere),
          ),
        );
  const reached = tx
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(and(subscriberInScope(scope), atRouter));
  return and(eq(services.packageId, sold.id), hasOtherTerms(sold), inArray(services.subscriberId, reached));
}

function onlineAmong(tx: Tx, holders: SQL | undefined): Online[] {
  const rows = tx
    .select({ subscriberId: services.subscriberId, nasAddress: sessions.nasAddress })
    .from(services)
    .innerJoin(sessions, and(eq(sessions.subscriberId, services.subscriberId), isNull(sessions.stoppedAt)))
    .where(holders)
    .orderBy(sessions.id)
    .all();
  const bySubscriber = Map.groupBy(rows, ({ subscriberId }) => subscriberId);
  return [...bySubscriber.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, open: 1 + more.length }] : [],
  );
}

const openOf = (holders: readonly Online[]) => holders.reduce((sum, { open }) => sum + open, 0);

/** The first alone, the others when the router answers at all, so that it is neither flooded nor waited for again and again. */
async function applyAtRouter(
  db: Db,
  nasAddress: string,
  holders: readonly Online[],
  needs: ApplyNeeds,
  applied: PackageApplied,
): Promise<void> {
  const waiting = [...holders];
  let isSilent = false;
  const work = async (limit: number) => {
    for (let turn = 0; turn < limit && !isSilent; turn++) {
      const next = waiting.shift();
      if (!next) return;
      const asked = await applyToHolder(db, next, needs, applied);
      isSilent ||= asked.some(
        ({ session, answer }) =>
          session.nasAddress === nasAddress && answer.kind === "failed" && answer.isSilent === true,
      );
    }
  };
  await work(1);
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(Infinity)));
  if (waiting.length === 0) return;
  const open = openOf(waiting);
  applied.sessions.refused += open;
  applied.failures.push(`${open} more at ${nasAddress}: not asked, for it does not answer`);
}

async function applyToHolder(
  db: Db,
  { subscriberId }: Online,
  { clock, by, routers }: ApplyNeeds,
  { sessions: counts, failures }: PackageApplied,
): Promise<readonly AppliedSession[]> {
  try {
    const { asked, left } = await applyTerms(db, { subscriberId, clock, by, routers });
    counts.left += left;
    for (const { session, outcome, answer } of asked) {
      counts[counted[outcome]]++;
      if (answer.kind === "failed") failures.push(`${session.username}: ${answer.reason}`);
    }
    return asked;
  } catch (error) {
    // deleted meanwhile
    if (!(error instanceof DomainError && error.code === "not_found")) throw error;
    return [];
  }
}

const counted: Readonly<Record<AppliedSession["outcome"], keyof SessionCounts>> = {
  changed: "changed",
  reconnected: "ended",
  redials: "unchanged",
  unchanged: "unchanged",
  already_offline: "unchanged",
  failed: "refused",
};
