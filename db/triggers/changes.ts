import { getTableColumns } from "drizzle-orm";
import { type Noun, noteChange, SESSION_CHANGED } from "../record-changes.ts";
import { invoices } from "../schema.ts";
import { after, changed } from "./trigger.ts";

/** Columns of an invoice, without what its record does not show. */
const ofInvoice = Object.values(getTableColumns(invoices))
  .map(({ name }) => name)
  .filter((name) => name !== "followed_at" && name !== "service_before");

/**
 * Follows what changes a record of `nouns`: its row, and what it shows of other rows. Not who took a payment, whose new name would change
 * years of them, nor who is online.
 */
export function changes(): string[] {
  return [
    ...ofRow("subscriber"),
    ...ofRow("payment"),
    ...ofRow("invoice", ofInvoice),
    ...(["payment", "invoice"] as const).map((noun) =>
      after(
        {
          name: `subscribers_changed_${noun}s`,
          table: "subscribers",
          event: "UPDATE",
          of: ["name", "username"],
          when: changed(["name", "username"]),
        },
        noteChange(noun, "`id`", `FROM \`${noun}s\` WHERE \`subscriber_id\` = NEW.\`id\``),
      ),
    ),
    after(
      {
        name: "subscribers_changed_sessions",
        table: "subscribers",
        event: "UPDATE",
        of: ["name"],
        when: changed(["name"]),
      },
      `UPDATE \`sessions\` SET ${SESSION_CHANGED} WHERE \`subscriber_id\` = NEW.\`id\` AND \`stopped_at\` IS NOT NULL;`,
    ),
    ...ofService(),
    after(
      {
        name: "wallets_changed",
        table: "wallets",
        event: "UPDATE",
        of: ["balance"],
        when: changed(["balance"]),
      },
      noteChange("subscriber", "NEW.`subscriber_id`"),
    ),
    ...shown("packages", "billing_type", "package_id"),
    ...shown("areas", "name", "area_id"),
    ...shown("subareas", "name", "subarea_id"),
    ...shown("cities", "name", "city_id"),
  ];
}

function ofRow(noun: Noun, of?: readonly string[]): string[] {
  const table = `${noun}s`;
  const note = noteChange(noun, "NEW.`id`");
  return [
    after({ name: `${table}_changed`, table, event: "INSERT" }, note),
    after({ name: `${table}_changed_updated`, table, event: "UPDATE", of }, note),
  ];
}

function ofService(): string[] {
  const of = ["expires_at", "frozen_at"];
  const service = { table: "services" } as const;
  return [
    after(
      { ...service, name: "services_changed", event: "INSERT" },
      noteChange("subscriber", "NEW.`subscriber_id`"),
    ),
    after(
      { ...service, name: "services_changed_updated", event: "UPDATE", of, when: changed(of) },
      noteChange("subscriber", "NEW.`subscriber_id`"),
    ),
    after(
      { ...service, name: "services_changed_deleted", event: "DELETE" },
      noteChange("subscriber", "OLD.`subscriber_id`"),
    ),
  ];
}

/** Triggers for rows of another table that the records of subscribers show. */
function shown(table: string, column: string, key: string): string[] {
  return [
    after(
      { name: `${table}_changed`, table, event: "UPDATE", of: [column], when: changed([column]) },
      noteChange("subscriber", "`id`", `FROM \`subscribers\` WHERE \`${key}\` = NEW.\`id\``),
    ),
  ];
}
