import { type Db, type Tx, write } from "../../../../../db/open.ts";
import { audit } from "../../../core/audit/audit.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault, type Input } from "../../../core/fields/fields.ts";
import type { Actor } from "../../../core/actor/actor.ts";
import { permit } from "../../../core/actor/permissions.ts";
import { findDoubles, type Unshared, unsharedColumns } from "../../../goods/subscribers/doubles.ts";
import { requireOwnLines } from "../../../goods/subscribers/line-id.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { findAddressPoolFaults, readAddressPools, stageAddressPools } from "./address-pools.ts";
import { settleAddresses } from "../../../goods/address-pools/settle.ts";
import { stageBalances } from "./balances.ts";
import { vacate, type VacatedValue } from "./collisions.ts";
import { cardBatchReader, findCardBatchFaults, readCardBatches, stageCardBatches } from "./card-batches.ts";
import { findCardFaults } from "./card-faults.ts";
import { findCardTemplateFaults, readCardTemplates, stageCardTemplates } from "./card-templates.ts";
import { keptCards, readCards, stageCards } from "./cards.ts";
import { readDirectory } from "./directory.ts";
import { rejectImport } from "./import-refused.ts";
import { findNasRowFaults, readNasRows, stageNas } from "./nas.ts";
import { auditedOutcome, type ImportOutcome, type ImportSummary } from "./outcome.ts";
import { findPackageFaults, readPackages, stagePackages } from "./packages.ts";
import { findPlaceFaults, readPlaces, stagePlaces } from "./places.ts";
import { findRoleFaults, readRoles, stageRoles } from "./roles.ts";
import { below, isObject } from "./rows.ts";
import { changedSettings, findSettingFaults, readSettings, writeSettings } from "./settings.ts";
import { findStaffRowFaults, hashStaffPasswords, readStaff, type StaffRow, stageStaff } from "./staff.ts";
import { type StagedRows, Staging } from "./staging.ts";
import { readSessions, stageSessions } from "./sessions.ts";
import { refuseStale, StaleError } from "./stale.ts";
import { keepMoved } from "./stamps.ts";
import { stageSubscribers } from "./subscriber-staging.ts";
import { findSubscriberRowFaults, readSubscribers, type SubscriberRow } from "./subscribers.ts";

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
  "address_pools",
  "packages",
  "subscribers",
  "sessions",
  "card_templates",
  "card_batches",
  "cards",
]);

export interface ImportOptions {
  readonly now: Seconds;
  readonly dryRun?: boolean;
  /** Overwrites balances and expirations that moved since the export. */
  readonly overwriteMoney?: boolean;
  readonly progress?: (step: string) => void;
}

interface DataSet extends Omit<ReturnType<typeof readDataSet>, "staff" | "subscribers"> {
  readonly staff: readonly StaffRow[];
  readonly subscribers: readonly SubscriberRow[];
}

/** Bytes of page cache for the commit: spilled pages are written twice, under the lock. */
const CACHE = 64 * 1024 * 1024;

/** Imports a data set in one transaction. Throws ImportRefused with every fault, `refused` when the store changed meanwhile. */
export async function importDataSet(
  db: Db,
  by: Actor,
  data: unknown,
  options: ImportOptions,
): Promise<ImportOutcome> {
  permit(by, "importDataSet");
  const alongside = (tx: Tx, outcome: ImportOutcome) =>
    audit(tx, by, options.now, {
      action: "data.import",
      entity: "appliance",
      entityId: "",
      ispId: null,
      ...auditedOutcome(outcome),
    });
  return runDataSetImport(db, by, () => data, { ...options, alongside });
}

/** The input of callers that have checked permission. */
interface ImportInput extends ImportOptions {
  /** Called before writing; throwing aborts. */
  readonly beforeWriting?: () => void;
  /** Called under the lock; throwing aborts. */
  readonly locked?: (tx: Tx) => void;
  /** Further writes in the transaction. */
  readonly alongside: (tx: Tx, outcome: ImportOutcome) => void;
  /** The ledger's reason for changed balances. */
  readonly reason?: string;
}

/**
 * Imports without checking permission. `read` sees the same snapshot as the checks. All preparation is done before the write
 * lock, for routers do not wait long.
 */
export async function runDataSetImport(
  db: Db,
  by: Actor,
  read: () => unknown,
  options: ImportInput,
): Promise<ImportOutcome> {
  const { now, dryRun = false, overwriteMoney = false, progress = () => {} } = options;
  const { alongside, beforeWriting = () => {}, locked = () => {}, reason } = options;
  progress("checking");
  const { set, vacated, unshared, doubles } = db.$client.transaction(() => readFaultless(db, read()))();
  const hashes = await hashStaffPasswords(db, set.staff);
  progress("preparing");
  using staging = new Staging(db);
  const { staged, kept } = db.$client.transaction(() => {
    const moved = overwriteMoney ? { ...set, kept: [] } : keepMoneyMoved(db, set);
    const kept = [...moved.kept, ...keptCards(db, set.cards)];
    return { staged: stage(staging, { ...set, ...moved }, hashes, { by, now }), kept };
  })();
  const outcome = { summary: summarize(staged), changes: staging.changes.rows, kept };
  if (!dryRun) {
    beforeWriting();
    progress("writing");
    db.$client.run(`PRAGMA cache_size = -${CACHE / 1024}`);
    refuseStale(() =>
      write(db, (tx) => {
        locked(tx);
        vacate(tx, vacated);
        writeStaged(tx, staged, { now, by, reason });
        if (!listDoubles(tx, unshared).isSubsetOf(doubles)) throw new StaleError();
        alongside(tx, outcome);
      }),
    );
  }
  return outcome;
}

function readFaultless(db: Db, data: unknown) {
  const faults: Faults = {};
  const set = readDataSet(db, data, faults);
  const unshared = unsharedColumns(db, set.settings.get("unique_contacts"));
  const vacated = findFaults(db, set, unshared, faults);
  rejectImport(faults, data);
  return { set, vacated, unshared, doubles: listDoubles(db, unshared) };
}

/** Forbidden duplicates, before and after: no constraint checks them, because a setting allows them. Existing ones may stay. */
function listDoubles(db: Db, unshared: readonly Unshared[]): ReadonlySet<string> {
  const doubles = findDoubles(db, unshared);
  return new Set(doubles.flatMap(({ field, value, ids }) => ids.map((id) => `${field} ${id} ${value}`)));
}

function readDataSet(db: Db, data: unknown, faults: Faults) {
  if (!isObject(data)) addFault(faults, "", phrase`the file must be a JSON object`);
  const file: Input = isObject(data) ? data : {};
  for (const name of Object.keys(file))
    if (!sections.has(name))
      addFault(
        faults,
        below("", name),
        phrase`is not a known section; there are ${[...sections].join(", ")}`,
      );
  const stored = readDirectory(db);
  return {
    settings: readSettings(file, faults),
    places: readPlaces(file, stored, faults),
    roles: readRoles(db, file, stored, faults),
    staff: readStaff(file, stored, faults),
    nas: readNasRows(db, file, stored, faults),
    addressPools: readAddressPools(file, stored, faults),
    packages: readPackages(file, stored, faults),
    subscribers: readSubscribers(file, stored, faults),
    sessions: readSessions(file, faults),
    cardTemplates: readCardTemplates(db, file, stored, faults),
    cardBatches: readCardBatches(file, stored, faults),
    cards: readCards(db, file, faults),
  };
}

/** References and unique values. */
function findFaults(
  db: Db,
  { settings, places, roles, staff, nas, addressPools, packages, subscribers, ...prepaid }: DataSet,
  unshared: readonly Unshared[],
  faults: Faults,
): VacatedValue[] {
  const directory = readDirectory(db);
  findSettingFaults(db, settings, faults);
  findPlaceFaults(places, directory, faults);
  findRoleFaults(roles, directory, faults);
  const accounts = findStaffRowFaults(db, staff, directory, faults);
  const routers = findNasRowFaults(db, nas, directory, faults);
  findAddressPoolFaults(addressPools, directory, faults);
  findPackageFaults(db, packages, directory, faults);
  const lines = findSubscriberRowFaults(db, subscribers, { directory, unshared }, faults);
  const { cardTemplates, cardBatches: batches, cards } = prepaid;
  findCardTemplateFaults(db, cardTemplates, directory, faults);
  findCardBatchFaults(db, batches, directory, faults);
  const findBatch = cardBatchReader(db, batches);
  findCardFaults(db, cards, { directory, batches, findBatch, subscribers }, faults);
  return [...accounts, ...routers, ...lines];
}

function keepMoneyMoved(db: Db, { staff, subscribers }: DataSet) {
  const accounts = keepMoved(db, "staff", staff);
  const lines = keepMoved(db, "subscribers", subscribers);
  return { staff: accounts.rows, subscribers: lines.rows, kept: [...accounts.kept, ...lines.kept] };
}

function stage(
  staging: Staging,
  set: DataSet,
  hashes: ReadonlyMap<number, string>,
  { by, now }: { by: Actor; now: Seconds },
) {
  const packages = stagePackages(staging, set.packages, now);
  return {
    settings: changedSettings(staging, set.settings),
    places: stagePlaces(staging, set.places),
    roles: stageRoles(staging, set.roles, now),
    staff: stageStaff(staging, set.staff, hashes, now),
    nas: stageNas(staging, set.nas, now),
    addressPools: stageAddressPools(staging, set.addressPools, now),
    packages: packages.rows,
    subscribers: stageSubscribers(staging, set.subscribers, packages.after, now),
    sessions: stageSessions(staging, set.sessions),
    cardTemplates: stageCardTemplates(staging, set.cardTemplates, now),
    cardBatches: stageCardBatches(staging, set.cardBatches, { maker: by.name, now }),
    cards: stageCards(staging, set.cards, cardBatchReader(staging.db, set.cardBatches)),
    balances: {
      staff: stageBalances(staging, "staff_id", set.staff),
      subscribers: stageBalances(staging, "subscriber_id", set.subscribers),
    },
  };
}

type Staged = ReturnType<typeof stage>;

/**
 * Facts checked before the lock may have changed: the store's constraints catch keys, unique values and references. Values that
 * subscribers may not share are no constraint, and checked again.
 */
function writeStaged(
  tx: Tx,
  staged: Staged,
  { now, by, reason }: { now: Seconds; by: Actor; reason: string | undefined },
): void {
  writeSettings(tx, staged.settings);
  for (const places of Object.values(staged.places)) places.write(tx);
  staged.roles.write(tx);
  staged.staff.write(tx);
  staged.nas.write(tx);
  staged.addressPools.write(tx);
  staged.packages.write(tx);
  staged.subscribers.write(tx);
  staged.subscribers.history.write(tx, by, "new"); // before what the account opens with
  staged.balances.staff.book(tx, { now, by, reason });
  staged.balances.subscribers.book(tx, { now, by, reason });
  staged.subscribers.history.write(tx, by, "known");
  staged.sessions.write(tx);
  staged.cardTemplates.write(tx);
  staged.cardBatches.write(tx);
  staged.cards.write(tx);
  requireOwnLines(tx);
  settleAddresses(tx, { moved: staged.subscribers.moved }, now);
}

function summarize({ settings, places, balances, ...staged }: Staged): ImportSummary {
  const tables = {
    ...Object.fromEntries(Object.entries(places).map(([name, rows]) => [name, count(rows)])),
    roles: count(staged.roles.rows),
    staff: count(staged.staff.rows, balances.staff.changed),
    nas: count(staged.nas),
    ...(staged.addressPools.added + staged.addressPools.changed.size > 0 && {
      address_pools: count(staged.addressPools),
    }),
    packages: count(staged.packages),
    subscribers: count(staged.subscribers.rows, balances.subscribers.changed),
    card_templates: count(staged.cardTemplates),
    card_batches: count(staged.cardBatches),
    cards: count(staged.cards.rows),
    ...(staged.sessions.given > 0 && { sessions: { added: staged.sessions.given, changed: 0 } }),
  };
  return { settings: { added: 0, changed: settings.size }, ...tables };
}

function count({ added, changed }: StagedRows, booked: ReadonlySet<number> = new Set()) {
  return { added, changed: changed.union(booked).size };
}
