import { Counter, Gauge, type Registry } from "prom-client";
import type { Db } from "../../db/open.ts";
import { countOpenIncoming } from "../domain/desk/incoming/list.ts";
import {
  droppedSessions,
  lastSeenByBoxes,
  openSessions,
  routerNames,
} from "../domain/machine/appliance/figures.ts";
import { storingFault } from "../domain/machine/appliance/storing.ts";
import { fileSize, freeBytes, storeFiles } from "../domain/core/files/files.ts";
import { operator } from "../domain/core/actor/operator.ts";
import { lastOutcome } from "../domain/machine/backup/folder.ts";
import { natsCopyStanding } from "../domain/machine/backup/nats-copies.ts";
import { backupFolder, readableBackups } from "../domain/machine/backup/schedule.ts";

export interface StoreNeeds {
  readonly db: Db;
  readonly folder: string;
  readonly clock: () => number;
  /** Seconds since a NAS was last heard; undefined: not since the start. */
  readonly radius: { readonly measureSilence: (nas: string) => number | undefined };
}

/** Gauges read from the store when scraped: sessions, routers, files. */
export function storeGauges(registry: Registry, { db, folder, clock, radius }: StoreNeeds): void {
  const { database } = storeFiles(folder);
  const begun = performance.now();
  const gauge = (name: string, help: string, value: () => number | undefined) =>
    registry.registerMetric(
      new Gauge({
        name: `gatehouse_${name}`,
        help,
        registers: [],
        collect() {
          const now = value();
          if (now === undefined) this.remove();
          else this.set(now);
        },
      }),
    );
  gauge("payments_waiting", "Payments that arrived by themselves and wait for staff", () =>
    countOpenIncoming(db, operator("gatehouse", "system")),
  );
  gauge("sessions_open", "Sessions that are open in the books", () => openSessions(db));
  gauge("database_bytes", "Size of the database", () => fileSize(database));
  gauge("wal_bytes", "Size of the write-ahead log", () => fileSize(`${database}-wal`));
  gauge("disk_free_bytes", "Bytes left on the disk of the data folder", () => freeBytes(folder));
  const storing = storingFault(folder);
  gauge("storage_usable", "1 while what arrives can be stored in the data folder, 0 while it cannot", () =>
    storing() === undefined ? 1 : 0,
  );
  gauge("backup_age_seconds", "Age of the newest scheduled backup, which was verified; absent: none", () => {
    const newest = readableBackups(backupFolder(db, folder))[0];
    return newest && clock() - newest.at;
  });
  gauge("backup_bytes", "Size of the newest scheduled backup", () => {
    return readableBackups(backupFolder(db, folder))[0]?.bytes;
  });
  gauge("backup_folder_usable", "1 while backups can be written to their folder, 0 while they cannot", () => {
    const last = lastOutcome(folder);
    return last && (last.fault === null ? 1 : 0);
  });
  gauge(
    "backup_nats_age_seconds",
    "Age of the newest backup in the object store of NATS; absent: none",
    () => {
      const last = natsCopyStanding(db, folder, clock())?.last;
      return last ? clock() - last.at : undefined;
    },
  );
  registry.registerMetric(
    new Counter({
      name: "gatehouse_sessions_dropped_total",
      help: "Sessions of names that are no subscriber's, dropped because a router told of too many in an hour",
      labelNames: ["nas"],
      registers: [],
      collect() {
        this.reset();
        for (const { nas, total } of droppedSessions(db)) this.inc({ nas }, total);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: "gatehouse_nas_silence_seconds",
      help: "Time since a router sent a packet, here or to an access box, or since the start; absent: the box is cut off, or it was never heard",
      labelNames: ["nas"],
      registers: [],
      collect() {
        this.reset();
        const uptime = (performance.now() - begun) / 1000;
        const elsewhere = lastSeenByBoxes(db, clock());
        for (const name of routerNames(db)) {
          const here = radius.measureSilence(name);
          const there = elsewhere?.get(name);
          if (elsewhere === undefined) this.set({ nas: name }, here ?? uptime);
          else if (there !== null && (here ?? there) !== undefined)
            this.set({ nas: name }, Math.min(here ?? Infinity, there ?? Infinity));
        }
      },
    }),
  );
}
