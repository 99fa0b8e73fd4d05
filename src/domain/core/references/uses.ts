import { type Phrase, phrase, phrases } from "../errors/phrase.ts";
import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db, Tx } from "../../../../db/open.ts";
import * as schema from "../../../../db/schema.ts";

/** Rows of one kind that refer to the row. */
export interface Use {
  readonly table: string;
  readonly rows: string;
  readonly count: number;
}

const called: Readonly<Record<string, string>> = { nas: "routers", staff: "staff accounts" };

/** Tables of which most ISPs have many rows; the others are said by their names. */
const inWords: Readonly<Record<string, Phrase>> = {
  nas: phrase`routers`,
  staff: phrase`staff accounts`,
  subscribers: phrase`subscribers`,
  services: phrase`services`,
  invoices: phrase`invoices`,
  payments: phrase`payments`,
  packages: phrase`packages`,
  messages: phrase`messages`,
  message_rules: phrase`message rules`,
  card_batches: phrase`batches of cards`,
  branches: phrase`branches`,
  areas: phrase`areas`,
  subareas: phrase`subareas`,
};

/** Who holds no branch: keys that were revoked. */
const REVOKED = "id IN (SELECT staff_id FROM api_keys WHERE revoked_at IS NOT NULL)";

/** Lets a branch that is deleted go from those who hold none: keys that were revoked. */
export function letGo({ $client }: Tx, branchId: number): void {
  $client
    .query<unknown, [number]>(`UPDATE staff SET branch_id = NULL WHERE branch_id = ? AND ${REVOKED}`)
    .run(branchId);
}

/** Columns that keep a row from being deleted. */
export function columnsReferring(table: SQLiteTable): { table: string; column: string }[] {
  const tables = Object.values(schema).filter((one) => is(one, SQLiteTable));
  return tables.flatMap((one) =>
    getTableConfig(one).foreignKeys.flatMap(({ reference, onDelete }) => {
      const { foreignTable, foreignColumns, columns } = reference();
      const [column] = columns;
      const holds = onDelete === undefined || onDelete === "no action" || onDelete === "restrict";
      const isIdReference =
        getTableName(foreignTable) === getTableName(table) && foreignColumns[0]?.name === "id";
      return isIdReference && holds && column ? [{ table: getTableName(one), column: column.name }] : [];
    }),
  );
}

/** Uses by the schema, which would keep the store from deleting the row. */
export function countUses({ $client }: Pick<Db, "$client">, table: SQLiteTable, id: number): Use[] {
  return columnsReferring(table)
    .map(({ table: name, column }) => ({
      table: name,
      rows: called[name] ?? name.replaceAll("_", " "),
      count:
        $client
          .query<{ count: number }, [number]>(
            `SELECT count(*) AS count FROM ${name} WHERE ${column} = ?${name === "staff" && column === "branch_id" ? ` AND NOT ${REVOKED}` : ""}`,
          )
          .get(id)?.count ?? 0,
    }))
    .filter(({ count }) => count > 0);
}

/** `subscribers (12), packages (1)`. */
export function usesInWords(uses: readonly Use[]): Phrase {
  return phrases(
    uses.map(({ table, rows, count }) => phrase`${inWords[table] ?? rows} (${count})`),
    ", ",
  );
}
