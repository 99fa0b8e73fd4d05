import type { Db } from "../../../../db/open.ts";
import { dataFolderOf } from "../../core/files/files.ts";
import { isOnSameDisk } from "../backup/device.ts";
import { folderNamed } from "../backup/schedule.ts";
import { isSealStored } from "../backup/stored-seal.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";

interface FirstPackage {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly rateLimit: string | null;
  readonly duration: number;
  readonly durationUnit: "hour" | "day" | "month";
}

export function setupFacts(db: Db, by: Actor) {
  permit(by, "setupFacts");
  const { $client } = db;
  const isp = $client
    .query<{ id: number; name: string }, []>("SELECT id, name FROM isps ORDER BY id LIMIT 1")
    .get();
  const router = $client
    .query<{ id: number; name: string; address: string }, []>(
      "SELECT id, name, address FROM nas ORDER BY id LIMIT 1",
    )
    .get();
  const named = setting(db, "backup_folder");
  const folder = folderNamed(named, dataFolderOf(db));
  return {
    isp,
    currency: setting(db, "currency", isp?.id),
    zone: setting(db, "time_zone"),
    package: $client
      .query<FirstPackage, []>(
        `SELECT id, name, price, rate_limit AS rateLimit, duration, duration_unit AS durationUnit
         FROM packages ORDER BY id LIMIT 1`,
      )
      .get(),
    router,
    subscriber: $client
      .query<{ name: string; username: string }, []>(
        "SELECT name, username FROM subscribers ORDER BY id LIMIT 1",
      )
      .get(),
    backups: {
      folder,
      named,
      isBeside: isOnSameDisk(folder, dataFolderOf(db)),
      hours: setting(db, "backup_every_hours"),
      holdKey: isSealStored(dataFolderOf(db)),
    },
  };
}

export type SetupFacts = ReturnType<typeof setupFacts>;
