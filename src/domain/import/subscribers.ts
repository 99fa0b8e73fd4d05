import type { Db } from "../../../db/open.ts";
import type { FieldErrors } from "../errors.ts";
import { addFault, type Input, readFields } from "../fields.ts";
import { findReferenceFaults, type Isp, type Reference } from "../references.ts";
import { type Unshared, usernames } from "../subscribers/doubles.ts";
import { findCollisions, findWrongReferences, keyOf, type SubscriberLookup } from "../subscribers/rules.ts";
import { Holders, type VacatedValue } from "./collisions.ts";
import { addBelow, type Directory, enter, referencesIn } from "./directory.ts";
import { below, items, object, type Row, readRows } from "./rows.ts";
import {
  type Note,
  noteFields,
  requiredSubscriberFields,
  subscriberFields,
  type SubscriberValues,
} from "./subscriber-fields.ts";

export type SubscriberRow = Row<SubscriberValues>;

export function readSubscribers(file: Input, stored: Directory, faults: FieldErrors): SubscriberRow[] {
  return readRows(
    file["subscribers"],
    "/subscribers",
    {
      names: new Set([...Object.keys(subscriberFields), "staff_notes"]),
      read: (row, found, { known }) => {
        const required = requiredSubscriberFields;
        const values = readFields(subscriberFields, row, found, { required, partial: known });
        if (!known && values.mac_lock === 1 && !values.mac_address)
          addFault(found, "mac_address", "is required with mac_lock");
        return { ...values, staff_notes: readNotes(row["staff_notes"], found) };
      },
    },
    stored.subscribers,
    faults,
  );
}

/** Enters the subscribers into the directory and adds what the rules of a subscriber say. `unshared`: columns beside the username. */
export function findSubscriberRowFaults(
  db: Db,
  rows: readonly SubscriberRow[],
  { directory, unshared }: { directory: Directory; unshared: readonly Unshared[] },
  faults: FieldErrors,
): readonly VacatedValue[] {
  enter(directory, "subscribers", rows, faults);
  const lookup = referencesIn(directory);
  for (const { id, pointer, values } of rows) {
    const isp = directory.subscribers.get(id) ?? null;
    const found: FieldErrors = {};
    findWrongReferences(lookup, { isp, values }, found);
    for (const [index, note] of (values.staff_notes ?? []).entries()) {
      const inNote: FieldErrors = {};
      findReferenceFaults(lookup, noteReferences, { isp, values: note }, inNote);
      addBelow(`staff_notes/${index}`, inNote, found);
    }
    addBelow(pointer, found, faults);
  }
  for (const column of unshared) findSharedValues(db, rows, { directory, column }, faults);
  return findSharedValues(db, rows, { directory, column: usernames }, faults);
}

const noteReferences: readonly Reference<"added_by">[] = [["added_by", "staff"]];

/** One column at a time: what is kept of 50,000 rows for it is needed no longer than that. */
function findSharedValues(
  db: Db,
  rows: readonly SubscriberRow[],
  { directory, column: unshared }: { directory: Directory; column: Unshared },
  faults: FieldErrors,
): readonly VacatedValue[] {
  const { column, within } = unshared;
  const expression = within ? `${within} || ' ' || ${column}` : column;
  const keyWithin = (key: string, isp: Isp | undefined) => (within ? `${isp} ${key}` : key);
  const holders = new Holders(db, { table: "subscribers", noun: "subscriber" }, rows, [
    {
      column,
      expression,
      keyOf: ({ id, values }: SubscriberRow) => {
        const key = keyOf(unshared, values);
        return key && keyWithin(key, directory.subscribers.get(id));
      },
    },
  ]);
  const lookup: Pick<SubscriberLookup, "holder"> = {
    holder: (_, key, { id, isp }) => holders.of(column, keyWithin(key, isp), id),
  };
  for (const { id, pointer, values } of rows) {
    if (!holders.refused.has(id)) continue;
    const found: FieldErrors = {};
    const isp = directory.subscribers.get(id) ?? null;
    findCollisions(lookup, [unshared], { id, isp, values }, found);
    addBelow(pointer, found, faults);
  }
  return holders.vacated;
}

/** A faulty note keeps its place, so that the pointers of those behind it are right. */
function readNotes(given: unknown, faults: FieldErrors): Note[] | null | undefined {
  if (given === undefined || given === null) return given;
  return items(given, "staff_notes", faults).map((item, index) => {
    const place = `staff_notes/${index}`;
    const row = object(item, place, faults);
    if (!row) return { note: "", added_by: 0 };
    const found: FieldErrors = {};
    const { note, added_by } = readFields(noteFields, row, found, { required: ["note", "added_by"] });
    for (const name of Object.keys(row))
      if (!Object.hasOwn(noteFields, name)) addFault(found, name, "is not a known field");
    for (const [name, messages] of Object.entries(found)) faults[below(place, name)] = messages;
    return { note: note ?? "", added_by: added_by ?? 0 };
  });
}
