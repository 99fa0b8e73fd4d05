import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { nasSources } from "../schema.ts";
import { type ReplicatedTable, replicatedTables } from "../replicated.ts";
import { after, changed, endings, MARKING } from "./trigger.ts";

type Event = keyof typeof endings;
type Why = Readonly<Record<string, string>>;

/** Which changes of a table mark which record. */
export interface Marks {
  readonly table: SQLiteTable;
  /** The record key: a letter, and a column. */
  readonly key: readonly [letter: string, column: string];
  /** undefined: all. */
  readonly columns: readonly string[] | undefined;
  /** Replicated columns that mark nothing, with why. */
  readonly silent?: Why;
  /** Usage columns, published once a minute; `when` limits the rows. */
  readonly used?: { readonly columns: readonly string[]; readonly when?: string };
  /** Marks that are queried separately, by key, because there are many. */
  readonly isApart?: true;
  /** A condition in SQL. */
  readonly when?: (event: Event) => string;
  /** Rows end before they are deleted. */
  readonly kept?: true;
}

const NEVER = "it never changes";
const BEGINNING = "a session keeps what it began with";
const REPORTED = "reports write it, and a record for each of them would be too many; boxes count without it";
const REGRANTED = "whoever tells a router something else is the box that needs it, or the books";
const HAS_HOLDER = "(NEW.`subscriber_id` IS NOT NULL OR NEW.`card_id` IS NOT NULL)";
const because = (why: string, columns: readonly string[]): Why =>
  Object.fromEntries(columns.map((column) => [column, why]));

export const marks: readonly Marks[] = [
  ofReplicated(replicatedTables.subscriber, {
    key: ["s", "id"],
    also: ["archived_at"],
    silent: {
      id: NEVER,
      package_id: "a login is decided from the service, which has its own",
      username: "logins go by its key; how it is spelt comes with the next change",
    },
  }),
  ofReplicated(replicatedTables.service, {
    key: ["s", "subscriber_id"],
    used: {
      columns: ["quota_used", "window_start", "free_bytes"],
      when: "NEW.`quota_total` > 0 OR NEW.`tiers` IS NOT NULL OR NEW.`hours` IS NOT NULL",
    },
  }),
  ofReplicated(replicatedTables.card, {
    key: ["c", "id"],
    also: ["code_key"],
    used: { columns: ["used_seconds", "used_octets"] },
    silent: { id: NEVER, serial: NEVER, code_sealed: "it is the code of the key" },
  }),
  { table: replicatedTables.batch.table, key: ["b", "id"], columns: undefined },
  { table: replicatedTables.nas.table, key: ["n", "id"], columns: undefined },
  {
    table: nasSources,
    key: ["n", "nas_id"],
    columns: ["authenticator_seen_at"],
    silent: because(NEVER, ["nas_id", "address"]),
  },
  {
    table: replicatedTables.setting.table,
    key: ["g", "key"],
    columns: undefined,
    silent: { isp_id: "a setting stays that of its ISP" },
    when: (event) => `${event === "DELETE" ? "OLD" : "NEW"}.\`isp_id\` = 0`,
  },
  {
    table: replicatedTables.session.table,
    key: ["o", "id"],
    columns: ["stopped_at", "via_box", "subscriber_id", "mac", "class"],
    silent: {
      ...because(BEGINNING, ["acct_session_id", "nas_address", "username", "nas_id", "card_id"]),
      ...because(BEGINNING, ["started_at", "nas_port", "nas_port_id"]),
      ...because(REPORTED, ["updated_at", "framed_ip"]),
      ...because(REGRANTED, ["accepted_as", "granted_terms", "granted_rate"]),
    },
    isApart: true,
    when: (event) => (event === "INSERT" ? `NEW.\`stopped_at\` IS NULL AND ${HAS_HOLDER}` : SESSION_CHANGED),
    kept: true,
  },
];

/** Compares values, because an UPDATE names all columns that it writes. */
const SESSION_CHANGED = [
  HAS_HOLDER,
  "(NEW.`stopped_at` IS NULL) + (OLD.`stopped_at` IS NULL) > 0",
  `((NEW.\`stopped_at\` IS NULL) <> (OLD.\`stopped_at\` IS NULL) OR ${changed(["via_box", "subscriber_id", "mac", "class"])})`,
].join(" AND ");

/** Replicated columns, beside those of the scope. */
function ofReplicated(
  { table, keys }: ReplicatedTable,
  { also = [], ...rest }: Omit<Marks, "table" | "columns"> & { also?: readonly string[] },
): Marks {
  const columns = Object.entries(getTableColumns(table))
    .filter(([key, { name }]) => keys.includes(key) || also.includes(name))
    .map(([, { name }]) => name)
    .filter((name) => !(name in (rest.silent ?? {})) && !rest.used?.columns.includes(name));
  return { table, columns, ...rest };
}

export function marked(): string[] {
  return marks.flatMap(markedBy);
}

function markedBy({ table, key: [letter, column], columns, used, when, kept, isApart }: Marks): string[] {
  const name = getTableName(table);
  const mark = (event: Event, ending: string, of: readonly string[] | undefined, only?: string) => {
    const row = event === "DELETE" ? "OLD" : "NEW";
    const isSoon = ending !== "_used" && !isApart;
    return after(
      {
        name: `${name}_marked${ending}`,
        table: name,
        event,
        of,
        when: only === undefined ? MARKING : `${MARKING} AND (${only})`,
      },
      `INSERT INTO \`access_marks\` VALUES ('${letter}.' || ${row}.\`${column}\`, 1, ${isSoon ? 1 : 0}) ON CONFLICT (\`key\`) DO UPDATE SET \`mark\` = \`mark\` + 1${isSoon ? ", `is_soon` = 1" : ""};`,
    );
  };
  const plain = (event: Event, of?: readonly string[]) => mark(event, endings[event], of, when?.(event));
  return [
    plain("INSERT"),
    plain("UPDATE", columns),
    ...(kept ? [] : [plain("DELETE")]),
    ...(used ? [mark("UPDATE", "_used", used.columns, used.when)] : []),
  ];
}
