import type { Db } from "../../../../db/open.ts";
import { known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { damagedReport, type MoveReport } from "./report.ts";

export interface MoveRecord {
  readonly id: number;
  readonly ispId: number;
  readonly source: string;
  readonly files: readonly string[];
  readonly actor: string;
  readonly startedAt: Seconds;
  /** null: it stands. */
  readonly undoneAt: Seconds | null;
  readonly report: MoveReport;
}

interface Row extends Omit<MoveRecord, "files" | "report"> {
  readonly files: string;
  readonly report: string;
}

const select = `
  SELECT m.id, m.isp_id AS ispId, m.source, m.files, coalesce(t.name, m.actor) AS actor, m.started_at AS startedAt,
    m.undone_at AS undoneAt, m.report
  FROM moves m LEFT JOIN staff t ON t.id = m.staff_id`;

/** A damaged report shows only that. */
function parseRecord(row: Row): MoveRecord {
  try {
    return { ...row, files: JSON.parse(row.files), report: JSON.parse(row.report) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ...row, files: [], report: damagedReport(row.source, row.startedAt) };
  }
}

/** Moves before an id, the newest first. Throws `forbidden`. */
export function listMoves(
  db: Db,
  by: Actor,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
): MoveRecord[] {
  permit(by, "listMoves");
  requireWholeIsp(by, "moves from other systems");
  return db.$client
    .query<Row, [number | null, number, number]>(
      `${select} WHERE m.isp_id = ifnull(?, m.isp_id) AND m.id < ? ORDER BY m.id DESC LIMIT ? + 0`,
    )
    .all(by.scope.ispId, before, limit)
    .map(parseRecord);
}

export function moveById(db: Db, by: Actor, id: number): MoveRecord {
  permit(by, "moveById");
  requireWholeIsp(by, "moves from other systems");
  return parseRecord(
    known(
      db.$client
        .query<Row, [number, number | null]>(`${select} WHERE m.id = ? AND m.isp_id = ifnull(?, m.isp_id)`)
        .get(id, by.scope.ispId),
      phrase`there is no move ${id}`,
    ),
  );
}
