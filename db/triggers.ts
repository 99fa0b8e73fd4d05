import type { Database } from "bun:sqlite";
import { booked } from "./triggers/booked.ts";
import { changes } from "./triggers/changes.ts";
import { generationTriggers } from "./triggers/generations.ts";
import { logins } from "./triggers/logins.ts";
import { marked } from "./triggers/marked.ts";
import { search } from "./triggers/search.ts";
import written from "./triggers/written.sql" with { type: "text" };

/**
 * Triggers in the store's order: of two on one change the later runs first. Marking triggers exist only where they are needed
 * (`marking`), because any trigger makes SQLite copy each changed page of an accounting statement.
 */
export function storeTriggers({ marking }: { marking: boolean }): string[] {
  const sql = readWritten(written);
  return lastLast([
    ...sql("audit_entries_no_update"),
    ...generationTriggers("nas", "configuration"),
    ...generationTriggers("settings", "configuration"),
    ...logins(),
    ...sql("nas_sources_mode", "nas_sources_address", "nas_sources_deleted"),
    ...sql("invoices_followed", "invoices_followed_otherwise"),
    ...sql("ledger_entries_no_update", "ledger_entries_no_delete", "subscribers_wallet_opened"),
    ...search(),
    ...sql("ledger_entries_summed"),
    ...generationTriggers("card_batches", "cards"),
    ...sql("cards_counted", "cards_counted_otherwise"),
    ...(marking ? [...marked(), ...booked()] : []),
    ...generationTriggers("radsec_keys", "configuration"),
    ...generationTriggers("radsec_certificates", "configuration"),
    ...sql("invoices_moved"),
    ...changes(),
  ]);
}

/** A store that waits for recovery has the marking triggers too, which note what the recovery changes. */
export function readTriggers(client: Database): string[] {
  const state = client
    .query<{ marking: number }, []>("SELECT marking = 1 OR pending IS NOT NULL AS marking FROM access_state")
    .get();
  return storeTriggers({ marking: state?.marking === 1 });
}

/**
 * Replaces a store's triggers in one transaction; writes nothing where they are equal. Compares sqlite_master, so that it
 * corrects whatever changed them.
 */
export function renewTriggers(client: Database, expected: readonly string[]): void {
  if (isSame(presentTriggers(client), expected)) return;
  client
    .transaction(() => {
      const present = presentTriggers(client);
      const kept = present.findIndex(({ sql }, at) => sql !== expected[at]);
      const same = kept === -1 ? present.length : kept;
      for (const { name } of present.slice(same)) client.run(`DROP TRIGGER "${name}"`);
      for (const sql of expected.slice(same)) client.run(sql);
    })
    .immediate();
}

interface Present {
  readonly name: string;
  readonly sql: string;
}

function presentTriggers(client: Database): Present[] {
  return client
    .query<Present, []>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    .all();
}

function isSame(present: readonly Present[], expected: readonly string[]): boolean {
  return present.length === expected.length && present.every(({ sql }, at) => sql === expected[at]);
}

const triggerName = (sql: string) => /^CREATE TRIGGER `(\w+)`/.exec(sql)?.[1] ?? "";

function readWritten(text: string): (...names: string[]) => string[] {
  const byName = new Map(
    text
      .split(/;\n(?=\n|$)/)
      .map((part) => part.replace(/^(?:--.*\n|\n)+/, ""))
      .map((sql) => [triggerName(sql), sql]),
  );
  return (...names) =>
    names.map((name) => {
      const sql = byName.get(name);
      if (sql === undefined) throw new Error(`there is no trigger ${name}`);
      return sql;
    });
}

/** The newest migrations of 0.2.0 made these last; keeping the order spares its stores a write. */
const last = [
  /^services_(?:login|marked|booked)_u/,
  /^subscribers_marked_updated$/,
  /^address_pools_booked/,
  /^radsec_(?:keys|certificates)_(?:inserted|updated|deleted)$/,
  /^radsec_(?:keys|certificates)_booked/,
  /_changed(?:_|$)/,
];

function lastLast(triggers: readonly string[]): string[] {
  const ranked = Map.groupBy(triggers, (sql) => last.findIndex((name) => name.test(triggerName(sql))));
  return [-1, ...last.keys()].flatMap((rank) => ranked.get(rank) ?? []);
}
