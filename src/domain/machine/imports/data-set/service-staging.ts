import type { SQLQueryBindings, Statement } from "bun:sqlite";
import type { StoredRow } from "./change-log.ts";
import { columnsFromRow, rowFromColumns } from "../../../../../db/columns.ts";
import type { Tx } from "../../../../../db/open.ts";
import { packages, services } from "../../../../../db/schema.ts";
import { serviceTerms } from "../../../service/activation/service.ts";
import { fieldNames } from "../../../core/fields/fields.ts";
import { sealPassword } from "../../../goods/subscribers/password.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { StaleError } from "./stale.ts";
import { pauseFields } from "./stamps.ts";
import { type Columns, StagedRows, type Staging } from "./staging.ts";
import type { SubscriberRow } from "./subscribers.ts";

export interface Profile {
  readonly name: unknown;
  /** After the import. */
  readonly packageId: number;
  readonly password: string;
  readonly sealed: ReturnType<typeof sealPassword> | undefined;
}

const history = new Set([
  ...["activated_at", "quota_used", "quota_crossed_at"],
  ...["window_start", "extra_bytes", "rolling_bytes", "free_bytes"],
]);

/** Bulk activation without money. */
export class ServiceStaging {
  readonly #staging: Staging;
  readonly #findPackage: (id: number) => Columns;
  readonly #services: StagedRows;
  readonly #removed: { table: string; insert: Statement };
  readonly #passwords: { table: string; insert: Statement };
  readonly #find: Statement<StoredRow, SQLQueryBindings[]>;
  #removals = 0;
  readonly moved: number[] = [];
  readonly #terms = new Map<number, Columns>();

  /** `findPackage`: columns after the import. */
  constructor(staging: Staging, findPackage: (id: number) => Columns) {
    this.#staging = staging;
    this.#findPackage = findPackage;
    this.#services = new StagedRows(staging, "services", "subscriber_id");
    this.#removed = staging.inserter("removed_services", [
      "id INTEGER PRIMARY KEY",
      "expires_at",
      "activated_at",
    ]);
    this.#passwords = staging.inserter("passwords", [
      "id INTEGER PRIMARY KEY",
      "password_sealed",
      "nt_hash_sealed",
    ]);
    this.#find = staging.prepare("SELECT * FROM services WHERE subscriber_id = ?");
  }

  /**
   * Opens until an expiration, closes on null; returns whether the line changes. An exported row (with a stamp) with the stored
   * expiration changes nothing: profile and package wait for the next activation, and used quota stays.
   */
  put({ id, known, values }: SubscriberRow, profile: Profile): boolean {
    const { sealed, password } = profile;
    const { current_expiration_date: expiresAt, stamp } = values;
    const stored = known && expiresAt !== undefined ? this.#find.get(id) : null;
    const pause = toColumns(values);
    const isSameEnd = stored?.["expires_at"] === expiresAt;
    if (expiresAt === undefined || (stored && stamp && isSameEnd && !differs(stored, pause))) {
      if (known && sealed) this.#passwords.insert.run(id, sealed.passwordSealed, sealed.ntHashSealed);
      return false;
    }
    if (expiresAt === null) {
      if (stored) this.#remove(id, stored);
      if (stored) this.#log(id, profile, stored, { expires_at: null });
      return stored !== null;
    }
    const { vault } = this.#staging.db;
    const columns: Columns = { ...this.#packageTerms(profile.packageId), expires_at: expiresAt, ...pause };
    if (stored) {
      if (!differs(stored, columns) && this.#staging.openPassword(stored) === password) return false;
      this.#remove(id, stored);
      if (stored["package_id"] !== columns["package_id"]) this.moved.push(id);
    }
    if (known) this.#log(id, profile, stored ?? {}, stored ? columns : { expires_at: expiresAt });
    const { passwordSealed, ntHashSealed } = sealed ?? sealPassword(vault, password);
    this.#services.put(id, undefined, {
      ...(isSameEnd && stored && pickKept(stored)),
      ...columns,
      password_sealed: passwordSealed,
      nt_hash_sealed: ntHashSealed,
    });
    return true;
  }

  /** Write profiles first: their status counts. Throws StaleError where a service moved since the comparison. */
  write(tx: Tx, now: Seconds): void {
    const { $client } = tx;
    // as reset_password: active subscribers get it at once, others at activation
    $client
      .query(
        `UPDATE services SET password_sealed = changed.password_sealed, nt_hash_sealed = changed.nt_hash_sealed
         FROM ${this.#passwords.table} AS changed
         WHERE subscriber_id = changed.id AND expires_at > ?
           AND (SELECT status FROM subscribers WHERE subscribers.id = changed.id) = 1`,
      )
      .run(now);
    const { changes } = $client.run(
      `DELETE FROM services WHERE subscriber_id IN (
         SELECT removed.id FROM ${this.#removed.table} AS removed JOIN services ON subscriber_id = removed.id
         WHERE services.expires_at = removed.expires_at AND services.activated_at IS removed.activated_at
       )`,
    );
    if (changes !== this.#removals) throw new StaleError();
    this.#services.write(tx);
    keepFreezes(tx);
  }

  #remove(id: number, { expires_at, activated_at }: StoredRow): void {
    this.#removed.insert.run(id, expires_at ?? null, activated_at ?? null);
    this.#removals++;
  }

  #log(id: number, { name }: Profile, stored: StoredRow, columns: Columns): void {
    const changes = Object.entries(columns).flatMap(([column, value = null]): [string, SQLQueryBindings][] =>
      isNotReported(column) || value === (stored[column] ?? null) ? [] : [[column, value]],
    );
    this.#staging.changes.addService(id, name, stored, changes);
  }

  #packageTerms(packageId: number): Columns {
    const known = this.#terms.get(packageId);
    if (known) return known;
    const terms = serviceTerms({
      package: rowFromColumns(packages, this.#findPackage(packageId)),
      expiresAt: 0,
      activatedAt: null,
    });
    const columns = columnsFromRow(services, terms);
    this.#terms.set(packageId, columns);
    return columns;
  }
}

/** Values kept by a rewritten service with the same end. */
function pickKept(stored: StoredRow): Columns {
  const names = ["anchor_day", "anchor_time", ...fieldNames(pauseFields)];
  return Object.fromEntries(names.map((name) => [name, stored[name]]));
}

/** Freeze columns of a row. */
function toColumns(values: SubscriberRow["values"]): Columns {
  return Object.fromEntries(
    fieldNames(pauseFields).flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}

/** An imported freeze thaws as usual; a service that the file lets go on has lost no time. */
function keepFreezes({ $client }: Tx): void {
  $client.run(
    `UPDATE freezes SET thawed_at = frozen_at WHERE thawed_at IS NULL AND NOT EXISTS
       (SELECT 1 FROM services v WHERE v.subscriber_id = freezes.subscriber_id AND v.frozen_at = freezes.frozen_at)`,
  );
  $client.run(
    `INSERT INTO freezes (subscriber_id, frozen_at, actor)
     SELECT subscriber_id, frozen_at, 'import' FROM services v WHERE frozen_at IS NOT NULL AND NOT EXISTS
       (SELECT 1 FROM freezes f WHERE f.subscriber_id = v.subscriber_id AND f.thawed_at IS NULL AND f.frozen_at = v.frozen_at)`,
  );
}

/** Whether a column is not reported: of what is reset when a service is written anew, only the quota is. */
function isNotReported(column: string): boolean {
  return history.has(column) && column !== "quota_used";
}

function differs(stored: StoredRow, columns: Columns): boolean {
  const { quota_total: total, extra_bytes: extra } = stored;
  // top-ups do not make it another package
  const own = Number(total) > 0 ? Number(total) - Number(extra) : total;
  return Object.entries(columns).some(
    ([name, value]) =>
      !history.has(name) && (name === "quota_total" ? own : stored[name]) !== (value ?? null),
  );
}
