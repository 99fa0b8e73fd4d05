import { createHmac } from "node:crypto";
import type { Db, Tx } from "../../../../db/open.ts";
import type { Vault } from "../../../../db/vault.ts";
import { stamps } from "./data-set/stamps.ts";

export type Value = string | number | null;
/** Values as imported; secrets as keyed hashes. */
export type Fields = Readonly<Record<string, Value>>;
export type ImportedKind =
  "package" | "router" | "branch" | "city" | "area" | "subarea" | "subscriber" | "voucher";

export interface ImportedRow {
  readonly rowId: number;
  /** null: it was here before. */
  readonly moveId: number | null;
  readonly fields: Fields;
}

interface Pending {
  readonly kind: ImportedKind;
  readonly key: string;
  readonly rowId: number;
  readonly isMade: boolean;
  readonly fields: Fields;
  /** Whether its stamp is taken after writing. */
  readonly isStamped: boolean;
}

interface StoredRow {
  readonly kind: ImportedKind;
  readonly key: string;
  readonly rowId: number;
  readonly moveId: number | null;
  readonly brought: string;
}

/** A keyed hash: a copied store reveals nothing. */
export function secretHash(vault: Vault, secret: string): string {
  return createHmac("sha256", vault.deriveKey("moved secrets")).update(secret).digest("base64url");
}

export class ImportedRows {
  readonly #ispId: number;
  readonly #source: string;
  readonly #stored = new Map<string, ImportedRow>();
  readonly #pending = new Map<string, Pending>();

  constructor({ $client }: Db, { ispId, source }: { ispId: number; source: string }) {
    this.#ispId = ispId;
    this.#source = source;
    const rows = $client
      .query<StoredRow, [number, string]>(
        `SELECT kind, key, row_id AS rowId, move_id AS moveId, brought FROM moved_rows WHERE isp_id = ? AND source = ?`,
      )
      .all(ispId, source);
    for (const { kind, key, rowId, moveId, brought: imported } of rows)
      this.#stored.set(placeOf(kind, key), { rowId, moveId, fields: JSON.parse(imported) });
  }

  get(kind: ImportedKind, key: string): ImportedRow | undefined {
    return this.#stored.get(placeOf(kind, key));
  }

  of(kind: ImportedKind): [key: string, row: ImportedRow][] {
    const start = placeOf(kind, "");
    return [...this.#stored].flatMap(([place, row]) =>
      place.startsWith(start) ? [[place.slice(start.length), row]] : [],
    );
  }

  put(
    kind: ImportedKind,
    key: string,
    {
      rowId,
      isMade,
      fields,
      isStamped = false,
    }: { rowId: number; isMade: boolean; fields: Fields; isStamped?: boolean },
  ): void {
    this.#pending.set(placeOf(kind, key), { kind, key, rowId, isMade, fields, isStamped });
  }

  /** Writes what is new or says something else, once the rows themselves are written. */
  write(tx: Tx, moveId: number): void {
    const readStamp = stamps(tx, "subscribers");
    const statement = tx.$client.query<unknown, Value[]>(
      `INSERT INTO moved_rows (isp_id, source, kind, key, row_id, move_id, brought) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET row_id = excluded.row_id, move_id = excluded.move_id, brought = excluded.brought`,
    );
    for (const [place, { kind, key, rowId, isMade, fields, isStamped }] of this.#pending) {
      const stored = this.#stored.get(place);
      const imported = isStamped ? { ...fields, stamp: readStamp(rowId) } : fields;
      if (stored?.rowId === rowId && Bun.deepEquals(stored.fields, imported)) continue;
      const madeBy = isMade ? moveId : stored?.rowId === rowId ? stored.moveId : null;
      statement.run(this.#ispId, this.#source, kind, key, rowId, madeBy, JSON.stringify(imported));
    }
  }
}

const placeOf = (kind: ImportedKind, key: string) => `${kind} ${key}`;
