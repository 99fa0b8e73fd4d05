import { insert } from "../../../../db/insert.ts";
import type { Db, Tx } from "../../../../db/open.ts";
import { moves } from "../../../../db/schema.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, verbatim } from "../../core/errors/phrase.ts";
import { runDataSetImport } from "./data-set/import.ts";
import { StaleError } from "./data-set/stale.ts";
import { stamps } from "./data-set/stamps.ts";
import { changeSetting } from "../settings/change.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, requireOwnIsp, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { unsharedColumns } from "../../goods/subscribers/doubles.ts";
import type { Seconds } from "../../core/time/time.ts";
import { ImportedRows } from "./imported-rows.ts";
import { bringable, requireMayShare } from "./may-import.ts";
import type { Moved, MovedPackage } from "./model.ts";
import { type Move, NewIds } from "./move.ts";
import { References } from "./references.ts";
import { groupNotices, type MoveReport, reportPackages } from "./report.ts";
import { importPackages } from "./import-packages.ts";
import { ImportedPlaces } from "./import-places.ts";
import { importRouters } from "./import-routers.ts";
import { importSessions } from "./import-sessions.ts";
import { type NewPassword, importSubscribers } from "./import-subscribers.ts";
import { importVouchers } from "./import-vouchers.ts";
import type { Notices } from "./notices.ts";

export interface MoveOptions {
  readonly ispId: number;
  readonly source: string;
  readonly files: readonly string[];
  readonly now: Seconds;
  /** Nothing is written or kept. */
  readonly dryRun?: boolean;
  readonly expires?: Seconds | undefined;
  /** Allows shared telephone numbers on the box from then on. */
  readonly shareNumbers?: boolean;
  /** Default for new ones. */
  readonly autoRenew?: boolean;
  readonly notices: Notices;
  readonly zone: string;
  readonly progress?: (step: string) => void;
  /** Writes files before the store is written; throwing aborts. */
  readonly keep?: (kept: Beside) => void;
}

export interface Beside {
  readonly dataSet: Readonly<Record<string, unknown>>;
  readonly passwords: readonly NewPassword[];
}

export interface MoveOutcome {
  /** null: a dry run. */
  readonly moveId: number | null;
  readonly report: MoveReport;
  readonly notices: Notices;
  readonly passwords: readonly NewPassword[];
}

/**
 * Imports all or nothing: adds new rows, and updates imported ones where unchanged here. Throws `forbidden`, `invalid` for an
 * unknown ISP, `refused` where the store changed meanwhile or a decision is missing.
 */
export async function moveIn(db: Db, by: Actor, moved: Moved, options: MoveOptions): Promise<MoveOutcome> {
  permit(by, "moveIn");
  requireWholeIsp(by, "moves from other systems");
  requireOwnIsp(by, options.ispId);
  requireIsp(db, options.ispId);
  if (options.shareNumbers === true) requireMayShare(db, by);
  const { source, files, now, dryRun = false, notices, zone, progress = () => {}, keep } = options;
  const { undecided } = moved;
  if (!dryRun && undecided !== undefined) throw new DomainError("refused", verbatim(undecided));
  let plan: Plan | undefined;
  let moveId: number | null = null;
  const planned = () => (plan ??= planMove(db, by, moved, options));
  const reported = (): MoveReport => ({
    source,
    files,
    zone,
    at: now,
    isDryRun: dryRun,
    afterwards: moved.afterwards,
    counts: planned().counts,
    places: planned().places,
    packages: planned().packages,
    passwords: planned().beside.passwords.length,
    cards: planned().vouchers.batches,
    told: groupNotices(notices),
    ...(undecided !== undefined && { undecided }),
  });
  await runDataSetImport(db, by, () => planned().beside.dataSet, {
    now,
    dryRun,
    overwriteMoney: true,
    progress,
    reason: `changed in ${source}`,
    beforeWriting: () => keep?.(planned().beside),
    locked: (tx) => {
      refuseMoved(tx, planned());
      if (planned().sharesNumbers) changeSetting(tx, by, { key: "unique_contacts", value: 0 }, { now });
    },
    alongside: (tx) => {
      refuseEdited(tx, planned());
      planned().vouchers.write(tx, by);
      moveId = keepMove(tx, by, planned().move, reported());
    },
  });
  return { moveId, report: reported(), notices, passwords: dryRun ? [] : planned().beside.passwords };
}

type Plan = ReturnType<typeof planMove>;

const newestChange = ({ $client }: Db) =>
  $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM audit_entries").get()?.id ?? 0;

/** Throws StaleError where staff edited a row of the plan meanwhile. */
function refuseEdited({ $client }: Tx, { changes, newestChange: since }: Plan): void {
  const edited = $client
    .query<{ id: string }, [number]>(
      "SELECT entity_id AS id FROM audit_entries WHERE id > ? AND entity = 'subscriber'",
    )
    .all(since);
  if (edited.some(({ id }) => changes.has(Number(id)))) throw new StaleError();
}

/** Throws StaleError where money or a term of the plan moved meanwhile. */
function refuseMoved(tx: Tx, { stamps: planned }: Plan): void {
  if (planned.size === 0) return;
  const readStamp = stamps(tx, "subscribers");
  for (const [id, stamp] of planned) if (readStamp(id) !== stamp) throw new StaleError();
}

function requireIsp({ $client }: Db, ispId: number): void {
  if ($client.query("SELECT 1 FROM isps WHERE id = ?").get(ispId)) return;
  throw new DomainError("invalid", phrase`check isp_id`, { fields: { isp_id: [phrase`does not exist`] } });
}

function planMove(
  db: Db,
  by: Actor,
  read: Moved,
  { ispId, source, now, notices, expires, dryRun = false, ...options }: MoveOptions,
) {
  const { shareNumbers = false, autoRenew = false } = options;
  const sharesNumbers = shareNumbers && setting(db, "unique_contacts") === 1;
  const { moved, takesMoney } = bringable(by, read, { source, notices });
  if (sharesNumbers)
    notices.add("note", null, source, "From then on several subscribers of this box may have one number");
  const imported = new ImportedRows(db, { ispId, source });
  const move: Move = {
    db,
    ispId,
    source,
    now,
    notices,
    imported,
    ids: new NewIds(db),
    takesMoney,
    autoRenew,
    unshared: unsharedColumns(db, sharesNumbers ? 0 : undefined),
  };
  const packages = importPackages(move, [...moved.packages, ...defaultPackages(moved, source)]);
  const none = packages.byKey.get(NONE);
  const routers = importRouters(move, moved.routers);
  const places = new ImportedPlaces(move);
  const references = new References(move, {
    packages: packages.byKey,
    none,
    routers: routers.byKey,
    places,
    by,
  });
  const people = importSubscribers(move, [...moved.subscribers], { references, expires });
  references.tellUnknown(move);
  const sessions = importSessions(move, [...moved.sessions], people.ids);
  const vouchers = importVouchers(move, moved, { packages: packages.byKey, names: people.ids, dryRun });
  const { branch, city, area, subarea } = places.made;
  const dataSet: Record<string, unknown> = {
    isps: branch.length > 0 ? [{ id: ispId, branches: branch }] : [],
    cities: city,
    areas: area,
    subareas: subarea,
    nas: routers.rows,
    packages: packages.rows,
    subscribers: people.rows,
    sessions: sessions.rows,
  };
  return {
    sharesNumbers,
    move,
    vouchers,
    newestChange: newestChange(db),
    changes: new Set(people.rows.map((row) => row["id"])),
    stamps: people.stamps,
    beside: {
      dataSet: {
        ...Object.fromEntries(Object.entries(dataSet).filter(([, rows]) => isFilled(rows))),
        ...(sharesNumbers && { settings: { unique_contacts: 0 } }),
      },
      passwords: people.passwords,
    },
    counts: {
      packages: packages.counts,
      routers: routers.counts,
      subscribers: people.counts,
      sessions: sessions.counts,
      vouchers: vouchers.counts,
    },
    places: {
      branch: branch.length,
      city: city.length,
      area: area.length,
      subarea: subarea.length,
    },
    packages: reportPackages(packages.byKey.values(), people.holders),
  };
}

const isFilled = (rows: unknown): boolean => Array.isArray(rows) && rows.length > 0;

/** The default package's key. */
const NONE = "(none)";

function defaultPackages({ packages, subscribers }: Moved, source: string): MovedPackage[] {
  const keys = new Set(packages.map(({ key }) => key));
  const name = `No package in ${source}`;
  for (const { at, package: key } of subscribers)
    if (key === null || !keys.has(key))
      return [{ at, key: NONE, name, price: null, duration: { count: 1, unit: "month" } }];
  return [];
}

/** The record of the import, with counts in the audit log. Returns its id. */
function keepMove(tx: Tx, by: Actor, { ispId, source, imported, now }: Move, report: MoveReport): number {
  const id = insert(tx, moves, {
    ispId,
    source,
    files: JSON.stringify(report.files),
    staffId: by.staffId,
    actor: by.name,
    startedAt: now,
    finishedAt: now,
    report: JSON.stringify(report),
  });
  imported.write(tx, id);
  const { counts, passwords } = report;
  audit(tx, by, now, {
    action: "data.move",
    entity: "move",
    entityId: id,
    ispId,
    after: { source, files: report.files, ...counts, passwords },
  });
  return id;
}
