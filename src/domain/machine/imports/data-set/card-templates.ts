import type { Db } from "../../../../../db/open.ts";
import {
  type CardTemplate,
  readTemplate,
  storedTemplates,
  templateColumns,
  templateParts,
  usualTemplate,
} from "../../../service/cards/templates.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault, type Input, readFields } from "../../../core/fields/fields.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { cardTemplateFields } from "./card-fields.ts";
import { type Directory, enter } from "./directory.ts";
import { type Row, readRows } from "./rows.ts";
import { StagedRows, type Staging } from "./staging.ts";

export type CardTemplateRow = Row<{ isp_id?: number | null; template: CardTemplate }>;

export function exportCardTemplates(db: Db) {
  return [...storedTemplates(db)].map(([id, { ispId, name, sheet, parts, words }]) => {
    const flags = Object.fromEntries(templateParts.map((part) => [part, Number(parts[part])]));
    return Object.assign({ id, isp_id: ispId, name, sheet }, flags, words);
  });
}

export function readCardTemplates(db: Db, file: Input, stored: Directory, faults: Faults): CardTemplateRow[] {
  const known = storedTemplates(db);
  return readRows(
    file["card_templates"],
    "/card_templates",
    {
      names: new Set(Object.keys(cardTemplateFields)),
      read: (row, found, { id }) => {
        const before = known.get(id);
        const required = before ? [] : (["isp_id"] as const);
        const { isp_id } = readFields({ isp_id: cardTemplateFields.isp_id }, row, found, { required });
        const template = readTemplate(row, before ?? usualTemplate, found);
        return { ...(isp_id !== undefined && { isp_id }), template };
      },
    },
    stored.card_templates,
    faults,
  );
}

/** Enters the templates into the directory; adds names that two of an ISP would have. */
export function findCardTemplateFaults(
  db: Db,
  rows: readonly CardTemplateRow[],
  directory: Directory,
  faults: Faults,
): void {
  enter(directory, "card_templates", rows, faults);
  const keyOf = (id: number, name: string) => `${directory.card_templates.get(id)} ${name.toLowerCase()}`;
  const ids = new Set(rows.map(({ id }) => id));
  const owners = new Map(
    [...storedTemplates(db)]
      .filter(([id]) => !ids.has(id))
      .map(([id, { name }]) => [keyOf(id, name), `template ${id}`]),
  );
  for (const { id, pointer, values } of rows) {
    const key = keyOf(id, values.template.name);
    const owner = owners.get(key);
    if (owner !== undefined) addFault(faults, `${pointer}/name`, phrase`is also that of ${owner}`);
    else owners.set(key, pointer);
  }
}

export function stageCardTemplates(
  staging: Staging,
  rows: readonly CardTemplateRow[],
  now: Seconds,
): StagedRows {
  const staged = new StagedRows(staging, "card_templates");
  for (const row of rows) {
    const { isp_id, template } = row.values;
    const columns = { isp_id: isp_id ?? undefined, ...templateColumns(template) };
    staged.put(row.id, staged.find(row), columns, { onInsert: { created_at: now } });
  }
  return staged;
}
