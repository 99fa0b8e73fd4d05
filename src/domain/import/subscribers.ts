import type { Db } from "../../../db/open.ts";
import type { FieldErrors } from "../errors.ts";
import { addFault, type Input, readFields } from "../fields.ts";
import { STAFF } from "../staff/profile-types.ts";
import { addresses, type Unshared } from "../subscribers/doubles.ts";
import { fold } from "../text.ts";
import { type Claim, findCollisions, type Parked } from "./collisions.ts";
import { type Directory, enter, findReferenceFault } from "./directory.ts";
import { below, items, object, type Row, readRows } from "./rows.ts";
import type { StaffRow } from "./staff.ts";
import {
  type Note,
  noteFields,
  requiredSubscriberFields,
  subscriberFields,
  type SubscriberValues,
} from "./subscriber-fields.ts";

export type SubscriberRow = Row<SubscriberValues>;

const references = {
  branch_id: "branches",
  package_id: "packages",
  nas_id: "nas",
  city_id: "cities",
  area_id: "areas",
  subarea_id: "subareas",
  salesperson_id: "staff",
} as const;

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

/** Enters the subscribers into the directory and adds what is wrong with references and values that are not to be shared. */
export function findSubscriberFaults(
  db: Db,
  rows: readonly SubscriberRow[],
  {
    directory,
    staff,
    contacts,
  }: { directory: Directory; staff: readonly StaffRow[]; contacts: readonly Unshared[] },
  faults: FieldErrors,
): Parked[] {
  enter(directory, "subscribers", rows, faults);
  const cannotSell = staffThatCannotSell(db, staff);
  for (const { id, pointer, values } of rows) {
    const isp = directory.subscribers.get(id);
    for (const field of referenceFields)
      findReferenceFault(directory[references[field]], values[field], isp, `${pointer}/${field}`, faults);
    if (values.salesperson_id && cannotSell.has(values.salesperson_id))
      addFault(faults, `${pointer}/salesperson_id`, "must be an Admin or a Reseller");
    for (const [index, { added_by }] of (values.staff_notes ?? []).entries())
      findReferenceFault(directory.staff, added_by, isp, `${pointer}/staff_notes/${index}/added_by`, faults);
  }
  const find = (field: keyof SubscriberValues, column: string, expression: string, keyOf: KeyOf) => {
    const claims: Claim[] = [];
    for (const row of rows) {
      const key = keyOf(row);
      if (key !== undefined) claims.push({ id: row.id, column, pointer: `${row.pointer}/${field}`, key });
    }
    return findCollisions(db, "subscribers", { [column]: expression }, claims, faults);
  };
  for (const { field, column } of contacts)
    find(field, column, column, ({ values }) =>
      field === "email" ? values.email && fold(values.email) : values[field],
    );
  for (const { field, column } of addresses)
    find(field, column, `isp_id || ' ' || ${column}`, ({ id, values }) => {
      const address = values[field];
      return address && `${directory.subscribers.get(id)} ${address}`;
    });
  return find(
    "username",
    "username_key",
    "username_key",
    ({ values }) => values.username && fold(values.username),
  );
}

type ReferenceField = keyof typeof references;
const referenceFields = Object.keys(references) as ReferenceField[];

/** What a row wants to have of a column; undefined: what it has, null: nothing. */
type KeyOf = (row: SubscriberRow) => string | null | undefined;

function staffThatCannotSell(db: Db, staff: readonly StaffRow[]): ReadonlySet<number> {
  const stored = db.$client
    .query<{ id: number }, [number]>("SELECT id FROM staff WHERE profile_type = ?")
    .all(STAFF);
  const ids = new Set(stored.map(({ id }) => id));
  for (const { id, values } of staff) {
    if (values.profile_type === STAFF) ids.add(id);
    else if (values.profile_type) ids.delete(id);
  }
  return ids;
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
