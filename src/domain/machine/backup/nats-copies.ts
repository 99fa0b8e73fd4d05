import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import type { Db } from "../../../../db/open.ts";
import { accessState, isOver } from "../access-boxes/state.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import { readKept, tryToKeep } from "./kept-json.ts";

/*
 * Hourly backups in the object store of nats-server, on another machine. Only the server puts them; it leaves the result in the
 * data folder for commands.
 */

const HOUR = 3600;
/** Seconds until a failed one is tried again. */
const TRY_AGAIN = 600;
/** Hours after which the newest is old. */
const OLD = 3;

const kept = Type.Object({
  at: Type.Integer(),
  fault: Type.Union([Type.String(), Type.Null()]),
  /** The newest, in seconds and bytes; null: none known. */
  last: Type.Union([Type.Object({ at: Type.Integer(), bytes: Type.Integer() }), Type.Null()]),
  /** It disappeared. */
  isLost: Type.Optional(Type.Boolean()),
});

export interface NatsCopies {
  readonly at: Seconds;
  readonly fault: string | null;
  readonly last: { readonly at: Seconds; readonly bytes: number } | null;
  readonly isLost?: boolean;
}

const keptFile = (dataFolder: string) => join(dataFolder, "backup-nats.json");

export function natsCopies(dataFolder: string): NatsCopies | undefined {
  return readKept(keptFile(dataFolder), kept);
}

export function noteNatsCopy(
  dataFolder: string,
  tried: { at: Seconds; fault: string } | { at: Seconds; bytes: number },
): void {
  const { at } = tried;
  const noted: NatsCopies =
    "fault" in tried
      ? { at, fault: tried.fault, last: natsCopies(dataFolder)?.last ?? null }
      : { at, fault: null, last: { at, bytes: tried.bytes } };
  tryToKeep(keptFile(dataFolder), noted);
}

/** Records that the newest disappeared; `newest` is what is left, null for nothing. Another one is due at once. */
export function noteNatsCopyLost(dataFolder: string, at: Seconds, newest: NatsCopies["last"]): void {
  const fault =
    "nats-server has lost the last one; another one is being put there. Look after its disk (store_dir)";
  tryToKeep(keptFile(dataFolder), { at, fault, last: newest, isLost: true } satisfies NatsCopies);
}

export function isNatsCopyDue(db: Db, dataFolder: string, now: Seconds): boolean {
  if (!setting(db, "backup_to_nats") || isOver(db) || accessState(db).pending !== null) return false;
  const tried = natsCopies(dataFolder);
  // a time in the future is of a wrong clock
  if (!tried || tried.at > now || tried.isLost) return true;
  return now - tried.at >= (tried.fault === null ? HOUR : TRY_AGAIN);
}

/** How copies of backups at nats-server stand; undefined: they are switched off. */
export function natsCopyStanding(
  db: Db,
  dataFolder: string,
  now: Seconds,
): (Pick<NatsCopies, "fault" | "last"> & { readonly isOld: boolean }) | undefined {
  if (!setting(db, "backup_to_nats")) return undefined;
  const { fault, last } = natsCopies(dataFolder) ?? { fault: null, last: null };
  return { fault, last, isOld: last !== null && now - last.at > OLD * HOUR };
}
