import { insert } from "../../../../db/insert.ts";
import type { Db, Tx } from "../../../../db/open.ts";
import { outages } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Evidence, StoredEvidence } from "./evidence.ts";
import type { Subject } from "./suspects.ts";

export interface DarkLine {
  readonly subscriberId: number;
  readonly at: Seconds;
}

export interface OpenOutage {
  readonly id: number;
  readonly subject: Subject;
  readonly beganAt: Seconds;
  readonly sign: StoredEvidence["sign"];
}

/** Seconds within which a larger outage replaces smaller ones announced for it. */
const SAME = 300;
/** Share of lines back at which an outage ends: some were switched off meanwhile. */
const BACK = 0.75;

/** Writes an outage, which replaces earlier ones of its parts. Returns its id. */
export function bookOutage(
  tx: Tx,
  { subject, lines, evidence }: { subject: Subject; lines: readonly DarkLine[]; evidence: Evidence },
  now: Seconds,
): number {
  const beganAt = Math.min(now, ...lines.map(({ at }) => at));
  const id = insert(tx, outages, {
    ispId: subject.ispId,
    kind: subject.kind,
    nasId: subject.kind === "router" ? subject.nasId : null,
    areaId: subject.kind === "area" ? subject.areaId : null,
    boxNumber: subject.kind === "box" ? subject.boxNumber : null,
    beganAt,
    foundAt: now,
    lines: lines.length,
    evidence: JSON.stringify(evidence),
  });
  addLines(tx, id, lines);
  if (subject.kind !== "box") takeOver(tx, { id, subject, beganAt });
  return id;
}

export function addLines({ $client }: Tx, id: number, lines: readonly DarkLine[]): void {
  const statement = $client.query<unknown, number[]>(
    "INSERT INTO outage_lines (outage_id, subscriber_id, dark_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  for (const { subscriberId, at } of lines) statement.run(id, subscriberId, at);
  recount($client, id);
}

function recount($client: Db["$client"], id: number): void {
  $client
    .query<unknown, [number]>(
      "UPDATE outages SET lines = (SELECT count(*) FROM outage_lines l WHERE l.outage_id = outages.id) WHERE id = ?",
    )
    .run(id);
}

/** An outage of about the same time with most of its lines in this one is the same. */
function takeOver(
  { $client }: Tx,
  { id, subject, beganAt }: { id: number; subject: Subject; beganAt: Seconds },
): void {
  const subjectCondition = subject.kind === "area" ? "s.area_id = ?" : `${LAST_NAS} = ?`;
  const parts = $client
    .query<{ id: number }, number[]>(
      `SELECT u.id FROM outages u WHERE u.ended_at IS NULL AND u.isp_id = ? AND u.id <> ? AND abs(u.began_at - ?) <= ${SAME}
         AND u.kind IN (${subject.kind === "area" ? "'box'" : "'box', 'area'"})
         AND (SELECT count(*) * 2 FROM outage_lines l JOIN subscribers s ON s.id = l.subscriber_id
              WHERE l.outage_id = u.id AND ${subjectCondition}) >= u.lines`,
    )
    .all(subject.ispId, id, beganAt, subject.kind === "area" ? subject.areaId : subjectNas(subject));
  for (const part of parts) {
    $client.query("UPDATE OR IGNORE outage_lines SET outage_id = ? WHERE outage_id = ?").run(id, part.id);
    $client.query("DELETE FROM outages WHERE id = ?").run(part.id);
  }
  if (parts.length > 0) recount($client, id);
}

const LAST_NAS =
  "(SELECT o.nas_id FROM sessions o WHERE o.subscriber_id = s.id ORDER BY o.started_at DESC LIMIT 1)";

const subjectNas = (subject: Subject) => (subject.kind === "router" ? subject.nasId : 0);

interface Row {
  readonly id: number;
  readonly ispId: number;
  readonly kind: Subject["kind"];
  readonly nasId: number | null;
  readonly areaId: number | null;
  readonly boxNumber: string | null;
  readonly beganAt: Seconds;
  readonly sign: StoredEvidence["sign"];
}

/** Current outages. One whose router or area was deleted ends now. */
export function readOpen({ $client }: Db): OpenOutage[] {
  return $client
    .query<Row, []>(
      `SELECT id, isp_id AS ispId, kind, nas_id AS nasId, area_id AS areaId, box_number AS boxNumber, began_at AS beganAt,
         iif(json_valid(evidence), evidence ->> 'sign', 'unknown') AS sign
       FROM outages INDEXED BY outages_open WHERE ended_at IS NULL`,
    )
    .all()
    .flatMap((row) => {
      const subject = toSubject(row);
      return subject ? [{ id: row.id, subject, beganAt: row.beganAt, sign: row.sign }] : [];
    });
}

function toSubject({ kind, ispId, nasId, areaId, boxNumber }: Row): Subject | undefined {
  if (kind === "router") return nasId === null ? undefined : { kind, ispId, nasId };
  if (kind === "area") return areaId === null ? undefined : { kind, ispId, areaId };
  return boxNumber === null ? undefined : { kind, ispId, boxNumber };
}

/** A deleted subject cannot come back. */
export function endOrphans({ $client }: Db, now: Seconds): void {
  $client
    .query<unknown, [Seconds]>(
      `UPDATE outages SET ended_at = ? WHERE ended_at IS NULL
         AND ((kind = 'router' AND nas_id IS NULL) OR (kind = 'area' AND area_id IS NULL))`,
    )
    .run(now);
}

/** The kind of outage by dark line, of outages that are current or began after `since`. */
export function announcedOutages({ $client }: Db, since: Seconds): Map<number, Subject["kind"]> {
  const rows = $client
    .query<{ id: number; kind: Subject["kind"] }, [Seconds]>(
      `SELECT l.subscriber_id AS id, u.kind FROM outages u JOIN outage_lines l ON l.outage_id = u.id
       WHERE u.id IN (SELECT id FROM outages WHERE ended_at IS NULL UNION ALL SELECT id FROM outages WHERE began_at > ?)
         AND l.back_at IS NULL`,
    )
    .all(since);
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

/**
 * Records which lines are back: by an open session heard since, or a login, refused or not. Ends the outage when most are, at
 * that time. Subscribers no longer allowed online do not count.
 */
export function noteBack(db: Db, { id }: OpenOutage, now: Seconds): boolean {
  const { $client } = db;
  const dark = $client
    .query<{ subscriberId: number; backAt: Seconds | null }, number[]>(
      `SELECT l.subscriber_id AS subscriberId,
         coalesce((SELECT iif(o.started_at > l.dark_at, o.started_at, o.updated_at) FROM sessions o INDEXED BY sessions_open_subscriber
                   WHERE o.subscriber_id = l.subscriber_id AND o.stopped_at IS NULL AND o.updated_at > l.dark_at LIMIT 1),
           (SELECT iif(a.at > l.dark_at, a.at, NULL) FROM auth_log a WHERE a.subscriber_id = l.subscriber_id
            ORDER BY a.id DESC LIMIT 1)) AS backAt
       FROM outage_lines l WHERE l.outage_id = ? AND l.back_at IS NULL`,
    )
    .all(id)
    .filter(({ backAt }) => backAt !== null);
  const mark = $client.query<unknown, (number | null)[]>(
    "UPDATE outage_lines SET back_at = ? WHERE outage_id = ? AND subscriber_id = ?",
  );
  for (const { subscriberId, backAt } of dark) mark.run(backAt, id, subscriberId);
  return endIfBack($client, id, now);
}

function endIfBack($client: Db["$client"], id: number, now: Seconds): boolean {
  const awaited = $client
    .query<{ backAt: Seconds | null }, number[]>(
      `SELECT l.back_at AS backAt FROM outage_lines l JOIN subscribers s ON s.id = l.subscriber_id
         LEFT JOIN services v ON v.subscriber_id = l.subscriber_id
       WHERE l.outage_id = ? AND (l.back_at IS NOT NULL
         OR (s.status = 1 AND s.archived_at IS NULL AND v.frozen_at IS NULL AND v.expires_at > ?))`,
    )
    .all(id, now)
    .map(({ backAt }) => backAt);
  const back = awaited.filter((at) => at !== null).sort((a, b) => a - b);
  const enough = Math.ceil(awaited.length * BACK);
  if (back.length < enough) return false;
  endOutage($client, id, back[enough - 1] ?? now);
  return true;
}

/** The router was heard: lines whose sessions it kept are back. If it lost most, they have to dial first. */
export function noteSeen({ $client }: Db, { id }: OpenOutage, heardAt: Seconds): boolean {
  const kept = $client
    .query<{ kept: number; all: number }, [number]>(
      `SELECT count(*) AS "all", count(CASE WHEN EXISTS (SELECT 1 FROM sessions o
         WHERE o.subscriber_id = l.subscriber_id AND o.stopped_at IS NULL) THEN 1 END) AS kept
       FROM outage_lines l WHERE l.outage_id = ?`,
    )
    .get(id);
  if (!kept || kept.kept < kept.all * BACK) return false;
  $client
    .query<unknown, number[]>(
      `UPDATE outage_lines SET back_at = ? WHERE outage_id = ? AND back_at IS NULL
         AND EXISTS (SELECT 1 FROM sessions o WHERE o.subscriber_id = outage_lines.subscriber_id AND o.stopped_at IS NULL)`,
    )
    .run(heardAt, id);
  endOutage($client, id, heardAt);
  return true;
}

function endOutage($client: Db["$client"], id: number, at: Seconds): void {
  $client.query("UPDATE outages SET ended_at = max(began_at, ?) WHERE id = ?").run(at, id);
}
