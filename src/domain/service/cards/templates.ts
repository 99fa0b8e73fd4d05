import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { cardTemplates } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, flag, type Input, oneOf, readFields, scopeId, text } from "../../core/fields/fields.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import { optional } from "../../core/settings/define.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Sheet, sheets } from "./sheets.ts";

export const templateParts = ["logo", "validity", "price", "serial", "wifi", "login_qr", "wifi_qr"] as const;
export type TemplatePart = (typeof templateParts)[number];

/** Texts of a template with their maximum lengths, to fit a card. */
export const templateWords = { heading: 40, line_1: 40, line_2: 40 } as const;
export type TemplateWord = keyof typeof templateWords;

/** Design of an ISP's cards: `heading` replaces the ISP's name, lines at the foot; empty: none. */
export interface CardTemplate {
  /** null: the built-in default. */
  readonly id: number | null;
  readonly ispId: number | null;
  readonly name: string;
  readonly sheet: Sheet;
  readonly parts: Readonly<Record<TemplatePart, boolean>>;
  readonly words: Readonly<Record<TemplateWord, string>>;
}

const partFields = {
  logo: flag,
  validity: flag,
  price: flag,
  serial: flag,
  wifi: flag,
  login_qr: flag,
  wifi_qr: flag,
} satisfies Record<TemplatePart, unknown>;
const wordFields = {
  heading: optional(text(templateWords.heading)),
  line_1: optional(text(templateWords.line_1)),
  line_2: optional(text(templateWords.line_2)),
} satisfies Record<TemplateWord, unknown>;
const contentFields = { ...partFields, ...wordFields };

/** Fields of a template; missing ones are the default's. */
export const templateFields = { name: text(60), sheet: oneOf(...sheets), ...contentFields };

/** The design without a template. */
export const usualTemplate: CardTemplate = {
  id: null,
  ispId: null,
  name: "",
  sheet: "a4-21",
  parts: {
    logo: true,
    validity: true,
    price: true,
    serial: true,
    wifi: true,
    login_qr: true,
    wifi_qr: false,
  },
  words: { heading: "", line_1: "", line_2: "" },
};

interface Row {
  readonly id: number;
  readonly ispId: number;
  readonly name: string;
  readonly sheet: Sheet;
  readonly fields: string;
}

interface At {
  readonly now: Seconds;
}

const select = "SELECT t.id, t.isp_id AS ispId, t.name, t.sheet, t.fields FROM card_templates t";

export function listCardTemplates(db: Db, by: Actor, { ispId = null }: { ispId?: number | null } = {}) {
  permit(by, "listCardTemplates");
  const { text: where, values } = all(equal("t.isp_id", by.scope.ispId), equal("t.isp_id", ispId));
  return db.$client
    .query<Row, Value[]>(`${select} WHERE ${where} ORDER BY t.name COLLATE NOCASE, t.id`)
    .all(...values)
    .map(toTemplate);
}

/** All templates by id, without scope. */
export function storedTemplates(db: Pick<Db, "$client">): Map<number, CardTemplate> {
  const rows = db.$client.query<Row, []>(`${select} ORDER BY t.id`).all();
  return new Map(rows.map((row) => [row.id, toTemplate(row)]));
}

export function cardTemplateById(db: Db, by: Actor, { id }: { id: number }): CardTemplate {
  permit(by, "cardTemplateById");
  return find(db, by.scope, id);
}

/** Makes a template, by default in the actor's ISP. Throws `invalid` with every fault, `forbidden` to a branch and a reseller. */
export function createCardTemplate(db: Db, by: Actor, input: Input, { now }: At): CardTemplate {
  permit(by, "createCardTemplate");
  requireWholeIsp(by, "templates of cards");
  const faults: Faults = {};
  const { isp_id: named } = readFields({ isp_id: scopeId }, input, faults);
  const sent = readTemplate(input, usualTemplate, faults);
  return write(db, (tx) => {
    const ispId = ispForNewRow(tx, by, named);
    requireFreeName(tx, { ispId, name: sent.name, id: 0 }, faults);
    rejectFaults(faults);
    const id = insert(tx, cardTemplates, { ...templateColumns(sent), ispId, createdAt: now });
    const made = find(tx, by.scope, id);
    audit(tx, by, now, { ...entry(made, "create"), after: auditView(made) });
    return made;
  });
}

export function updateCardTemplate(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): CardTemplate {
  permit(by, "updateCardTemplate");
  requireWholeIsp(by, "templates of cards");
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    const faults: Faults = {};
    const sent = readTemplate(input, before, faults);
    requireFreeName(tx, { ispId: before.ispId ?? 0, name: sent.name, id }, faults);
    rejectFaults(faults);
    update(tx, cardTemplates, templateColumns(sent), { id });
    const changed = find(tx, by.scope, id);
    audit(tx, by, now, {
      ...entry(changed, "update"),
      before: auditView(before),
      after: auditView(changed),
    });
    return changed;
  });
}

/** Deletes a template; printed cards are unaffected. Throws `not_found`, `forbidden`. */
export function deleteCardTemplate(db: Db, by: Actor, { id }: { id: number }, { now }: At): CardTemplate {
  permit(by, "deleteCardTemplate");
  requireWholeIsp(by, "templates of cards");
  return write(db, (tx) => {
    const gone = find(tx, by.scope, id);
    tx.$client.query<unknown, [number]>("DELETE FROM card_templates WHERE id = ?").run(id);
    audit(tx, by, now, { ...entry(gone, "delete"), before: auditView(gone) });
    return gone;
  });
}

/** Reads a form over another template; errors are added to `faults`. */
export function readTemplate(input: Input, over: CardTemplate, faults: Faults): CardTemplate {
  const sent = readFields(templateFields, input, faults, {
    required: ["name", "sheet"],
    partial: over.id !== null,
  });
  const parts = templateParts.map((part) => [part, (sent[part] ?? Number(over.parts[part])) === 1] as const);
  return {
    ...over,
    name: sent.name ?? over.name,
    sheet: sent.sheet ?? over.sheet,
    parts: { ...over.parts, ...Object.fromEntries(parts) },
    words: {
      heading: sent.heading ?? over.words.heading,
      line_1: sent.line_1 ?? over.words.line_1,
      line_2: sent.line_2 ?? over.words.line_2,
    },
  };
}

export function templateColumns({ name, sheet, parts, words }: CardTemplate) {
  return { name, sheet, fields: JSON.stringify({ ...parts, ...words }) };
}

function toTemplate({ fields, ...row }: Row): CardTemplate {
  const stored: Input = JSON.parse(fields);
  const numbers = Object.entries(stored).map(([name, value]) => [
    name,
    typeof value === "boolean" ? Number(value) : value,
  ]);
  return readTemplate({ ...Object.fromEntries(numbers), ...row }, { ...usualTemplate, ...row }, {});
}

function find({ $client }: Pick<Db, "$client">, { ispId }: Scope, id: number): CardTemplate {
  const { text: where, values } = all(equal("t.id", id), equal("t.isp_id", ispId));
  const row = $client.query<Row, Value[]>(`${select} WHERE ${where}`).get(...values);
  if (!row) throw new DomainError("not_found", phrase`there is no template ${id} of cards`);
  return toTemplate(row);
}

function requireFreeName(
  tx: Tx,
  { ispId, name, id }: { ispId: number; name: string; id: number },
  faults: Faults,
): void {
  const other = tx.$client
    .query<{ id: number }, [number, string, number]>(
      "SELECT id FROM card_templates WHERE isp_id = ? AND name = ? COLLATE NOCASE AND id <> ?",
    )
    .get(ispId, name, id);
  if (other) addFault(faults, "name", phrase`is that of another template; choose another one`);
}

function entry({ id, ispId }: CardTemplate, what: "create" | "update" | "delete") {
  return { action: `card_template.${what}`, entity: "card_template", entityId: id ?? 0, ispId };
}

function auditView({ name, sheet, parts, words }: CardTemplate): object {
  return { name, sheet, ...parts, ...words };
}
