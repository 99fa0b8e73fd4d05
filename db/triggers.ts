import type { Database } from "bun:sqlite";
import { booked } from "./triggers/booked.ts";
import { generationOf } from "./triggers/generations.ts";
import { logins } from "./triggers/logins.ts";
import { marked } from "./triggers/marked.ts";
import { search } from "./triggers/search.ts";
import written from "./triggers/written.sql" with { type: "text" };

/**
 * Triggers by their text, in the order in which a store has them: of two that follow the same change the later runs first. Those that note
 * changes for access boxes and the stream of the books are only where there are any (`marking`): one that has nothing to do costs each
 * report of accounting a copy of every page that it changes, because with a trigger a statement may have to be undone in part.
 */
export function storeTriggers({ marking }: { marking: boolean }): string[] {
  const sql = readWritten(written);
  return lastLast([
    ...sql("audit_entries_no_update"),
    ...generationOf("nas", "configuration"),
    ...generationOf("settings", "configuration"),
    ...logins(),
    ...sql("nas_sources_mode", "nas_sources_address", "nas_sources_deleted"),
    ...sql("invoices_followed", "invoices_followed_otherwise"),
    ...sql("ledger_entries_no_update", "ledger_entries_no_delete", "subscribers_wallet_opened"),
    ...search(),
    ...sql("ledger_entries_summed"),
    ...generationOf("card_batches", "cards"),
    ...sql("cards_counted", "cards_counted_otherwise"),
    ...(marking ? [...marked(), ...booked()] : []),
    ...generationOf("radsec_keys", "configuration"),
    ...generationOf("radsec_certificates", "configuration"),
  ]);
}

/** Those that a store has to have, by what it says of itself: books that wait to be recovered note what that changes. */
export function triggersOf(client: Database): string[] {
  const state = client
    .query<{ marking: number }, []>("SELECT marking = 1 OR pending IS NOT NULL AS marking FROM access_state")
    .get();
  return storeTriggers({ marking: state?.marking === 1 });
}

/**
 * Gives a store these triggers and no others, in one transaction. Nothing is written where it has them, which is looked up where they are:
 * so it comes to them whatever a migration, an older program or a hand has left.
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

const nameOf = (sql: string) => /^CREATE TRIGGER `(\w+)`/.exec(sql)?.[1] ?? "";

/** Those of a file by their names. */
function readWritten(text: string): (...names: string[]) => string[] {
  const byName = new Map(
    text
      .split(/;\n(?=\n|$)/)
      .map((part) => part.replace(/^(?:--.*\n|\n)+/, ""))
      .map((sql) => [nameOf(sql), sql]),
  );
  return (...names) =>
    names.map((name) => {
      const sql = byName.get(name);
      if (sql === undefined) throw new Error(`there is no trigger ${name}`);
      return sql;
    });
}

/** The newest migrations of 0.2.0 made these, some of them anew: its stores have them at the end, and need not be written to. */
const last = [
  /^services_(?:login|marked|booked)_u/,
  /^subscribers_marked_updated$/,
  /^address_pools_booked/,
  /^radsec_(?:keys|certificates)_(?:inserted|updated|deleted)$/,
  /^radsec_(?:keys|certificates)_booked/,
];

function lastLast(triggers: readonly string[]): string[] {
  const ranked = Map.groupBy(triggers, (sql) => last.findIndex((name) => name.test(nameOf(sql))));
  return [-1, ...last.keys()].flatMap((rank) => ranked.get(rank) ?? []);
}
