import type { Tx } from "../../../../db/open.ts";
import { announceOther, timestamp } from "../../core/events/announce.ts";
import type { Seconds } from "../../core/time/time.ts";
import { formatCommand } from "./commands.ts";
import type { Nas } from "../../goods/nas/find.ts";
import { type Found, isWatchKind, watchLevels, type WatchKind, type WatchLevel } from "./found.ts";
import type { Judged } from "./judge.ts";

/** Most findings kept per kind and router. */
const MOST_OF_A_KIND = 500;

export interface Noted {
  readonly drifted: number;
  readonly mended: number;
}

interface Kept {
  readonly id: number;
  readonly kind: string;
  readonly key: string;
  readonly level: WatchLevel;
  readonly state: string;
  readonly foundAt: Seconds;
  readonly countedAt: Seconds | null;
  readonly missed: number;
  readonly hiddenAt: Seconds | null;
}

/**
 * Stores a check's findings. A finding is confirmed by the second check in a row, and gone after two without it; `isSure`: one
 * is enough, after a set-up or fix. Unchecked kinds stay.
 */
export function noteFindings(
  tx: Tx,
  router: Nas,
  { found, unlooked }: Judged,
  { now, isSure }: { now: Seconds; isSure: boolean },
): Noted {
  const kept = listKept(tx, router.id);
  const known = new Map(kept.map((one) => [findingName(one), one]));
  const isLooked = (kind: string) => !isWatchKind(kind) || !unlooked.has(kind);
  const there = new Map(limitEach(found).map((one) => [findingName(one), one]));
  let drifted = 0;
  let fixed = 0;
  for (const [name, one] of there) {
    const before = known.get(name);
    if (!before) insertFinding(tx, router.id, one, { now, countedAt: isSure ? now : null });
    else updateFinding(tx, before, one, now);
    if (before ? before.countedAt !== null : !isSure) continue;
    drifted++;
    tell(tx, router, { type: "router.drifted", about: one, since: before?.foundAt ?? now }, now);
  }
  for (const one of kept) {
    if (there.has(findingName(one)) || !isLooked(one.kind)) continue;
    if (one.countedAt !== null && one.missed === 0 && !isSure) {
      tx.$client.query<unknown, [number]>("UPDATE router_findings SET missed = 1 WHERE id = ?").run(one.id);
      continue;
    }
    tx.$client.query<unknown, [number]>("DELETE FROM router_findings WHERE id = ?").run(one.id);
    if (one.countedAt === null) continue;
    fixed++;
    tell(tx, router, { type: "router.mended", about: one, since: one.countedAt }, now);
  }
  return { drifted, mended: fixed };
}

const findingName = ({ kind, key }: { readonly kind: string; readonly key: string }) => `${kind} ${key}`;

function limitEach(found: readonly Found[]): Found[] {
  const counts = new Map<WatchKind, number>();
  return found.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= MOST_OF_A_KIND;
  });
}

function listKept({ $client }: Tx, nasId: number): Kept[] {
  return $client
    .query<Kept, [number]>(
      `SELECT id, kind, key, level, state, found_at AS foundAt, counted_at AS countedAt, missed, hidden_at AS hiddenAt
       FROM router_findings WHERE nas_id = ? ORDER BY id`,
    )
    .all(nasId);
}

function toContext({ values, state, fix, commands }: Found) {
  const lines = commands ?? fix.map(formatCommand);
  return {
    detail: JSON.stringify(values),
    state,
    commands: JSON.stringify(lines),
    mends: fix.length > 0 ? 1 : 0,
  };
}

function insertFinding(
  { $client }: Tx,
  nasId: number,
  one: Found,
  { now, countedAt }: { now: Seconds; countedAt: Seconds | null },
): void {
  const { detail, state, commands, mends } = toContext(one);
  $client
    .query<
      unknown,
      [number, string, string, string, string, string, string, number, Seconds, Seconds | null]
    >(
      `INSERT INTO router_findings (nas_id, kind, key, level, detail, state, commands, is_mendable, found_at, counted_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(nasId, one.kind, one.key, watchLevels[one.kind], detail, state, commands, mends, now, countedAt);
}

/** Confirms a finding that is found again; a hidden one is shown again when changed. */
function updateFinding({ $client }: Tx, before: Kept, one: Found, now: Seconds): void {
  const { detail, state, commands, mends } = toContext(one);
  $client
    .query<unknown, [string, string, string, number, Seconds, number]>(
      `UPDATE router_findings SET detail = ?, state = ?, commands = ?, is_mendable = ?, counted_at = ifnull(counted_at, ?), missed = 0
       WHERE id = ?`,
    )
    .run(detail, state, commands, mends, now, before.id);
  if (before.hiddenAt !== null && before.state !== state)
    $client
      .query<unknown, [number]>(
        "UPDATE router_findings SET hidden_at = NULL, hidden_by = NULL, hidden_reason = NULL WHERE id = ?",
      )
      .run(before.id);
}

function tell(
  tx: Tx,
  { id, ispId, name, address }: Nas,
  {
    type,
    about,
    since,
  }: {
    type: "router.drifted" | "router.mended";
    about: { readonly kind: string; readonly key: string; readonly level?: WatchLevel };
    since: Seconds;
  },
  now: Seconds,
): void {
  const { kind, key } = about;
  const level = about.level ?? (isWatchKind(kind) ? watchLevels[kind] : "warning");
  const finding = { kind, key, level };
  const data = { router: { id, name, address }, finding, since: timestamp(since) };
  announceOther(tx, now, { type, ispId, data });
}
