import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Chosen } from "./by-hand.ts";
import { MessageFormat } from "./formats.ts";
import { fillMarks, marksIn } from "./marks.ts";
import { listLanguages, textFor } from "./templates.ts";
import { type About, fieldValues, type FieldValues } from "./values.ts";

export interface Rendered {
  readonly language: string;
  readonly subject: string;
  readonly body: string;
}

/** A subscriber, or staff in the ISP's language. */
interface Reader {
  readonly subscriberId: number | null;
}

export function rendered(
  db: Db,
  { template, about, reader }: { template: string; about: About; reader: Reader },
  now: Seconds,
): Rendered | undefined {
  const texts = listLanguages(db, { ispId: about.ispId, name: template });
  const text = textFor(texts, findLanguage(db, reader), setting(db, "message_language", about.ispId));
  if (!text) return undefined;
  const { language } = text;
  return { language, ...filled(text, fieldValues(db, about, { language, now }), language) };
}

export function filled(
  { subject, body }: { subject: string; body: string },
  values: FieldValues,
  language: string,
): { subject: string; body: string } {
  const format = new MessageFormat(language);
  const value = (name: string) => {
    const found: string = Reflect.get(values, name) ?? "";
    return name === "pay_link" ? found : format.placed(found);
  };
  const lines = body.split("\n").filter((line) => {
    const names = marksIn(line);
    // a line whose fields are all empty is dropped
    return names.length === 0 || names.some((name) => value(name) !== "");
  });
  return { subject: fillMarks(subject, value).trim(), body: fillMarks(lines.join("\n"), value).trim() };
}

/** undefined: deleted. */
export function renderedFor(
  db: Db,
  { template, own }: Pick<Chosen, "template" | "own">,
  about: About,
  now: Seconds,
): Rendered | undefined {
  const reader = { subscriberId: about.subscriberId };
  if (own === null) return rendered(db, { template, about, reader }, now);
  const language = findLanguage(db, reader) ?? setting(db, "message_language", about.ispId);
  return { language, ...filled(own, fieldValues(db, about, { language, now }), language) };
}

function findLanguage({ $client }: Db, { subscriberId }: Reader): string | null {
  if (subscriberId === null) return null;
  const row = $client
    .query<{ language: string | null }, [number]>("SELECT language FROM subscribers WHERE id = ?")
    .get(subscriberId);
  return row?.language ?? null;
}
