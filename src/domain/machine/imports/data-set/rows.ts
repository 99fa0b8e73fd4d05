import { unknownFields } from "../../../core/fields/nearest.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault, type Input } from "../../../core/fields/fields.ts";

/** A row's pointer and id. `known`: it changes a stored row. */
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
  /** The id's name, if not `id`. */
  readonly key?: string;
  /** Adds faults by field, or by pointers below the row. */
  readonly read: (row: Input, faults: Faults, place: RowPlace) => V;
}

/**
 * Reads an array, with faults by JSON pointer (RFC 6901). `places` has ids used so far. A row without a valid id gets a unique
 * negative one, so that its other faults are found too.
 */
export function readRows<V>(
  section: unknown,
  pointer: string,
  { names, key = "id", read }: RowShape<V>,
  known: { has(id: number): boolean },
  faults: Faults,
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
    if (id < 0) addFault(faults, `${place}/${key}`, phrase`must be a whole number, 1 or more`);
    const twin = places.get(id);
    if (twin !== undefined && id > 0) addFault(faults, `${place}/${key}`, phrase`is also that of ${twin}`);
    places.set(id, place);
    for (const name of Object.keys(row))
      if (name !== key && !names.has(name)) addFault(faults, below(place, name), unknown(name));
    const state = { pointer: place, id, known: known.has(id) };
    const found: Faults = {};
    rows.push({ ...state, values: read(row, found, state) });
    for (const [name, messages] of Object.entries(found)) faults[`${place}/${name}`] = messages;
  }
  return rows;
}

function isId(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

export function items(section: unknown, pointer: string, faults: Faults): readonly unknown[] {
  if (section === undefined) return [];
  if (Array.isArray(section)) return section;
  addFault(faults, pointer, phrase`must be an array`);
  return [];
}

export function object(value: unknown, pointer: string, faults: Faults): Input | undefined {
  if (isObject(value)) return value;
  addFault(faults, pointer, phrase`must be an object`);
  return undefined;
}

export function isObject(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Escapes a name from the file. */
export function below(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
