export type Cell = string | number | null | Uint8Array;

/** A table of another system; a missing value of a row means the column's default. */
export interface SourceTable {
  readonly name: string;
  /** Column definitions as MariaDB takes them. */
  readonly columns: string;
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

/** Rows of the same columns: their names once, then a list for each row. */
export function rowsOf(
  names: string,
  ...lists: readonly (readonly Cell[])[]
): Readonly<Record<string, Cell>>[] {
  const columns = names.split(" ");
  return lists.map((list) => Object.fromEntries(columns.map((column, i) => [column, list[i] ?? null])));
}

function lines(columns: string): string[] {
  return columns
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export function mariadbOf(tables: readonly SourceTable[]): string {
  return tables
    .map(({ name, columns, rows }) => {
      const defined = lines(columns).map((line) => line.replace(/^(\S+)/, "`$1`"));
      const key = /^`(\S+)`.*AUTO_INCREMENT/i.exec(defined[0] ?? "")?.[1];
      const all = key === undefined ? defined : [...defined, `PRIMARY KEY (\`${key}\`)`];
      const made = `CREATE TABLE \`${name}\` (\n  ${all.join(",\n  ")}\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n`;
      return made + rows.map((row) => insert(row, `\`${name}\``, "`", mariadbValue)).join("");
    })
    .join("\n");
}

/** For PostgreSQL as FreeRADIUS uses it: text without limits, times with a zone, addresses. */
export function postgresOf(tables: readonly SourceTable[]): string {
  return tables
    .map(({ name, columns, rows }) => {
      const defined = lines(columns).map((line) => {
        const [column = "", ...type] = line.split(" ");
        return `"${column}" ${postgresType(column, type.join(" "))}`;
      });
      const made = `CREATE TABLE "${name}" (\n  ${defined.join(",\n  ")}\n);\n`;
      return made + rows.map((row) => insert(row, `"${name}"`, '"', postgresValue)).join("");
    })
    .join("\n");
}

function postgresType(column: string, type: string): string {
  if (type.includes("AUTO_INCREMENT"))
    return type.startsWith("bigint") ? "bigserial PRIMARY KEY" : "serial PRIMARY KEY";
  if (column === "nasipaddress" || column === "framedipaddress") return "inet";
  if (/^(datetime|timestamp)/.test(type)) return "timestamp with time zone";
  if (type.includes("blob")) return "bytea";
  if (type.startsWith("bit")) return "bit(8)";
  return type.startsWith("bigint") ? "bigint" : /^(int|tinyint)/.test(type) ? "integer" : "text";
}

function insert(
  row: Readonly<Record<string, Cell>>,
  table: string,
  quote: string,
  value: (cell: Cell) => string,
): string {
  const columns = Object.keys(row).map((column) => quote + column + quote);
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${Object.values(row).map(value).join(", ")});\n`;
}

function mariadbValue(cell: Cell): string {
  if (cell === null || typeof cell === "number") return String(cell);
  if (typeof cell !== "string") return `x'${Buffer.from(cell).toString("hex")}'`;
  return `'${cell.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

function postgresValue(cell: Cell): string {
  if (cell === null || typeof cell === "number") return String(cell);
  if (typeof cell !== "string") return `'\\x${Buffer.from(cell).toString("hex")}'`;
  return `'${cell.replaceAll("'", "''")}'`;
}
