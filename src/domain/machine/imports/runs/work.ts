import { openWriter } from "../../../../../db/open.ts";
import { BYTE_ORDER_MARK, csvLine } from "../data-set/csv.ts";
import { DomainError } from "../../../core/errors/errors.ts";
import type { Actor } from "../../../core/actor/actor.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { moveIn } from "../move-in.ts";
import type { NewPassword } from "../import-subscribers.ts";
import { MovingRefused } from "../source.ts";
import { Scratch } from "../scratch.ts";
import { sources } from "../sources.ts";
import { readMap } from "../sources/csv/map.ts";
import { lookAtTables } from "../sources/csv/read.ts";
import { Notices } from "../notices.ts";
import { keepLooks, keepResult } from "./result.ts";
import { keepPasswords, type Run, runFolder, sourceFiles } from "./run.ts";

/** One order; the process then ends. */
export interface MoveOrder {
  readonly kind: "look" | "try" | "move";
  readonly folder: string;
  readonly run: Run;
  readonly by: Actor;
  readonly now: Seconds;
  readonly zone: string;
}

/** Whether to stop and leave everything as it was. */
export interface Stopping {
  readonly isStopped: () => boolean;
}

/** Progress and result. */
export type MoveNotice =
  | { readonly kind: "progress"; readonly step: string; readonly bytes: number }
  | { readonly kind: "looked" | "tried" | "stopped" }
  | { readonly kind: "moved"; readonly moveId: number; readonly passwords: number }
  /** `message` is for people unless `isOurs`, a bug for the log. */
  | { readonly kind: "failed"; readonly message: string; readonly isOurs: boolean };

/** Milliseconds between progress messages. */
const TELL_EVERY = 200;
const BUSY_TIMEOUT = 10_000;

class Stopped extends Error {}

/** Failures are posted too. */
export async function doMove(
  order: MoveOrder,
  post: (notice: MoveNotice) => void,
  stopping: Stopping,
): Promise<void> {
  try {
    post(await runOrder(order, makeProgress(stopping, post)));
  } catch (error) {
    if (error instanceof Stopped) return post({ kind: "stopped" });
    const isTheirs = error instanceof MovingRefused || error instanceof DomainError;
    post({ kind: "failed", message: isTheirs ? error.message : String(error), isOurs: !isTheirs });
  }
}

interface Progress {
  readonly bytes: (read: number) => void;
  readonly step: (name: string) => void;
}

function makeProgress({ isStopped }: Stopping, post: (notice: MoveNotice) => void): Progress {
  let [bytes, step, last] = [0, "reading", 0];
  const tell = (isNew: boolean) => {
    if (isStopped()) throw new Stopped("stopped");
    const at = performance.now();
    if (!isNew && at - last < TELL_EVERY) return;
    last = at;
    post({ kind: "progress", step, bytes });
  };
  return {
    bytes: (read) => {
      bytes = read;
      tell(false);
    },
    step: (name) => {
      const isNew = name !== step;
      step = name;
      tell(isNew);
    },
  };
}

async function runOrder(order: MoveOrder, progress: Progress): Promise<MoveNotice> {
  const { kind, folder, run, now, zone } = order;
  const files = sourceFiles(folder, run);
  if (kind === "look") {
    let bytes = 0;
    const looked = await lookAtTables(files, readMap(run.map), (more) => progress.bytes((bytes += more)));
    keepLooks(
      folder,
      run.id,
      looked.map(({ look }) => look),
    );
    return { kind: "looked" };
  }
  const source = sources[run.source];
  if (!source) throw new MovingRefused(`${run.source} is no source that is known`);
  using scratch = new Scratch(runFolder(folder, run.id));
  const notices = new Notices(scratch);
  const options = { now, zone, notices, map: run.map, progress: progress.bytes };
  const moved = await source.read(files, options);
  const db = openWriter(folder, { busyTimeout: BUSY_TIMEOUT });
  try {
    const { moveId, report, passwords } = await moveIn(db, order.by, moved, {
      ispId: run.ispId,
      source: run.source,
      files: files.map(({ name }) => name),
      now,
      zone,
      notices,
      ...run.options,
      dryRun: kind === "try",
      progress: progress.step,
      keep: (kept) => keepPasswords(folder, run.id, passwordList(kept.passwords)),
    });
    keepResult(folder, run.id, { moved, report, notices });
    return moveId === null ? { kind: "tried" } : { kind: "moved", moveId, passwords: passwords.length };
  } finally {
    db.$client.close();
  }
}

/** The list to hand out. */
function passwordList(passwords: readonly NewPassword[]): string {
  const [first] = passwords;
  const names = first ? Object.keys(first) : [];
  const rows = passwords.map((one) => csvLine(names.map((name) => String(Reflect.get(one, name) ?? ""))));
  return [BYTE_ORDER_MARK + csvLine(names), ...rows].join("");
}
