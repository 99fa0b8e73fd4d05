import { after } from "./trigger.ts";

/** Invalidates what readers cache of a table. */
export function generationTriggers(table: string, generation: "configuration" | "cards"): string[] {
  const next = `UPDATE \`generations\` SET \`value\` = \`value\` + 1 WHERE \`name\` = '${generation}';`;
  return [
    after({ name: `${table}_inserted`, table, event: "INSERT" }, next),
    after({ name: `${table}_updated`, table, event: "UPDATE" }, next),
    after({ name: `${table}_deleted`, table, event: "DELETE" }, next),
  ];
}
