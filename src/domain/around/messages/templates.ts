import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { messageTemplates } from "../../../../db/schema.ts";
import { audit, auditEntry } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, type Input, oneOf, readFields, scopeId, text } from "../../core/fields/fields.ts";
import { languageTags } from "../../core/fields/languages.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import {
  isTemplateField,
  type TemplateField,
  templateFields,
  templateFieldsFor,
  type Trigger,
} from "./fields.ts";
import { marked, marksIn, strayMark } from "./marks.ts";
import { readyTexts } from "./ready/ready.ts";

export const templateForm = {
  isp_id: scopeId,
  name: text(60),
  language: oneOf(...languageTags),
  subject: text(200),
  body: text(4000, { lines: true }),
};

export type Template = typeof messageTemplates.$inferSelect;

interface At {
  readonly now: Seconds;
}

const select = `SELECT ${selectColumns(messageTemplates, "t")} FROM message_templates t`;

export function listTemplates(db: Db, by: Actor): Template[] {
  permit(by, "listTemplates");
  requireWholeIsp(by, "messages");
  const { text: where, values } = all(equal("t.isp_id", by.scope.ispId));
  return db.$client
    .query<Template, Value[]>(`${select} WHERE ${where} ORDER BY t.isp_id, t.name, t.language`)
    .all(...values);
}

export function templateById(db: Db, by: Actor, { id }: { id: number }): Template {
  permit(by, "templateById");
  requireWholeIsp(by, "messages");
  return find(db, by.scope, id);
}

/** Upserts by name and language. Throws `invalid` with every fault. */
export function saveTemplate(db: Db, by: Actor, input: Input, { now }: At): Template {
  permit(by, "saveTemplate");
  requireWholeIsp(by, "messages");
  const faults: Faults = {};
  const sent = readFields(templateForm, input, faults, { required: ["name", "language", "body"] });
  const words = { subject: sent.subject ?? "", body: sent.body ?? "" };
  findWordFaults(words, faults);
  return write(db, (tx) => {
    const ispId = ispForNewRow(tx, by, sent.isp_id);
    const { name = "", language = "en" } = { name: sent.name ?? "", language: sent.language ?? "en" };
    for (const trigger of listTriggers(tx, { ispId, name })) findOfferFaults(words, trigger, faults);
    rejectFaults(faults);
    const before = named(tx, { ispId, name, language });
    insert(
      tx,
      messageTemplates,
      { ispId, name, language, ...words },
      { replacing: ["ispId", "name", "language"] },
    );
    const saved = named(tx, { ispId, name, language });
    if (!saved) throw new Error("a text was not stored");
    audit(tx, by, now, {
      ...entry(saved, "save"),
      before: before && auditView(before),
      after: auditView(saved),
    });
    return saved;
  });
}

/** Throws `not_found`, `conflict` for the last one of a used name. */
export function deleteTemplate(db: Db, by: Actor, { id }: { id: number }, { now }: At): Template {
  permit(by, "deleteTemplate");
  requireWholeIsp(by, "messages");
  return write(db, (tx) => {
    const gone = find(tx, by.scope, id);
    const others = listLanguages(tx, gone).filter(({ language }) => language !== gone.language);
    if (others.length === 0 && listTriggers(tx, gone).length > 0)
      throw new DomainError("conflict", phrase`a rule sends ${gone.name}; give it another text first`, {
        code: "in_use",
      });
    tx.$client.query<unknown, [number]>("DELETE FROM message_templates WHERE id = ?").run(id);
    audit(tx, by, now, { ...entry(gone, "delete"), before: auditView(gone) });
    return gone;
  });
}

/** Adds those that are missing, in all or `languages`. Returns how many. */
export function addReadyTemplates(
  db: Db,
  by: Actor,
  { ispId: requested, languages }: { ispId?: number | null | undefined; languages?: readonly string[] },
  { now }: At,
): number {
  permit(by, "addReadyTemplates");
  requireWholeIsp(by, "messages");
  return write(db, (tx) => {
    const ispId = ispForNewRow(tx, by, requested);
    let added = 0;
    for (const ready of readyTexts) {
      if (languages && !languages.includes(ready.language)) continue;
      if (named(tx, { ispId, ...ready })) continue;
      insert(tx, messageTemplates, { ispId, ...ready });
      added++;
    }
    if (added > 0)
      audit(tx, by, now, {
        action: "message_template.ready",
        entity: "message_template",
        entityId: ispId,
        ispId,
        after: { added },
      });
    return added;
  });
}

/** Adds faults. */
export function findWordFaults(words: { subject: string; body: string }, faults: Faults): void {
  for (const [name, value] of textParts(words)) {
    const stray = strayMark(value);
    if (stray !== undefined) addFault(faults, name, phrase`has ${stray}, which is no field`);
    const unknown = marksIn(value).filter((mark) => !isTemplateField(mark));
    if (unknown.length > 0)
      addFault(
        faults,
        name,
        phrase`${marked(unknown)} is no field; there are ${Object.keys(templateFields).join(", ")}`,
      );
  }
}

/** Adds fields that would be empty. */
export function findOfferFaults(
  words: { subject: string; body: string },
  trigger: Trigger,
  faults: Faults,
  under?: string,
): void {
  const offered = new Set<string>(templateFieldsFor(trigger));
  const what = trigger.on === "event" ? trigger.eventType : trigger.on === "due" ? "an invoice" : "an expiry";
  for (const [name, value] of textParts(words)) {
    const missing = marksIn(value).filter((mark) => isTemplateField(mark) && !offered.has(mark));
    if (missing.length > 0)
      addFault(faults, under ?? name, phrase`${marked(missing)} is not known of ${what ?? phrase`it`}`);
  }
}

const textParts = ({ subject, body }: { subject: string; body: string }) =>
  [
    ["subject", subject],
    ["body", body],
  ] as const;

export function listLanguages(
  { $client }: Pick<Db, "$client">,
  { ispId, name }: { ispId: number; name: string },
): Template[] {
  return $client
    .query<Template, [number, string]>(`${select} WHERE t.isp_id = ? AND t.name = ? ORDER BY t.id`)
    .all(ispId, name);
}

/** The text in the first of the languages that it has, else in English, else the oldest. */
export function textFor(
  texts: readonly Template[],
  ...languages: readonly (string | null)[]
): Template | undefined {
  for (const language of [...languages, "en"]) {
    const found = texts.find((one) => one.language === language);
    if (found) return found;
  }
  return texts[0];
}

export const fieldsIn = (words: string): TemplateField[] => marksIn(words).filter(isTemplateField);

function listTriggers({ $client }: Tx, { ispId, name }: { ispId: number; name: string }): Trigger[] {
  return $client
    .query<Trigger, [number, string]>(
      `SELECT DISTINCT "on", event_type AS eventType FROM message_rules WHERE isp_id = ? AND template = ?`,
    )
    .all(ispId, name);
}

function named(
  { $client }: Pick<Db, "$client">,
  { ispId, name, language }: { ispId: number; name: string; language: string },
): Template | undefined {
  const row = $client
    .query<Template, [number, string, string]>(
      `${select} WHERE t.isp_id = ? AND t.name = ? AND t.language = ?`,
    )
    .get(ispId, name, language);
  return row ?? undefined;
}

function find({ $client }: Pick<Db, "$client">, { ispId }: Scope, id: number): Template {
  const { text: where, values } = all(equal("t.id", id), equal("t.isp_id", ispId));
  return known(
    $client.query<Template, Value[]>(`${select} WHERE ${where}`).get(...values),
    phrase`there is no text ${id}`,
  );
}

const entry = auditEntry("message_template");

function auditView({ name, language, subject, body }: Template): object {
  return { name, language, subject, body };
}
