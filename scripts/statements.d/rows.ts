import type { Kind, Row } from "./row-types.ts";
import type { Noted } from "./noted.ts";

/** What is stored in a column of a STRICT table that was declared so. */
const stored: Readonly<Record<string, Kind>> = {
  INTEGER: "number",
  INT: "number",
  REAL: "number",
  TEXT: "string",
  BLOB: "bytes",
};

/** What a call says of its rows and what the texts that it ran give, where the two differ. */
export function rowFaults(row: Row, run: readonly Noted[]): string[] {
  const faults = run.flatMap((noted) => findFaults(row, noted));
  const columns = new Set(run.flatMap(({ columns }) => columns));
  for (const [name, { isOptional }] of row.shapes.flatMap((shape) => [...shape]))
    if (isOptional && !columns.has(name)) faults.push(`no text has the column ${name}`);
  return [...new Set(faults)];
}

function findFaults(row: Row, { text, columns, declared }: Noted): string[] {
  const faults: string[] = [];
  // what SQLite says of itself has columns that nobody chooses
  const isOpen = row.isOpen || text.startsWith("PRAGMA ");
  const twice = columns.filter((name, index) => columns.indexOf(name) !== index);
  for (const name of twice) faults.push(`two columns are called ${name}`);
  const missing = row.shapes.map((shape) =>
    [...shape]
      .filter(([name, { isOptional }]) => !isOptional && !columns.includes(name))
      .map(([name]) => name),
  );
  const fewest = missing.toSorted((one, other) => one.length - other.length)[0] ?? [];
  for (const name of fewest) faults.push(`there is no column ${name}`);
  for (const [index, name] of columns.entries()) {
    const properties = row.shapes.flatMap((shape) => shape.get(name) ?? []);
    if (properties.length === 0 && !isOpen) faults.push(`nobody asked for the column ${name}`);
    const kind = stored[declared[index] ?? ""];
    const kinds = new Set(properties.flatMap((property) => [...property.kinds]));
    if (kinds.has("other")) faults.push(`${name} is of a type that no column gives`);
    if (properties.length > 0 && kind && !kinds.has(kind) && !kinds.has("anything"))
      faults.push(`the column ${name} is ${declared[index]}, and its property is ${[...kinds].join(" or ")}`);
  }
  return faults;
}
