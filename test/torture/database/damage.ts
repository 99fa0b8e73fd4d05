import { Database } from "bun:sqlite";
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { Appliance } from "../../support/appliance.ts";
import { Books } from "../books.ts";
import { begin } from "../disk-faults.ts";
import { checkFaults, copyFaults, endOf } from "../soundness.ts";
import { drawing, type Extent } from "../trial.ts";
import { authorization } from "../../../scripts/bench.d/data-set.ts";
import { Traffic } from "../traffic.ts";

const PAGE = 4096;
/** The short form asks two commands what they say of a store that cannot be opened. */
type Length = Pick<Extent, "isShort">;

/** A store that has worked, was backed up and then worked on, in a folder to be copied. */
export interface Template {
  readonly folder: string;
  readonly books: Books;
}

/** As it is after a stop in order, or after a kill with everything still in the write-ahead log. */
export async function template(
  folder: string,
  { end, milliseconds }: { end: "SIGTERM" | "SIGKILL"; milliseconds: number },
): Promise<Template> {
  await using appliance = new Appliance();
  await begin(appliance);
  const books = new Books();
  const { code, stderr } = await appliance.run(["backup", "good.db"]);
  if (code !== 0) throw new Error(stderr);
  const traffic = new Traffic(await appliance.serve(), books);
  await Bun.sleep(milliseconds);
  await traffic.end();
  await appliance.stop(end);
  cpSync(appliance.folder, folder, { recursive: true });
  return { folder, books };
}

/** The same as it would be after a stop in order. */
export function checkpointed({ folder: killed, books }: Template, folder: string): Template {
  cpSync(killed, folder, { recursive: true });
  using store = new Database(join(folder, "data/gatehouse.db"), { readwrite: true });
  store.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return { folder, books };
}

function copyOf({ folder }: Template): Appliance {
  const appliance = new Appliance();
  cpSync(folder, appliance.folder, { recursive: true });
  return appliance;
}

const file = (appliance: Appliance, end = "") => join(appliance.folder, `data/gatehouse.db${end}`);

/**
 * One page is overwritten with noise: the first of the file, the first of the subscribers' table, or any. Whoever meets it is told, the others are
 * served; a backup of it is whole or refused, and the last one brings everything back.
 */
export async function corruptPage(
  of: Template,
  seed: number,
  which: "first" | "subscribers" | "any",
): Promise<string[]> {
  await using appliance = copyOf(of);
  const draw = drawing(seed);
  const pages = {
    first: () => 0,
    subscribers: () => rootPage(appliance),
    any: () => Math.floor((draw() * statSync(file(appliance)).size) / PAGE),
  };
  const page = pages[which]();
  const noise = Uint8Array.from({ length: PAGE }, () => Math.floor(draw() * 256));
  const store = openSync(file(appliance), "r+");
  writeSync(store, noise, 0, PAGE, page * PAGE);
  closeSync(store);
  const faults: string[] = [];
  const found = await appliance.run(["check"]);
  // a page that is not in use may say anything
  if (found.code === 0) faults.push(...of.books.faultsIn(file(appliance)));
  else if (!/restore/.test(found.stdout + found.stderr))
    faults.push(`check says ${found.stdout}${found.stderr}`);
  faults.push(...(await servedDamaged(appliance)));
  faults.push(...(await backedUpDamaged(appliance, of)));
  faults.push(...(await restoreGood(appliance)));
  return faults.map((fault) => `page ${page + 1} of noise: ${fault}`);
}

/** The number of pages before the table of the subscribers. */
function rootPage(appliance: Appliance): number {
  using store = new Database(file(appliance), { readonly: true });
  return (
    Number(store.query("SELECT rootpage FROM sqlite_master WHERE name = 'subscribers'").values()[0]?.[0]) - 1
  );
}

/** Either it says at the start that the database is damaged, or every answer is right or says so. */
async function servedDamaged(appliance: Appliance): Promise<string[]> {
  let http: string;
  try {
    ({ http } = await appliance.serve());
  } catch (error) {
    return /damaged.*restore/.test(String(error)) ? [] : [`the start fails: ${String(error)}`];
  }
  const faults: string[] = [];
  for (const path of ["/api/v1/subscriber/get/1", "/api/v1/subscriber/list", "/api/v1/subscriber/usage/1"]) {
    const response = await fetch(`http://${http}${path}`, { headers: { authorization } });
    const text = await response.text();
    const isStated = response.status === 503 && /damaged.*restore/.test(text);
    if (response.status !== 200 && !isStated) faults.push(`${path} is ${response.status}: ${text}`);
  }
  await appliance.stop();
  return faults;
}

/** A backup of it is refused; or whole, where the noise is in an index, which a copy makes anew. */
async function backedUpDamaged(appliance: Appliance, { books }: Template): Promise<string[]> {
  const { code, stderr } = await appliance.run(["backup", "bad.db"]);
  const copy = join(appliance.folder, "bad.db");
  if (code === 0) return [...copyFaults(copy), ...books.faultsIn(copy)];
  if (existsSync(copy)) return ["a backup failed and left a file"];
  return code === 1 && /damaged/.test(stderr) ? [] : [`a backup of it ends with ${code}: ${stderr.trim()}`];
}

async function restoreGood(appliance: Appliance): Promise<string[]> {
  const { code, stderr } = await appliance.run(["restore", "good.db"]);
  if (code !== 0) return [`the last backup does not come back: ${stderr.trim()}`];
  return checkFaults(appliance);
}

/** A store that a newer program has changed: every command says so, and not a byte of it changes. */
export async function newerSchema(of: Template, { isShort }: Length): Promise<string[]> {
  await using appliance = copyOf(of);
  const store = new Database(file(appliance), { readwrite: true });
  store.run("INSERT INTO _migrations VALUES ('9999_future', 'x', 1)");
  store.close();
  const before = readFileSync(file(appliance));
  const faults: string[] = [];
  const commands = [
    ["serve"],
    ["check"],
    ["import", "isp.json"],
    ["subscriber", "credit", "user1", "1.00"],
    ["init"],
  ];
  for (const args of commands.slice(0, isShort ? 2 : undefined)) {
    const { code, stderr } = await endOf(appliance, args);
    if (code !== 1 || !/newer gatehouse/.test(stderr))
      faults.push(`${args[0]} ends with ${code}: ${stderr.trim()}`);
  }
  if (!readFileSync(file(appliance)).equals(before)) faults.push("it was changed");
  return faults.map((fault) => `a newer schema: ${fault}`);
}

/** The write-ahead log is gone: said by every command, and when it is brought back everything is there. */
export async function lostLog(of: Template, { isShort }: Length): Promise<string[]> {
  await using appliance = copyOf(of);
  const kept = join(appliance.folder, "kept-wal");
  renameSync(file(appliance, "-wal"), kept);
  const before = readFileSync(file(appliance));
  const faults: string[] = [];
  const commands = [["serve"], ["import", "isp.json"], ["check"], ["backup", "bad.db"], ["export"], ["init"]];
  for (const args of commands.slice(0, isShort ? 2 : undefined)) {
    const { code, stderr } = await endOf(appliance, args);
    if (code !== 1 || !/-wal is missing/.test(stderr))
      faults.push(`${args[0]} ends with ${code}: ${stderr.trim()}`);
  }
  if (!readFileSync(file(appliance)).equals(before)) faults.push("it was changed");
  renameSync(kept, file(appliance, "-wal"));
  if (!isShort) faults.push(...(await whole(appliance, of))); // which is so with a lost index as well
  return faults.map((fault) => `a lost log: ${fault}`);
}

/** The index of the log is gone, which SQLite makes anew; and a log with noise behind its end is as good as one without. */
export async function lostIndex(of: Template): Promise<string[]> {
  await using appliance = copyOf(of);
  rmSync(file(appliance, "-shm"));
  const log = openSync(file(appliance, "-wal"), "a");
  writeSync(log, Buffer.alloc(3 * PAGE, 0x5a));
  closeSync(log);
  const faults = await whole(appliance, of);
  return faults.map((fault) => `a lost index of the log: ${fault}`);
}

async function whole(appliance: Appliance, { books }: Template): Promise<string[]> {
  await appliance.serve();
  await appliance.stop();
  return [...books.faultsIn(file(appliance)), ...(await checkFaults(appliance))];
}
