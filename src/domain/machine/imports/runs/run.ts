import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writePrivate } from "../../../core/files/files.ts";
import type { SourceFile } from "../source.ts";

/* Uploads wait in the data folder with results and state; readable by our user only, removed after a day. */

/**
 * `waiting` for another run; `looking` for columns, which `columns` waits to confirm; `reading` is the trial, then `tried`;
 * `moving` writes, then `moved`. `failed`, `stopped` and `interrupted` have written nothing.
 */
const runStates = [
  "waiting",
  "looking",
  "columns",
  "reading",
  "tried",
  "moving",
  "moved",
  "failed",
  "stopped",
  "interrupted",
] as const;
export type RunState = (typeof runStates)[number];

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const runSchema = Type.Object({
  id: Type.String(),
  ispId: Type.Integer(),
  staffId: nullable(Type.Integer()),
  actor: Type.String(),
  source: Type.String(),
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer() })),
  createdAt: Type.Integer(),
  /** When it got its state. */
  changedAt: Type.Integer(),
  state: Type.Union(runStates.map((state) => Type.Literal(state))),
  /** Why it stopped, in words. */
  problem: nullable(Type.String()),
  map: Type.Unknown(),
  /** Absent in older runs. */
  options: Type.Optional(Type.Object({ shareNumbers: Type.Boolean(), autoRenew: Type.Boolean() })),
  moveId: nullable(Type.Integer()),
  /** Generated passwords not yet fetched. */
  passwords: Type.Integer(),
});

export type Run = Static<typeof runSchema>;

export type RunOptions = NonNullable<Run["options"]>;

export const runsFolder = (dataFolder: string) => join(dataFolder, "uploads");
export const runFolder = (dataFolder: string, id: string) => join(runsFolder(dataFolder), id);

const isRunId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

export function saveRun(dataFolder: string, run: Run): void {
  const folder = runFolder(dataFolder, run.id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeWhole(join(folder, "run.json"), JSON.stringify(run));
}

/** Replaces a file in one step: whoever reads it sees the text before or the new one. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function loadRun(dataFolder: string, id: string): Run | undefined {
  return isRunId(id) ? readJson(join(runFolder(dataFolder, id), "run.json"), runSchema) : undefined;
}

export function loadRuns(dataFolder: string): Run[] {
  return namesIn(runsFolder(dataFolder))
    .flatMap((id) => loadRun(dataFolder, id) ?? [])
    .toSorted((a, b) => b.createdAt - a.createdAt);
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing was uploaded yet
  }
}

/** The value of a file; undefined: there is no file, or not of this form. */
export function readJson<S extends Parameters<typeof Value.Check>[0]>(
  file: string,
  schema: S,
): Static<S> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Value.Check(schema, value) ? (value as Static<S>) : undefined;
  } catch {
    return undefined;
  }
}

/** An uploaded file, under a name of ours: that of the uploader may be a path. */
export const uploadedFile = (dataFolder: string, id: string, index: number) =>
  join(runFolder(dataFolder, id), `file-${index}`);

/** The uploaded files, as sources read them. */
export function sourceFiles(dataFolder: string, { id, files }: Run): SourceFile[] {
  return files.map(({ name, bytes }, index) => ({
    name,
    bytes,
    open: () => Bun.file(uploadedFile(dataFolder, id, index)).stream(),
  }));
}

/** Removes what was uploaded; its results stay. */
export function removeUploaded(dataFolder: string, { id, files }: Run): void {
  for (const index of files.keys()) rmSync(uploadedFile(dataFolder, id, index), { force: true });
}

export function removeRun(dataFolder: string, id: string): void {
  shredPasswords(dataFolder, id);
  rmSync(runFolder(dataFolder, id), { recursive: true, force: true });
}

/** Removes interrupted or unreadable uploads, but keeps unfetched passwords and those still `arriving`. */
export function removeHalfUploaded(dataFolder: string, arriving: { has: (id: string) => boolean }): void {
  for (const id of namesIn(runsFolder(dataFolder))) {
    const isKnown = !isRunId(id) || arriving.has(id) || loadRun(dataFolder, id) !== undefined;
    if (!isKnown && keptPasswords(dataFolder, id) === undefined) removeRun(dataFolder, id);
  }
}

const passwordsFile = (dataFolder: string, id: string) => join(runFolder(dataFolder, id), "passwords.csv");

export function keepPasswords(dataFolder: string, id: string, text: string): void {
  writePrivate(passwordsFile(dataFolder, id), text);
}

/** New passwords as CSV; undefined: there are none, or they were fetched. */
export function keptPasswords(dataFolder: string, id: string): string | undefined {
  try {
    return readFileSync(passwordsFile(dataFolder, id), "utf8");
  } catch {
    return undefined;
  }
}

/** Removes the passwords, overwritten before as far as the disk does that. */
export function shredPasswords(dataFolder: string, id: string): void {
  const file = passwordsFile(dataFolder, id);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return;
  writeFileSync(file, Buffer.alloc(found.size), { flag: "r+" });
  rmSync(file, { force: true });
}

const lastMapFile = (dataFolder: string, ispId: number, source: string) =>
  join(runsFolder(dataFolder), `map-${ispId}-${source}.json`);

/** Parts of a map that belong to one file. */
const OF_ONE_FILE: ReadonlySet<string> = new Set(["encoding", "delimiter", "secret"]);

/** An ISP's last map, for files with the same columns; null: none. */
export function readLastMap(dataFolder: string, ispId: number, source: string): unknown {
  return readJson(lastMapFile(dataFolder, ispId, source), Type.Unknown()) ?? null;
}

export function writeLastMap(dataFolder: string, { ispId, source, map }: Run): void {
  const kept = JSON.stringify(map, (name, value: unknown) => (OF_ONE_FILE.has(name) ? undefined : value));
  if (map !== null) writeWhole(lastMapFile(dataFolder, ispId, source), kept);
}
