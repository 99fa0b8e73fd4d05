import { Database } from "bun:sqlite";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Appliance } from "../../support/appliance.ts";
import { Books } from "../books.ts";
import type { CutCommand } from "./cut-command.ts";
import { NEXT_MIGRATION } from "./next-version.ts";
import { checkFaults, copyFaults } from "../soundness.ts";
import { ACTIVE, torturedIsp, Traffic } from "../traffic.ts";

const WAITING = 300;
const SUBSCRIBERS = ACTIVE + WAITING;
const PASSPHRASE = "correct horse battery";

const databaseOf = ({ folder }: Appliance) => join(folder, "data/gatehouse.db");

/** Every command that writes to a data folder, with folders to run it in under `folder`. */
export async function commandsToCut(folder: string, nextVersion: string | undefined): Promise<CutCommand[]> {
  const box = await aBox(folder);
  return [
    ...[initOf(), importOf(box), moveOf(box), backupOf(box)],
    ...restoresOf(box),
    ...(nextVersion === undefined ? [] : [migrationOf(box, nextVersion)]),
  ];
}

interface Box {
  /** What the import takes. */
  readonly isp: string;
  /** An appliance that has worked for a moment, with a backup of before; its books. */
  readonly used: string;
  readonly books: Books;
  /** The backup alone. */
  readonly fresh: string;
}

async function aBox(folder: string): Promise<Box> {
  const [isp, used, fresh] = ["isp", "used", "fresh"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [isp, fresh]) mkdirSync(path);
  await Bun.write(join(isp, "isp.json"), torturedIsp({ waiting: WAITING }));
  await using appliance = new Appliance();
  cpSync(isp, appliance.folder, { recursive: true });
  const books = new Books();
  await must(appliance, ["import", "isp.json"]);
  await must(appliance, ["backup", "old.db", "--passphrase-stdin"], PASSPHRASE);
  const traffic = new Traffic(await appliance.serve(), books);
  await Bun.sleep(700);
  await traffic.end();
  await appliance.stop("SIGKILL"); // so that there is a write-ahead log
  cpSync(appliance.folder, used, { recursive: true });
  await Bun.write(join(used, PEOPLE), peopleToMove);
  cpSync(join(appliance.folder, "old.db"), join(fresh, "old.db"));
  await Bun.write(join(fresh, "kept.key"), await Bun.file(join(appliance.folder, "data/secret.key")).text());
  return { isp, used, books, fresh };
}

async function must(appliance: Appliance, args: string[], stdin = ""): Promise<void> {
  const { code, stderr } = await appliance.run(args, stdin);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr.trim()}`);
}

function initOf(): CutCommand {
  return {
    name: "init",
    args: ["init"],
    faultsAfter: async (appliance, { code }) => {
      const again = await appliance.run(["init"]);
      const isThere = again.stderr.includes("there is an Admin already");
      if (code === 0 ? !isThere : again.code !== 0 && !isThere)
        return [
          `after ${code === 0 ? "an" : "no"} Admin was told, init says: ${again.stderr.trim() || "done"}`,
        ];
      return checkFaults(appliance);
    },
  };
}

function importOf({ isp }: Box): CutCommand {
  return {
    name: "import",
    args: ["import", "isp.json"],
    template: isp,
    faultsAfter: async (appliance, { code }) => {
      const faults = code === 0 ? importedFaults(appliance) : [];
      await must(appliance, ["import", "isp.json"]);
      return [...faults, ...importedFaults(appliance), ...(await checkFaults(appliance))];
    },
  };
}

function importedFaults(appliance: Appliance): string[] {
  if (!existsSync(databaseOf(appliance))) return ["an import was reported and there is no store"];
  using store = new Database(databaseOf(appliance), { readonly: true });
  const count = store.query("SELECT count(*) FROM subscribers").values()[0]?.[0];
  return count === SUBSCRIBERS ? [] : [`${String(count)} of ${SUBSCRIBERS} subscribers are there`];
}

const PEOPLE = "people.csv";
const MOVED = 200;
/** Of these every fourth has no password there. */
const peopleToMove = [
  "Login,Password,Name,Package,Expiry",
  ...Array.from(
    { length: MOVED },
    (_, row) => `moved-${row},${row % 4 === 0 ? "" : "pw"},N ${row},Home,2031-05-01`,
  ),
].join("\n");

/** A move is there as a whole, with the passwords that it made beside it, or not at all; and again it changes nothing. */
function moveOf({ used, books }: Box): CutCommand {
  const args = ["migrate", "csv", PEOPLE];
  return {
    name: "move from another system",
    args,
    template: used,
    faultsAfter: async (appliance, { code }) => {
      const early = [...movedFaults(appliance, code === 0), ...(await checkFaults(appliance))];
      await must(appliance, args);
      const late = [...movedFaults(appliance, true), ...books.faultsIn(databaseOf(appliance))];
      return [...early, ...late, ...(await checkFaults(appliance))];
    },
  };
}

function movedFaults(appliance: Appliance, isKnown: boolean): string[] {
  using store = new Database(databaseOf(appliance), { readonly: true });
  const count = (sql: string) => Number(store.query(`SELECT count(*) FROM ${sql}`).values()[0]?.[0]);
  const people = count("subscribers WHERE username LIKE 'moved-%'");
  const rows = count("moved_rows WHERE kind = 'subscriber'");
  if (people === 0 && rows === 0 && !isKnown) return [];
  const faults = people === MOVED && rows === MOVED ? [] : [`${people} of ${MOVED} came, ${rows} remembered`];
  const lists = readdirSync(appliance.folder).filter((name) => name.startsWith("new-passwords"));
  const listed = lists.some(
    (name) => readFileSync(join(appliance.folder, name), "utf8").match(/moved-/g)?.length === MOVED / 4,
  );
  return listed
    ? faults
    : [...faults, `they came, and the list of their new passwords is not whole: ${lists.join()}`];
}

function backupOf({ used, books }: Box): CutCommand {
  return {
    name: "backup",
    args: ["backup", "new.db"],
    template: used,
    faultsAfter: async (appliance, { code }) => {
      const file = join(appliance.folder, "new.db");
      if (existsSync(file)) return copyFaults(file, books.acknowledgedSessions());
      if (code === 0) return ["the backup was reported and is not there"];
      await must(appliance, ["backup", "new.db"]);
      return copyFaults(file, books.acknowledgedSessions());
    },
  };
}

function restoresOf({ used, fresh, books }: Box): CutCommand[] {
  const restored = async (appliance: Appliance, args: string[], code: number) => {
    const early = code === 0 ? importedFaults(appliance) : [];
    await must(appliance, args);
    return [...early, ...importedFaults(appliance), ...(await checkFaults(appliance))];
  };
  const over = ["restore", "old.db"];
  const onto = ["restore", "old.db", "--key", "kept.key"];
  return [
    {
      name: "restore over a store",
      args: over,
      template: used,
      faultsAfter: async (appliance, { code }) => {
        // one key for both: whichever of the two is there, it works; and check finishes what SQLite was about to do
        const wrong = [...(await checkFaults(appliance)), ...oldOrRestoredFaults(appliance, books, code)];
        return [...wrong, ...(await restored(appliance, over, code))];
      },
    },
    {
      name: "restore onto a new box",
      args: onto,
      template: fresh,
      faultsAfter: (appliance, { code }) => restored(appliance, onto, code),
    },
  ];
}

/** A restore has changed everything, with what was there in a folder of its own; or nothing, when it was cut off. */
function oldOrRestoredFaults(appliance: Appliance, books: Books, code: number): string[] {
  const database = databaseOf(appliance);
  const data = join(appliance.folder, "data");
  const kept = readdirSync(data)
    .filter((name) => name.startsWith("replaced-"))
    .map((name) => join(data, name, "gatehouse.db"))
    .find((file) => existsSync(file) && statSync(file).ino !== statSync(database).ino);
  if (kept !== undefined)
    return [
      ...importedFaults(appliance),
      ...books.faultsIn(kept).map((fault) => `what was replaced: ${fault}`),
    ];
  return code === 0 ? ["what was replaced is gone"] : books.faultsIn(database);
}

function migrationOf({ used, books }: Box, nextVersion: string): CutCommand {
  return {
    name: "migration",
    args: ["serve"],
    template: used,
    program: nextVersion,
    faultsAfter: async (appliance) => {
      const faults = snapshotFaults(appliance, books);
      appliance.command = [nextVersion];
      await appliance.serve();
      await appliance.stop();
      return [
        ...faults,
        ...snapshotFaults(appliance, books),
        ...books.faultsIn(databaseOf(appliance)),
        ...(await checkFaults(appliance)),
      ];
    },
  };
}

/** Beside a store that has been changed there is one of before, and none is half a one. */
function snapshotFaults(appliance: Appliance, books: Books): string[] {
  const data = join(appliance.folder, "data");
  const copies = readdirSync(data).filter(
    (name) => name.startsWith("gatehouse.db.before-") && !name.includes("unfinished"),
  );
  using store = new Database(databaseOf(appliance), { readonly: true });
  const isChanged = store.query("SELECT 1 FROM _migrations WHERE tag = ?").get(NEXT_MIGRATION) !== null;
  if (isChanged && copies.length === 0) return ["it was migrated and there is no copy of before"];
  return copies.flatMap((name) => {
    try {
      return copyFaults(join(data, name), books.acknowledgedSessions()).map((fault) => `${name}: ${fault}`);
    } catch (error) {
      return [`${name}: ${String(error)}`];
    }
  });
}
