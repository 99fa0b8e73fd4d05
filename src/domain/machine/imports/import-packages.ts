import { type Field, readFields } from "../../core/fields/fields.ts";
import { formatAmount, parseAmount } from "../../core/amounts/money.ts";
import { packageFields, termFields } from "../../goods/packages/fields.ts";
import { fold } from "../../core/fields/text.ts";
import type { DurationUnit } from "../../core/time/time.ts";
import type { Fields, Value } from "./imported-rows.ts";
import { cleanText, cutText } from "./clean.ts";
import { compareFields, keptText, quoted } from "./compare.ts";
import type { MovedPackage } from "./model.ts";
import { type Counts, type ImportRow, type Move, noCounts } from "./move.ts";

export interface ImportedPackage {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly from: string;
  readonly duration: { readonly count: number; readonly unit: DurationUnit };
  readonly values: Fields;
}

export interface ImportedPackages {
  readonly rows: readonly ImportRow[];
  readonly counts: Counts;
  readonly byKey: ReadonlyMap<string, ImportedPackage>;
}

interface StoredPackage extends Record<string, Value> {
  readonly id: number;
  readonly name: string;
}

/** Prices in minor units, null: unknown. */
const compared = [
  "name",
  "price",
  "billing_type",
  "duration",
  "duration_unit",
  ...Object.keys(termFields),
  "status",
];
const fieldsByName: Readonly<Record<string, Field<unknown>>> = packageFields;

export function importPackages(move: Move, packages: readonly MovedPackage[]): ImportedPackages {
  const counts = noCounts();
  const stored = storedPackages(move);
  const byId = new Map(stored.map((row) => [row.id, row]));
  const byName = new Map(stored.map((row) => [fold(row.name), row]));
  const names = new Set(byName.keys());
  const rows: ImportRow[] = [];
  const byKey = new Map<string, ImportedPackage>();
  for (const moved of packages) {
    counts.found++;
    const source = judge(move, moved);
    const before = move.imported.get("package", moved.key);
    const imported = [...byKey.values()];
    const found = (before && byId.get(before.rowId)) ?? ownNamed(byName, imported, String(source["name"]));
    const from = `${moved.at.file}:${moved.at.line}`;
    if (found) {
      const row = follow(move, { moved, source, found });
      if (row) rows.push(row);
      counts[row ? "changed" : "same"]++;
      byKey.set(
        moved.key,
        toImportedPackage(found.id, moved.key, from, { ...found, ...(row && readChanges(row)) }),
      );
      continue;
    }
    const name = freeName(names, String(source["name"]));
    if (name !== source["name"])
      move.notices.add("note", moved.at, name, `another package is called ${source["name"]} already`);
    if (source["price"] === null)
      move.notices.add("no_price", moved.at, name, "has the price 0.00 until it is set");
    names.add(fold(name));
    const id = move.ids.next("packages");
    const values = { ...source, name };
    rows.push({ id, isp_id: move.ispId, ...importForm({ ...values, price: source["price"] ?? 0 }) });
    move.imported.put("package", moved.key, { rowId: id, isMade: true, fields: source });
    counts.new++;
    byKey.set(moved.key, toImportedPackage(id, moved.key, from, values));
  }
  return { rows, counts, byKey };
}

/** Our package of that name, unless another source package took it. */
function ownNamed(
  byName: ReadonlyMap<string, StoredPackage>,
  imported: readonly ImportedPackage[],
  name: string,
): StoredPackage | undefined {
  const found = byName.get(fold(name));
  return found && imported.some(({ id }) => id === found.id) ? undefined : found;
}

function judge(move: Move, moved: MovedPackage): Fields {
  const name = cutText(cleanText(moved.name), 120) || cutText(cleanText(moved.key), 120) || "Package";
  const { count, unit } = moved.duration ?? { count: 1, unit: "month" };
  if (!moved.duration)
    move.notices.add("note", moved.at, name, "how long a period lasts is not known: it is a month");
  const values: Record<string, unknown> = {
    ...moved,
    name,
    billing_type: moved.billing_type ?? "prepaid",
    duration: count,
    duration_unit: unit,
    status: moved.enabled === false ? 0 : 1,
  };
  const source: Record<string, Value> = { name, price: readPrice(move, moved, name) };
  for (const field of compared) {
    if (field in source) continue;
    const value = values[field];
    const read =
      value === undefined || value === null || value === "" ? null : fieldsByName[field]?.read(value);
    if (read === undefined)
      move.notices.add(
        "term_left",
        moved.at,
        name,
        `${field} ${String(value)}: ${fieldsByName[field]?.message}`,
      );
    source[field] = toValue(read) ?? defaults[field] ?? null;
  }
  return source;
}

const defaults: Readonly<Record<string, Value>> = {
  billing_type: "prepaid",
  duration: 1,
  duration_unit: "month",
  status: 1,
  data_quota_bytes: 0,
  quota_exceeded: "reject",
  simultaneous_use: 1,
};

const toValue = (read: unknown): Value =>
  typeof read === "string" || typeof read === "number" ? read : null;

function readPrice(move: Move, { price, at }: MovedPackage, name: string): number | null {
  if (price === null || price.trim() === "") return null;
  const read = parseAmount(price.trim());
  if (read !== undefined && read >= 0) return read;
  move.notices.add("term_left", at, name, `the price ${price}: ${packageFields.price.message}`);
  return null;
}

interface Following {
  readonly moved: MovedPackage;
  readonly source: Fields;
  readonly found: StoredPackage;
}

/** Source changes of an imported package; others stay. */
function follow(move: Move, { moved, source, found }: Following): ImportRow | undefined {
  const before = move.imported.get("package", moved.key);
  const here = (field: string) => found[field] ?? null;
  if (!before) {
    const kept = compared.flatMap((field) => {
      const there = source[field] ?? null;
      return there === null || there === here(field) ? [] : [{ field, there, here: here(field) }];
    });
    if (kept.length > 0)
      move.notices.add("kept_here", moved.at, found.name, `was here before: ${keptText(kept, format)}`);
    move.imported.put("package", moved.key, { rowId: found.id, isMade: false, fields: source });
    return undefined;
  }
  const { price, ...others } = source;
  const outcome = price === null ? others : source; // a price that is not known any more is none that changed
  const { changes, fields, kept } = compareFields(outcome, before.fields, (field) =>
    field === "price" && before.fields["price"] === null && found["price"] === 0 ? null : here(field),
  );
  if (kept.length > 0) move.notices.add("kept_here", moved.at, found.name, keptText(kept, format));
  move.imported.put("package", moved.key, { rowId: found.id, isMade: false, fields });
  if (Object.keys(changes).some((field) => field in termFields))
    move.notices.add(
      "note",
      moved.at,
      found.name,
      `has other terms; its holders get them at their next renewal, or at once: gatehouse package apply ${found.id}`,
    );
  return Object.keys(changes).length > 0 ? { id: found.id, ...importForm(changes) } : undefined;
}

const format = (field: string, value: Value) =>
  field === "price" && typeof value === "number" ? formatAmount(value) : quoted(value);

function importForm(values: Readonly<Record<string, Value>>): ImportRow {
  const { price } = values;
  return { ...values, ...(typeof price === "number" && { price: formatAmount(price) }) };
}

function readChanges(row: ImportRow): Fields {
  return readFields(packageFields, row, {}, { partial: true }) as Fields; // text and numbers
}

function toImportedPackage(id: number, key: string, from: string, values: Fields): ImportedPackage {
  const { name, duration, duration_unit: unit } = values;
  return {
    id,
    key,
    from,
    name: String(name),
    values,
    duration: {
      count: Number(duration ?? 1),
      unit: unit === "hour" || unit === "day" ? unit : "month",
    },
  };
}

function freeName(names: ReadonlySet<string>, name: string): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${cutText(name, 114)} (${number})`;
    if (!names.has(fold(tried))) return tried;
  }
}

function storedPackages({ db, ispId }: Move): StoredPackage[] {
  return db.$client
    .query<StoredPackage, [number]>(
      `SELECT id, ${compared.join(", ")} FROM packages WHERE isp_id = ? ORDER BY id`,
    )
    .all(ispId);
}
