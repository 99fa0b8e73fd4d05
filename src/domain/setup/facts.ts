import type { Db } from "../../../db/open.ts";
import { dataFolderOf } from "../backup/passphrase.ts";
import { backupFolder } from "../backup/schedule.ts";
import { isSealStored } from "../backup/stored-seal.ts";
import { lastHeard } from "../nas/last-heard.ts";
import { findUnauthenticated } from "../nas/sources.ts";
import { setting } from "../settings/settings.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";

/** Decisions among which a router's newest is looked for: there is no index of theirs. */
const LATEST = 5000;

interface FirstPackage {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly rateLimit: string | null;
  readonly duration: number;
  readonly durationUnit: "hour" | "day" | "month";
}

/** What was heard of a router: its newest request for a login, its newest accounting, and why it is not answered. */
export interface RouterHeard {
  readonly askedAt: Seconds | null;
  readonly accountedAt: Seconds | null;
  readonly dropped: string | null;
}

/** What the steps of the first start have led to: the first of each. */
export function setupFacts(db: Db, by: Actor, { now }: { now: Seconds }) {
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
  return {
    isp,
    currency: setting(db, "currency", isp?.id),
    package: $client
      .query<FirstPackage, []>(
        `SELECT id, name, price, rate_limit AS rateLimit, duration, duration_unit AS durationUnit
         FROM packages ORDER BY id LIMIT 1`,
      )
      .get(),
    router: router && { ...router, heard: heardOf(db, router.id, now) },
    subscriber: $client
      .query<{ name: string; username: string }, []>(
        "SELECT name, username FROM subscribers ORDER BY id LIMIT 1",
      )
      .get(),
    backups: {
      folder: backupFolder(db, dataFolderOf(db)),
      named: setting(db, "backup_folder"),
      hours: setting(db, "backup_every_hours"),
      holdKey: isSealStored(dataFolderOf(db)),
    },
  };
}

export type SetupFacts = ReturnType<typeof setupFacts>;

function heardOf(db: Db, nasId: number, now: Seconds): RouterHeard {
  const asked = db.$client
    .query<{ at: number }, [number]>(
      `SELECT at FROM auth_log WHERE nas_id = ? AND id > (SELECT max(id) FROM auth_log) - ${LATEST} ORDER BY id DESC LIMIT 1`,
    )
    .get(nasId);
  const dropped = findUnauthenticated(db, now).find((source) => source.nasId === nasId);
  return {
    askedAt: asked?.at ?? null,
    accountedAt: lastHeard(db, nasId)?.at ?? null,
    dropped: dropped?.words ?? null,
  };
}
