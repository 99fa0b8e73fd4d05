import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../../db/open.ts";
import * as schema from "../../../db/schema.ts";

/*
 * What a stored text says that somebody wants to become a part of a page: an element that runs a script, with whose it is. A new column of
 * text is taken in by itself; those below are what the program itself reads, or a form that the store holds them to.
 */

const KEPT: Readonly<Record<string, readonly string[]>> = {
  address_pools: ["range"],
  audit_entries: ["entity", "entity_id", "before", "after"],
  auth_log: ["nas_address", "reason", "method"],
  bank_files: ["columns"],
  bulk_jobs: ["operation", "input"],
  card_templates: ["fields"], // JSON, of which each word is poisoned below
  channels: ["settings"],
  events: ["type", "data"],
  incoming_payments: ["currency"],
  invoices: ["currency", "service_before"],
  message_rules: ["event_type", "flag"],
  message_templates: ["language"],
  messages: ["language"],
  nas: ["address"],
  nas_sources: ["address"],
  outages: ["evidence"],
  packages: ["rate_limit", "quota_exceeded"],
  payment_sources: ["method", "settings"],
  payments: ["currency", "method"],
  router_findings: ["kind", "detail", "commands"], // JSON, of which each text is poisoned below
  router_readings: ["unread", "facts"],
  services: ["rate_limit", "quota_exceeded"],
  sessions: ["nas_address", "framed_ip", "framed_ipv6_prefix", "delegated_ipv6_prefix"],
  staff: ["password_hash"],
  staff_sessions: ["id"],
  subscribers: ["language", "portal_pass", "static_ip", "framed_ipv6_prefix", "delegated_ipv6_prefix"],
  webhook_endpoints: ["url", "types"],
};
/** Names of ours, sums by such names, tokens, and settings, of which one is poisoned by itself. */
const KEPT_TABLES = new Set([
  ...[
    "auto_renewals",
    "counters",
    "generations",
    "idempotency_keys",
    "ledger_days",
    "ledger_months",
    "logos",
  ],
  ...["login_days", "login_stamps", "permission_flags", "role_permissions", "sequences", "settings"],
  ...["setup_steps", "staff_preferences", "subscriber_tokens"],
]);

/** What is found in a page where a text of a row has become an element. */
export const INJECTED = "<img src=x data-evil=";

/**
 * Puts the element into every text of every row. It says whose the row is: `s1.11.2` is of a subscriber of ISP 1, branch 11 and seller 2,
 * `i1` of ISP 1. Answers how many columns there are.
 */
export function poison({ $client }: Db): number {
  let columns = 0;
  // those that keep books as they are; whoever poisons them is no part of the program
  const triggers = $client.query<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%RAISE%'",
  );
  for (const { name } of triggers.all()) $client.run(`DROP TRIGGER ${name}`);
  for (const table of Object.values(schema)) {
    if (!is(table, SQLiteTable)) continue;
    const name = getTableName(table);
    if (KEPT_TABLES.has(name)) continue;
    const known = new Set(Object.values(getTableColumns(table)).map((column) => column.name));
    const texts = Object.values(getTableColumns(table)).filter(
      (column) =>
        column.getSQLType() === "text" &&
        !column.enumValues?.length &&
        !column.name.endsWith("_key") &&
        !KEPT[name]?.includes(column.name),
    );
    columns += texts.length;
    for (const { name: column } of texts)
      $client.run(
        `UPDATE ${name} SET ${column} = '"''><img src=x data-evil=' || ${ownerOf(name, known)} || ' onerror=alert(1)>' || abs(random() % 1000000)
         WHERE ${column} IS NOT NULL`,
      );
  }
  const evil = `'"''>${INJECTED}i' || (SELECT isp_id FROM nas WHERE nas.id = nas_id) || ' onerror=alert(1)>'`;
  $client.run(
    `UPDATE router_findings SET commands = json_array(${evil}),
       detail = (SELECT json_group_object(key, iif(type = 'text', ${evil}, value)) FROM json_each(detail))`,
  );
  for (const word of ["heading", "line_1", "line_2"])
    $client.run(
      `UPDATE card_templates SET fields = json_set(fields, '$.${word}', '"''>${INJECTED}i' || isp_id || ' onerror=alert(1)>')`,
    );
  const named = JSON.stringify(`"'>${INJECTED}p onerror=alert(1)>`);
  $client.query("INSERT INTO settings (isp_id, key, value) VALUES (1, 'portal_contact', ?)").run(named);
  return columns;
}

/** Whose a row is, as SQL. */
function ownerOf(table: string, columns: ReadonlySet<string>): string {
  const subscriber = (alias: string) =>
    `'s' || ${alias}.isp_id || '.' || ifnull(${alias}.branch_id, 0) || '.' || ifnull(${alias}.salesperson_id, 0)`;
  if (table === "subscribers") return subscriber("subscribers");
  if (table === "isps") return "'i' || id";
  const found: string[] = [];
  if (columns.has("subscriber_id"))
    found.push(`(SELECT ${subscriber("o")} FROM subscribers o WHERE o.id = ${table}.subscriber_id)`);
  if (columns.has("isp_id")) found.push("'i' || isp_id");
  if (columns.has("nas_id")) found.push(`(SELECT 'i' || n.isp_id FROM nas n WHERE n.id = ${table}.nas_id)`);
  return `coalesce(${[...found, "'n'"].join(", ")}, 'n')`;
}
