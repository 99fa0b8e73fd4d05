import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import type { Seconds } from "../../core/time/time.ts";
import { readKept, writeKept } from "./kept-json.ts";

/** Remembered trials. */
const MOST = 200;

const record = Type.Object({
  name: Type.String(),
  createdAt: Type.Integer(),
  at: Type.Integer(),
  /** null: it can be restored and is whole. */
  fault: Type.Union([Type.String(), Type.Null()]),
  /** By passphrase, as on another machine. */
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

/** The newest first; empty where unreadable. */
export function trialRecords(dataFolder: string): TrialRecord[] {
  return readKept(recordsFile(dataFolder), records) ?? [];
}

export function storeTrial(dataFolder: string, tried: TrialRecord): void {
  const others = trialRecords(dataFolder).filter(({ name }) => name !== tried.name);
  writeKept(recordsFile(dataFolder), [tried, ...others].slice(0, MOST));
}
