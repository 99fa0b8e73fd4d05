import { type Db, type Tx, write } from "../../../db/open.ts";
import { audit } from "../audit.ts";
import { DomainError, type FieldErrors } from "../errors.ts";
import { addFault, type Input } from "../fields.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";
import { writeBalances } from "./balances.ts";
import { park, type Parked } from "./collisions.ts";
import { type Directory, readDirectory } from "./directory.ts";
import { findNasFaults, readNasRows, writeNas } from "./nas.ts";
import { findPackageFaults, readPackages, writePackages } from "./packages.ts";
import { findPlaceFaults, readPlaces, writePlaces } from "./places.ts";
import { findRoleFaults, readRoles, writeRoles } from "./roles.ts";
import { below, object, type Row } from "./rows.ts";
import { readSettings, writeSettings } from "./settings.ts";
import { findStaffFaults, hashStaffPasswords, readStaff, writeStaff } from "./staff.ts";
import type { SealedPasswords } from "./service-writer.ts";
import { sealPasswords, writeSubscribers } from "./subscriber-writer.ts";
import { findSubscriberFaults, readSubscribers } from "./subscribers.ts";

const sections = new Set([
  "settings",
  "isps",
  "cities",
  "areas",
  "subareas",
  "permission_flags",
  "roles",
  "staff",
  "nas",
  "packages",
  "subscribers",
]);

/** Rows by section, those that were new and those that the store had. */
export type ImportSummary = Readonly<Record<string, { added: number; changed: number }>>;

type DataSet = ReturnType<typeof readDataSet>;

interface Secrets {
  readonly hashes: ReadonlyMap<number, string>;
  readonly sealed: SealedPasswords;
}

/**
 * Brings a whole data set into the store (appliance.md, Import format): everything in one transaction, or nothing. Throws
 * `invalid` with every fault under its JSON pointer. Checks, hashes and seals first, so that the write lock is held for the
 * writing and a second look at what others may have changed meanwhile.
 */
export async function importDataSet(
  db: Db,
  data: unknown,
  { now, by, dryRun = false }: { now: Seconds; by: Actor; dryRun?: boolean },
): Promise<ImportSummary> {
  const faults: FieldErrors = {};
  const set = readDataSet(db, data, faults);
  findFaults(db, set, faults);
  rejectImport(faults);
  if (!dryRun) {
    const secrets = {
      hashes: await hashStaffPasswords(db, set.staff),
      sealed: sealPasswords(db.vault, set.subscribers),
    };
    write(db, (tx) => writeDataSet(tx, set, secrets, { now, by }));
  }
  return summarize(set);
}

function readDataSet(db: Db, data: unknown, faults: FieldErrors) {
  const file: Input = object(data, "", faults) ?? {};
  for (const name of Object.keys(file))
    if (!sections.has(name)) addFault(faults, below("", name), "is not a known section");
  const stored = readDirectory(db);
  return {
    settings: readSettings(file, faults),
    places: readPlaces(file, stored, faults),
    roles: readRoles(db, file, stored, faults),
    staff: readStaff(file, stored, faults),
    nas: readNasRows(db, file, stored, faults),
    packages: readPackages(file, stored, faults),
    subscribers: readSubscribers(file, stored, faults),
  };
}

/** What can only be judged with the store: references and unique values. */
function findFaults(
  db: Db,
  { places, roles, staff, nas, packages, subscribers }: DataSet,
  faults: FieldErrors,
): { directory: Directory; parked: Parked[] } {
  const directory = readDirectory(db);
  findPlaceFaults(places, directory, faults);
  findRoleFaults(roles, directory, faults);
  const parked = findStaffFaults(db, staff, directory, faults);
  parked.push(...findNasFaults(db, nas, directory, faults));
  findPackageFaults(packages, directory, faults);
  parked.push(...findSubscriberFaults(db, subscribers, { directory, staff }, faults));
  return { directory, parked };
}

function writeDataSet(
  tx: Tx,
  set: DataSet,
  { hashes, sealed }: Secrets,
  { now, by }: { now: Seconds; by: Actor },
): void {
  const faults: FieldErrors = {};
  const { directory, parked } = findFaults(tx, set, faults);
  rejectImport(faults);
  park(tx, parked);
  writeSettings(tx, set.settings);
  writePlaces(tx, set.places);
  writeRoles(tx, set.roles, now);
  writeStaff(tx, set.staff, hashes, now);
  writeNas(tx, set.nas, now);
  writePackages(tx, set.packages, now);
  writeSubscribers(tx, set.subscribers, sealed, now);
  writeBalances(tx, "staff_id", set.staff, directory.staff, { now, by });
  writeBalances(tx, "subscriber_id", set.subscribers, directory.subscribers, { now, by });
  audit(tx, by, now, {
    action: "data.import",
    entity: "appliance",
    entityId: "",
    ispId: null,
    after: summarize(set),
  });
}

function rejectImport(faults: FieldErrors): void {
  const count = Object.keys(faults).length;
  if (count === 0) return;
  throw new DomainError(
    "invalid",
    `nothing was imported; correct ${count === 1 ? "this" : `these ${count} places`} and try again`,
    { fields: faults },
  );
}

function summarize({ places, roles, staff, nas, packages, subscribers, settings }: DataSet): ImportSummary {
  const tables: Record<string, readonly Row<unknown>[]> = {
    ...places,
    roles: roles.roles,
    staff,
    nas,
    packages,
    subscribers,
  };
  const counts = Object.entries(tables).map(([name, rows]) => {
    const changed = rows.filter(({ known }) => known).length;
    return [name, { added: rows.length - changed, changed }] as const;
  });
  return { settings: { added: 0, changed: settings.size }, ...Object.fromEntries(counts) };
}
