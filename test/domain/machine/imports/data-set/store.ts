import { DomainError, type FieldErrors } from "../../../../../src/domain/core/errors/errors.ts";
import { exportDataSet } from "../../../../../src/domain/machine/imports/data-set/export.ts";
import {
  importDataSet,
  type ImportOptions,
} from "../../../../../src/domain/machine/imports/data-set/import.ts";
import { operator } from "../../../../../src/domain/core/actor/operator.ts";
import { temporaryStore } from "../../../../support/store.ts";

export const NOW = 1_800_000_000;
export const by = operator("test", "cli");

/** A store in a folder of its own. */
export class Store implements Disposable {
  readonly #store = temporaryStore();
  readonly folder = this.#store.folder;
  readonly db = this.#store.db;

  import(data: unknown, { now = NOW, ...options }: Partial<ImportOptions> = {}) {
    return importDataSet(this.db, by, data, { now, ...options });
  }

  /** The faults of an import that has to be refused as a whole. */
  async faults(data: unknown): Promise<FieldErrors> {
    const before = this.dump();
    try {
      await this.import(data);
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== "invalid") throw error;
      if (!Bun.deepEquals(this.dump(), before))
        throw new Error("a refused import wrote something", { cause: error });
      return error.fields ?? {};
    }
    return {};
  }

  /** The data set as JSON carries it. */
  export(secrets = true): ReturnType<typeof exportDataSet> {
    return JSON.parse(JSON.stringify(exportDataSet(this.db, by, { secrets })));
  }

  /** The data set without its stamps, which are each store's own. */
  content(): string {
    return JSON.stringify(this.export(), (name, value: unknown) => (name === "stamp" ? undefined : value), 1);
  }

  rows(sql: string): Record<string, unknown>[] {
    return this.db.$client.query<Record<string, unknown>, []>(sql).all();
  }

  /** Every row of every table. */
  dump(): unknown {
    const tables = this.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    return tables.map(({ name }) => [name, this.rows(`SELECT * FROM "${name}"`)]);
  }

  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]();
  }
}
