import { Database } from "bun:sqlite";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { readLabel, writeLabel } from "../../../../src/domain/machine/backup/label.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

/** A backup whose database is there, and what is written over one page of it. */
function labelled(page: "_backup" | null): { refusal: () => unknown; [Symbol.dispose](): void } {
  const store = temporaryStore();
  const file = join(store.folder, "copy.db");
  store.db.$client.run(`VACUUM INTO '${file}'`);
  writeLabel(file, { createdAt: NOW, program: "0.0.0", keyName: "a", keySealed: null });
  if (page !== null) overwrite(file, page);
  const client = new Database(file, { readonly: true, strict: true });
  return {
    refusal: () => readLabel(client),
    [Symbol.dispose]: () => {
      client.close();
      store[Symbol.dispose]();
    },
  };
}

function overwrite(file: string, table: string): void {
  const client = new Database(file, { readonly: true });
  const root = client
    .query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_schema WHERE name = ?")
    .get(table);
  const size = client.query<{ page_size: number }, []>("PRAGMA page_size").get();
  client.close();
  const bytes = size?.page_size ?? 0;
  const to = openSync(file, "r+");
  writeSync(to, Buffer.alloc(bytes, 0x5a), 0, bytes, ((root?.rootpage ?? 0) - 1) * bytes);
  closeSync(to);
}

test("a backup says what it is", () => {
  using backup = labelled(null);
  expect(backup.refusal()).toMatchObject({ createdAt: NOW, program: "0.0.0", keyName: "a" });
});

test("one that is damaged where it would say so is no other file, but damaged", () => {
  using backup = labelled("_backup");
  expect(backup.refusal).toThrow(/the copy is damaged: .*; take another one/);
});

test("a database of something else is no backup", () => {
  using store = temporaryStore();
  expect(() => readLabel(store.db.$client)).toThrow("this is no backup of gatehouse");
});
