import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import type { Seconds } from "../../core/time/time.ts";
import { readKept, writeKept } from "./kept-json.ts";

/*
 * What came of trials is kept beside the store and not in it: a restore of an older state must not forget which backups were
 * tried, nor believe it of one that it has never seen.
 */

/** Backups whose last trial is remembered. */
const MOST = 200;

const record = Type.Object({
  name: Type.String(),
  createdAt: Type.Integer(),
  at: Type.Integer(),
  /** One sentence; null: it can be restored, and is whole. */
  fault: Type.Union([Type.String(), Type.Null()]),
  /** Whether it was opened by its passphrase, as on another machine. */
  byPassphrase: Type.Boolean(),
});
const records = Type.Array(record);

export interface TrialRecord {
  readonly name: string;
  readonly createdAt: Seconds;
  readonly at: Seconds;
  readonly fault: string | null;
  readonly byPassphrase: boolean;
}

const recordsFile = (dataFolder: string) => join(dataFolder, "backup-trials.json");

/** The newest first; none where there are none, or they cannot be read. */
export function trialRecords(dataFolder: string): TrialRecord[] {
  return readKept(recordsFile(dataFolder), records) ?? [];
}

export function storeTrial(dataFolder: string, tried: TrialRecord): void {
  const others = trialRecords(dataFolder).filter(({ name }) => name !== tried.name);
  writeKept(recordsFile(dataFolder), [tried, ...others].slice(0, MOST));
}
