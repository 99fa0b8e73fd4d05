import type { Db } from "../../../../db/open.ts";
import type { Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, flag, id, text, time, type Values } from "../../core/fields/fields.ts";
import type { Seconds } from "../../core/time/time.ts";
import { isTemplateField, templateFieldsFor } from "./fields.ts";
import { marked, marksIn } from "./marks.ts";
import { findWordFaults, listLanguages } from "./templates.ts";

const DAY = 86_400;
/** Seconds. */
const AHEAD = 90 * DAY;

export const wordsForm = {
  channel_id: id,
  template: text(60),
  subject: text(200),
  body: text(4000, { lines: true }),
  send_at: time,
};
export const writeForm = { user_id: id, ...wordsForm, anyway: flag };

export type Chosen =
  | { readonly template: string; readonly own: null }
  | { readonly template: ""; readonly own: { readonly subject: string; readonly body: string } };

/** Fields known without an event. */
export const handFields = templateFieldsFor({ on: "expiry" });
const offered = new Set<string>(handFields);

/** Adds faults: neither or both, unknown fields, a past time. */
export function readChosen(
  sent: Values<typeof wordsForm>,
  faults: Faults,
  { now }: { now: Seconds },
): Chosen {
  const { template, subject, body, send_at: sendAt } = sent;
  if (sendAt && (sendAt < now || sendAt > now + AHEAD))
    addFault(faults, "send_at", phrase`must be within the next 90 days; leave it out to send at once`);
  if (template) {
    if (body || subject)
      addFault(faults, "template", phrase`is for words that are kept; leave out subject and body`);
    return { template, own: null };
  }
  const own = { subject: subject ?? "", body: body ?? "" };
  if (own.body.trim() === "") addFault(faults, "body", phrase`is required, or a template`);
  findWordFaults(own, faults);
  findEventFaults(own, faults);
  return { template: "", own };
}

/** Adds faults: unknown, or with event fields. */
export function findTemplateFaults(
  db: Pick<Db, "$client">,
  { ispId, name }: { ispId: number; name: string },
  faults: Faults,
): void {
  const texts = listLanguages(db, { ispId, name });
  if (texts.length === 0) return addFault(faults, "template", phrase`${name} is no text of this ISP`);
  const first = texts.find((words) => missingIn(words).length > 0);
  if (first) findEventFaults(first, faults, "template");
}

/** Whether a text needs no field of an event. */
export function fitsAnybody(words: { subject: string; body: string }): boolean {
  return missingIn(words).length === 0;
}

function findEventFaults(
  { subject, body }: { subject: string; body: string },
  faults: Faults,
  under?: string,
): void {
  for (const [name, words] of [
    ["subject", subject],
    ["body", body],
  ] as const) {
    const missing = missingIn({ subject: "", body: words });
    if (missing.length > 0)
      addFault(
        faults,
        under ?? name,
        phrase`${marked(missing)} is known of an event alone; there are ${handFields.join(", ")}`,
      );
  }
}

function missingIn({ subject, body }: { subject: string; body: string }): string[] {
  return marksIn(`${subject}\n${body}`).filter((mark) => isTemplateField(mark) && !offered.has(mark));
}

/** Seals words as they were typed, before fields are filled in. */
export function sealWords({ vault }: Pick<Db, "vault">, words: { subject: string; body: string }): Buffer {
  const { subject, body } = words;
  return vault.seal(JSON.stringify({ subject, body }));
}

export function openWords(
  { vault }: Pick<Db, "vault">,
  sealed: Uint8Array,
): { subject: string; body: string } | undefined {
  const opened = vault.openTextIfWhole(sealed);
  return opened === undefined ? undefined : JSON.parse(opened);
}

const HAND = "hand ";
const ANYWAY = "anyway ";

/** Unique for manual messages. `isAnyway`: overrides an opt-out. */
export function periodByHand(uid: string, isAnyway: boolean): string {
  return `${isAnyway ? ANYWAY : HAND}${uid}`;
}

export const isByHand = (period: string) => period.startsWith(HAND) || period.startsWith(ANYWAY);
export const isAnyway = (period: string) => period.startsWith(ANYWAY);
