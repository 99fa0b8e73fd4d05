import { getTableName } from "drizzle-orm";
import { selected } from "../../../../db/columns.ts";
import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type ReplicatedTable, type ReplicatedName, replicatedTables } from "../../../../db/replicated.ts";
import { byteColumns, replicatedSettings } from "./tables.ts";

type Cell = string | number | null;
/** A row by schema keys: sealed columns in clear, bytes as base64. */
export type Row = Readonly<Record<string, Cell>>;

/** What is replicated under one key: rows, addresses that sign, and each box's journal position that its counters include. */
export interface AccessRecord {
  readonly rows: { readonly [K in ReplicatedName]?: Row };
  readonly seen?: readonly string[];
  readonly included?: Readonly<Record<string, number>>;
}

/** What is published under a key; without a record it is deleted. */
export interface Published {
  readonly subject: string;
  readonly record: AccessRecord | undefined;
}

/** The reader of a key's first letter. Subjects have ISP and branch, so that a box subscribes to its own. */
type Reader = (db: Db, id: string) => Published | undefined;

const ANY = 0;
const makeSubject = (ispId: number | null, branchId: number | null, key: string) =>
  `${ispId ?? ANY}.${branchId ?? ANY}.${key}`;

/** Keys: `s.12` a subscriber, `c.5` a card, `g.NAME` a setting. */
export function readPublished(db: Db, key: string): Published | undefined {
  const [letter = "", id = ""] = [key.slice(0, 1), key.slice(2)];
  return readers[letter]?.(db, id);
}

const readers: Readonly<Record<string, Reader>> = {
  s: (db, id) => {
    const subscriber = readRow(db, "subscriber", "id = ? AND t.archived_at IS NULL", Number(id));
    if (!subscriber) return undefined;
    const service = readRow(db, "service", "subscriber_id = ?", Number(id));
    const subject = makeSubject(
      readNumber(subscriber, "ispId"),
      readNumber(subscriber, "branchId"),
      `s.${id}`,
    );
    return {
      subject,
      record: { rows: { subscriber, ...(service && { service }) }, included: listIncluded(db) },
    };
  },
  c: (db, id) => {
    const card = readRow(db, "card", "id = ?", Number(id));
    const place = card && findBatchPlace(db, readNumber(card, "batchId"));
    if (!card || !place) return undefined;
    return {
      subject: makeSubject(place.ispId, place.branchId, `c.${id}`),
      record: { rows: { card }, included: listIncluded(db) },
    };
  },
  b: (db, id) => {
    const batch = readRow(db, "batch", "id = ?", Number(id));
    if (!batch) return undefined;
    const subject = makeSubject(readNumber(batch, "ispId"), readNumber(batch, "branchId"), `b.${id}`);
    return { subject, record: { rows: { batch } } };
  },
  n: (db, id) => {
    const nas = readRow(db, "nas", "id = ?", Number(id));
    if (!nas) return undefined;
    const seen = db.$client
      .query<{ address: string }, [number]>(
        "SELECT address FROM nas_sources WHERE nas_id = ? AND authenticator_seen_at IS NOT NULL",
      )
      .all(Number(id));
    // needed by every box of the ISP, for its subscribers roam
    return {
      subject: makeSubject(ANY, Number(nas["ispId"]), `n.${id}`),
      record: { rows: { nas }, seen: seen.map(({ address }) => address) },
    };
  },
  g: (db, id) => {
    if (!replicatedSettings.some((key) => key === id)) return undefined;
    const setting = readRow(db, "setting", "isp_id = 0 AND t.key = ?", id);
    return setting && { subject: makeSubject(ANY, ANY, `g.${id}`), record: { rows: { setting } } };
  },
  o: (db, id) => {
    const session = readRow(db, "session", "id = ? AND t.stopped_at IS NULL", Number(id));
    const place = session && findSessionPlace(db, session);
    if (!place) return undefined;
    return { subject: makeSubject(place.ispId, place.branchId, `o.${id}`), record: { rows: { session } } };
  },
};

interface Place {
  readonly ispId: number;
  readonly branchId: number | null;
}

function findBatchPlace(db: Db, id: number | null): Place | null {
  return db.$client
    .query<Place, [number | null]>(
      "SELECT isp_id AS ispId, branch_id AS branchId FROM card_batches WHERE id = ?",
    )
    .get(id);
}

function findSessionPlace(db: Db, session: Row): Place | null {
  return db.$client
    .query<Place, [number | null, number | null]>(
      `SELECT isp_id AS ispId, branch_id AS branchId FROM subscribers WHERE id = ?1
       UNION ALL SELECT b.isp_id, b.branch_id FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = ?2`,
    )
    .get(readNumber(session, "subscriberId"), readNumber(session, "cardId"));
}

/** Journal positions by box. */
function listIncluded({ $client }: Db): Readonly<Record<string, number>> {
  const boxes = $client
    .query<{ id: number; journal: number }, []>(
      "SELECT id, journal FROM access_boxes WHERE removed_at IS NULL",
    )
    .all();
  return Object.fromEntries(boxes.map(({ id, journal }) => [id, journal]));
}

const texts = new Map<ReplicatedName, string>();

/** Throws what Vault.open throws for a damaged row. */
export function readRow(
  { $client, vault }: Db,
  name: ReplicatedName,
  where: string,
  id: number | string,
): Row | undefined {
  const { table, keys, sealed }: ReplicatedTable = replicatedTables[name];
  let columns = texts.get(name);
  if (columns === undefined) texts.set(name, (columns = selected(table, "t", keys)));
  const row = $client
    .query<Record<string, Value>, [number | string]>(
      `SELECT ${columns} FROM ${getTableName(table)} t WHERE t.${where}`,
    )
    .get(id);
  if (!row) return undefined;
  const cells: Record<string, Cell> = {};
  for (const [key, value] of Object.entries(row)) {
    if (!(value instanceof Uint8Array)) {
      cells[key] = value;
      continue;
    }
    const bytes = (sealed as readonly string[]).includes(key) ? vault.open(value) : Buffer.from(value);
    cells[key] = bytes.toString(byteColumns.has(key) ? "base64" : "utf8");
  }
  return cells;
}

function readNumber(row: Row, key: string): number | null {
  const value = row[key];
  return typeof value === "number" ? value : null;
}
