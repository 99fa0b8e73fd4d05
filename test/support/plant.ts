import type { Db } from "../../db/open.ts";
import { aSubscriber, by, loadIsp, NAS_SECRET } from "./isp.ts";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { NOW, templateStore } from "./store.ts";

export const PORTS = 8;
const BOXES = 5;

/**
 * ISP 1 with 120 lines, all online and reporting every five minutes: boxes BOX-1 to BOX-15 of eight ports, areas 1 to 3 of five
 * boxes, router 1 for areas 1 and 2, router 3 for area 3.
 */
export const plant = templateStore(async (db) => {
  const lines = Array.from({ length: 3 * BOXES * PORTS }, (_, index) => index + 1);
  await loadIsp(db);
  await importDataSet(
    db,
    by,
    {
      areas: [1, 2, 3].map((id) => ({ id, isp_id: 1, name: `Area ${id}` })),
      nas: [{ id: 3, isp_id: 1, name: "hill", address: "127.0.0.3", secret: NAS_SECRET }],
      subscribers: lines.map((id) =>
        aSubscriber(id, {
          area_id: areaOf(id),
          box_number: `BOX-${boxOf(id)}`,
          uplink_port: String(((id - 1) % PORTS) + 1),
        }),
      ),
    },
    { now: NOW },
  );
  for (const id of lines) dial(db, id, NOW - 10 * 86_400, NOW - ((id * 5) % 300));
});

export const boxOf = (line: number) => Math.ceil(line / PORTS);
export const areaOf = (line: number) => Math.ceil(boxOf(line) / BOXES);
export const linesOfBox = (box: number) =>
  Array.from({ length: PORTS }, (_, port) => (box - 1) * PORTS + port + 1);
export const linesOfArea = (area: number) =>
  Array.from({ length: BOXES }, (_, box) => linesOfBox((area - 1) * BOXES + box + 1)).flat();

export function dial(db: Db, line: number, at: number, updatedAt = at): void {
  const nas = areaOf(line) === 3 ? 3 : 1;
  db.$client
    .query(
      `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, mac, nas_port_id, started_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      nas,
      `127.0.0.${nas}`,
      `S${line}-${at}`,
      `user${line}`,
      line,
      macOf(line),
      `ether${nas}`,
      at,
      updatedAt,
    );
}

export const macOf = (line: number) => `02:00:00:00:00:${line.toString(16).toUpperCase().padStart(2, "0")}`;

export function drop(db: Db, line: number, at: number, cause = "Lost-Carrier"): void {
  db.$client
    .query(
      `UPDATE sessions SET stopped_at = ?, updated_at = ?, closed_by = 'stop', terminate_cause = ?
       WHERE subscriber_id = ? AND stopped_at IS NULL`,
    )
    .run(at, at, cause, line);
}

/** Interim-Updates of every session, once in five minutes, until `now`. */
export function report(db: Db, now: number, { but = [] }: { but?: readonly number[] } = {}): void {
  db.$client
    .query(
      `UPDATE sessions SET updated_at = ? - (subscriber_id * 5) % 300
       WHERE stopped_at IS NULL AND nas_id NOT IN (SELECT value FROM json_each(?)) AND updated_at < ? - (subscriber_id * 5) % 300`,
    )
    .run(now, JSON.stringify(but), now);
}
