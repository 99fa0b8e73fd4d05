import { unknownFields } from "../../../core/fields/nearest.ts";
import type { Db } from "../../../../../db/open.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault, fieldNames, type Input, readFields } from "../../../core/fields/fields.ts";
import { findReferenceFaults, type Isp, type Reference } from "../../../core/references/references.ts";
import { type Unshared, usernames } from "../../../goods/subscribers/doubles.ts";
import {
  comparedKey,
  findCollisions,
  findWrongReferences,
  type SubscriberLookup,
} from "../../../goods/subscribers/rules.ts";
import { Holders, type VacatedValue } from "./collisions.ts";
import { addBelow, type Directory, enter, referencesIn } from "./directory.ts";
import { keyNameFault } from "../../../core/fields/key-names.ts";
import { codeNames, IS_A_CODE } from "../../../goods/codes/taken-names.ts";
import { fold } from "../../../core/fields/text.ts";
import { below, items, object, type Row, readRows } from "./rows.ts";
import { readHistory, readUsage } from "./past.ts";
import { pauseFields } from "./stamps.ts";
import {
  type Note,
  noteFields,
  pastFields,
  requiredSubscriberFields,
  statedFields,
  subscriberFields,
  type SubscriberValues,
} from "./subscriber-fields.ts";

export type SubscriberRow = Row<SubscriberValues>;

export function readSubscribers(file: Input, stored: Directory, faults: Faults): SubscriberRow[] {
  return readRows(
    file["subscribers"],
    "/subscribers",
    {
      names: new Set([
        ...Object.keys(subscriberFields),
        ...Object.keys(pastFields),
        ...["staff_notes", "usage", "history"],
      ]),
      read: (row, found, { known }) => {
        const required = requiredSubscriberFields;
        const fields = { ...subscriberFields, ...pastFields };
        const values = readFields(fields, row, found, { required, partial: known });
        for (const name of statedFields) {
          if (row[name] === "")
            addFault(found, name, known ? phrase`must not be empty` : phrase`is required`);
          if (!known && row[name] === undefined) addFault(found, name, phrase`is required`);
        }
        if (values.archived_at && values.status !== 0)
          addFault(found, "status", phrase`must be 0 with archived_at: who left is not let in`);
        if (!known && values.mac_lock === 1 && !values.mac_address)
          addFault(found, "mac_address", phrase`is required with mac_lock`);
        findPauseFaults(values, found);
        return {
          ...values,
          staff_notes: readNotes(row["staff_notes"], found),
          usage: readUsage(row["usage"], found),
          history: readHistory(row["history"], found),
        };
      },
    },
    stored.subscribers,
    faults,
  );
}

/** A freeze lies within the term. */
function findPauseFaults(
  values: Pick<SubscriberValues, keyof typeof pauseFields | "current_expiration_date">,
  faults: Faults,
): void {
  const { current_expiration_date: end } = values;
  for (const name of fieldNames(pauseFields)) {
    const time = values[name];
    if (!time || (end && time < end)) continue;
    addFault(
      faults,
      name,
      end ? phrase`must be before current_expiration_date` : phrase`needs current_expiration_date`,
    );
  }
}

/** Adds faults of the subscriber rules. `unshared`: columns besides username. */
export function findSubscriberRowFaults(
  db: Db,
  rows: readonly SubscriberRow[],
  { directory, unshared }: { directory: Directory; unshared: readonly Unshared[] },
  faults: Faults,
): readonly VacatedValue[] {
  enter(directory, "subscribers", rows, faults);
  const lookup = referencesIn(directory);
  for (const { id, pointer, values } of rows) {
    const isp = directory.subscribers.get(id) ?? null;
    const found: Faults = {};
    findWrongReferences(lookup, { isp, values }, found);
    for (const [index, note] of (values.staff_notes ?? []).entries()) {
      const inNote: Faults = {};
      findReferenceFaults(lookup, noteReferences, { isp, values: note }, inNote);
      addBelow(`staff_notes/${index}`, inNote, found);
    }
    addBelow(pointer, found, faults);
  }
  findForbiddenNames(db, rows, faults);
  const left = archivedIds(db);
  for (const column of unshared) findSharedValues(db, rows, { directory, left, column }, faults);
  return findSharedValues(db, rows, { directory, left, column: usernames }, faults);
}

function findForbiddenNames(db: Db, rows: readonly SubscriberRow[], faults: Faults): void {
  const isCode = codeNames(db);
  const stored = db.$client.query<{ id: number }, [string]>(
    "SELECT id FROM subscribers WHERE username_key = ?",
  );
  for (const { id, pointer, values } of rows) {
    const { username } = values;
    const fault = username && (isCode(username) ? IS_A_CODE : keyNameFault(username));
    if (!username || !fault || stored.get(fold(username))?.id === id) continue;
    addBelow(pointer, { username: [fault] }, faults);
  }
}

const noteReferences: readonly Reference<"added_by">[] = [["added_by", "staff"]];

function archivedIds({ $client }: Db): ReadonlySet<number> {
  const rows = $client
    .query<{ id: number }, []>("SELECT id FROM subscribers WHERE archived_at IS NOT NULL")
    .all();
  return new Set(rows.map(({ id }) => id));
}

/** One column at a time, to free its memory for 50,000 rows. */
function findSharedValues(
  db: Db,
  rows: readonly SubscriberRow[],
  {
    directory,
    left,
    column: unshared,
  }: { directory: Directory; left: ReadonlySet<number>; column: Unshared },
  faults: Faults,
): readonly VacatedValue[] {
  const { column, within } = unshared;
  const expression = within ? `${within} || ' ' || ${column}` : column;
  const keyWithin = (key: string, isp: Isp | undefined) => (within ? `${isp} ${key}` : key);
  const stored = { table: "subscribers", noun: "subscriber" };
  const isArchived = ({ id, values: { archived_at: at } }: SubscriberRow) =>
    at === undefined ? left.has(id) : at !== null;
  const holders = new Holders(db, { ...stored, among: "archived_at IS NULL" }, rows, [
    {
      column,
      expression,
      keyOf: (row: SubscriberRow) => {
        if (isArchived(row)) return null;
        const key = comparedKey(unshared, row.values);
        return key && keyWithin(key, directory.subscribers.get(row.id));
      },
    },
  ]);
  const lookup: Pick<SubscriberLookup, "holder"> = {
    holder: (_, key, { id, isp }) => holders.of(column, keyWithin(key, isp), id),
  };
  for (const { id, pointer, values } of rows) {
    if (!holders.refused.has(id)) continue;
    const found: Faults = {};
    const isp = directory.subscribers.get(id) ?? null;
    findCollisions(lookup, [unshared], { id, isp, values }, found);
    addBelow(pointer, found, faults);
  }
  return holders.vacated;
}

/** A faulty note keeps its place for the pointers behind it. */
function readNotes(value: unknown, faults: Faults): Note[] | null | undefined {
  if (value === undefined || value === null) return value;
  const unknown = unknownFields(Object.keys(noteFields));
  return items(value, "staff_notes", faults).map((item, index) => {
    const place = `staff_notes/${index}`;
    const row = object(item, place, faults);
    if (!row) return { note: "", added_by: 0 };
    const found: Faults = {};
    const { note, added_by } = readFields(noteFields, row, found, { required: ["note", "added_by"] });
    for (const name of Object.keys(row))
      if (!Object.hasOwn(noteFields, name)) addFault(found, name, unknown(name));
    for (const [name, messages] of Object.entries(found)) faults[below(place, name)] = messages;
    return { note: note ?? "", added_by: added_by ?? 0 };
  });
}
