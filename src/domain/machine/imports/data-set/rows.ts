import { unknownFields } from "../../../core/fields/nearest.ts";
import type { FieldErrors } from "../../../core/errors/errors.ts";
import { addFault, type Input } from "../../../core/fields/fields.ts";

/** Where a row is in the file, and its id. `known`: the store has that id, so the row changes it. */
export interface RowPlace {
  readonly pointer: string;
  readonly id: number;
  readonly known: boolean;
}

export interface Row<V> extends RowPlace {
  readonly values: V;
}

export interface RowShape<V> {
  /** The fields that a row may have beside its id. */
  readonly names: ReadonlySet<string>;
  /** What the id is called when it is not `id`. */
  readonly key?: string;
  /** Reads the fields; adds faults by field name, or by a pointer below the row. */
  readonly read: (row: Input, faults: FieldErrors, place: RowPlace) => V;
}

/**
 * Reads the array at `pointer`, adding every fault under its JSON pointer (RFC 6901). An absent section has no rows.
 * `places` is where the ids are that may not come twice. A row without a right id gets one that no other has, below 0, so
 * that the rest of its faults are found too.
 */
export function readRows<V>(
  section: unknown,
  pointer: string,
  { names, key = "id", read }: RowShape<V>,
  known: { has(id: number): boolean },
  faults: FieldErrors,
  places = new Map<number, string>(),
): Row<V>[] {
  const rows: Row<V>[] = [];
  const unknown = unknownFields(names);
  for (const [index, item] of items(section, pointer, faults).entries()) {
    const place = `${pointer}/${index}`;
    const row = object(item, place, faults);
    if (!row) continue;
    const value = row[key];
    const id = isId(value) ? value : -1 - index;
    if (id < 0) addFault(faults, `${place}/${key}`, "must be a whole number, 1 or more");
    const twin = places.get(id);
    if (twin !== undefined && id > 0) addFault(faults, `${place}/${key}`, `is also that of ${twin}`);
    places.set(id, place);
    for (const name of Object.keys(row))
      if (name !== key && !names.has(name)) addFault(faults, below(place, name), unknown(name));
    const state = { pointer: place, id, known: known.has(id) };
    const found: FieldErrors = {};
    rows.push({ ...state, values: read(row, found, state) });
    for (const [name, messages] of Object.entries(found)) faults[`${place}/${name}`] = messages;
  }
  return rows;
}

function isId(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

/** The items of an array; none, with a fault, of anything else. */
export function items(section: unknown, pointer: string, faults: FieldErrors): readonly unknown[] {
  if (section === undefined) return [];
  if (Array.isArray(section)) return section;
  addFault(faults, pointer, "must be an array");
  return [];
}

export function object(value: unknown, pointer: string, faults: FieldErrors): Input | undefined {
  if (isObject(value)) return value;
  addFault(faults, pointer, "must be an object");
  return undefined;
}

export function isObject(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The pointer of a member whose name comes from the file. */
export function below(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
