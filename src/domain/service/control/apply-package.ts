import { selectColumns } from "../../../../db/columns.ts";
import { all, columnsSet, type Condition, equal, type Value } from "../../../../db/condition.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { packages, services } from "../../../../db/schema.ts";
import { type AppliedSession, applyTerms } from "./apply.ts";
import type { ControlNeeds } from "./disconnect.ts";
import { packageTerms } from "../../goods/packages/package-terms.ts";
import { giveByService } from "../../goods/address-pools/give.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { announceQuota, WARNED } from "../fair-use/quota.ts";
import { type Actor, type Scope, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { windowAt } from "../../goods/windows/window.ts";
import { hasOtherTerms } from "../../goods/packages/terms.ts";

/** Sessions of a router handled in parallel. */
const AT_ONCE = 10;

export interface PackageApplication {
  packageId: number;
  /** Only subscribers of this router, by profile or session. */
  nasId?: number | undefined;
  dryRun?: boolean | undefined;
}

interface ApplyNeeds extends ControlNeeds {
  by: Actor;
}

/**
 * Outcome for open sessions: `changed` by CoA, `ended` to redial, `unchanged` were right or gone, `left` have to redial
 * themselves, `refused` by a router or unanswered.
 */
export type SessionCounts = Record<"changed" | "ended" | "unchanged" | "left" | "refused", number>;

export interface PackageApplied {
  /** Holders whose terms differed. */
  changed: number;
  sessions: SessionCounts;
  /** One line per failure. */
  failures: string[];
}

type Package = typeof packages.$inferSelect;

/**
 * Gives a package's holders its present terms (rate, pools, lists, quota; not price or expiration) and updates open sessions:
 * rate by CoA, reconnect for another pool or list. A dry run counts, with all open sessions as `left`. Throws not_found.
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
    applied.sessions.left = countOpen(online);
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

/** A holder with open sessions; `nasAddress` of the first. */
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
    const sold = findPackage(tx, by, packageId);
    const holders = holderCondition(tx, by.scope, { sold, nasId, now });
    const online = onlineAmong(tx, holders);
    if (dryRun) return { changed: countHolders(tx, holders), online };
    const changed = setTerms(tx, sold, holders, now);
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

function findPackage({ $client }: Tx, { scope }: Actor, packageId: number): Package {
  const { text, values } = all(equal("p.id", packageId), equal("p.isp_id", scope.ispId));
  return known(
    $client
      .query<Package, Value[]>(`SELECT ${selectColumns(packages, "p")} FROM packages p WHERE ${text}`)
      .get(...values),
    phrase`there is no package ${packageId}`,
  );
}

/** Services `v` with other terms. */
function holderCondition(
  tx: Tx,
  scope: Scope,
  { sold, nasId, now }: { sold: Package; nasId: number | undefined; now: Seconds },
): Condition {
  const online = "SELECT 1 FROM sessions e WHERE e.subscriber_id = s.id AND e.stopped_at IS NULL";
  const atRouter =
    nasId === undefined
      ? undefined
      : { text: `(s.nas_id = ? OR EXISTS (${online} AND e.nas_id = ?))`, values: [nasId, nasId] };
  const reached = all(scopeCondition(scope), atRouter);
  return all(equal("v.package_id", sold.id), hasOtherTerms(tx, sold, now), {
    text: `v.subscriber_id IN (SELECT s.id FROM subscribers s WHERE ${reached.text})`,
    values: reached.values,
  });
}

function countHolders({ $client }: Tx, { text, values }: Condition): number {
  const row = $client
    .query<{ holders: number }, Value[]>(`SELECT count(*) AS holders FROM services v WHERE ${text}`)
    .get(...values);
  return row?.holders ?? 0;
}

interface QuotaBefore {
  readonly subscriberId: number;
  readonly total: number;
  readonly used: number;
  readonly extra: number;
  readonly crossedAt: Seconds | null;
}

/** Writes the terms, and raises events for quotas reached by that; returns the number. */
function setTerms(tx: Tx, sold: Package, { text, values }: Condition, now: Seconds): number {
  const { $client } = tx;
  const { dataQuotaBytes: quota, fairWindow } = sold;
  const terms = columnsSet(services, packageTerms(sold)).filter(({ name }) => name !== "quota_total");
  // top-up bytes stay; another kind of window starts at zero
  const set = [
    ...terms.map(({ name }) => `${name} = ?`),
    "quota_total = iif(? > 0, ? + v.extra_bytes, 0)",
    `quota_crossed_at = CASE WHEN ? > 0 AND v.fair_window = ? AND v.quota_used >= ? + v.extra_bytes
       THEN ifnull(v.quota_crossed_at, ?) END`,
    "quota_used = iif(v.fair_window = ?, v.quota_used, 0)",
    "window_start = iif(v.fair_window = ?, v.window_start, ?)",
  ].join(", ");
  const start = windowAt(fairWindow, now)?.start ?? null;
  const reached = $client
    .query<QuotaBefore, Value[]>(
      `SELECT v.subscriber_id AS subscriberId, v.quota_total AS total, v.quota_used AS used, v.extra_bytes AS extra,
         v.quota_crossed_at AS crossedAt
       FROM services v
       WHERE ? > 0 AND v.quota_used >= (? + v.extra_bytes) * ${WARNED} AND v.fair_window = ? AND ${text}`,
    )
    .all(quota, quota, fairWindow, ...values);
  const changed = $client
    .query<{ id: number }, Value[]>(
      `UPDATE services AS v SET ${set} WHERE ${text} RETURNING subscriber_id AS id`,
    )
    .all(
      ...terms.map(({ value }) => value),
      ...[quota, quota],
      ...[quota, fairWindow, quota, now],
      ...[fairWindow, fairWindow, start],
      ...values,
    );
  for (const { id } of changed) giveByService(tx, id, now);
  for (const { subscriberId, crossedAt, extra, ...before } of reached) {
    const after = { total: quota + extra, used: before.used };
    const change = { subscriberId, before: { ...before, isCrossed: crossedAt !== null }, after };
    announceQuota(tx, change, { now, at: now });
  }
  return changed.length;
}

function onlineAmong({ $client }: Tx, { text, values }: Condition): Online[] {
  const rows = $client
    .query<Omit<Online, "open">, Value[]>(
      `SELECT v.subscriber_id AS subscriberId, e.nas_address AS nasAddress
       FROM services v JOIN sessions e ON e.subscriber_id = v.subscriber_id AND e.stopped_at IS NULL
       WHERE ${text} ORDER BY e.id`,
    )
    .all(...values);
  const bySubscriber = Map.groupBy(rows, ({ subscriberId }) => subscriberId);
  return [...bySubscriber.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, open: 1 + more.length }] : [],
  );
}

const countOpen = (holders: readonly Online[]) => holders.reduce((sum, { open }) => sum + open, 0);

/** One first, the others only when the router answers, so that it is neither flooded nor waited for repeatedly. */
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
      const answers = await applyToHolder(db, next, needs, applied);
      isSilent ||= answers.some(
        ({ session, answer }) =>
          session.nasAddress === nasAddress && answer.kind === "failed" && answer.isSilent === true,
      );
    }
  };
  await work(1);
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(Infinity)));
  if (waiting.length === 0) return;
  const open = countOpen(waiting);
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
    const { answers, left } = await applyTerms(db, { subscriberId, clock, by, routers });
    counts.left += left;
    for (const { session, outcome, answer } of answers) {
      counts[counted[outcome]]++;
      if (answer.kind === "failed") failures.push(`${session.username}: ${answer.reason}`);
    }
    return answers;
  } catch (error) {
    // deleted meanwhile
    if (!(error instanceof DomainError && error.kind === "not_found")) throw error;
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
